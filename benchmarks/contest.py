"""A contest: the same work by several programs, their times interleaved, their answers compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from benchmarks.timing import Tell, Timing, interleaved, silent
from benchmarks.work import Must, Work

DOUBLE = 1e-9  # answers that are numbers may differ by this share
SINGLE = 1e-6  # and those of a program that keeps them in single precision by this


def itself(result: Any) -> Any:
    return result


@frozen
class Contender:
    """A program with its work at hand.

    run    what is timed
    ask    what `run` gave answers for the rows that are asked
    nodes  how many there are in it
    warm   is done once before, untimed: loading, compiling
    rounding  by what share answers that are numbers may differ from treekit's
    slow   so slow that it is left out of quick runs
    """

    program: str
    run: Callable[[], Any]
    ask: Callable[[Any], Any] = itself
    nodes: Callable[[Any], int | None] | None = None
    must: Must = "same"
    warm: Callable[[], Any] | None = None
    rounding: float = DOUBLE
    slow: bool = False


@frozen
class Contest:
    """Contenders for the same; the first is treekit, and the others are compared with it.

    work       what judges answers; None: they are only compared
    tolerance  by how much the error of a program that must be as good may differ
    n_rows     so many rows are handled in a run, where rows per second should be told
    """

    name: str
    title: str
    contenders: Sequence[Contender]
    work: Work | None = None
    tolerance: float = 0.0
    n_rows: int = 0


@frozen
class Outcome:
    """What is looked at when the clock has stopped."""

    answers: NDArray[Any]
    error: float | None = None


@frozen
class Row:
    """A line of the table: what one program made of one work.

    value  the least of the repeats, in `unit`; NaN where the program failed
    ratio  of the value to treekit's; None where there is nothing to compare, or nothing comparable
    fails  the answers are not what they must be
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


@frozen
class Failure:
    """A peer that gave up, in its own words."""

    why: str


def held(
    contest: Contest, repeats: int, tell: Tell = silent, patience: float = math.inf
) -> list[Row]:
    """Hold the contest: warm, time, compare. A peer that fails has a row that says so."""
    ours, *peers = contest.contenders
    for contender in contest.contenders:
        if contender.warm is not None:
            tell(f"{contest.name}: {contender.program}, warming")
            contender.warm() if contender is ours else surviving(contender.warm)
    runs = {ours.program: ours.run, **{peer.program: guarded(peer.run) for peer in peers}}
    timings = interleaved(runs, repeats, lambda what: tell(f"{contest.name}: {what}"), patience)
    timing = timings[ours.program]
    wanted = outcome(contest, ours, timing.result)
    rows = [row_of(contest, ours, timing, told(wanted), 1.0)]
    for peer in peers:
        timing = timings[peer.program]
        its = timing.result
        if not isinstance(its, Failure):
            its = surviving(partial(outcome, contest, peer, timing.result))
        if isinstance(its, Failure):
            why = f"FAILED: {its.why}"
            rows.append(Row(contest.name, peer.program, math.nan, answers=why, title=contest.title))
            continue
        fails, said = compared(peer, its, wanted, contest.tolerance)
        times = None if fails else ratio(timing.least, rows[0].value)
        rows.append(evolve(row_of(contest, peer, timing, said, times), fails=fails))
    return rows


def row_of(
    contest: Contest, contender: Contender, timing: Timing, said: str, times: float | None
) -> Row:
    """The line of a contender that has answered."""
    if contest.n_rows and timing.least > 0:
        said = f"{contest.n_rows / timing.least / 1e6:.2f} M rows/s; {said}"
    nodes = None if contender.nodes is None else contender.nodes(timing.result)
    name, title = contest.name, contest.title
    return Row(
        name, contender.program, timing.least, "s", timing.spread, times, said, nodes, title=title
    )


def surviving(run: Callable[[], Any]) -> Any:
    """What a peer gives, or how it failed: the others go on."""
    try:
        return run()
    except Exception as error:
        return Failure(" ".join(f"{type(error).__name__}: {error}".split())[:200])


def guarded(run: Callable[[], Any]) -> Callable[[], Any]:
    """The same run, which once it has failed is not tried again."""
    failed: list[Failure] = []

    def once_more() -> Any:
        found = failed[0] if failed else surviving(run)
        if isinstance(found, Failure):
            failed[:] = [found]
        return found

    return once_more


def ratio(its: float, ours: float) -> float | None:
    return its / ours if ours > 0 else None


def outcome(contest: Contest, contender: Contender, result: Any) -> Outcome:
    """What a contender answers, judged if there is something to judge it by."""
    answers = contender.ask(result)
    if contest.work is None:
        return Outcome(np.asarray(answers, np.float64).ravel())
    codes = contest.work.coded(answers)
    return Outcome(codes, contest.work.error(codes))


def compared(
    contender: Contender, its: Outcome, ours: Outcome, tolerance: float
) -> tuple[bool, str]:
    """Does a program's outcome fail what it must be beside ours? And how it compares, in words."""
    differ = n_different(its.answers, ours.answers, contender.rounding)
    if not differ:
        return False, "the same"
    said = f"{differ:,} of {len(ours.answers):,} differ; {told(its)}".rstrip("; ")
    if contender.must == "same":
        return True, f"DIFFERS: {said}"
    if contender.must == "as good" and not as_good(its, ours, tolerance):
        return True, f"DIFFERS by more than {tolerance:.2g}: {said}"
    return False, said


def n_different(its: NDArray[Any], ours: NDArray[Any], rounding: float) -> int:
    if its.shape != ours.shape:
        return max(len(its), len(ours))
    return int((~np.isclose(its, ours, rtol=rounding, atol=rounding, equal_nan=True)).sum())


def as_good(its: Outcome, ours: Outcome, tolerance: float) -> bool:
    """Is the error no further from ours than it may be, either way?"""
    return (
        its.error is not None
        and ours.error is not None
        and abs(its.error - ours.error) <= tolerance
    )


def told(outcome: Outcome) -> str:
    return "" if outcome.error is None else f"error {outcome.error:.4f}"
