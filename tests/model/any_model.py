"""Any model at all, for laws."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from hypothesis import strategies as st

from treekit.model import Model
from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, LEAF, LEVELS, NOWHERE, REFUSE, SPREAD, STAY, Tree

from .with_extras import leaf_models, surrogates

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0, 1e6)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def schemas(draw: Any) -> Schema:
    names = draw(st.lists(WORDS, min_size=1, max_size=5, unique=True))
    levels = st.lists(WORDS, min_size=1, max_size=4, unique=True).map(tuple)

    def column(name: str) -> Column:
        kind = draw(st.sampled_from(["numeric", "ordinal", "nominal"]))
        return Column(name, kind, () if kind == "numeric" else draw(levels))

    return Schema(tuple(map(column, names[1:])), column(names[0]))


@st.composite
def trees(draw: Any, schema: Schema) -> tuple[Tree, Any]:
    n_classes = len(schema.classes)
    width = 3 if schema.task == "regression" else 1 + n_classes
    limit = draw(st.integers(1, 12)) if schema.columns else 1
    total, node = 1, 0
    nodes: list[tuple[int, int, list[float], int, int]] = []
    while node < total:
        node += 1
        if total >= limit or (node < total and draw(st.booleans())):
            nodes.append((LEAF, -1, [], 0, STAY))
            continue
        column = draw(st.integers(0, len(schema.columns) - 1))
        about = schema.columns[column]
        kind = {"numeric": CUTS, "nominal": LEVELS}.get(about.kind) or draw(
            st.sampled_from([CUTS, LEVELS])
        )
        if kind == CUTS:
            operands = sorted(draw(st.sets(FINITE, min_size=1, max_size=3)))
            n_children = len(operands) + 1 + draw(st.integers(0, 1))
        else:
            n_children = draw(st.integers(1, 3))
            branch = st.integers(NOWHERE, n_children - 1).map(float)
            n_levels = len(about.levels)
            operands = draw(st.lists(branch, min_size=n_levels, max_size=n_levels))
        unknown = draw(st.sampled_from([REFUSE, STAY, SPREAD]) | st.integers(0, n_children - 1))
        nodes.append((kind, column, operands, n_children, unknown))
        total += n_children
    kind, column, operands, n_children, unknown = zip(*nodes, strict=True)
    inner = np.array(kind) != LEAF
    children = np.array(n_children, np.int32)
    reasons = tuple(draw(st.lists(WORDS, max_size=2)))
    stats = np.array(draw(_floats(FINITE, total * width))).reshape(total, width)
    stats[:, 0] = draw(_floats(st.floats(1e-3, 1e9), total))
    scores = draw(_floats(FINITE | st.just(np.nan), total))
    tree = Tree(
        kind=np.array(kind, np.int8),
        column=np.array(column, np.int32),
        first_child=np.where(inner, 1 + np.cumsum(children) - children, 0).astype(np.int32),
        n_children=children,
        start=np.cumsum([0, *map(len, operands)]).astype(np.int64),
        operands=np.array([value for told in operands for value in told], np.float64),
        unknown=np.array(unknown, np.int32),
        stats=stats,
        rows=np.array(draw(st.lists(st.integers(0, 2**62), min_size=total, max_size=total))),
        score=np.where(inner, scores, np.nan),
        reason=np.where(inner, -1, draw(st.integers(-1, len(reasons) - 1))).astype(np.int32),
        reasons=reasons,
        centre=draw(FINITE),
    )
    each = 1 if schema.task == "regression" else n_classes
    numbers = st.floats(-1e6, 1e6) if schema.task == "regression" else SHARES
    return tree, np.array(draw(_floats(numbers, total * each))).reshape(total, each)


def _floats(values: Any, n: int) -> Any:
    return st.lists(values, min_size=n, max_size=n)


@st.composite
def models(draw: Any) -> Model:
    schema = draw(schemas())
    made = draw(st.lists(trees(schema), min_size=1, max_size=2))
    grown = tuple(
        attrs.evolve(tree, surrogates=draw(st.none() | surrogates(schema, tree)))
        for tree, _ in made
    )
    return Model(
        schema,
        grown,
        tuple(answers for _, answers in made),
        tuple(draw(_floats(st.floats(0, 100), len(made)))),
        draw(st.dictionaries(WORDS, PLAIN, max_size=3)),
        draw(st.dictionaries(WORDS, WORDS, max_size=2)),
        leaf_models=tuple(draw(st.none() | leaf_models(schema, tree.n_nodes)) for tree, _ in made),
    )


@st.composite
def tables(draw: Any, schema: Schema) -> Table:
    n = draw(st.integers(0, 5))

    def cell(column: Column) -> Any:
        if column.is_numeric:
            return FINITE | st.just(np.nan)
        return st.sampled_from([np.nan, *range(len(column.levels))])

    cells = [draw(_floats(cell(column), n)) for column in schema.columns]
    return Table(schema, np.array(cells, np.float64).reshape(len(schema.columns), n))


def same(first: Model, second: Model) -> bool:
    """The same model, bit for bit; a NaN is a NaN."""

    def alike(a: Any, b: Any) -> bool:
        if isinstance(a, np.ndarray):
            known = a == a
            return (
                (a.dtype, a.shape) == (b.dtype, b.shape)
                and np.array_equal(known, b == b)
                and a[known].tobytes() == b[known].tobytes()
            )
        if attrs.has(type(a)) and type(a) is type(b):
            names = [attribute.name for attribute in attrs.fields(type(a))]
            return all(alike(getattr(a, n), getattr(b, n)) for n in names)
        return bool(a == b)

    return (
        (first.schema, first.tree_weights, first.recipe, first.versions, len(first.trees))
        == (second.schema, second.tree_weights, second.recipe, second.versions, len(second.trees))
        and all(map(alike, first.answers, second.answers))
        and all(map(alike, first.leaf_models, second.leaf_models))
        and all(map(alike, first.trees, second.trees))
    )
