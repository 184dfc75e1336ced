"""Where the time of a fit goes, kernel by kernel, and how far it is from what memory allows.

`python -m benchmarks profile` grows a full tree on D1. The floor is one pass over the codes of the
rows that each level looks at, at the speed with which this machine reads memory.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
from attrs import Factory, define, frozen

import treekit.table.record as table_record
from benchmarks.data import Data, few_valued, numbers, two_classes
from benchmarks.programs.ours import plain_tree
from benchmarks.timing import interleaved
from treekit import Model
from treekit.compiling import Kernel
from treekit.fitting import fit_table

TABLES: dict[str, tuple[Callable[[int], Data], int]] = {
    "D1": (two_classes, 100_000),
    "D3": (few_valued, 500_000),
    "D5": (numbers, 200_000),
}
SORTING = "sorting every column"
CODE, WORD = 4, 8  # bytes: a rank of 32 bits; a rank and its row, as they are moved
MEASURED = 1 << 27  # bytes that are read or copied to measure memory: more than caches hold


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks profile", description=__doc__)
    parser.add_argument("data", nargs="?", default="D1", choices=TABLES)
    parser.add_argument(
        "--rows", type=int, help="of the table; those of the benchmark unless given"
    )
    parser.add_argument("--depth", type=int, help="of the tree; until all is pure unless given")
    parser.add_argument("--repeats", type=int, default=4)
    asked = parser.parse_args(words[1:])
    make, n_rows = TABLES[asked.data]
    data = make(asked.rows or n_rows)
    recipe = plain_tree(data.n_classes, asked.depth)
    print(report(asked.data, data, lambda: fit_table(recipe, data.fresh()), asked.repeats))
    return 0


def report(name: str, data: Data, fit: Callable[[], Model], repeats: int) -> str:
    fit()
    timing = interleaved({name: fit}, repeats)[name]
    spent = parts_of(fit, repeats)
    model: Model = timing.result
    rows, columns = data.rows.shape
    depth = f"depth {model.depth}"
    return "\n".join(
        [
            f"{name}, {rows:,} x {columns}: a tree of {model.n_nodes:,} nodes, {depth}, in"
            f" {timing.least:.3f} s (least of {repeats})",
            "",
            *by_part(spent),
            "",
            *floor(model, columns, timing.least),
            "",
            "Own time of the Python functions around the kernels, by cProfile (which slows them):",
            "",
            *around(fit),
        ]
    )


# --- where it goes -------------------------------------------------------------------------------


@define
class Spent:
    """Calls and seconds, by the name of what was called."""

    calls: dict[str, int] = Factory(lambda: defaultdict(int))
    seconds: dict[str, float] = Factory(lambda: defaultdict(float))
    total: float = 0.0

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed_call(*args: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*args)
            finally:
                self.seconds[name] += time.perf_counter() - begun
                self.calls[name] += 1

        return timed_call


@contextmanager
def watched(spent: Spent) -> Iterator[None]:
    """While this lasts, kernels called from Python and the sorting of tables are timed."""
    bound, making = Kernel.bound, 0
    sorting = spent.timed(SORTING, vars(table_record)["rankings"])

    def timed_bound(self: Kernel, *args: Any) -> Callable[..., Any]:
        # Binding a kernel binds those that it calls; they are compiled into it, not called.
        nonlocal making
        making += 1
        try:
            function = bound(self, *args)
        finally:
            making -= 1
        return function if making else spent.timed(self.__name__, function)

    with (
        patch.object(Kernel, "bound", timed_bound),
        patch.object(table_record, "rankings", sorting),
    ):
        yield


def parts_of(fit: Callable[[], Any], repeats: int) -> Spent:
    """The quickest of some fits, in parts."""
    found = []
    for _ in range(repeats):
        spent = Spent()
        with watched(spent):
            begun = time.perf_counter()
            fit()
            spent.total = time.perf_counter() - begun
        found.append(spent)
    return min(found, key=lambda spent: spent.total)


def by_part(spent: Spent) -> list[str]:
    lines = ["| where | calls | ms | share |", "|---|---|---|---|"]
    for name, seconds in sorted(spent.seconds.items(), key=lambda item: -item[1]):
        calls = f"{spent.calls[name]:,}"
        lines.append(f"| {name} | {calls} | {1000 * seconds:.1f} | {seconds / spent.total:.0%} |")
    rest = spent.total - sum(spent.seconds.values())
    lines.append(
        f"| Python and NumPy around them | | {1000 * rest:.1f} | {rest / spent.total:.0%} |"
    )
    return lines


def around(fit: Callable[[], Any], most: int = 12) -> list[str]:
    """The Python functions that take most time themselves."""
    profile, spent = cProfile.Profile(), Spent()
    with watched(spent):
        profile.runcall(fit)
    stats: Mapping[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    kernels = {*spent.calls, "timed_call"}
    own = {key: (value[1], value[2]) for key, value in stats.items() if key[2] not in kernels}
    lines = ["| function | calls | ms |", "|---|---|---|"]
    for (file, line, name), (calls, seconds) in sorted(own.items(), key=lambda i: -i[1][1])[:most]:
        where = "" if file == "~" else f" ({'/'.join(file.split('/')[-2:])}:{line})"
        lines.append(f"| {name.strip('<>')}{where} | {calls:,} | {1000 * seconds:.1f} |")
    return lines


# --- the floor -----------------------------------------------------------------------------------


@frozen
class Speed:
    """Gigabytes per second, one thread: read once; read and written elsewhere."""

    read: float
    copy: float


def memory_speed() -> Speed:
    source = np.ones(MEASURED // 8, np.uint64)
    target = np.zeros_like(source)
    timings = interleaved(
        {
            "read": lambda: np.bitwise_or.reduce(source),
            "copy": lambda: np.copyto(target, source),
        },
        5,
    )
    return Speed(*(MEASURED / timings[name].least / 1e9 for name in ("read", "copy")))


def floor(model: Model, columns: int, taken: float) -> list[str]:
    """What passing over memory alone would take, level by level."""
    tree = model.trees[0]
    cells = int(tree.rows[~tree.is_leaf].sum()) * columns
    speed = memory_speed()
    passes = (
        ("one pass over the codes", CODE, speed.read),
        ("one copy of codes and rows, as moving them to the children is", WORD, speed.copy),
    )
    lines = [
        f"The nodes that were split held {cells / 1e6:,.0f} M cells on all levels together"
        f" ({cells / columns / model.trees[0].rows[0]:.1f} times the table).",
        "",
        "| floor | bytes per cell | GB/s | ms | the fit takes |",
        "|---|---|---|---|---|",
    ]
    for what, size, rate in passes:
        least = cells * size / rate / 1e9
        told = (what, str(size), f"{rate:.1f}", f"{1000 * least:.0f}")
        lines.append(f"| {' | '.join(told)} | {taken / least:.1f} times that |")
    return lines
