"""What a decision graph answers."""

from __future__ import annotations

import numpy as np

from treekit.graph.record import Graph
from treekit.leaf_models import leaf_answers
from treekit.route import branches_at
from treekit.table.record import Floats, Ints, Table
from treekit.tree import LEAF, NOWHERE, SPREAD

Parts = list[tuple[Ints, Floats]]


def graph_answers(graph: Graph, table: Table) -> Floats:
    """[rows, A]: each row's answer, as `answers_for` gives it of the tree."""
    tree = graph.tree
    total = np.zeros((table.n_rows, graph.answers.shape[1]))
    waiting: dict[int, Parts] = {0: [(np.arange(table.n_rows), np.ones(table.n_rows))]}
    for i in range(graph.n_nodes):
        parts = waiting.pop(i, None)
        if parts is None:
            continue
        rows, shares = (np.concatenate(part) for part in zip(*parts, strict=True))
        node = int(graph.node[i])
        if tree.kind[node] == LEAF:
            _end(graph, table, node, rows, shares, total)
            continue
        branch = branches_at(tree, node, table, rows)
        children = graph.children_of(i)
        for position, child in enumerate(children):
            here = branch == position
            if here.any():
                waiting.setdefault(child, []).append((rows[here], shares[here]))
        lost = branch == NOWHERE
        if not lost.any():
            continue
        if tree.unknown[node] != SPREAD:
            _end(graph, table, node, rows[lost], shares[lost], total)
            continue
        for below, child in zip(tree.children(node), children, strict=True):
            if tree.weight[below] > 0.0:
                part = shares[lost] * tree.weight[below] / tree.weight[node]
                waiting.setdefault(child, []).append((rows[lost], part))
    return total


def _end(graph: Graph, table: Table, node: int, rows: Ints, shares: Floats, total: Floats) -> None:
    """Rows end at a node of the tree: its answer is added by share."""
    if graph.leaf_models is None:
        said = graph.answers[node]
    else:
        said = leaf_answers(graph.leaf_models, table, rows, np.full(len(rows), node))
    np.add.at(total, rows, said * shares[:, None])
