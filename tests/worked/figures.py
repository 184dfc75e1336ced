"""How the worked examples are computed: textbook figures from the strategies themselves.

These helpers count rows and hand the counts to the strategies. They grow nothing: trees come from
`treekit.fit`, or are laid out by hand where the source drew one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from treekit_builtin.criteria import Gain
from treekit_builtin.impurities import Entropy
from treekit_builtin.labels import Majority

from treekit.model import Model
from treekit.offers import split_information
from treekit.route import answers_for
from treekit.table.record import Floats, Ints, Schema, Table
from treekit.tree import CUTS, LEAF, LEVELS, REFUSE, STAY, Tree


class Printed:
    """A figure as a source prints it, equal to all that lies within one unit of its last place.

    Some sources round their last place and some cut it. A whole number is meant exactly.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.unit = 10.0 ** -len(text.partition(".")[2]) if "." in text else 1e-12

    def __eq__(self, other: object) -> bool:
        return abs(float(other) - float(self.text)) < self.unit  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"{self.text} (as printed)"


# --- statistics ----------------------------------------------------------------------------------


def counts(*by_class: float) -> Floats:
    """The statistics of a node with these class counts."""
    return np.array([sum(by_class), *by_class], dtype=np.float64)


def numbers(*targets: float) -> Floats:
    """The statistics of a node with these target values."""
    y = np.array(targets, dtype=np.float64)
    return np.array([len(y), y.sum(), (y * y).sum()])


def position(table: Table, name: str) -> int:
    return [column.name for column in table.columns].index(name)


def node_stats(table: Table) -> Floats:
    """The class counts of all the rows of a table."""
    return counts(*np.bincount(table.y.astype(int), minlength=len(table.schema.classes)))


def branch_stats(table: Table, *names: str, cut: float | None = None) -> Floats:
    """[k, S]: class counts by level of the columns together, or on both sides of a cut."""
    branch = np.zeros(table.n_rows, dtype=int)
    size = 1
    for name in names:
        column, values = table.columns[position(table, name)], table.cells[position(table, name)]
        width = 2 if cut is not None else len(column.levels)
        branch = branch * width + (values > cut if cut is not None else values).astype(int)
        size *= width
    return np.array([node_stats(table.take(branch == b)) for b in range(size)])


def where(table: Table, **levels: str) -> Table:
    """The rows of a table whose columns have these levels."""
    rows = np.ones(table.n_rows, dtype=bool)
    for name, level in levels.items():
        i = position(table, name)
        rows &= table.cells[i] == table.columns[i].levels.index(level)
    return table.take(rows)


# --- figures -------------------------------------------------------------------------------------


def gain_of(parent: Floats, branches: Floats, impurity: Any = None) -> float:
    """The gain of splitting a node so, by the criterion itself."""
    impurity = impurity or Entropy()
    before, after = impurity.impurity(parent), impurity.impurity(branches)
    return float(Gain().score(parent, branches, before, after))


def gain(table: Table, *names: str, impurity: Any = None, cut: float | None = None) -> float:
    """The gain of asking these columns at once."""
    return gain_of(node_stats(table), branch_stats(table, *names, cut=cut), impurity)


def remainder(table: Table, *names: str, impurity: Any = None, cut: float | None = None) -> float:
    """The impurity that is left, by the size of each branch: what the gain takes away from."""
    impurity = impurity or Entropy()
    before = float(impurity.impurity(node_stats(table)))
    return before - gain(table, *names, impurity=impurity, cut=cut)


def split_info(table: Table, name: str) -> float:
    """The entropy of the sizes of the branches."""
    return float(split_information(branch_stats(table, name)[:, 0], np.zeros(())))


# --- trees ---------------------------------------------------------------------------------------

Plan = tuple[str, Mapping[str, Any]]


def laid_out(table: Table, plan: Plan) -> Tree:
    """The tree that a source drew: (column, {level: plan}); a level not mentioned is a leaf."""
    kind, column, first, width, operands, stats, rows = [], [], [], [], [], [], []
    level: list[tuple[Plan | None, Table]] = [(plan, table)]
    n_nodes = 1
    while level:
        below: list[tuple[Plan | None, Table]] = []
        for part, here in level:
            stats.append(node_stats(here))
            rows.append(here.n_rows)
            i = -1 if part is None else position(table, part[0])
            levels = () if part is None else table.columns[i].levels
            kind.append(LEAF if part is None else LEVELS)
            column.append(i)
            first.append(n_nodes + len(below) if levels else 0)
            width.append(len(levels))
            operands.append(np.arange(len(levels), dtype=np.float64))
            if part is not None:
                below += [(part[1].get(v), where(here, **{part[0]: v})) for v in levels]
        n_nodes += len(below)
        level = below
    inner = np.array(kind) != LEAF
    return Tree(
        kind=np.array(kind, np.int8),
        column=np.array(column, np.int32),
        first_child=np.array(first, np.int32),
        n_children=np.array(width, np.int32),
        start=np.concatenate([[0], np.cumsum(width)]).astype(np.int64),
        operands=np.concatenate(operands),
        unknown=np.where(inner, REFUSE, STAY).astype(np.int32),
        stats=np.array(stats),
        rows=np.array(rows, np.int64),
        score=np.where(inner, 0.0, np.nan),
        reason=np.where(inner, -1, 0).astype(np.int32),
        reasons=("drawn so",),
    )


def outline(model: Model) -> Any:
    """A model's first tree as nested dicts, a leaf being its class: {column: {level: ...}}."""
    return _outline(model.trees[0], model.answers[0], model.schema, 0)


def _outline(tree: Tree, answers: Floats, schema: Schema, node: int) -> Any:
    if tree.kind[node] == LEAF:
        return schema.classes[int(answers[node].argmax())]
    column = schema.columns[tree.column[node]]
    operands = tree.test_operands(node)
    below = [_outline(tree, answers, schema, child) for child in tree.children(node)]
    if tree.kind[node] == CUTS:
        (cut,) = operands
        return {column.name: {f"<= {cut:g}": below[0], f"> {cut:g}": below[1]}}
    return {
        column.name: {
            level: below[int(branch)] for level, branch in zip(column.levels, operands, strict=True)
        }
    }


def predicted(tree: Tree, table: Table) -> Ints:
    """The class index that the majority of the leaf gives each row."""
    return np.asarray(answers_for(tree, Majority().answers(tree, table), table).argmax(axis=1))


def error_rate(tree: Tree, table: Table) -> float:
    return float((predicted(tree, table) != table.y).mean())
