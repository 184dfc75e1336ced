"""CART's surrogates: tests on other columns that send most rows where the node's own test does."""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import and_, ge, in_, instance_of

from treekit import (
    STAY,
    SURROGATE_GAIN,
    Bools,
    DataError,
    Division,
    Floats,
    Int32s,
    Ints,
    Problem,
    Surrogates,
    Table,
    heaviest_branch,
    rate_agreement,
)

from .agreeing import Candidates, candidates, gathered, places


@frozen
class Surrogate:
    """Tests that agree best with the node's own stand in for it (Breiman et al. 1984, 5.3).

    A score counts by the share of cases whose value is known. The agreement of a surrogate is the
    share of the weight that it sends to the same branch; it must do better than sending everything
    to the greater branch. The best is asked first, the next where its value is unknown too.

    keep         how many surrogates a node has at most (rpart: maxsurrogate)
    then         where a row goes when no surrogate knows: to the greater branch ("majority"), or no
                 further ("stay"). "stay_at_once" finds surrogates and asks none (rpart:
                 usesurrogate 2, 1, 0)
    share_of     agreement is a share of "all" the rows that the node's test sends somewhere, or of
                 those whose value is known in "both" columns (rpart: surrogatestyle 0, 1)
    as_rpart     do as rpart 4.1 does where it departs from the book: a surrogate on levels must
                 have two rows that agree and two that do not; a greater branch is counted by weight
                 in training and by rows in queries, and when both are equal, or when no surrogate
                 is kept, the row stays; rows without any known value are dropped
    """

    keep: int = field(default=5, validator=and_(instance_of(int), ge(0)))
    then: Literal["majority", "stay", "stay_at_once"] = field(
        default="majority", validator=in_(("majority", "stay", "stay_at_once"))
    )
    share_of: Literal["all", "both"] = field(default="all", validator=in_(("all", "both")))
    as_rpart: bool = False

    def check(self, table: Table) -> None:
        if table.n_rows and self.prepare(table).n_rows == 0:
            raise DataError(
                Problem(
                    "no row has a known value, and rpart drops such rows",
                    table.source,
                    "--set tree.missing.as_rpart=false",
                )
            )

    def prepare(self, table: Table) -> Table:
        """As rpart: drop rows without any known value, unless weights are given (na.rpart)."""
        if not self.as_rpart or table.given_weights is not None or not table.has_unknown.any():
            return table
        known = (~np.isnan(table.cells)).any(axis=0)
        return table if known.all() else table.take(np.flatnonzero(known))

    def discount(self, known: Floats, total: Floats) -> Floats:
        return known / total

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        if self.then != "majority" or (self.as_rpart and self.keep == 0):
            return np.full(n, STAY, np.int32)
        return self._greater(owner, weight, n)

    def _greater(self, owner: Ints, amount: Floats, n: int) -> Int32s:
        greater = heaviest_branch(owner, amount, n)
        if not self.as_rpart:
            return greater
        first = np.searchsorted(owner, np.arange(n))
        equals = np.bincount(owner, amount == amount[first + greater][owner], n)
        return np.where(equals > 1, STAY, greater).astype(np.int32)

    def query_destination(self, owner: Ints, weight: Floats, rows: Ints, n: int) -> Int32s:
        """As in training, but for rpart, which counts rows in queries."""
        if self.as_rpart and self.then == "majority":
            return self._greater(owner, rows.astype(np.float64), n)
        return self.destination(owner, weight, n)

    @property
    def to_heaviest(self) -> bool:
        return self.then == "majority" and not self.as_rpart

    @property
    def by_agreement(self) -> int | None:
        """How many are kept, if they are the best by their agreement on all rows."""
        return self.keep if self.to_heaviest and self.share_of == "all" else None

    def place(self, table: Table, columns: Ints, low: Floats, high: Floats) -> Floats:
        return places(table, columns, low, high, self.as_rpart)

    def surrogates(self, division: Division) -> Surrogates:
        found = candidates(division, self.as_rpart, look=self.keep > 0)
        agreement, adjusted, kept = self._rated(division, found)
        best = gathered(found, np.where(kept, agreement, -np.inf), adjusted, self.keep)
        return evolve(best, asked=self.then != "stay_at_once")

    def _rated(self, division: Division, found: Candidates) -> tuple[Floats, Floats, Bools]:
        """[n, c]: the candidates' agreement, the adjusted one, and which of them do better than
        the greater branch.
        """
        # [n, c, 2]: by the branch of the node's own test. NumPy adds up two at a time slowly.
        both = found.sides[:, :, 0] + found.sides[:, :, 1]
        base = division.sent[:, None] if self.share_of == "all" else both
        agreeing = found.agreeing
        with np.errstate(divide="ignore", invalid="ignore"):
            agreement, adjusted = rate_agreement(agreeing, base[..., 0], base[..., 1])
        better = agreeing > np.maximum(both[..., 0], both[..., 1])
        return agreement, adjusted, found.allowed & better & (adjusted > SURROGATE_GAIN)
