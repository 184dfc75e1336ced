"""Whoever does the work, the outcomes are the same, and a lost process loses nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

import cloudpickle
import pytest
from attrs import evolve, frozen

from treekit.comparing import CrossValidation, Here, Processes, Usual, backends, by_jobs, compare
from treekit.comparing.contenders import RecipeContender, recipe_contenders
from treekit.comparing.data import data_sets
from treekit.comparing.parcels import MOST, Batch, Batches, parcels_of, unpacked
from treekit.comparing.plan import cells, plan_of
from treekit.comparing.running import run
from treekit.comparing.store import Outcome, opened
from treekit.errors import TreekitError

# Other processes cannot import this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

FIVE = CrossValidation(5)
SECONDS = ["fit_seconds", "predict_seconds"]


def planned(*contenders, data=("tennis",), how=FIVE):
    return plan_of(contenders, data_sets(data), how)


def outcomes(plan, backend) -> list[Outcome]:
    """All outcomes, without the seconds."""
    with opened(None) as kept:
        found = run(plan, kept, backend)
    return [
        evolve(o, metrics={k: v for k, v in o.metrics.items() if k not in SECONDS}) for o in found
    ]


def test_several_processes_find_what_one_finds():
    words = ["c45", "sklearn:DecisionTreeClassifier"], ["tennis", "sklearn:iris"]
    here, there = (
        compare(*words, resampling=CrossValidation(5, 2), backend=backend).frame
        for backend in (Here(), Processes(2))
    )
    assert here.drop(columns=SECONDS).equals(there.drop(columns=SECONDS))


def test_what_fails_in_a_process_is_an_outcome_like_any_other():
    plan = planned(Clumsy("id3", recipe_contenders(["id3"])[0].document))
    here, there = outcomes(plan, Here()), outcomes(plan, Processes(2))
    assert here == there
    assert [o.failure for o in there] == ["", "ValueError: no luck today", "", "", ""]


def test_a_process_that_is_replaced_since_it_grew_large_is_no_news(recwarn):
    outcomes(planned(*recipe_contenders(["id3"])), Processes(2))
    # As joblib says it, for instance where numba compiled much.
    warnings.warn("A worker stopped while some jobs were given to the executor.", stacklevel=1)
    assert not [each for each in recwarn if "A worker stopped" in str(each.message)]


def test_a_killed_process_loses_nothing(tmp_path):
    contender = Deadly("id3", DOCUMENT, always=False, folder=tmp_path)
    plan = planned(contender, how=CrossValidation(5, 4))
    assert outcomes(plan, Processes(2)) == outcomes(planned_plainly(plan), Here())


def test_a_fold_that_ends_its_process_again_has_failed_and_the_rest_goes_on(tmp_path):
    plan = planned(Deadly("id3", DOCUMENT, always=True, folder=tmp_path))
    found = outcomes(plan, Processes(2))
    assert [o.fold for o in found if o.failure] == [1]
    assert found[1].failure == "the process that worked on it ended (killed, or out of memory?)"
    assert all(o.metrics for o in found if o.fold != 1)


def test_outcomes_that_came_before_an_interrupt_are_kept(tmp_path):
    plan, told = planned(*recipe_contenders(["id3"]), how=CrossValidation(2, 20)), []

    def interrupt(progress):
        told.append(progress.done)
        if progress.done == 5:
            raise KeyboardInterrupt

    with opened(tmp_path / "r") as kept:
        with pytest.raises(KeyboardInterrupt):
            run(plan, kept, Processes(2), interrupt)
        assert len(kept.found(cell.key for cell in cells(plan))) == 5


def test_few_cells_are_worked_off_here_and_many_in_processes(monkeypatch):
    asked = []

    @frozen
    class Noted:
        jobs: int

        def outcomes(self, plan, work):
            asked.append(len(work))
            yield from Here().outcomes(plan, work)

    monkeypatch.setattr(backends, "Processes", Noted)
    plan = planned(*recipe_contenders(["id3"]))
    assert len(outcomes(plan, Usual(2))) == 5
    assert asked == []
    monkeypatch.setattr(backends, "PATIENCE", 0.0)
    monkeypatch.setattr(backends, "WORTH", 0.0)
    assert len(outcomes(plan, Usual(2))) == 5
    assert len(outcomes(plan, Usual(1))) == 5
    assert asked == [4]


def test_contenders_that_come_to_the_same_are_computed_once():
    (one,) = recipe_contenders(["id3"])
    plan, told = planned(one, evolve(one, name="the same")), []
    with opened(None) as kept:
        found = run(plan, kept, told=told.append)
    assert [p.done for p in told] == [0, 2, 4, 6, 8, 10]
    assert [o.contender for o in found[:2]] == ["id3", "the same"]


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True])
def test_jobs_are_a_whole_number_from_1(jobs):
    with pytest.raises(TreekitError, match="jobs must be a whole number from 1"):
        by_jobs(jobs)


# --- parcels and batches -------------------------------------------------------------------------


def test_work_is_sent_data_set_by_data_set_and_without_what_can_be_had_there():
    plan = planned(*recipe_contenders(["id3", "c45"]), data=("tennis", "mammals"))
    parcels = parcels_of(plan, list(cells(plan)))
    assert [(len(p.plan.data), len(p.cells)) for p in parcels] == [(1, 10), (1, 10)]
    assert all(p.plan.data[0].table.ranked is None for p in parcels)


def test_a_process_unpacks_a_parcel_once():
    import pickle

    plan = planned(*recipe_contenders(["id3"]))
    (parcel,) = parcels_of(plan, list(cells(plan)))
    content, asked = pickle.dumps(parcel), []

    def sent() -> bytes:
        asked.append(1)
        return content

    first, again = unpacked(parcel.name, sent), unpacked(parcel.name, sent)
    assert first is again
    assert len(asked) == 1
    table = first.plan.data[0].table
    assert table.take(first.cells[0].fold.copies > 0).rankings.values is table.rankings.values


def test_another_version_of_treekit_is_refused():
    import pickle

    plan = planned(*recipe_contenders(["id3"]))
    (parcel,) = parcels_of(plan, list(cells(plan)))
    other = evolve(parcel, name="other", version="0.0")
    with pytest.raises(TreekitError, match=r"a worker has treekit .*, not 0\.0"):
        unpacked("other", lambda: pickle.dumps(other))


@pytest.mark.parametrize(("each", "size"), [(1.0, 1), (0.05, 2), (0.01, 10), (0.0, MOST)])
def test_batches_are_as_large_as_is_worth_sending(each, size):
    plan = planned(*recipe_contenders(["id3"]), how=CrossValidation(2, 100))
    (parcel,) = parcels_of(plan, list(cells(plan)))
    batches = Batches([parcel])
    first = batches.next()
    assert len(first.numbers) == 1
    batches.took(first, each)
    assert len(batches.next().numbers) == pytest.approx(size, abs=1)


def test_a_batch_is_of_one_parcel():
    plan = planned(*recipe_contenders(["id3"]), data=("tennis", "mammals"))
    parcels = parcels_of(plan, list(cells(plan)))
    batches = Batches(parcels)
    batches.took(Batch(parcels[0].name, (0,)), 0.0)
    assert [len(batches.next().numbers) for _ in range(2)] == [5, 5]
    assert not batches


DOCUMENT = recipe_contenders(["id3"])[0].document
SEED_OF_FOLD_1 = {c.fold.number: c.seed for c in cells(planned(*recipe_contenders(["id3"])))}[1]


class Clumsy(RecipeContender):
    """Has no luck with one fold."""

    def learn(self, table, seed):
        if seed == SEED_OF_FOLD_1:
            raise ValueError("no luck\ntoday")
        return super().learn(table, seed)


@frozen(eq=False)
class Deadly(RecipeContender):
    """Ends its process on one fold, the first time or always."""

    always: bool = False
    folder: Path = Path()

    def learn(self, table, seed):
        mark = self.folder / "was here"
        if seed == SEED_OF_FOLD_1 and (self.always or not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().learn(table, seed)


def planned_plainly(plan):
    """The same plan with a contender that is of the same document, but harms nobody."""
    return evolve(
        plan, contenders=tuple(RecipeContender(c.name, c.document) for c in plan.contenders)
    )


def test_work_that_was_not_begun_is_dropped_without_a_word(monkeypatch):
    failures = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    with backends._pool(2) as pool:
        pool.submit(time.sleep, 0).result()
        for _ in range(12):  # more than the processes take at once
            pool.submit(time.sleep, 0.05)
    assert failures == []
