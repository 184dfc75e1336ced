"""Trees grown on samples of the rows, and what they say of the rows that they have not seen."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from attrs import Attribute, evolve, frozen

from treekit import (
    SMALL,
    Answered,
    Bools,
    Floats,
    Forest,
    Grow,
    Member,
    Problem,
    RecipeError,
    Table,
    answers_for,
    bootstrap,
    error,
    mean_squared_error,
    r_squared,
    votes,
    winners,
)
from treekit_builtin.shares import share_of

Rows = float | Literal["bootstrap", "all"]
Combine = Literal["average", "vote"]
COMBINE: tuple[Combine, ...] = ("average", "vote")


def rows_or_share(_: Any, attribute: Attribute[Any], value: Any) -> None:
    """An attrs validator."""
    share = isinstance(value, int | float) and not isinstance(value, bool) and 0.0 < value <= 1.0
    if not share and value not in ("bootstrap", "all"):
        wants = '"bootstrap", "all" or a share > 0.0 and <= 1.0'
        raise ValueError(f"'{attribute.name}' must be {wants}: {value!r}")


def check_combine(combine: Combine, table: Table) -> None:
    """Numbers cannot be voted on."""
    if combine == "vote" and table.task == "regression":
        raise RecipeError(
            Problem(
                f"trees that predict a number, {table.schema.target.name!r}, cannot vote",
                instead='say combine = "average"',
            )
        )


@frozen
class Bags:
    """How many trees are grown, on which rows, and how their answers become one."""

    trees: int
    rows: Rows
    combine: Combine

    def plant(
        self, table: Table, grow: Grow, rng: np.random.Generator, columns: int | None = None
    ) -> Forest:
        """The trees, each on rows of its own; `columns` is handed to `grow`."""
        table.rankings  # noqa: B018 sorted once, before the threads begin
        members, tally = [], _Tally(table, grow.weights, self.combine)
        for member, unseen, said in grow.each(
            lambda own: self._one(table, grow, own, columns), self.trees, rng
        ):
            members.append(member)
            tally.add(unseen, said)
        return Forest(
            tuple(members),
            (1.0 / self.trees,) * self.trees,
            rule="vote" if self.combine == "vote" else "sum",
            facts={} if self.rows == "all" else tally.facts(),
        )

    def _one(
        self, table: Table, grow: Grow, rng: np.random.Generator, columns: int | None
    ) -> tuple[Member, Bools, Floats]:
        """A tree, the rows that it has not seen, and what it answers for them."""
        drawn = draws(self.rows, table.weights > 0, rng)
        bag = table if self.rows == "all" else table.reweighted(table.weights * drawn)
        # Growth has a copy of the rows in its bag; what is kept shares those of the table.
        member = evolve(grow(bag, rng, columns), learned=bag)
        unseen = drawn == 0
        rest = table.take(unseen)
        many = self.trees * table.n_rows > SMALL
        said = answers_for(member.tree, member.answers, rest, member.leaf_models, many)
        return member, unseen, said


def draws(rows: Rows, weighty: Bools, rng: np.random.Generator) -> Floats:
    """[rows]: how often each row is drawn; those that weigh nothing never are."""
    drawn = np.zeros(len(weighty))
    if rows == "all":
        drawn[weighty] = 1.0
    elif rows == "bootstrap":
        drawn[weighty] = bootstrap(int(weighty.sum()), rng)
    else:
        among = np.flatnonzero(weighty)
        drawn[rng.choice(among, share_of(rows, len(among)), replace=False)] = 1.0
    return drawn


class _Tally:
    """What the trees say, together, of rows that they have not seen (Breiman 2001, section 3.1)."""

    def __init__(self, table: Table, weights: Floats, combine: Combine) -> None:
        self.table = table
        self.weights = weights
        self.counted = votes if combine == "vote" else np.asarray
        self.total = np.zeros((table.n_rows, max(len(table.schema.classes), 1)))
        self.trees = np.zeros(table.n_rows)

    def add(self, unseen: Bools, said: Floats) -> None:
        rows = np.flatnonzero(unseen)  # rows by number are found sooner than by a mask
        self.total[rows] += self.counted(said)
        self.trees += unseen

    def facts(self) -> dict[str, float]:
        """The error on the rows that some tree has not seen, by weight, and how many others are."""
        judged = (self.trees > 0) & (self.weights > 0)
        told = {"out_of_bag_rows": float(judged.sum())}
        told["in_every_bag"] = float((~judged & (self.weights > 0)).sum())
        if not judged.any():
            return told
        weights, actual = self.weights[judged], self.table.y[judged]
        if self.table.task == "classification":
            said = winners(self.total[judged]).astype(np.float64)
            found = Answered(actual, said, weights, len(self.table.schema.classes))
            return {"out_of_bag_error": error(found), **told}
        found = Answered(actual, self.total[judged, 0] / self.trees[judged], weights)
        explained = r_squared(found)
        fit = {} if math.isnan(explained) else {"out_of_bag_r_squared": explained}
        return {"out_of_bag_mean_squared_error": mean_squared_error(found), **fit, **told}
