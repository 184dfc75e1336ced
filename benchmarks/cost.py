"""How time grows with the rows and the columns, and how much memory a fit takes."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from benchmarks.contest import Contest, Row, ratio
from benchmarks.data import Data, two_classes
from benchmarks.memory import WARM
from benchmarks.options import Options
from benchmarks.work import Work

AGAINST = ("scikit-learn",)
DEPTH = 10


def cost(options: Options) -> Iterator[Row]:
    whole = (10_000, 30_000, 100_000, 300_000, 1_000_000)
    rows = sorted({options.rows(n, n // 10) for n in (whole[:3] if options.quick else whole)})
    columns = (5, 20, 80) if options.quick else (5, 10, 20, 40, 80)
    fixed = options.rows(50_000, 5_000)
    what = f"time of a tree of depth {DEPTH} by the power of the"
    yield from exponents(
        options, "cost in rows", f"{what} rows, {rows[0]:,} to {rows[-1]:,} x 20", rows, two_classes
    )
    yield from exponents(
        options,
        "cost in columns",
        f"{what} columns, {fixed:,} x {columns[0]} to {columns[-1]}",
        columns,
        lambda n: two_classes(fixed, n),
    )
    if not options.quick:  # of few rows the difference of two processes tells nothing
        yield from memory(options)


def exponents(
    options: Options, name: str, title: str, sizes: Sequence[int], data: Callable[[int], Data]
) -> Iterator[Row]:
    """The slope of log time over log size by least squares, for treekit and scikit-learn."""
    times: dict[str, list[float]] = {}
    for size in sizes:
        work = Work("tree", data(size), depth=DEPTH, must="anything")
        contest = Contest(f"{name} {size:,}", title, options.entered(work, AGAINST), work)
        for row in options.held(contest, min(options.repeats, 2)):
            times.setdefault(row.program, []).append(row.value)
    if len(sizes) < 2:
        return
    for program, taken in times.items():
        slope = np.polyfit(np.log(sizes), np.log(taken), 1)[0]
        told = ", ".join(f"{seconds:.3g}" for seconds in taken)
        yield Row(name, program, float(slope), "(exponent)", answers=f"{told} s", title=title)


def memory(options: Options) -> Iterator[Row]:
    """The most memory a fit of D2 takes beyond the data, each program in processes of its own."""
    n = options.rows(1_000_000, 50_000)
    title = (
        f"most memory of a process that fits a full tree on D2 ({n:,} x 20), less that of one that"
        f" makes the same data and fits {WARM:,} rows"
    )
    ours = math.nan
    work = Work("tree", two_classes(100))
    for contender in options.entered(work, AGAINST):
        program = contender.program
        options.tell(f"memory: {program}")
        peak = peak_megabytes(program, n, n) - peak_megabytes(program, n, WARM)
        ours = peak if program == "treekit" else ours
        data = f"the data are {n * 21 * 8 / 1e6:,.0f} MB as float64"
        yield Row("memory", program, peak, "MB", None, ratio(peak, ours), data, title=title)


def peak_megabytes(program: str, n_rows: int, fitted: int) -> float:
    words = [sys.executable, "-m", "benchmarks.memory", program, str(n_rows), str(fitted)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return float(done.stdout)
