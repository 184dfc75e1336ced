"""A comparison on a cluster of Dask: real workers on loopback, one of them killed in the middle."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import pytest

from treekit.comparing import CrossValidation, Dask, Here, compare, verify
from treekit.comparing.contenders import RecipeContender, recipe_contenders
from treekit.comparing.data import data_sets
from treekit.comparing.plan import plan_of
from treekit.comparing.running import run
from treekit.comparing.store import opened
from treekit.errors import TreekitError

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
cloudpickle = pytest.importorskip("cloudpickle")
# Workers cannot import this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

WORK = ["id3", "c45"], ["tennis", "mammals"]
HOW = CrossValidation(2, 25)
OPTIONS = {"dashboard_address": ":0", "threads_per_worker": 1, "processes": True}
SEED_OF_FOLD_1 = int(np.random.SeedSequence([0, 0, 1]).generate_state(1)[0])
SECONDS = ["fit_seconds", "predict_seconds"]


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, host="127.0.0.1", **OPTIONS) as made:
        yield made


@pytest.fixture
def patient_with_none():
    """A cluster that gives a task up when it has lost one worker."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=2, host="127.0.0.1", **OPTIONS) as made,
    ):
        yield made


class Deadly(RecipeContender):
    """Ends its process on one fold."""

    def learn(self, table, seed):
        if seed == SEED_OF_FOLD_1:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().learn(table, seed)


def test_a_killed_worker_loses_nothing(cluster):
    address, killed = cluster.scheduler_address, []

    def kill_one(progress):
        if progress.done >= 20 and not killed:
            with distributed.Client(address, set_as_default=False) as client:
                killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    there = compare(*WORK, resampling=HOW, backend=Dask(address), progress=kill_one).frame
    here = compare(*WORK, resampling=HOW, backend=Here()).frame
    assert killed
    assert len(here) == 200
    assert there.drop(columns=SECONDS).equals(here.drop(columns=SECONDS))


def test_comparisons_one_after_the_other_on_the_same_workers_are_told_apart(cluster):
    for recipes, how in ((["id3"], CrossValidation(2)), (["c45", "stump"], CrossValidation(3))):
        there = compare(recipes, "tennis", resampling=how, backend=Dask(cluster.scheduler_address))
        here = compare(recipes, "tennis", resampling=how, backend=Here())
        assert there.frame.drop(columns=SECONDS).equals(here.frame.drop(columns=SECONDS))


def test_a_bundle_holds_on_a_cluster(cluster, tmp_path):
    compare(*WORK, resampling=CrossValidation(3), bundle=tmp_path / "b.zip", jobs=1)
    verdict = verify(tmp_path / "b.zip", backend=Dask(cluster.scheduler_address))
    assert (verdict.holds, verdict.exactly, verdict.equal) == (True, True, 12)


def test_a_fold_that_ends_its_workers_has_failed_and_the_rest_goes_on(patient_with_none):
    contender = Deadly("id3", recipe_contenders(["id3"])[0].document)
    plan = plan_of([contender], data_sets(["tennis"]), CrossValidation(5))
    with opened(None) as kept:
        found = run(plan, kept, Dask(patient_with_none.scheduler_address))
    assert [o.failure for o in found if o.fold != 1] == [""] * 4
    assert found[1].failure == "the workers that tried it ended (killed, or out of memory?)"


def test_a_scheduler_that_is_lost_is_told(tmp_path, caplog):
    scheduler = distributed.LocalCluster(n_workers=1, host="127.0.0.1", **OPTIONS)

    def close(progress):
        if progress.done == 10:
            scheduler.close()

    with pytest.raises(TreekitError, match="the scheduler of Dask no longer answers"):
        compare(
            *WORK, resampling=CrossValidation(2, 8), store=tmp_path / "r", progress=close,
            backend=Dask(scheduler.scheduler_address, timeout=3),
        )  # fmt: skip
    assert not [each for each in caplog.records if each.name == "distributed.client"]
    told = []
    compare(
        *WORK,
        resampling=CrossValidation(2, 8),
        store=tmp_path / "r",
        backend=Here(),
        progress=told.append,
    )
    assert 10 <= told[0].known < 64


def test_what_is_known_needs_no_cluster(tmp_path):
    words = {"resampling": CrossValidation(2), "store": tmp_path / "r"}
    compare(["id3"], "tennis", backend=Here(), **words)
    assert not compare(["id3"], "tennis", backend=Dask("tcp://127.0.0.1:9"), **words).failed


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", "tcp://127.0.0.1:9: no scheduler of Dask answers here: "),
        ("nonsense::", "no scheduler of Dask answers here: invalid address"),
    ],
)
def test_where_nobody_answers_is_told(address, said):
    with pytest.raises(TreekitError, match=said):
        compare(["id3"], "tennis", backend=Dask(address, timeout=2))


def test_a_scheduler_without_workers_is_told():
    with distributed.LocalCluster(n_workers=0, host="127.0.0.1", **OPTIONS) as idle:
        backend = Dask(idle.scheduler_address, timeout=0.5)
        with pytest.raises(TreekitError, match="the scheduler of Dask has no workers"):
            compare(["id3"], "tennis", backend=backend)


def test_without_dask_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TreekitError, match=r"needs Dask; pip install 'treekit\[dask\]'"):
        compare(["id3"], "tennis", backend=Dask("tcp://127.0.0.1:9"))
