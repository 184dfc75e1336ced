"""Minimal cost-complexity pruning: a split must earn its place."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from attrs import Attribute, field, frozen
from attrs.validators import and_, ge, in_, instance_of, optional

from treekit import (
    Bools,
    ComplexityTable,
    Floats,
    Ints,
    Nodes,
    PruningData,
    Tree,
    folds_in_turn,
    random_folds,
    rebuilt,
)

from .bottom_up import judged
from .complexity import complexities, risks_of
from .cross_validation import held_out_errors
from .telling import tell

# Risks are differences of sums: a complexity may miss an equal one by a rounding error.
_NOISE = 1e-12
_MARGIN = 1e-9  # by which a risk must be below alpha for that to be no matter of rounding
_FOLDS = 10
_MEASURE = "risk + alpha for each split, the root's risk counting as 1"


def _reason(alpha: float) -> str:
    return f"pruned: its complexity is at most {alpha:g}"


def _only_to_choose(strategy: Any, attribute: Attribute[Any], value: Any) -> None:
    if value is not None and strategy.choose == "given":
        raise ValueError(
            f'`{attribute.name}` goes with choose = "least_error" or "one_se"; as it is, `alpha`'
            " is given and nothing is cross-validated"
        )


@frozen
class CostComplexity:
    """Cut back every split whose complexity is at most alpha (Breiman et al. 1984, 3; rpart's cp).

    A node's complexity is what its subtree takes off the risk, per split (Breiman, Friedman,
    Olshen and Stone 1984, chapter 3), as a share of the root's risk. The risk is the weight
    outside the node's class (what its errors cost, if the recipe says that), or the sum of squares
    about the mean. This is rpart's `cp`: 0 removes what does not lower the risk at all, -1 keeps
    everything. A test with k branches counts as k - 1 splits.

    alpha   the least share of the root's risk that a split must take off, on average; a negative
            one keeps the whole tree
    choose  "given": alpha as it is given. The others look for a greater one, by cross-validation
            as in rpart: "least_error" leaves the subtree of least error (the 0-SE rule), "one_se"
            the smallest one whose error is within one standard error of that (the 1-SE rule)
    folds   how many parts cross-validation divides the rows into; 10 unless given
    deal    how the rows come into folds of equal size: at "random", whatever their class, or
            "in_turn" (the first row into the first fold, the second into the second, and so on)
    """

    alpha: float = field(default=0.01, validator=and_(instance_of((int, float)), ge(-1.0)))
    choose: Literal["given", "least_error", "one_se"] = field(
        default="given", validator=in_(("given", "least_error", "one_se"))
    )
    folds: int | None = field(
        default=None, validator=[optional(and_(instance_of(int), ge(2))), _only_to_choose]
    )
    deal: Literal["random", "in_turn"] = field(
        default="random", validator=in_(("random", "in_turn"))
    )

    @property
    def reason(self) -> str:
        return _reason(self.alpha)

    def in_vain(self, nodes: Nodes, data: PruningData) -> Bools:
        """A node that gets less than alpha wrong: no subtree takes off more, for each split.

        Nor does it count above: a complexity that is greater than alpha is found with all those
        collapsed whose own is not, and one that is not stays so.
        """
        return np.asarray(risks_of(nodes.stats, data) <= self._in_vain(nodes.sample, data))

    def wrong_in_vain(self, sample: Floats, data: PruningData) -> float:
        return self._in_vain(sample, data) if data.costs is None else -1.0

    def _in_vain(self, sample: Floats, data: PruningData) -> float:
        """The greatest risk of a node that is split in vain; negative if there is none."""
        if self.choose != "given" or self.alpha < 0.0:
            return -1.0
        return float((1.0 - _MARGIN) * self.alpha * risks_of(sample[None], data)[0])

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        risks = risks_of(tree.stats, data)
        complexity = complexities(tree, risks)
        alpha = self._alpha(tree, data)
        cut = (complexity <= alpha + _NOISE) & (alpha >= 0.0)
        scale = risks[0] if risks[0] > 0.0 else 1.0
        _, as_tree = judged(
            tree, risks / scale, alpha * np.maximum(tree.n_children - 1.0, 0.0), _NOISE
        )
        decided = (tree.parent < 0) | ~cut[tree.parent]
        tell(tree, data, as_tree, risks / scale, cut, _MEASURE, decided)
        return rebuilt(tree, np.arange(tree.n_nodes), cut, _reason(alpha))

    def table(self, tree: Tree, data: PruningData, folds: Ints | None) -> ComplexityTable:
        """The subtrees for all alphas from the given one up, as rpart's cptable has them."""
        risks = risks_of(tree.stats, data)
        found = subtrees(tree, risks, self.alpha)
        if folds is None:
            return found

        def collapse(fold_tree: Tree) -> Floats:
            own = risks_of(fold_tree.stats, data)
            return np.asarray((complexities(fold_tree, own) - _NOISE) * own[0])

        held_out = held_out_errors(data, folds, collapse, between(found.alpha, risks[0]))
        return ComplexityTable(
            found.alpha,
            found.splits,
            found.error,
            _share(held_out.error, risks[0]),
            _share(held_out.standard_error, risks[0]),
        )

    def _alpha(self, tree: Tree, data: PruningData) -> float:
        if self.choose == "given" or tree.n_nodes == 1:
            return self.alpha
        n_rows, n_folds = data.table.n_rows, self.folds or _FOLDS
        folds = (
            random_folds(n_rows, n_folds, data.rng)
            if self.deal == "random"
            else folds_in_turn(n_rows, n_folds)
        )
        table = self.table(tree, data, folds)
        least = self.choose == "least_error"
        row = table.least_error() if least else table.within_one_standard_error()
        return float(table.alpha[row])


def subtrees(tree: Tree, risks: Floats, alpha: float) -> ComplexityTable:
    """The subtrees that are left for alphas from `alpha` on; the last is that of `alpha` itself.

    Complexities that only rounding tells apart count as one, the greatest.
    """
    inner = np.flatnonzero(~tree.is_leaf)
    complexity = complexities(tree, risks)[inner]
    values = np.sort(complexity[complexity > alpha + _NOISE])
    steps = values[np.append(np.diff(values) > _NOISE, True)[: len(values)]][::-1]
    alphas = np.append(steps, alpha)
    # A split is there in the rows after the one of its own complexity.
    since = np.searchsorted(-steps, -complexity, side="right")
    kept = complexity > alpha + _NOISE
    takes_off = (risks - tree.sum_over_children(risks))[inner]
    more = tree.n_children[inner] - 1.0
    n = len(alphas)
    saved = np.cumsum(np.bincount(since[kept], takes_off[kept], n))
    splits = np.cumsum(np.bincount(since[kept], more[kept], n)).astype(np.int64)
    return ComplexityTable(alphas, splits, _share(risks[0] - saved, risks[0]))


def between(alphas: Floats, risk: float) -> Floats:
    """For each subtree an alpha amid those that leave it, the geometric mean, in units of risk.

    For the root alone it is ten times the least, as in rpart; negative ones count as 0.
    """
    if len(alphas) == 1:
        return np.array([np.inf])
    bounded = np.maximum(alphas, 0.0)
    amid = np.concatenate([10.0 * bounded[:1], np.sqrt(bounded[:-1] * bounded[1:])])
    return np.asarray(amid * risk)


def _share(amounts: Floats, whole: float) -> Floats:
    """As shares of the root's risk; 0 where that is nothing."""
    return np.asarray(amounts / whole if whole > 0.0 else np.zeros_like(amounts))
