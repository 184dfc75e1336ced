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
    Floats,
    Ints,
    Kind,
    Offers,
    Search,
    Table,
    Tests,
    join_offers,
)
from treekit_builtin.splitters.places import RPART_MIDDLE

Split = Literal["gini", "information"]


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

    def offer(self, search: Search, columns: Ints) -> Offers:
        nodes = [_node(search, i) for i in range(len(search.nodes))]
        prior = altered_priors(search.table.origin or search.table)
        return join_offers([self._of_column(search, int(c), nodes, prior) for c in columns])

    def _of_column(self, search: Search, column: int, nodes: list[_Node], prior: Floats) -> Offers:
        known = search.table.columns[column]
        nominal = known.kind == "nominal"
        operands = np.full((len(nodes), len(known.levels) if nominal else 1), np.nan)
        score = np.full(len(nodes), -np.inf)
        sides = np.zeros((len(nodes), 2))
        for i, node in enumerate(nodes):
            values = search.table.cells[column, node.rows]
            here = ~np.isnan(values)
            weights = node.weights[here]
            if nominal:
                tries = _groups(values[here], weights, prior, operands.shape[1])
            else:
                tries = _cuts(values[here], weights, prior, known.kind)
            low = tries.left.sum(axis=1)
            both = np.stack([low, weights.sum() - low], axis=1)
            rows = np.stack([tries.rows, len(weights) - tries.rows], axis=1)
            allowed = np.flatnonzero(search.enough(both, rows))
            if len(allowed) == 0:
                continue
            value = self._taken_away(tries, allowed, weights.sum(axis=0), prior)
            best = int(value.argmax())
            if value[best] > 0.0:
                at = allowed[best]
                score[i], operands[i] = value[best], tries.operands[at]
                sides[i] = both[at]
        two = np.full(len(nodes), 2, np.int64)
        tests = Tests(LEVELS if nominal else CUTS, operands, two)
        return search.offer_tests(column, tests, score, sides)

    def _taken_away(self, tries: _Tries, some: Ints, total: Floats, prior: Floats) -> Floats:
        """[m]: by how much each of some candidates lowers weight times impurity."""
        left, lower, upper = tries.left[some], tries.lower[some], tries.upper[some]
        after, before = np.zeros(len(left)), np.zeros(1)
        for k, altered in enumerate(prior):
            after += lower * self._impurity(altered * left[:, k] / lower)
            after += upper * self._impurity(altered * (total[k] - left[:, k]) / upper)
            before += tries.whole * self._impurity(altered * total[k] / tries.whole)
        return np.asarray(before - after)

    def _impurity(self, p: Floats) -> Floats:
        if self.split == "gini":
            return np.asarray(p * (1 - p))
        return np.asarray(-p * np.log(np.where(p > 0, p, 1.0)))


@frozen(eq=False)
class _Node:
    """A node's rows, and their weights by class [rows, K]."""

    rows: Ints
    weights: Floats


@frozen(eq=False)
class _Tries:
    """Candidates: what goes left by class [m, K] and in rows, and the operands of each.

    `lower` and `upper` are the altered weights of the sides, added up row by row; `whole` is that
    of the node.
    """

    left: Floats
    rows: Ints
    operands: Floats
    lower: Floats
    upper: Floats
    whole: float


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


def _node(search: Search, node: int) -> _Node:
    rows, weights = search.cases_of(node)
    by_class = np.zeros((len(rows), len(search.table.schema.classes)))
    by_class[np.arange(len(rows)), search.table.y[rows].astype(np.int64)] = weights
    return _Node(rows, by_class)


def _cuts(x: Floats, weights: Floats, prior: Floats, kind: Kind) -> _Tries:
    order = np.argsort(x, kind="stable")
    x, weights = x[order], weights[order]
    last = np.flatnonzero(x[1:] != x[:-1])
    altered = weights @ prior
    lower = np.cumsum(altered)
    whole = lower[-1] if len(lower) else 0.0
    upper = np.subtract.accumulate(np.concatenate([[whole], altered]))[1:]
    at = RPART_MIDDLE[kind](x[last], x[last + 1])
    left = np.cumsum(weights, axis=0)[last]
    return _Tries(left, last + 1, at[:, None], lower[last], upper[last], float(whole))


def _groups(x: Floats, weights: Floats, prior: Floats, n_levels: int) -> _Tries:
    """In order of the first class's share for two classes, else every way, by rpart's Gray code."""
    level = x.astype(np.int64)
    rows = np.bincount(level, minlength=n_levels)
    stats, altered = np.zeros((n_levels, weights.shape[1])), np.zeros(n_levels)
    np.add.at(stats, level, weights)
    np.add.at(altered, level, weights @ prior)
    whole = float(np.cumsum(weights @ prior)[-1]) if len(x) else 0.0
    order = np.flatnonzero(rows)
    n = max(len(order), 1)
    if weights.shape[1] == 2:
        share = prior[0] * stats[order, 0] / altered[order]
        order = order[np.argsort(share, kind="stable")]
        member = np.tri(n - 1, len(order), dtype=np.int64)
        moved, sign = np.arange(n - 1), np.ones(n - 1)
    else:
        code = np.arange(1, 1 << (n - 1))
        member = ((code ^ (code >> 1))[:, None] >> np.arange(len(order))) & 1
        moved = np.log2(code & -code).astype(np.int64)
        sign = 2.0 * member[np.arange(len(code)), moved] - 1.0
    steps = sign * altered[order][moved] if len(order) else sign
    operands = np.full((len(member), n_levels), float(NOWHERE))
    operands[:, order] = 1.0 - member
    lower = np.cumsum(steps)
    upper = np.subtract.accumulate(np.concatenate([[whole], steps]))[1:]
    return _Tries(member @ stats[order], member @ rows[order], operands, lower, upper, whole)
