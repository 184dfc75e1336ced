"""Small models with what not every tree has: leaf models and surrogates."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from hypothesis import strategies as st

from treekit.leaf_models import POWERS, Additive, LeafModels, Neighbours, Term, additive
from treekit.model import Model
from treekit.table.record import Column, Schema
from treekit.tree import CUTS, LEVELS, NOWHERE, Surrogates, Tree

from .by_hand import cut, groups, leaf, model_of, schema_of

RENT = schema_of("rent: numeric", area="", floor="low < high", town="york leeds hull")


def lines() -> Model:
    """Rent: 100 + 2 (area - 50) in small flats; by town, the floor and the area in others."""
    model = model_of(
        RENT, cut("area", 60.0, leaf(4, 400, 40100), leaf(2, 500, 125010), unknown=0), centre=0.0
    )
    terms = [
        [],
        [Term(0, POWERS, np.array([[0.0], [2.0]]), 50.0)],
        [
            Term(2, LEVELS, np.array([[0.0], [10.0], [-5.5]])),
            Term(1, POWERS, np.array([[1.0], [7.0]]), 0.5),
            Term(0, POWERS, np.array([[0.0], [1.5], [-0.25]]), 80.0),
        ],
    ]
    constant = np.array([[150.0], [100.0], [250.0]])
    return attrs.evolve(model, leaf_models=(additive("identity", constant, terms),))


def chances() -> Model:
    """Two classes in one leaf, by a number and a level."""
    schema = schema_of("sold: no yes", price="", town="york leeds")
    model = model_of(schema, leaf(3, 5))
    terms = [
        Term(0, POWERS, np.array([[0.0, 0.5], [1.0, -1.0]]), 10.0),
        Term(1, LEVELS, np.log([[0.5, 0.25], [0.5, 0.75]])),
    ]
    constant = np.log([[0.375, 0.625]])
    return attrs.evolve(model, leaf_models=(additive("softmax", constant, [terms]),))


def among_rows(p: float = 2.0) -> Model:
    """Two leaves of four and three training rows, of which the two nearest answer."""
    schema = schema_of("sold: no yes", price="", size="s < m < l", town="york leeds")
    model = model_of(schema, cut("price", 15.0, leaf(3, 1), leaf(1, 2), unknown=0))
    models = Neighbours(
        k=2,
        p=p,
        n_classes=2,
        nominal=np.array([False, False, True]),
        centre=np.array([15.0, 1.0, 0.0]),
        scale=np.array([10.0, 1.0, 1.0]),
        cells=np.array(
            [
                [10.0, 11.0, 12.0, np.nan, 20.0, 24.0, 30.0],
                [0.0, 1.0, 2.0, 0.0, 1.0, 1.0, np.nan],
                [0.0, 0.0, 1.0, 1.0, np.nan, 1.0, 0.0],
            ]
        ),
        target=np.array([0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0]),
        first=np.array([0, 0, 4, 7]),
        row=np.arange(7),
        weight=np.ones(7),
    )
    return attrs.evolve(model, leaf_models=(models,))


def standing_in() -> Model:
    """The root asks for humidity; temperature and outlook stand in, the second the other way."""
    schema = schema_of("play: no yes", humidity="", temp="", outlook="sunny overcast rain")
    below = groups("outlook", {"sunny overcast": leaf(0, 3), "rain": leaf(1, 1)}, unknown=0)
    model = model_of(schema, cut("humidity", 75.0, leaf(4, 1), below, unknown=0))
    surrogates = Surrogates(
        first=np.array([0, 2, 2, 3, 3, 3]),
        column=np.array([1, 2, 1], np.int32),
        kind=np.array([CUTS, LEVELS, CUTS], np.int8),
        start=np.array([0, 1, 4, 5]),
        operands=np.array([20.5, 0.0, 1.0, NOWHERE, 15.0]),
        flipped=np.array([False, True, True]),
        agreement=np.array([0.9, 0.75, 2 / 3]),
        adjusted=np.array([0.8, 0.5, 0.0]),
    )
    return attrs.evolve(model, trees=(attrs.evolve(model.trees[0], surrogates=surrogates),))


# --- any at all ----------------------------------------------------------------------------------

COEFFICIENT = st.floats(-1e6, 1e6)


def _numbers(draw: Any, rows: int, width: int) -> Any:
    values = st.lists(COEFFICIENT, min_size=rows * width, max_size=rows * width)
    return np.array(draw(values), np.float64).reshape(rows, width)


def _kind(draw: Any, column: Column, ordered: int) -> int:
    by_kind = {"numeric": ordered, "nominal": LEVELS}
    return by_kind.get(column.kind) or draw(st.sampled_from([ordered, LEVELS]))


def leaf_models(schema: Schema, n_nodes: int) -> st.SearchStrategy[LeafModels]:
    return sums(schema, n_nodes) | kept_rows(schema, n_nodes)


@st.composite
def kept_rows(draw: Any, schema: Schema, n_nodes: int) -> Neighbours:
    n = draw(st.integers(1, 4))

    def coded(column: Column) -> Any:
        return COEFFICIENT if column.is_numeric else st.integers(0, len(column.levels) - 1)

    def column_of(values: Any, size: int = n) -> Any:
        return np.array(draw(st.lists(values, min_size=size, max_size=size)), np.float64)

    columns = schema.columns
    cells = [column_of(coded(c) | st.just(np.nan)) for c in columns]
    counts = draw(st.lists(st.integers(1, 3), min_size=n_nodes, max_size=n_nodes))
    rows = sum(counts)
    return Neighbours(
        k=draw(st.integers(1, 4)),
        p=draw(st.floats(1.0, 5.0) | st.just(np.inf)),
        n_classes=len(schema.classes),
        nominal=np.array([c.kind == "nominal" for c in columns], bool),
        centre=column_of(COEFFICIENT, len(columns)),
        scale=column_of(st.floats(1e-3, 1e3), len(columns)),
        cells=np.array(cells, np.float64).reshape(len(columns), n),
        target=column_of(coded(schema.target)),
        first=np.cumsum([0, *counts], dtype=np.int64),
        row=column_of(st.integers(0, n - 1), rows).astype(np.int64),
        weight=column_of(st.floats(0.1, 10.0), rows),
    )


@st.composite
def sums(draw: Any, schema: Schema, n_nodes: int) -> Additive:
    width = 1 if schema.task == "regression" else len(schema.classes)

    def term() -> Term:
        column = draw(st.integers(0, len(schema.columns) - 1))
        kind = _kind(draw, schema.columns[column], POWERS)
        rows = draw(st.integers(1, 3)) if kind == POWERS else len(schema.columns[column].levels)
        centre = draw(COEFFICIENT) if kind == POWERS else 0.0
        return Term(column, kind, _numbers(draw, rows, width), centre)

    most = 2 if schema.columns else 0
    terms = [[term() for _ in range(draw(st.integers(0, most)))] for _ in range(n_nodes)]
    link = "identity" if schema.task == "regression" else "softmax"
    return additive(link, _numbers(draw, n_nodes, width), terms)


@st.composite
def surrogates(draw: Any, schema: Schema, tree: Tree) -> Surrogates:
    counts, column, kind, operands = [], [], [], []
    for n_children in tree.n_children:
        counts.append(draw(st.integers(0, 2)) if n_children == 2 else 0)
        for _ in range(counts[-1]):
            column.append(draw(st.integers(0, len(schema.columns) - 1)))
            about = schema.columns[column[-1]]
            kind.append(_kind(draw, about, CUTS))
            branch = st.lists(
                st.sampled_from([0.0, 1.0, float(NOWHERE)]),
                min_size=len(about.levels),
                max_size=len(about.levels),
            )
            operands.append(draw(branch) if kind[-1] == LEVELS else [draw(COEFFICIENT)])
    n = len(column)
    shares = st.lists(st.floats(0, 1), min_size=n, max_size=n)
    return Surrogates(
        first=np.cumsum([0, *counts], dtype=np.int64),
        column=np.array(column, np.int32),
        kind=np.array(kind, np.int8),
        start=np.cumsum([0, *map(len, operands)], dtype=np.int64),
        operands=np.array([value for told in operands for value in told], np.float64),
        flipped=np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool),
        agreement=np.array(draw(shares), np.float64),
        adjusted=np.array(draw(shares), np.float64) * 2 - 1,
        asked=draw(st.booleans()),
    )
