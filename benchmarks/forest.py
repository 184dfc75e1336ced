"""A random forest of full trees in two threads; the errors on rows held out are compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.contest import Row
from benchmarks.data import two_classes
from benchmarks.options import Options
from benchmarks.work import Work

THREADS = 2


def forest(options: Options) -> Iterator[Row]:
    n, trees = options.size(100_000, 5_000), options.size(100, 20)
    both = two_classes(2 * n)
    seen, unseen = both.take(slice(0, n)), both.take(slice(n, None))
    what = f"random forest of {trees} full trees, {n:,} x 20 continuous, 2 classes, 2 threads"
    work = Work("forest", seen, unseen, trees=trees, threads=THREADS, must="as good")
    # Two forests of other seeds differ by chance: four standard errors of a share, at its largest.
    noise = 4 * float(np.sqrt(0.25 / n))
    yield from options.hold("forest", what, work, noise, min(options.repeats, 2))
