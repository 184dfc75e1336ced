"""Carrying a plan out: each outcome is kept as it arrives, and none is computed twice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Final, Protocol

import numpy as np
from attrs import frozen

from treekit.combining import winners
from treekit.comparing.contenders import Contender
from treekit.comparing.data import DataSet
from treekit.comparing.plan import Cell, Plan, cells
from treekit.comparing.resampling import learned_from
from treekit.comparing.store import Outcome, Store
from treekit.metrics import Answered, measured, of_answers
from treekit.table.record import Floats, Table, Task

# What is measured on the rows that were learned from, too: what a better search could gain.
TRAINING: Final[dict[Task, tuple[str, ...]]] = {
    "classification": ("error",),
    "regression": ("rmse",),
}


SECONDS: Final = ("fit_seconds", "predict_seconds")


@frozen
class Progress:
    """How far a comparison is: how many folds are done, and of these failed, and were known."""

    done: int
    failed: int
    known: int
    of: int


Told = Callable[[Progress], None]


class Backend(Protocol):
    """Who does the work: `outcomes` gives those of these cells as they get done.

    Each cell has one, and what fails is one too. When it is closed, the work is given up.
    """

    def outcomes(self, plan: Plan, work: list[Cell]) -> Generator[Outcome]: ...


@frozen
class Here:
    """In this process, one cell after the other."""

    def outcomes(self, plan: Plan, work: list[Cell]) -> Generator[Outcome]:
        for cell in work:
            yield outcome_of(plan, cell)


def run(
    plan: Plan, store: Store, backend: Backend | None = None, told: Told | None = None
) -> list[Outcome]:
    """The outcomes of all cells, in the order of the plan; what the store has is taken from it.

    Cells that come to the same, as contenders of two names may, are computed once.
    """
    every = list(cells(plan))
    found = store.found(cell.key for cell in every)
    counts = Counter(cell.key for cell in every)
    work = list({cell.key: cell for cell in every if cell.key not in found}.values())
    done = known = sum(counts[key] for key in found)
    failed = 0
    tell = told or (lambda progress: None)
    tell(Progress(done, failed, known, len(every)))
    with closing((backend or Here()).outcomes(plan, work)) as outcomes:
        for outcome in outcomes:
            store.keep(outcome)
            found[outcome.key] = outcome
            done += counts[outcome.key]
            failed += counts[outcome.key] * bool(outcome.failure)
            tell(Progress(done, failed, known, len(every)))
    return [named(plan, cell, found[cell.key]) for cell in every]


def named(plan: Plan, cell: Cell, outcome: Outcome) -> Outcome:
    """An outcome under the names of this plan: an earlier one may have had others."""
    return Outcome(
        key=cell.key,
        data=plan.data[cell.data].name,
        contender=plan.contenders[cell.contender].name,
        repeat=cell.fold.repeat,
        fold=cell.fold.number,
        seed=cell.seed,
        metrics=outcome.metrics,
        failure=outcome.failure,
        n_learned=int((cell.fold.copies > 0).sum()),
        n_tested=int(cell.fold.tested.sum()),
    )


def outcome_of(plan: Plan, cell: Cell) -> Outcome:
    """Learn from a fold and test on it. What goes wrong is an outcome, too."""
    contender, data = plan.contenders[cell.contender], plan.data[cell.data]
    try:
        found = figures(contender, data, cell)
    except Exception as error:
        return failed_outcome(plan, cell, f"{type(error).__name__}: {' '.join(str(error).split())}")
    return named(plan, cell, Outcome(cell.key, "", "", 0, 0, 0, found))


def failed_outcome(plan: Plan, cell: Cell, why: str) -> Outcome:
    """The outcome of a cell that came to nothing."""
    return named(plan, cell, Outcome(cell.key, "", "", 0, 0, 0, {}, why))


def figures(contender: Contender, data: DataSet, cell: Cell) -> dict[str, float]:
    """Every metric of a contender on a fold, and the seconds that it took."""
    table = data.table
    training, test = learned_from(data.to_learn, cell.fold), table.take(cell.fold.tested)
    begin = time.perf_counter()
    learned = contender.learn(training, cell.seed)
    learnt = time.perf_counter()
    answers = learned.answers(test)
    told = time.perf_counter()
    found = answered(test, answers)
    if learned.model is None:
        metrics = of_answers(found)
    else:
        metrics = measured(learned.model, None, test, lambda: found)
    on_training = of_answers(answered(training, learned.answers(training)), TRAINING[table.task])
    metrics |= {f"training_{name}": value for name, value in on_training.items()}
    return metrics | dict(zip(SECONDS, (learnt - begin, told - learnt), strict=True))


def answered(table: Table, answers: Floats) -> Answered:
    """What was answered for a table beside what is true."""
    if table.task == "regression":
        return Answered(table.y, answers[:, 0], table.weights)
    said = winners(answers).astype(np.float64)
    return Answered(table.y, said, table.weights, len(table.schema.classes), answers)
