"""Resampling: which rows are learned from and which are tested on, drawn once for all contenders.

Each way is a small class; `draw` gives its folds for a table, the same for the same seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from attrs import field, frozen, validators

from treekit.comparing.data import DataSet
from treekit.errors import DataError, Problem
from treekit.folds import bootstrap, folds_in_turn, random_folds, stratified_folds
from treekit.table.record import Bools, Ints, Table


@frozen(eq=False)
class Fold:
    """One division of a table's rows.

    copies  [rows]: how often each row is learned from; more than once in a bootstrap
    tested  [rows]: which rows are tested on
    """

    repeat: int
    number: int
    copies: Ints
    tested: Bools

    @property
    def digest(self) -> str:
        """What tells this division from any other."""
        told = self.copies.astype("<i8").tobytes() + self.tested.tobytes()
        return hashlib.sha256(told).hexdigest()


class Resampling(Protocol):
    """A way to divide the rows of a table."""

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        """The folds, in the order of their repeats and numbers."""


@frozen
class CrossValidation:
    """Each row is tested once in every repeat; classes are dealt out evenly (Stone 1974)."""

    folds: int = field(default=10, validator=validators.ge(2))
    repeats: int = field(default=1, validator=validators.ge(1))

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        table, found = data.table, []
        for repeat in range(self.repeats):
            if table.task == "regression":
                dealt = random_folds(table.n_rows, self.folds, rng)
            else:
                dealt = stratified_folds(table.y, self.folds, rng)
            found += [_left_out(repeat, k, dealt == k) for k in range(self.folds)]
        return found


@frozen
class LeaveOneOut:
    """Each row is tested once, by what all the others teach."""

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        n = data.table.n_rows
        dealt = folds_in_turn(n, n)
        return [_left_out(0, k, dealt == k) for k in range(n)]


@frozen
class HoldOut:
    """A share of the rows is tested, of every class alike, in every repeat anew."""

    share: float = field(default=0.3, validator=[validators.gt(0.0), validators.lt(1.0)])
    repeats: int = field(default=1, validator=validators.ge(1))

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        table = data.table
        n_tested = round(self.share * table.n_rows)
        if not 0 < n_tested < table.n_rows:
            what = f"a share of {self.share:g} of {table.n_rows} rows leaves none on one side"
            raise DataError(Problem(what, table.source, "give more rows, or another share"))
        return [_left_out(r, 0, self._tested(table, n_tested, rng)) for r in range(self.repeats)]

    def _tested(self, table: Table, n_tested: int, rng: np.random.Generator) -> Bools:
        order = rng.permutation(table.n_rows)
        if table.task == "classification":
            # Rows in the order of their classes, each class shuffled: every k-th is tested.
            order = order[np.argsort(table.y[order], kind="stable")]
        steps = np.arange(n_tested + 1) * table.n_rows // n_tested
        tested = np.zeros(table.n_rows, bool)
        tested[order[rng.integers(steps[:-1], steps[1:])]] = True
        return tested


@frozen
class Bootstrap:
    """As many rows as there are, drawn with replacement; the rows never drawn are tested.

    Efron and Tibshirani 1993, section 17.6.
    """

    repeats: int = field(default=50, validator=validators.ge(1))

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        n = data.table.n_rows
        if n < 2:
            raise DataError(Problem("a bootstrap needs 2 rows at least", data.name))
        found = []
        for repeat in range(self.repeats):
            copies = bootstrap(n, rng)
            while copies.all():  # of few rows it happens that none is left to test on
                copies = bootstrap(n, rng)
            found.append(Fold(repeat, 0, copies, copies == 0))
        return found


@frozen
class FixedTest:
    """The rows of a test file of its own are tested."""

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        if data.n_test == 0:
            what = "there is no test file beside these data"
            raise DataError(Problem(what, data.name, "choose another resampling"))
        n = data.table.n_rows
        return [_left_out(0, 0, np.arange(n) >= n - data.n_test)]


WAYS: Final[dict[str, type[Resampling]]] = {
    "cross_validation": CrossValidation,
    "hold_out": HoldOut,
    "leave_one_out": LeaveOneOut,
    "bootstrap": Bootstrap,
    "test": FixedTest,
}
"""The ways of resampling by their names in a file; their fields are options."""


def _left_out(repeat: int, number: int, tested: Bools) -> Fold:
    return Fold(repeat, number, (~tested).astype(np.int64), tested)


def learned_from(table: Table, fold: Fold) -> Table:
    """The rows of a fold that are learned from, those drawn several times weighing as much more.

    Nothing is sorted again for it.
    """
    drawn = fold.copies > 0
    rows = table.take(drawn)
    return rows.reweighted(rows.weights * fold.copies[drawn]) if fold.copies.max() > 1 else rows


def learned_at_all(table: Table, folds: Sequence[Fold]) -> Table:
    """The rows that some fold learns from, with their own weights."""
    learned = np.logical_or.reduce([fold.copies > 0 for fold in folds])
    return table if learned.all() else table.take(learned)
