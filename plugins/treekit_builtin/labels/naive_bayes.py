"""Classes by Bayes' rule in each leaf."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, gt, instance_of, lt

from treekit import LEVELS, POWERS, Additive, Floats, Table, Term, Tree, additive, visits

from .nodes import CLASSES, counts_of, ends_here, who_answers

_positive = and_(instance_of((int, float)), gt(0.0), lt(math.inf))

# A spread below this share of the values is rounding.
_FLAT = 1e-12


@frozen
class NaiveBayes:
    """Naive Bayes on the rows of the leaf, all columns taken as independent (Kohavi 1996, NBTree).

    A class counts (n_c + alpha) / (n + alpha K) of K classes; a level in a class counts likewise
    among the column's levels, ordinal ones as nominal ones. Numbers are normal in each class; the
    variance is no less than `floor` of that in the whole leaf, and a class of which no value is
    known is spread as the whole leaf is. (Kohavi cut numbers into intervals first.) An unknown
    value is left out. An empty leaf answers by its parent's rows.

    alpha  what is added to each count
    floor  the least variance of a class, as a share of the variance in the leaf
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES

    alpha: float = field(default=1.0, validator=_positive)
    floor: float = field(default=1e-3, validator=_positive)

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares that sum to 1, from the counts of the classes alone."""
        raised = counts_of(tree) + self.alpha
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def models(self, tree: Tree, table: Table, grown: Tree) -> Additive:
        answering, source = ends_here(tree), who_answers(tree)
        needed = set(source[answering].tolist())
        found: dict[int, list[Term]] = {}
        for node, rows, weights in visits(tree, table):
            if node in needed:
                part = table.take(rows).reweighted(weights)
                found[node] = self._terms(part)
        terms = [found[int(source[i])] if answering[i] else [] for i in range(tree.n_nodes)]
        return additive("softmax", np.log(self.answers(tree, table)), terms)

    def _terms(self, table: Table) -> list[Term]:
        """What each column adds to the logarithms of the class shares, in one leaf."""
        members = np.zeros((len(table.schema.classes), table.n_rows))
        members[table.y.astype(np.int64), np.arange(table.n_rows)] = table.weights
        terms = (
            self._number(i, table.cells[i], members)
            if column.is_numeric
            else self._levels(i, len(column.levels), table.cells[i], members)
            for i, column in enumerate(table.columns)
        )
        return [term for term in terms if term is not None]

    def _levels(self, column: int, n_levels: int, values: Floats, members: Floats) -> Term | None:
        known = ~np.isnan(values)
        if not known.any():
            return None
        level = values[known].astype(np.int64)
        counts = np.stack([np.bincount(level, w[known], n_levels) for w in members], axis=1)
        raised = counts + self.alpha
        return Term(column, LEVELS, np.log(raised / raised.sum(axis=0)))

    def _number(self, column: int, values: Floats, members: Floats) -> Term | None:
        known = ~np.isnan(values) & (members.sum(axis=0) > 0.0)
        size = float(np.abs(values[known]).max(initial=0.0))
        if size == 0.0:
            return None
        # In units of the greatest value, so that no square overflows.
        x, weights = values[known] / size, members[:, known]
        centre, whole = (float(m[0]) for m in _moments(x, weights.sum(axis=0, keepdims=True)))
        if math.sqrt(whole) <= _FLAT:
            return None
        some = weights.sum(axis=1) > 0.0
        mean, variance = np.full(len(members), centre), np.full(len(members), whole)
        mean[some], variance[some] = _moments(x, weights[some])
        variance = np.maximum(variance, self.floor * whole)
        away = mean - centre
        # Against the leaf's own spread: what is the same for all classes cancels out.
        constant = -0.5 * np.log(variance / whole) - away**2 / (2.0 * variance)
        with np.errstate(over="ignore"):
            slope, curve = away / variance / size, -0.5 / variance / size / size
        coefficients = np.stack([constant, slope, curve])
        if not np.isfinite(coefficients).all():
            return None
        return Term(column, POWERS, coefficients, centre * size)


def _moments(x: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The mean and variance of x under each of the rows of weights."""
    total = weights.sum(axis=1)
    mean = weights @ x / total
    squares = (weights * (x - mean[:, None]) ** 2).sum(axis=1)
    return mean, np.asarray(squares / total)
