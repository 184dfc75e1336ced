"""D1, D2, D3, D5: one tree on large tables."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contest import Row
from benchmarks.data import few_valued, numbers, two_classes
from benchmarks.options import Options
from benchmarks.work import Work

TIES = 0.002  # by how much equally good tests may change the error of a tree that is cut short


def d1(options: Options) -> Iterator[Row]:
    data = two_classes(options.size(100_000, 20_000))
    what = f"{data.table.n_rows:,} x 20 continuous, 2 classes"
    yield from options.hold("D1", f"full tree, {what}", Work("tree", data))
    # Where two tests are equally good programs differ in which they take, and so in what follows.
    shallow = Work("tree", data, depth=10, must="as good")
    yield from options.hold("D1 depth 10", f"depth 10, {what}", shallow, TIES)


def d2(options: Options) -> Iterator[Row]:
    data = two_classes(options.size(1_000_000, 50_000), seed=2)
    what = f"full tree, {data.table.n_rows:,} x 20 continuous, 2 classes"
    yield from options.hold("D2", what, Work("tree", data))


def d3(options: Options) -> Iterator[Row]:
    data = few_valued(options.size(500_000, 25_000))
    what = (
        f"full tree, {data.table.n_rows:,} x 54 (10 columns of 250 to 6,000 values, 44 of two),"
        " 7 classes"
    )
    yield from options.hold("D3", what, Work("tree", data))


def d5(options: Options) -> Iterator[Row]:
    data = numbers(options.size(200_000, 20_000))
    what = f"full tree, {data.table.n_rows:,} x 20 continuous, a number"
    yield from options.hold("D5", what, Work("tree", data))
