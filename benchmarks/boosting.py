"""Boosting: 50 stumps by AdaBoost, and 20 rounds of trees of depth 3 by gradient boosting."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contest import Row
from benchmarks.data import two_classes
from benchmarks.options import Options
from benchmarks.work import Kind, Work

ROUNDS: dict[Kind, tuple[int, str]] = {
    "adaboost": (50, "AdaBoost, 50 stumps"),
    "gradient_boosting": (20, "gradient boosting, 20 trees of depth 3"),
}
TIES = 0.002  # a stump that is as good as another changes the answers to a few rows


def boosting(options: Options) -> Iterator[Row]:
    n = options.rows(100_000, 3_000)
    seen, unseen = two_classes(2 * n).halves()
    for kind, (rounds, what) in ROUNDS.items():
        work = Work(kind, seen, unseen, trees=rounds, must="as good")
        title = f"{what}, {n:,} x 20 continuous, 2 classes; errors on as many rows held out"
        yield from options.hold(kind.replace("_", " "), title, work, TIES)
