"""Equal subtrees become one node, from the leaves up, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import pairwise
from typing import Final, Literal, get_args

import numpy as np

from treekit.combining import winners
from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.graph.record import Graph
from treekit.leaf_models import LeafModels
from treekit.table.record import Bools, Floats, Schema
from treekit.tree import LEAF, REFUSE, SPREAD, STAY, Int64s, Surrogates, Tree

By = Literal["answers", "labels"]
BY: Final[tuple[By, ...]] = get_args(By)

# What the shares of a row that is spread may lack of 1 by rounding.
ROUNDING = 1e-12


def merged(
    schema: Schema,
    tree: Tree,
    answers: Floats,
    leaf_models: LeafModels | None = None,
    by: By = "answers",
) -> Graph:
    """The decision graph of a tree: nodes that ask and answer the same become one.

    Two leaves are one if they answer the same; `by` says what that is: "answers" (the default) are
    the class shares or the number, "labels" are the classes alone. Two tests are one if they are
    the same test (kind, column and operands), send unknown values the same way, have the same
    surrogates, and their branches lead to the same nodes. A test all of whose branches lead to one
    node is left out, if unknown values get there, too.

    Every row is answered as by the tree, whatever values are unknown: by "answers" with the same
    shares, by "labels" with the same class. Where rows are spread over branches, the class depends
    on the shares of the leaves below, so these are compared by their shares even then. Of several
    trees whose answers are added up, only "answers" keeps the sum.

    The time is linear in the size of the tree.
    """
    if by not in BY:
        what = f"subtrees cannot be merged by {by!r}"
        raise TreekitError(Problem(what, instead=did_you_mean(str(by), BY)))
    answers = np.ascontiguousarray(answers, np.float64)
    if by == "labels" and schema.task == "classification" and leaf_models is None:
        alone = ~_spread_above(tree)
        answers = answers.copy()
        answers[alone] = np.eye(answers.shape[1])[winners(answers[alone])]
    said = _said(tree, answers, leaf_models)
    ids, first_seen, below = _merged(tree, said)
    return _numbered(schema, tree, answers, leaf_models, ids, first_seen, below)


def _spread_above(tree: Tree) -> Bools:
    """Which nodes a row may reach only in part."""
    spread = np.zeros(tree.n_nodes, dtype=bool)
    spreads = (tree.unknown == SPREAD) & ~tree.is_leaf
    for start, stop in pairwise(tree.level_starts[1:].tolist()):
        above = tree.parent[start:stop]
        spread[start:stop] = spread[above] | spreads[above]
    return spread


def _said(tree: Tree, answers: Floats, leaf_models: LeafModels | None) -> list[Hashable]:
    """For each node, what a row that ends there is answered: equal keys are equal answers."""
    if leaf_models is None:
        width, said = answers.shape[1], _slices(answers)
        return [said(node * width, (node + 1) * width) for node in range(tree.n_nodes)]
    return [leaf_models.key(node) for node in range(tree.n_nodes)]


def _merged(tree: Tree, said: list[Hashable]) -> tuple[list[int], list[int], list[tuple[int, ...]]]:
    """Each node's number, children before parents; the first node of each number; its children."""
    kind, column, unknown = tree.kind.tolist(), tree.column.tolist(), tree.unknown.tolist()
    first, count, start = tree.first_child.tolist(), tree.n_children.tolist(), tree.start.tolist()
    shares = _shares(tree)
    operands_of, shares_of = _slices(tree.operands), _slices(shares)
    surrogates = tree.surrogates if tree.surrogates is not None and tree.surrogates.asked else None
    known: dict[Hashable, int] = {}
    ids = [0] * tree.n_nodes
    first_seen: list[int] = []
    below: list[tuple[int, ...]] = []

    def all_arrive(node: int, to: int) -> bool:
        """Where all branches lead to one node: does every row get there whole, or as good as?"""
        if to == STAY:
            return bool(known.get((said[node],)) == ids[first[node]])
        if to == SPREAD:
            gets = shares[first[node] : first[node] + count[node]]
            return bool(abs(gets.sum() - 1.0) <= ROUNDING)
        return to != REFUSE

    for i in range(tree.n_nodes - 1, -1, -1):
        children: tuple[int, ...] = ()
        key: Hashable = (said[i],)
        if kind[i] != LEAF:
            begin, end, to = first[i], first[i] + count[i], unknown[i]
            children = tuple(ids[begin:end])
            if children.count(children[0]) == len(children) and all_arrive(i, to):
                ids[i] = children[0]
                continue
            lost = said[i] if to == STAY else shares_of(begin, end) if to == SPREAD else None
            stand_ins = None if surrogates is None else _stand_ins(surrogates, i)
            test = operands_of(start[i], start[i + 1])
            key = (kind[i], column[i], test, to, lost, stand_ins, children)
        found = known.setdefault(key, len(first_seen))
        ids[i] = found
        if found == len(first_seen):
            first_seen.append(i)
            below.append(children)
        else:
            first_seen[found] = i
    return ids, first_seen, below


def _shares(tree: Tree) -> Floats:
    """What each node gets of a row that its parent spreads."""
    above = tree.weight[np.maximum(tree.parent, 0)]
    gets = (tree.weight > 0.0) & (above > 0.0)
    return np.divide(tree.weight, above, out=np.zeros(tree.n_nodes), where=gets)


def _slices(values: Floats) -> Callable[[int, int], bytes]:
    """Runs of the values as bytes, equal where the numbers are: there is one zero."""
    whole, size = (values + 0.0).tobytes(), values.itemsize
    return lambda begin, end: whole[begin * size : end * size]


def _stand_ins(surrogates: Surrogates, node: int) -> Hashable:
    begin, end = int(surrogates.first[node]), int(surrogates.first[node + 1])
    if begin == end:
        return None
    operands = surrogates.operands[surrogates.start[begin] : surrogates.start[end]]
    return (
        surrogates.column[begin:end].tobytes(),
        surrogates.kind[begin:end].tobytes(),
        np.diff(surrogates.start[begin : end + 1]).tobytes(),
        (operands + 0.0).tobytes(),
        surrogates.flipped[begin:end].tobytes(),
    )


def _numbered(
    schema: Schema,
    tree: Tree,
    answers: Floats,
    leaf_models: LeafModels | None,
    ids: list[int],
    first_seen: list[int],
    below: list[tuple[int, ...]],
) -> Graph:
    """The graph, its nodes numbered anew: by the longest way from the root, then as in the tree."""
    depth = [0] * len(below)
    for i in range(len(below) - 1, -1, -1):
        for child in below[i]:
            depth[child] = max(depth[child], depth[i] + 1)
    old = np.lexsort((np.array(first_seen), np.array(depth)))
    new = np.empty(len(old), np.int64)
    new[old] = np.arange(len(old))
    children = [child for i in old.tolist() for child in below[i]]
    counts = np.array([len(below[i]) for i in old.tolist()], np.int64)
    bounds: Int64s = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Graph(
        schema=schema,
        tree=tree,
        answers=answers,
        leaf_models=leaf_models,
        node=np.array(first_seen, np.int64)[old],
        first=bounds,
        children=new[np.array(children, np.int64)],
        stands_for=new[np.array(ids, np.int64)],
    )
