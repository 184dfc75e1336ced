"""D1, D2, D3, D5: one tree on large tables."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contest import Contest, Row
from benchmarks.data import few_valued, numbers, two_classes
from benchmarks.options import Options
from benchmarks.work import Work

# By how much the error of a tree that is cut short may differ: where two tests are equally good
# programs differ in which they take, and so in what follows.
TIES = 0.002


def d1(options: Options) -> Iterator[Row]:
    data = two_classes(options.rows(100_000, 20_000))
    what = f"{data.table.n_rows:,} x 20 continuous, 2 classes"
    work = Work("tree", data)
    yield from options.hold("D1", f"full tree, {what}", work)
    shallow = Work("tree", data, depth=10, must="as good")
    yield from options.hold("D1 depth 10", f"tree of depth 10, {what}", shallow, TIES)
    yield from own_impurity(options, work, f"full tree, {what}")


def own_impurity(options: Options, work: Work, what: str) -> Iterator[Row]:
    """Gini's index written by a user, beside the one that is compiled into scikit-learn."""
    from benchmarks.programs.ours import LoopGini, NumpyGini, contender, plain_tree

    forms: dict[str, tuple[object, str]] = {
        "array form": (NumpyGini(), "a line of NumPy"),
        "array form, concave": (NumpyGini(True), "a line of NumPy that says it is concave"),
        "row form": (LoopGini(), "a loop in row form"),
        "row form, concave": (LoopGini(True), "a loop in row form that says it is concave"),
    }
    for form, (impurity, how) in forms.items():
        _, *peers = options.entered(work, only=("scikit-learn",))
        ours = contender(work, plain_tree(2, impurity=impurity))
        title = f"{what}; Gini's index written by a user of treekit, {how}"
        contest = Contest(f"D1 {form}", title, [ours, *peers], work)
        yield from options.held(contest)


def d2(options: Options) -> Iterator[Row]:
    data = two_classes(options.rows(1_000_000, 30_000), seed=2)
    what = f"full tree, {data.table.n_rows:,} x 20 continuous, 2 classes"
    yield from options.hold("D2", what, Work("tree", data))


def d3(options: Options) -> Iterator[Row]:
    data = few_valued(options.rows(500_000, 10_000))
    what = (
        f"full tree, {data.table.n_rows:,} x 54 (10 columns of 250 to 6,000 values, 44 of two),"
        " 7 classes"
    )
    yield from options.hold("D3", what, Work("tree", data))


def d5(options: Options) -> Iterator[Row]:
    data = numbers(options.rows(200_000, 10_000))
    what = f"full tree, {data.table.n_rows:,} x 20 continuous, a number"
    yield from options.hold("D5", what, Work("tree", data))
