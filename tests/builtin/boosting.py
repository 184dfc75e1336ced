"""Tables for boosting, and what its rounds were grown on."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from treekit.fitting import grow_member, planted
from treekit.offers import Forest
from treekit.recipe import Recipe, load_recipe
from treekit.route import answers_for
from treekit.table.record import Column, Floats, Schema, Table


def table_of(x: Any, y: Any, classes: int = 0, weights: Any = None) -> Table:
    """Numeric columns x[row, column]; classes are called 0, 1, ...; none: numbers."""
    cells = np.ascontiguousarray(np.asarray(x, float).T)
    columns = tuple(Column(f"x{i}", "numeric") for i in range(len(cells)))
    levels = tuple(str(k) for k in range(classes))
    target = Column("y", "nominal", levels) if classes else Column("y", "numeric")
    given = None if weights is None else np.asarray(weights, float)
    return Table(Schema(columns, target), cells, np.asarray(y, float), given)


def followed(recipe: str, table: Table, **settings: Any) -> tuple[Forest, list[Floats]]:
    """The forest, and the weights of the rows in each round, the dropped one included."""
    seen: list[Floats] = []

    def grow(recipe: Recipe, sample: Table, *given: Any, **options: Any) -> Any:
        seen.append(sample.weights)
        return grow_member(recipe, sample, *given, **options)

    changes = {f"ensemble.{key}": value for key, value in settings.items()}
    return planted(load_recipe(recipe, changes), table, 0, grow), seen


def classes_said(forest: Forest, table: Table) -> list[Any]:
    return [answers_for(m.tree, m.answers, table).argmax(axis=1) for m in forest.members]


@st.composite
def noisy_tables(draw: Any, classes: int = 2) -> Table:
    n = draw(st.integers(2, 24))
    x = draw(st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0, 7.0]), min_size=n, max_size=n))
    return table_of(x, y, classes, weights)
