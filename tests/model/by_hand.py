"""Trees written down by hand: nested on paper, level by level in the arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from treekit.model import Model
from treekit.table.record import Column, Floats, Schema, Table
from treekit.tree import CUTS, LEAF, LEVELS, LINEAR, NOWHERE, SPREAD, STAY, Tree


@frozen
class Node:
    stats: Sequence[float]
    column: str = ""
    cuts: Sequence[float] | None = None
    groups: Sequence[Sequence[str]] | None = None
    terms: Mapping[str, tuple[float, float]] | None = None
    children: Sequence[Node] = ()
    unknown: int = STAY
    reason: str = ""
    score: float = 0.5
    answer: Sequence[float] | None = field(default=None)


def leaf(*stats: float, reason: str = "", answer: Sequence[float] | None = None) -> Node:
    """`stats` are class weights, or for a number (weight, sum of y, sum of y*y)."""
    return Node(stats, reason=reason, answer=answer)


def cut(column: str, cuts: float | Sequence[float], *children: Node, unknown: int = SPREAD) -> Node:
    at = cuts if isinstance(cuts, Sequence) else (cuts,)
    return Node(_total(children), column, cuts=at, children=children, unknown=unknown)


def total_of(
    terms: Mapping[str, tuple[float, float]], at: float, *children: Node, unknown: int = SPREAD
) -> Node:
    """A cut of the sum of columns by their coefficients and spreads."""
    return Node(
        _total(children), next(iter(terms)), cuts=(at,), terms=terms, children=children,
        unknown=unknown,
    )  # fmt: skip


def groups(column: str, branches: Mapping[str, Node], unknown: int = SPREAD) -> Node:
    """Branches by their levels, blanks between the levels of a group."""
    children = tuple(branches.values())
    told = tuple(tuple(levels.split()) for levels in branches)
    return Node(_total(children), column, groups=told, children=children, unknown=unknown)


def _total(children: Sequence[Node]) -> tuple[float, ...]:
    return tuple(np.sum([child.stats for child in children], axis=0).tolist())


def grown(schema: Schema, root: Node, centre: float = 0.0) -> tuple[Tree, Floats]:
    """The tree, and the shares of the classes (or the means) as its answers."""
    nodes, first = [root], []
    for node in nodes:
        first.append(len(nodes) if node.children else 0)
        nodes.extend(node.children)
    names = [column.name for column in schema.columns]
    operands = [_operands(schema, names, node) for node in nodes]
    reasons = tuple(dict.fromkeys(n.reason for n in nodes if n.reason))
    stats = np.array([n.stats for n in nodes], np.float64)
    if schema.task == "classification":
        stats = np.column_stack([stats.sum(axis=1), stats])
    inner = np.array([bool(n.children) for n in nodes])
    tree = Tree(
        kind=np.array([_kind(n) for n in nodes], np.int8),
        column=np.array([names.index(n.column) if n.children else -1 for n in nodes], np.int32),
        first_child=np.array(first, np.int32),
        n_children=np.array([len(n.children) for n in nodes], np.int32),
        start=np.concatenate([[0], np.cumsum([len(o) for o in operands])]).astype(np.int64),
        operands=np.array([value for o in operands for value in o], np.float64),
        unknown=np.array([n.unknown for n in nodes], np.int32),
        stats=stats,
        rows=np.ceil(stats[:, 0]).astype(np.int64),
        score=np.where(inner, [n.score for n in nodes], np.nan),
        reason=np.array([reasons.index(n.reason) if n.reason else -1 for n in nodes], np.int32),
        reasons=reasons,
        centre=centre,
    )
    weight = np.maximum(stats[:, :1], 1e-300)
    answers = stats[:, 1:] / weight
    if schema.task == "regression":
        answers = answers[:, :1] + centre
    for i, node in enumerate(nodes):
        if node.answer is not None:
            answers[i] = node.answer
    return tree, answers


def _kind(node: Node) -> int:
    if node.terms is not None:
        return LINEAR
    return LEAF if not node.children else CUTS if node.cuts is not None else LEVELS


def _operands(schema: Schema, names: Sequence[str], node: Node) -> list[float]:
    if node.terms is not None:
        terms = [(float(names.index(name)), *numbers) for name, numbers in node.terms.items()]
        return [*(node.cuts or ()), *(number for term in terms for number in term)]
    if node.groups is None:
        return list(node.cuts or ())
    levels = schema.columns[names.index(node.column)].levels
    of = {level: branch for branch, group in enumerate(node.groups) for level in group}
    return [float(of.get(level, NOWHERE)) for level in levels]


def model_of(schema: Schema, *roots: Node, centre: float = 0.0, **fields: Any) -> Model:
    made = [grown(schema, root, centre) for root in roots]
    weights = tuple([1.0 / len(made)] * len(made))
    return Model(
        schema,
        tuple(tree for tree, _ in made),
        tuple(answers for _, answers in made),
        fields.pop("tree_weights", weights),
        fields.pop("recipe", {}),
        fields.pop("versions", {"treekit": "0.1.0"}),
    )


def schema_of(target: str | Column, **columns: str) -> Schema:
    """Columns by their levels: "" is numeric, "a b" nominal, "a < b" ordinal."""
    return Schema(
        tuple(_column(name, levels) for name, levels in columns.items()),
        target if isinstance(target, Column) else _column(*target.split(": ")),
    )


def _column(name: str, levels: str) -> Column:
    if not levels or levels == "numeric":
        return Column(name, "numeric")
    if "<" in levels:
        return Column(name, "ordinal", tuple(levels.split(" < ")))
    return Column(name, "nominal", tuple(levels.split()))


def table_of(schema: Schema, *rows: Sequence[Any], target: Sequence[Any] | None = None) -> Table:
    """Rows of numbers and levels; None is unknown."""

    def code(column: Column, value: Any) -> float:
        if value is None:
            return np.nan
        return float(value) if column.is_numeric else float(column.levels.index(value))

    cells = [[code(c, row[i]) for row in rows] for i, c in enumerate(schema.columns)]
    shape = (len(schema.columns), len(rows))
    y = None if target is None else np.array([code(schema.target, value) for value in target])
    return Table(schema, np.array(cells, np.float64).reshape(shape), y, source="rows.csv")


# --- one small model of each kind ----------------------------------------------------------------

WEATHER = schema_of("play: no yes", outlook="sunny overcast rain", humidity="", wind="weak strong")


def weather() -> Model:
    """The golf tree of C4.5: multiway branches, a cut, and one leaf with errors."""
    return model_of(
        WEATHER,
        groups(
            "outlook",
            {
                "sunny": cut(
                    "humidity", 75, leaf(0, 2, reason="pure"), leaf(3, 1, reason="few rows")
                ),
                "overcast": leaf(0, 4, reason="pure"),
                "rain": groups(
                    "wind",
                    {"weak": leaf(0, 3, reason="pure"), "strong": leaf(2, 0, reason="pure")},
                ),
            },
        ),
        recipe={"tree": {"impurity": {"use": "entropy"}, "stop": [{"use": "pure"}]}},
    )


def price() -> Model:
    """Regression: a cut, and an ordinal column cut by its order."""
    schema = schema_of("price: numeric", size="small < medium < large", age="")
    root = cut("size", 0.5, leaf(2, 10, 52), cut("age", [3.5, 10], *PRICE_LEAVES, unknown=0))
    return model_of(schema, root, centre=100.0)


PRICE_LEAVES = (leaf(2, 60, 1800), leaf(1, 20, 400), leaf(3, -30, 306))


def oblique() -> Model:
    """Sums of numeric and ordinal columns; one column is asked alone, too."""
    schema = schema_of("late: no yes", walk="", ride="", town="york hull", crowd="low < mid < high")
    below = total_of({"ride": (1.0, 4.0), "crowd": (-2.5, 1.0)}, 7.25, leaf(2, 0), leaf(1, 3))
    beside = cut("walk", 12, leaf(0, 4), leaf(1, 0))
    return model_of(
        schema, total_of({"walk": (1.0, 3.0), "ride": (0.5, 4.0)}, 30.5, below, beside, unknown=1)
    )


def grouped() -> Model:
    """Groups of levels, a level never taught, and an ordinal run in the middle."""
    schema = schema_of("sold: no yes", town="york leeds hull bath", size="s < m < l < xl")
    return model_of(
        schema,
        groups(
            "town",
            {
                "york hull": leaf(5, 1),
                "leeds": cut("size", [0, 2], leaf(1, 0), leaf(0, 2), leaf(3, 0)),
            },
            unknown=0,
        ),
    )
