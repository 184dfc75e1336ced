"""A comparison on a cluster of Dask: real workers on loopback, one of them killed in the middle."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from treekit.comparing import CrossValidation, Dask, Here, compare
from treekit.errors import TreekitError

distributed = pytest.importorskip("distributed")

WORK = ["id3", "c45"], ["tennis", "mammals"]
HOW = CrossValidation(2, 25)
SECONDS = ["fit_seconds", "predict_seconds"]


@pytest.fixture(scope="module")
def cluster():
    options = {"dashboard_address": ":0", "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(n_workers=2, host="127.0.0.1", **options) as made:
        yield made


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
    options = {"dashboard_address": ":0", "host": "127.0.0.1"}
    with distributed.LocalCluster(n_workers=0, **options) as idle:
        backend = Dask(idle.scheduler_address, timeout=0.5)
        with pytest.raises(TreekitError, match="the scheduler of Dask has no workers"):
            compare(["id3"], "tennis", backend=backend)


def test_without_dask_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TreekitError, match=r"needs Dask; pip install 'treekit\[dask\]'"):
        compare(["id3"], "tennis", backend=Dask("tcp://127.0.0.1:9"))
