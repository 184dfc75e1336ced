"""rpart's own sums for classes, term by term, so that it decides ties as rpart does."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen
from attrs.validators import in_

from treekit import (
    CUTS,
    LEVELS,
    NOWHERE,
    DataError,
    Floats,
    Ints,
    Kind,
    Offers,
    Problem,
    Search,
    Table,
    Tests,
    join_offers,
    kernel,
)
from treekit_builtin.splitters.places import RPART_MIDDLE
from treekit_builtin.splitters.rpart_tries import (
    SUBSETS,
    Reached,
    Tries,
    branches,
    cuts,
    groups,
    is_two,
)

Split = Literal["gini", "information"]
MOST_LEVELS = 20  # 524,287 divisions


@frozen
class RpartClass:
    """Cuts and groups of levels by rpart's `class`, in its order of summation (rpart 4.1).

    The tests are those of `threshold` and `subset`. What differs is the last bit of the sums, by
    which rpart chooses among tests that are worth the same; a number that equals the cut goes to
    the upper branch. The score is the weight of the node times the impurity that the test takes
    away. Bind the criterion `improvement`, which compares without a tolerance.

    split  the impurity of a share p: "gini", p (1 - p); or "information", -p ln p
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal", "nominal")

    split: Split = field(default="gini", validator=in_(("gini", "information")))

    def check(self, table: Table) -> None:
        """Of more than two classes every division of a column's levels is tried."""
        if len(table.schema.classes) == 2:
            return
        problems = []
        for number, column in enumerate(table.columns):
            present = len(np.unique(table.cells[number][~np.isnan(table.cells[number])]))
            if column.kind == "nominal" and present > MOST_LEVELS:
                what = (
                    f"column {column.name!r} has {present:,} levels; with more than two classes,"
                    f" rpart tries every division of them, and {MOST_LEVELS} are the most"
                )
                remedy = "leave the column out, merge levels, or take a recipe with `subset`"
                problems.append(Problem(what, table.source, remedy))
        if problems:
            raise DataError(*problems)

    def offer(self, search: Search, columns: Ints) -> Offers:
        prior = altered_priors(search.table.origin or search.table)
        reached = Reached.of(search, prior)
        return join_offers([self._of_column(search, int(c), reached, prior) for c in columns])

    def _of_column(self, search: Search, column: int, reached: Reached, prior: Floats) -> Offers:
        nominal = search.table.columns[column].kind == "nominal"
        find = self._groups if nominal else self._cuts
        best, operands = find(search, column, reached, prior)
        tests = Tests(LEVELS if nominal else CUTS, operands, np.full(len(best.at), 2, np.int64))
        return search.offer_tests(column, tests, best.score, best.sides)

    def _cuts(
        self, search: Search, column: int, reached: Reached, prior: Floats
    ) -> tuple[_Best, Floats]:
        tries, between = cuts(search, reached, column, prior)
        best = self._best(search, tries, prior)
        operands, some = np.full((len(best.at), 1), np.nan), best.at >= 0
        middle = RPART_MIDDLE[search.table.columns[column].kind]
        operands[some, 0] = middle(*between[:, (tries.bounds[:-1] + best.at)[some]])
        return best, operands

    def _groups(
        self, search: Search, column: int, reached: Reached, prior: Floats
    ) -> tuple[_Best, Floats]:
        n, levels = len(search.nodes), len(search.table.columns[column].levels)
        size = n if is_two(prior) else max(SUBSETS >> levels, 1)
        found, operands = [], np.full((n, levels), np.nan)
        for begin in range(0, n, size):
            end = min(begin + size, n)
            tries, place = groups(search, reached.part(begin, end), column, prior)
            found.append(self._best(search, tries, prior))
            to = branches(is_two(prior), found[-1].at, place)
            operands[begin:end] = np.where(place >= 0, to, float(NOWHERE))
        return _Best.joined(found), operands

    def _best(self, search: Search, tries: Tries, prior: Floats) -> _Best:
        """The best of each node's candidates, the first of equals."""
        owner, low = tries.owner, tries.left.sum(axis=0)
        weights = np.stack([low, tries.total.sum(axis=1)[owner] - low], axis=1)
        rows = np.stack([tries.rows, tries.known[owner] - tries.rows], axis=1)
        value = np.where(search.enough(weights, rows), self._taken_away(tries, owner, prior), 0.0)
        score, at = np.zeros(len(tries.known)), np.full(len(tries.known), -1)
        _first_greatest.bound(search.compiled)(value, tries.bounds, score, at)
        sides = np.zeros((len(at), 2))
        sides[at >= 0] = weights[(tries.bounds[:-1] + at)[at >= 0]]
        return _Best(np.where(at >= 0, score, -np.inf), at, sides)

    def _taken_away(self, tries: Tries, owner: Ints, prior: Floats) -> Floats:
        """[m]: by how much each candidate lowers weight times impurity."""
        lower, upper, whole = tries.lower, tries.upper, tries.whole
        after, before = np.zeros(len(lower)), np.zeros(len(whole))
        with np.errstate(divide="ignore", invalid="ignore"):
            for left, total, altered in zip(tries.left, tries.total.T, prior, strict=True):
                after += lower * self._impurity(altered * left / lower)
                after += upper * self._impurity(altered * (total[owner] - left) / upper)
                before += whole * self._impurity(altered * total / whole)
        return np.asarray(before[owner] - after)

    def _impurity(self, p: Floats) -> Floats:
        if self.split == "gini":
            return np.asarray(p * (1 - p))
        return np.asarray(-p * np.log(np.where(p > 0, p, 1.0)))


@frozen(eq=False)
class _Best:
    """Of each node: the score of the best candidate (-inf: there is none), its number among the
    node's (-1), and the weight of its sides.
    """

    score: Floats
    at: Ints
    sides: Floats

    @staticmethod
    def joined(parts: list[_Best]) -> _Best:
        return _Best(
            np.concatenate([part.score for part in parts]),
            np.concatenate([part.at for part in parts]),
            np.concatenate([part.sides for part in parts]),
        )


@kernel
def _first_greatest(value, bounds, greatest, at):  # type: ignore[no-untyped-def]
    """The first of the greatest values of each stretch, if any is above that in `greatest`."""
    for n in range(at.shape[0]):
        for i in range(bounds[n], bounds[n + 1]):
            if value[i] > greatest[n]:
                greatest[n], at[n] = value[i], i - bounds[n]


def altered_priors(table: Table) -> Floats:
    """Altered priors as rpart has them, by class frequency: 1 but for rounding, which is kept.

    In a fold they are those of the whole table.
    """
    n = len(table.schema.classes)
    share = np.bincount(table.y.astype(np.int64), table.weights, n) / table.weights.sum()
    total, each = 0.0, np.zeros(n)
    for i in range(n):
        for j in range(n):
            loss = 0.0 if i == j else 1.0
            total += loss * share[i]
            each[i] += loss * share[i]
    return np.asarray(np.divide(each, total * share, out=np.ones(n), where=share > 0))
