"""Small tables, those that scikit-learn brings along: what a fit costs before rows count."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from benchmarks.contest import Row
from benchmarks.data import Data, as_table
from benchmarks.options import NotHere, Options
from benchmarks.work import Work

NAMES = ("iris", "breast_cancer", "digits")
TIMES, TIMES_IF_QUICK = 20, 5  # so many more repeats: they take milliseconds


def small(options: Options) -> Iterator[Row]:
    if find_spec("sklearn") is None:
        raise NotHere("its data come with scikit-learn")
    for name in NAMES:
        data = bundled(name)
        rows, columns = data.rows.shape
        what = f"full tree, {rows} x {columns}, {data.n_classes} classes"
        repeats = options.repeats * (TIMES_IF_QUICK if options.quick else TIMES)
        yield from options.hold(name, what, Work("tree", data), repeats=repeats)


def bundled(name: str) -> Data:
    """A data set of scikit-learn's, in single precision."""
    x, y = getattr(import_module("sklearn.datasets"), f"load_{name}")(return_X_y=True)
    x = x.astype(np.float32).astype(np.float64)
    return Data(as_table(x, y.astype(np.float64), int(y.max()) + 1))
