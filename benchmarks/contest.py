"""A contest: the same work by several programs, their answers compared, their times interleaved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from benchmarks.timing import interleaved

# What a program's answers must be beside treekit's: the same row by row, equally good within a
# tolerance, or anything, since it grows another tree by design.
Must = Literal["same", "as good", "anything"]
ROUNDING = 1e-9  # answers that are numbers may differ by this share


@frozen
class Outcome:
    """What is looked at when the clock has stopped.

    answers  of the rows that are compared: classes by number, or numbers
    error    the share of wrong answers, or the root of the mean squared error
    nodes    of all trees together
    """

    answers: NDArray[Any] | None = None
    error: float | None = None
    nodes: int | None = None


@frozen
class Contender:
    """A program with its work at hand.

    run      what is timed
    outcome  looks at what `run` gave
    warm     is done once before, untimed: loading, compiling
    """

    program: str
    run: Callable[[], Any]
    outcome: Callable[[Any], Outcome]
    must: Must = "same"
    warm: Callable[[], Any] | None = None


@frozen
class Contest:
    """Contenders for the same work; the first is treekit, which the others are compared with.

    tolerance  by how much the error of a program that must be as good may differ
    per_row    so many rows are handled per run: the table tells rows per second
    """

    name: str
    title: str
    contenders: Sequence[Contender]
    tolerance: float = 0.0
    per_row: int = 0


@frozen
class Row:
    """A line of the table: what one program made of one work.

    value   the least of the repeats, in `unit`
    ratio   of the value to treekit's; None where the answers forbid a comparison
    fails   the answers are not what they must be
    """

    work: str
    program: str
    value: float
    unit: str = "s"
    spread: float | None = None
    ratio: float | None = None
    answers: str = ""
    nodes: int | None = None
    fails: bool = False
    title: str = ""


def held(contest: Contest, repeats: int) -> list[Row]:
    """Hold the contest: warm, time, compare."""
    for contender in contest.contenders:
        if contender.warm is not None:
            contender.warm()
    timings = interleaved({c.program: c.run for c in contest.contenders}, repeats)
    outcomes = {c.program: c.outcome(timings[c.program].result) for c in contest.contenders}
    first = contest.contenders[0].program
    rows = []
    for contender in contest.contenders:
        timing, outcome = timings[contender.program], outcomes[contender.program]
        fails, said = compared(contender.must, outcome, outcomes[first], contest.tolerance)
        if contender.program == first:
            said = told(outcome)
        if contest.per_row:
            said = f"{contest.per_row / timing.least / 1e6:.2f} M rows/s; {said}"
        rows.append(
            Row(
                contest.name,
                contender.program,
                timing.least,
                spread=timing.spread,
                ratio=None if fails else timing.least / timings[first].least,
                answers=said,
                nodes=outcome.nodes,
                fails=fails,
                title=contest.title,
            )
        )
    return rows


def compared(must: Must, its: Outcome, ours: Outcome, tolerance: float) -> tuple[bool, str]:
    """Does a program's outcome fail what it must be beside ours? And how it compares, in words."""
    if its.answers is not None and ours.answers is not None:
        differ = n_different(its.answers, ours.answers)
        if not differ:
            return False, "the same"
        said = f"{differ:,} of {len(ours.answers):,} differ; {told(its)}"
    else:
        differ, said = None, told(its)
    if must == "same":
        return True, f"DIFFERS: {said}"
    if must == "as good" and not as_good(its, ours, tolerance):
        return True, f"DIFFERS by more than {tolerance:g}: {said}"
    return False, said


def n_different(its: NDArray[Any], ours: NDArray[Any]) -> int:
    if its.shape != ours.shape:
        return max(len(its), len(ours))
    return int((~np.isclose(its, ours, rtol=ROUNDING, atol=ROUNDING)).sum())


def as_good(its: Outcome, ours: Outcome, tolerance: float) -> bool:
    if its.error is None or ours.error is None:
        return False
    return abs(its.error - ours.error) <= tolerance


def told(outcome: Outcome) -> str:
    return "" if outcome.error is None else f"error {outcome.error:.4f}"
