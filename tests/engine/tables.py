"""Random small tables, for laws."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from treekit import Column, Schema, Table


@st.composite
def tables(
    draw: Any, regression: bool | None = None, unknown: bool = True, nominal: bool = True,
    max_rows: int = 30,
) -> Table:  # fmt: skip
    """A table of 1-4 columns with few distinct values (so that ties and equal rows abound)."""
    n = draw(st.integers(2, max_rows))
    m = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns, cells = [], []
    for i in range(m):
        kind = draw(st.sampled_from(["numeric", "nominal", "ordinal"] if nominal else ["numeric"]))
        levels = tuple("abcde"[: rng.integers(2, 6)]) if kind != "numeric" else ()
        values = rng.integers(0, len(levels) or rng.integers(2, 12), n).astype(float)
        if unknown and draw(st.booleans()):
            values[rng.random(n) < 0.2] = np.nan
        columns.append(Column(f"x{i}", kind, levels))
        cells.append(values)
    number = draw(st.booleans()) if regression is None else regression
    if number:
        target, y = Column("y", "numeric"), rng.integers(0, 6, n) / 4.0
    else:
        classes = tuple("pqrs"[: rng.integers(2, 5)])
        target, y = Column("y", "nominal", classes), rng.integers(0, len(classes), n).astype(float)
    weights = rng.choice([0.5, 1.0, 2.0], n) if draw(st.booleans()) else None
    return Table(Schema(tuple(columns), target), np.array(cells), y, weights, "a random table")
