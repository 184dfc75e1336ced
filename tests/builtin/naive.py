"""A naive grower of random trees, and trees as nested records: for the pruners' tests only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import define, field

from treekit.offers import PruningData
from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, LEAF, LEVELS, NOWHERE, SPREAD, STAY, Tree

Cases = list[tuple[int, float]]


@define(eq=False)
class Branching:
    """A node of a nested tree. Its `cases` are (row, weight) pairs."""

    stats: list[float] = field(factory=list)
    cases: Cases = field(factory=list)
    kind: int = LEAF
    column: int = -1
    operands: tuple[float, ...] = ()
    unknown: int = STAY
    children: list[Branching] = field(factory=list)

    def become_leaf(self) -> None:
        self.kind, self.column, self.operands, self.unknown = LEAF, -1, (), STAY
        self.children = []

    def become(self, other: Branching) -> None:
        for name in ("stats", "cases", "kind", "column", "operands", "unknown", "children"):
            setattr(self, name, getattr(other, name))


def statistics(table: Table, cases: Cases, centre: float = 0.0) -> list[float]:
    """The statistics of these cases, by their definition."""
    if table.task == "regression":
        values = [(w, table.y[row] - centre) for row, w in cases]
        return [
            sum(w for w, _ in values),
            sum(w * y for w, y in values),
            sum(w * y * y for w, y in values),
        ]
    counts = [0.0] * len(table.schema.classes)
    for row, weight in cases:
        counts[int(table.y[row])] += weight
    return [sum(weight for _, weight in cases), *counts]


def branch_of(node: Branching, value: float) -> int | None:
    if np.isnan(value):
        return None
    if node.kind == CUTS:
        return sum(value > cut for cut in node.operands)
    branch = int(node.operands[int(value)])
    return None if branch == NOWHERE else branch


def dealt(node: Branching, n: int, table: Table, cases: Cases) -> tuple[list[Cases], Cases]:
    """What each of n children receives of the cases, and what goes no further."""
    groups: list[Cases] = [[] for _ in range(n)]
    lost: Cases = []
    for row, weight in cases:
        branch = branch_of(node, table.cells[node.column, row])
        if branch is None and node.unknown >= 0:
            branch = node.unknown
        (lost if branch is None else groups[branch]).append((row, weight))
    known = [sum(weight for _, weight in group) for group in groups]
    if node.unknown != SPREAD or sum(known) == 0:
        return groups, lost
    shares = [weight / sum(known) for weight in known]
    return [
        group + ([(row, w * share) for row, w in lost] if share > 0 else [])
        for group, share in zip(groups, shares, strict=True)
    ], []


def random_table(
    rng: np.random.Generator,
    rows: int,
    *,
    classes: int = 3,
    missing: float = 0.1,
    weighted: bool = False,
    regression: bool = False,
) -> Table:
    """Two numeric and two nominal columns that tell something of the target, and unknown cells."""
    numeric = rng.integers(0, 12, size=(2, rows)).astype(float)
    nominal = np.stack([rng.integers(0, 3, rows), rng.integers(0, 4, rows)]).astype(float)
    cells = np.concatenate([numeric, nominal])
    signal = (numeric[0] > 5).astype(int) + (nominal[0] == 1) + rng.integers(0, 2, rows)
    columns = (
        Column("a", "numeric"),
        Column("b", "numeric"),
        Column("c", "nominal", ("x", "y", "z")),
        Column("d", "nominal", ("p", "q", "r", "s")),
    )
    if regression:
        target, y = Column("t", "numeric"), signal + rng.normal(size=rows)
    else:
        target = Column("t", "nominal", tuple("ABCDEFGH"[:classes]))
        y = (signal % classes).astype(float)
    cells[rng.random(cells.shape) < missing] = np.nan
    weights = rng.choice([0.5, 1.0, 2.0], rows) if weighted else None
    return Table(Schema(columns, target), cells, y, weights, "a random table")


def random_tree(
    rng: np.random.Generator,
    table: Table,
    *,
    depth: int = 5,
    unknowns: Sequence[int] = (SPREAD,),
    centre: float = 0.0,
) -> Tree:
    """A tree of random tests whose statistics are those of the table's rows."""
    root = Branching(cases=[(row, float(table.weights[row])) for row in range(table.n_rows)])
    level = [root]
    for step in range(depth + 1):
        below: list[Branching] = []
        for node in level:
            node.stats = statistics(table, node.cases, centre)
            if step < depth and len(node.cases) >= 3 and (step == 0 or rng.random() < 0.9):
                _split(rng, table, node, int(rng.choice(unknowns)))
                below += node.children
        level = below
    return flat(root, centre)


def _split(rng: np.random.Generator, table: Table, node: Branching, unknown: int) -> None:
    column = int(rng.integers(table.n_columns))
    known = [row for row, _ in node.cases if not np.isnan(table.cells[column, row])]
    if not known:
        return
    trial = Branching(column=column, unknown=unknown)
    if table.columns[column].is_numeric:
        cuts = np.unique(table.cells[column, rng.choice(known, size=rng.integers(1, 3))])
        trial.kind, trial.operands, n = CUTS, tuple(cuts + 0.5), len(cuts) + 1
    else:
        n_levels = len(table.columns[column].levels)
        trial.kind, n = LEVELS, n_levels
        trial.operands = tuple(float(level) for level in range(n_levels))
        if rng.random() < 0.4:
            n = 2
            present = {int(table.cells[column, row]) for row in known}
            trial.operands = tuple(
                float(rng.integers(2)) if level in present else float(NOWHERE)
                for level in range(n_levels)
            )
    groups, _ = dealt(trial, n, table, node.cases)
    if sum(1 for group in groups if group) < 2:
        return
    trial.children = [Branching(cases=group) for group in groups]
    trial.cases, trial.stats = node.cases, node.stats
    node.become(trial)


def flat(root: Branching, centre: float = 0.0) -> Tree:
    """A nested tree as a Tree."""
    nodes = [root]
    for node in nodes:
        nodes.extend(node.children)
    counts = np.array([len(node.children) for node in nodes], np.int32)
    first = 1 + np.cumsum(counts) - counts
    leaf = counts == 0
    return Tree(
        kind=np.array([node.kind for node in nodes], np.int8),
        column=np.array([node.column for node in nodes], np.int32),
        first_child=np.where(leaf, 0, first).astype(np.int32),
        n_children=counts,
        start=np.cumsum([0, *(len(node.operands) for node in nodes)]).astype(np.int64),
        operands=np.array([x for node in nodes for x in node.operands], dtype=np.float64),
        unknown=np.array([node.unknown for node in nodes], np.int32),
        stats=np.array([node.stats for node in nodes], dtype=np.float64),
        rows=np.array([len(node.cases) for node in nodes], np.int64),
        score=np.where(leaf, np.nan, 1.0),
        reason=np.where(leaf, 0, -1).astype(np.int32),
        reasons=("grown so",),
        centre=centre,
    )


def nested(tree: Tree) -> Branching:
    """A Tree as a nested one, without cases."""
    nodes = [
        Branching(
            stats=[float(x) for x in tree.stats[i]],
            kind=int(tree.kind[i]),
            column=int(tree.column[i]),
            operands=tuple(float(x) for x in tree.test_operands(i)),
            unknown=int(tree.unknown[i]),
        )
        for i in range(tree.n_nodes)
    ]
    for i, node in enumerate(nodes):
        node.children = [nodes[child] for child in tree.children(i)]
    return nodes[0]


def structure(tree: Tree) -> list[tuple[Any, ...]]:
    """Every node's test, level by level: equal lists are equal structures."""
    return [
        (
            int(tree.kind[i]),
            int(tree.column[i]),
            tuple(tree.test_operands(i)),
            int(tree.unknown[i]),
            int(tree.n_children[i]),
        )
        for i in range(tree.n_nodes)
    ]


def is_cut_back(small: Tree, large: Tree) -> bool:
    """Whether `small` is `large` with some subtrees made leaves."""
    pairs = [(0, 0)]
    for a, b in pairs:
        if small.is_leaf[a]:
            continue
        if asked_at(small, a) != asked_at(large, b):
            return False
        pairs.extend(zip(small.children(a), large.children(b), strict=True))
    return len(pairs) == small.n_nodes


def asked_at(tree: Tree, node: int) -> tuple[Any, ...]:
    return (
        int(tree.kind[node]),
        int(tree.column[node]),
        tuple(tree.test_operands(node)),
        int(tree.unknown[node]),
    )


def pruning_data(table: Table, validation: Table | None = None) -> PruningData:
    def never(_: Table) -> Tree:
        raise AssertionError("this pruner does not grow again")

    return PruningData(table, validation, never, np.random.default_rng(0))


def walk(root: Branching) -> Iterator[Branching]:
    """Every node, level by level."""
    nodes = [root]
    for node in nodes:
        yield node
        nodes.extend(node.children)
