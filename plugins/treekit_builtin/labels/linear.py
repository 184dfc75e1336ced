"""Numbers by a linear model in each leaf."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import and_, ge, instance_of, lt

from treekit import LEVELS, Additive, Floats, Table, Term, Tree, additive

from .least_squares import LinearModel, columns_below, node_models, where_grown
from .nodes import NUMBERS, ends_here
from .numbers import Mean

Terms = dict[int, Term]


@frozen
class Linear:
    """A linear model of the columns that were tested below the leaf (M5: Quinlan 1992).

    Each node has a least-squares model on the columns that the tree, before it was pruned, tested
    in its subtree; terms that do not lower the estimated error are dropped. An unknown value counts
    as the node's mean. A nominal column's levels are put in order by their mean target and become
    indicators of what lies beyond each of them (Wang and Witten 1997). A leaf answers by its own
    model, smoothed by those of the nodes above it: on the way up, a value from a child of n cases
    becomes (n value + k model) / (n + k).

    smoothing  k, what the model of a node weighs against its child; 0 leaves the leaf's alone
    """

    tasks: ClassVar[tuple[str, ...]] = NUMBERS

    smoothing: float = field(
        default=15.0, validator=and_(instance_of((int, float)), ge(0.0), lt(math.inf))
    )

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, 1]: means."""
        return Mean().answers(tree, table)

    def models(self, tree: Tree, table: Table, grown: Tree) -> Additive:
        allowed = columns_below(grown, table.n_columns)[where_grown(tree, grown)]
        return smoothed(tree, node_models(tree, table, allowed), self.smoothing)


@frozen(eq=False)
class _Path:
    """What the models above a node say together, and the weight left for the node's own."""

    constant: float
    terms: Terms
    weight: float

    def with_model(self, model: LinearModel, share: float) -> tuple[float, Terms]:
        """The sum with a share of what is left for the node's own model."""
        weight = self.weight * share
        if weight == 0.0:
            return self.constant, self.terms
        terms = dict(self.terms)
        for term in model.terms:
            terms[term.column] = _sum(terms.get(term.column), term, weight)
        return self.constant + weight * model.constant, terms


def smoothed(tree: Tree, models: list[LinearModel], k: float) -> Additive:
    """The models of the nodes where rows may end, those above folded in (Quinlan 1992).

    A node without cases answers by its parent's model.
    """
    answering = ends_here(tree)
    constant = np.zeros((tree.n_nodes, 1))
    terms: list[list[Term]] = []
    paths = {0: _Path(0.0, {}, 1.0)}
    for node, model in enumerate(models):
        path = paths.pop(node)
        constant[node], found = path.with_model(model, 1.0)
        terms.append([found[c] for c in sorted(found)] if answering[node] else [])
        for child in tree.children(node):
            n = float(tree.weight[child])
            share = n / (n + k) if n > 0.0 else 0.0
            above, together = path.with_model(model, 1.0 - share)
            paths[child] = _Path(above, together, path.weight * share)
    return additive("identity", constant, terms)


def _sum(first: Term | None, second: Term, weight: float) -> Term:
    """Both terms of a column as one; the centre is the first one's."""
    scaled = weight * second.coefficients
    if first is None:
        return evolve(second, coefficients=scaled)
    if first.kind != LEVELS:
        moved = first.centre - second.centre
        scaled = scaled + np.array([[scaled[1, 0] * moved], [0.0]])
    return evolve(first, coefficients=first.coefficients + scaled)
