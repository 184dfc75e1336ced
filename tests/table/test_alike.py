"""The same data gives the same table, whatever it comes in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from treekit.table import Table, read_table

from ..properties import examples

pl = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

UNKNOWN = st.none()
NUMBERS = st.one_of(UNKNOWN, st.floats(allow_nan=False, allow_infinity=False))
WHOLE = st.one_of(UNKNOWN, st.integers(-(2**53), 2**53))
LETTERS = st.text("abcé \"',;\n%{}", min_size=1, max_size=4)
TEXTS = st.one_of(UNKNOWN, LETTERS.map(lambda text: f"x{text}z"))


@st.composite
def data(draw: Any) -> dict[str, list[Any]]:
    """Columns of numbers, whole numbers and text, at least one value of text known."""
    rows = draw(st.integers(1, 6))

    def column(cells: st.SearchStrategy[Any]) -> list[Any]:
        return list(draw(st.lists(cells, min_size=rows, max_size=rows)))

    target = draw(st.lists(st.sampled_from("pqr"), min_size=rows, max_size=rows))
    text = ["known", *column(TEXTS)[1:]]
    return {"f": column(NUMBERS), "i": column(WHOLE), "s": text, "y": target}


def assert_same(one: Table, other: Table) -> None:
    assert one.schema == other.schema
    assert np.array_equal(one.cells, other.cells, equal_nan=True)
    assert one.y.tolist() == other.y.tolist()
    assert one.notes == other.notes


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data())
def test_csv_tsv_pandas_polars_and_parquet_give_equal_tables(columns: dict[str, list[Any]]) -> None:
    frame = pd.DataFrame({**columns, "i": pd.array(columns["i"], dtype="Int64")})
    polars = pl.DataFrame(columns, schema={"f": pl.Float64, "i": pl.Int64, "s": str, "y": str})
    frame.to_csv("data.csv", index=False)
    frame.to_csv("data.tsv", index=False, sep="\t")
    frame.to_parquet("data.parquet")
    polars.write_csv("polars.csv")
    polars.write_parquet("polars.parquet")
    table = read_table(frame, target="y")
    for source in (polars, "data.csv", "data.tsv", "data.parquet", "polars.csv", "polars.parquet"):
        assert_same(table, read_table(source, target="y"))
