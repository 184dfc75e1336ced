"""Minimal cost-complexity pruning by the exact weakest links of Breiman et al. (1984)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, in_, instance_of

from treekit import SMALL, Floats, Ints, PruningData, Tree, answer_costs, kernel, stayed

from .bottom_up import summed_upward
from .complexity import risks_of
from .telling import cut_back

# Risks are differences of sums: links of equal strength may differ by a rounding error.
_NOISE = 1e-12
_MEASURE = "risk + alpha for each leaf"


@frozen
class WeakestLink:
    """Keep the smallest subtree of least risk + alpha * leaves (Breiman et al. 1984, chapter 3).

    The risk is a mean over the training rows, by their weights, and alpha is in its unit: what
    each leaf more must take off it. Unlike `cost_complexity`, alpha is no share of the
    root's risk, and the subtree is exact in trees of any depth.

    alpha    what a leaf costs; 0 removes only what takes nothing off the risk
    measure  what the risk is. "error": the share of the rows outside their leaf's class (what the
             errors cost, if the recipe says that), or the mean squared error. "score": the scores
             that growth gave the tests, each by the share of the rows that were asked, add up to
             the risk that they took off; of the criterion `gain` that is the fall in impurity, and
             alpha is scikit-learn's ccp_alpha
    """

    alpha: float = field(default=0.0, validator=and_(instance_of((int, float)), ge(0.0)))
    measure: Literal["error", "score"] = field(default="error", validator=in_(("error", "score")))

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        risks, staying = self.risks(tree, data)
        slack = _NOISE * float(np.abs(risks).max())
        reason = f"pruned: its tests are worth no more than {self.alpha:g} a leaf"
        return cut_back(tree, data, risks + self.alpha, staying, slack, _MEASURE, reason)

    def path(self, tree: Tree, data: PruningData) -> PruningPath:
        """The subtrees for every alpha."""
        return weakest_link_path(tree, *self.risks(tree, data))

    def risks(self, tree: Tree, data: PruningData) -> tuple[Floats, Floats]:
        """Each node's risk as a leaf, and as an inner node that of the rows that stay."""
        total = tree.weight[0]
        if self.measure == "error":
            return risks_of(tree.stats, data) / total, stay_risks(tree, data) / total
        worth = np.where(tree.is_leaf, 0.0, tree.weight * tree.score / total)
        return summed_upward(tree, worth[:, None])[:, 0], np.zeros(tree.n_nodes)


@frozen(eq=False)
class PruningPath:
    """The nested subtrees that are best for some alpha, from the largest to the root alone.

    Subtree i is the smallest of least risk + alpha * leaves for all alphas from `alphas[i]` to
    before `alphas[i + 1]`. Alphas ascend from 0.

    risks     what each subtree gets wrong
    leaves    how many leaves it has
    collapse  one entry per node of the tree: the alpha from which on it is no inner node; NaN at
              a leaf
    """

    alphas: Floats
    risks: Floats
    leaves: Ints
    collapse: Floats


def weakest_link_path(tree: Tree, risks: Floats, staying: Floats | None = None) -> PruningPath:
    """The subtrees of least risk + alpha * leaves for every alpha from 0.

    `risks[node]` is what each node gets wrong as a leaf, `staying[node]` what it gets wrong, as an
    inner node, of the rows that go no further. Breiman et al. 1984, section 3.3: of all inner
    nodes, the one whose branch takes least off the risk for each leaf it adds is the weakest link,
    and is cut first. Alphas no further apart than rounding errors count as the same.

    A node's branch costs the sum of what its children's branches cost, a function of alpha that is
    concave, made of straight lines, and bends where a descendant collapses. The node collapses
    where its own line meets that function. Seen from great alphas downwards, bends are only ever
    taken away, so that n nodes take n log n steps, however deep the tree is.
    """
    n = tree.n_nodes
    own, collapse = np.full(n, np.nan), np.full(n, np.nan)
    below = np.zeros(n) if staying is None else staying.copy()
    leaves = np.ones(n, np.int64)
    _links.bound(n > SMALL)(
        tree.first_child, tree.n_children, tree.parent, risks, own, collapse, below, leaves
    )

    # A node that goes with its parent is no step of its own.
    parent = np.maximum(tree.parent, 0)
    inner = ~tree.is_leaf
    first_to_go = inner & ((own < collapse[parent]) | (np.arange(n) == 0))
    noise = _NOISE * float(np.abs(risks).max())
    collapse = np.where(np.abs(collapse) <= noise, 0.0, collapse)
    alphas = _apart(np.append(collapse[first_to_go], 0.0), noise)
    collapse[inner] = alphas[np.searchsorted(alphas, collapse[inner])]
    step = np.searchsorted(alphas, collapse[first_to_go])
    rise, fewer = np.zeros(len(alphas)), np.zeros(len(alphas), np.int64)
    np.add.at(rise, step, (risks - below)[first_to_go])
    np.add.at(fewer, step, (leaves - 1)[first_to_go])
    kept = alphas >= 0.0
    return PruningPath(
        alphas[kept],
        (_full_risk(tree, risks, staying) + np.cumsum(rise))[kept],
        (tree.n_leaves - np.cumsum(fewer))[kept],
        np.maximum(collapse, 0.0),
    )


def stay_risks(tree: Tree, data: PruningData) -> Floats:
    """What each inner node, with its own answer, gets wrong of the rows that go no further."""
    staying = stayed(tree, tree.stats)
    if data.table.task == "classification":
        answer = answer_costs(tree.stats, data.costs).argmin(axis=1)
        wrong = answer_costs(staying, data.costs)[np.arange(tree.n_nodes), answer]
    else:
        weight, total = tree.weight, tree.stats[:, 1]
        mean = np.divide(total, weight, out=np.zeros_like(weight), where=weight > 0.0)
        wrong = staying[:, 2] - 2.0 * mean * staying[:, 1] + mean**2 * staying[:, 0]
    return np.asarray(np.maximum(wrong, 0.0))


def _full_risk(tree: Tree, risks: Floats, staying: Floats | None) -> float:
    answered = risks[tree.is_leaf].sum()
    return float(answered if staying is None else answered + staying[~tree.is_leaf].sum())


def _apart(values: Floats, noise: float) -> Floats:
    """The values in ascending order, of each run of near equals the greatest."""
    values = np.sort(values)
    last = np.append(np.diff(values) > noise, True)
    return np.asarray(values[last])


@kernel
def _links(  # type: ignore[no-untyped-def]
    first_child, n_children, parent, risks, own, collapse, below, leaves
):
    """Where each node collapses, and its branch just before that.

    own       the alpha, if no node above collapses; in: NaN
    collapse  the alpha, together with those above; in: NaN
    below     the branch's risk just before; in: what the rows that stay add to it
    leaves    the branch's leaves just before; in: 1
    """
    n = risks.shape[0]
    # Under each node, a pairing heap of the descendants that collapse before it, the last on top.
    under = np.full(n, -1, np.int64)
    beside = np.full(n, -1, np.int64)
    for node in range(n - 1, -1, -1):
        k = n_children[node]
        if k == 0:
            continue
        # All children collapsed, as they are for great alphas.
        heap = -1
        cost = below[node]
        count = k
        for child in range(first_child[node], first_child[node] + k):
            cost += risks[child]
            if n_children[child] > 0:
                heap = _joined(heap, child, own, under, beside)
        alpha = (risks[node] - cost) / (count - 1)
        while heap >= 0 and alpha <= own[heap]:
            # The node goes first, so that this descendant never collapses by itself.
            cost -= risks[heap] - below[heap]
            count += leaves[heap] - 1
            alpha = min((risks[node] - cost) / (count - 1), own[heap])
            heap = _without_top(heap, own, under, beside)
        own[node] = alpha
        below[node] = cost
        leaves[node] = count
        under[node] = heap
        if heap >= 0:
            beside[heap] = -1
    for node in range(n):
        if n_children[node] > 0:
            collapse[node] = own[node]
            if node > 0 and own[node] > collapse[parent[node]]:
                collapse[node] = collapse[parent[node]]


@kernel
def _joined(one, other, own, under, beside):  # type: ignore[no-untyped-def]
    """Two heaps as one; -1 is an empty one."""
    if one < 0:
        return other
    if other < 0:
        return one
    if own[other] > own[one]:
        one, other = other, one
    beside[other] = under[one]
    under[one] = other
    return one


@kernel
def _without_top(heap, own, under, beside):  # type: ignore[no-untyped-def]
    """What is left of a heap: its parts joined two by two, then all (Fredman et al. 1986)."""
    pairs = -1
    one = under[heap]
    while one >= 0:
        other = beside[one]
        rest = -1
        if other >= 0:
            rest = beside[other]
        joined = _joined(one, other, own, under, beside)
        beside[joined] = pairs
        pairs = joined
        one = rest
    left = -1
    while pairs >= 0:
        rest = beside[pairs]
        left = _joined(left, pairs, own, under, beside)
        pairs = rest
    return left
