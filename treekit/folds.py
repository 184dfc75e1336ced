"""Folds: the rows of a table dealt out into parts of equal size; and samples of them."""

from __future__ import annotations

import numpy as np

from treekit.errors import DataError, Problem
from treekit.table.record import Floats, Ints


def folds_in_turn(n_rows: int, folds: int) -> Ints:
    """[rows]: the fold of each row, 0, 1, ... folds - 1 and again from 0, in the table's order."""
    if not 2 <= folds <= n_rows:
        rows = "1 row" if n_rows == 1 else f"{n_rows:,} rows"
        instead = f"ask for 2 to {n_rows:,} folds" if n_rows >= 2 else "give more rows"
        raise DataError(Problem(f"{rows} cannot be dealt out into {folds} folds", "", instead))
    return np.arange(n_rows) % folds


def random_folds(n_rows: int, folds: int, rng: np.random.Generator) -> Ints:
    """[rows]: the fold of each row, at random whatever its class; sizes differ by 1 at most."""
    return np.asarray(rng.permutation(folds_in_turn(n_rows, folds)))


def stratified_folds(classes: Floats | Ints, folds: int, rng: np.random.Generator) -> Ints:
    """[rows]: the fold of each row, at random within its class (Breiman et al. 1984, 8.7.2).

    The sizes of the folds differ by 1 at most, and so do those of every class in them.
    """
    shuffled = rng.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    dealt = np.empty(len(classes), np.int64)
    dealt[by_class] = folds_in_turn(len(classes), folds)
    return dealt


def bootstrap(n_rows: int, rng: np.random.Generator) -> Ints:
    """[rows]: how often each row is drawn, if as many as there are are drawn with replacement."""
    return np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows)
