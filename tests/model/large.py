"""Models too large to write down."""

from __future__ import annotations

import numpy as np

from treekit.model import Model
from treekit.table.record import Floats
from treekit.tree import CUTS, LEAF, SPREAD, STAY, Tree

from .by_hand import schema_of

SCHEMA = schema_of("y: no yes", a="", b="", c="")


def _model(kind: np.ndarray, stats: Floats, seed: int) -> Model:
    """Binary cuts of three columns, the inner nodes where `kind` says."""
    rng = np.random.default_rng(seed)
    n, inner = len(kind), kind != LEAF
    n_children = np.where(inner, 2, 0).astype(np.int32)
    first = 1 + np.cumsum(n_children) - n_children
    start = np.concatenate([[0], np.cumsum(inner)]).astype(np.int64)
    tree = Tree(
        kind=kind.astype(np.int8),
        column=np.where(inner, rng.integers(0, 3, n), -1).astype(np.int32),
        first_child=np.where(inner, first, 0).astype(np.int32),
        n_children=n_children,
        start=start,
        operands=rng.normal(size=int(inner.sum())),
        unknown=np.where(inner, SPREAD, STAY).astype(np.int32),
        stats=stats,
        rows=stats[:, 0].astype(np.int64),
        score=np.where(inner, rng.random(n), np.nan),
        reason=np.where(inner, -1, 0).astype(np.int32),
        reasons=("pure",),
    )
    return Model(SCHEMA, (tree,), (stats[:, 1:] / stats[:, :1],), (1.0,))


def bushy(n_nodes: int, seed: int = 0) -> Model:
    """A complete binary tree."""
    counts = np.random.default_rng(seed).integers(1, 1000, (n_nodes, 2)).astype(np.float64)
    kind = np.where(np.arange(n_nodes) < n_nodes // 2, CUTS, LEAF)
    return _model(kind, np.column_stack([counts.sum(axis=1), counts]), seed)


def chain(depth: int) -> Model:
    """One inner node on each level, the second of its two siblings."""
    n_nodes = 2 * depth + 1
    counts = np.ones((n_nodes, 2))
    counts[:, 0] = n_nodes - np.arange(n_nodes)
    kind = np.full(n_nodes, LEAF)
    kind[0] = CUTS
    kind[2 : n_nodes - 1 : 2] = CUTS
    return _model(kind, np.column_stack([counts.sum(axis=1), counts]), 0)
