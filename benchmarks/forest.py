"""A random forest of full trees in two threads; the errors on rows held out are compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.contest import Row
from benchmarks.data import two_classes
from benchmarks.options import Options
from benchmarks.work import Work

THREADS = 2


def noise(n_rows: int) -> float:
    """Four standard errors of a share of so many rows, at its largest: chance makes less."""
    return 4 * float(np.sqrt(0.25 / n_rows))


def forest(options: Options) -> Iterator[Row]:
    n, trees = options.rows(100_000, 5_000), 10 if options.quick else 100
    seen, unseen = two_classes(2 * n).halves()
    work = Work("forest", seen, unseen, trees=trees, threads=THREADS, must="as good")
    what = (
        f"random forest of {trees} full trees, {n:,} x 20 continuous, 2 classes, {THREADS} threads;"
        " errors on as many rows held out; treekit's time includes its out-of-bag error"
    )
    yield from options.hold("forest", what, work, noise(n))
