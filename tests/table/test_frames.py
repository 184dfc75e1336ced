"""pandas and polars DataFrames, and Parquet files."""

from __future__ import annotations

import builtins
import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.table.helpers import message, saved, values
from treekit.table import Column, Table, read_like, read_table

pl = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

DAY = datetime.date(2020, 1, 1)
LEFT_OUT = "or leave it out: kinds={'a': 'ignore'}"


def column_of(column: Any, **options: Any) -> tuple[Column, list[float | str | None]]:
    """The one column of a pandas frame, as a table has it."""
    frame = pd.DataFrame({"a": column, "y": ["p", "q", "q"]})
    table = read_table(frame, target="y", **options)
    return table.columns[0], values(table, "a")


@pytest.mark.parametrize(
    ("column", "expected", "cells"),
    [
        ([1, 2, 3], Column("a", "numeric"), [1.0, 2.0, 3.0]),
        ([0.5, np.nan, 2], Column("a", "numeric"), [0.5, None, 2.0]),
        (np.array([1, 2, 3], dtype="uint8"), Column("a", "numeric"), [1.0, 2.0, 3.0]),
        (pd.array([1, None, 3], dtype="Int64"), Column("a", "numeric"), [1.0, None, 3.0]),
        (pd.array([1, None, 3], dtype="Float32"), Column("a", "numeric"), [1.0, None, 3.0]),
        (np.array([1, None, 2.5], dtype=object), Column("a", "numeric"), [1.0, None, 2.5]),
        ([Decimal("1.5"), None, Decimal(2)], Column("a", "numeric"), [1.5, None, 2.0]),
        ([None, None, None], Column("a", "numeric"), [None, None, None]),
        (
            [True, False, True],
            Column("a", "nominal", ("false", "true")),
            ["true", "false", "true"],
        ),
        (
            [True, None, True],
            Column("a", "nominal", ("false", "true")),
            ["true", None, "true"],
        ),
        (
            pd.array([True, None, False], dtype="boolean"),
            Column("a", "nominal", ("false", "true")),
            ["true", None, "false"],
        ),
        (["u", None, "?"], Column("a", "nominal", ("u",)), ["u", None, None]),
        (["10", "9", "9"], Column("a", "nominal", ("9", "10")), ["10", "9", "9"]),
        (
            np.array(["u", 1, 2.5], dtype=object),
            Column("a", "nominal", ("1", "2.5", "u")),
            ["u", "1", "2.5"],
        ),
        (
            pd.array(["u", None, "v"], dtype="string"),
            Column("a", "nominal", ("u", "v")),
            ["u", None, "v"],
        ),
        (
            pd.Categorical(["L", None, "S"], ["S", "M", "L"]),
            Column("a", "nominal", ("S", "M", "L")),
            ["L", None, "S"],
        ),
        (
            pd.Categorical(["L", None, "S"], ["S", "M", "L"], ordered=True),
            Column("a", "ordinal", ("S", "M", "L")),
            ["L", None, "S"],
        ),
        (
            pd.Categorical([3, 1, 3], [3, 2, 1]),
            Column("a", "nominal", ("3", "2", "1")),
            ["3", "1", "3"],
        ),
        (
            pd.Categorical([True, False, True]),
            Column("a", "nominal", ("false", "true")),
            ["true", "false", "true"],
        ),
    ],
)
def test_pandas_types(column: Any, expected: Column, cells: list[Any]) -> None:
    assert column_of(column) == (expected, cells)


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_typed_numbers_declared_otherwise_become_text(kind: Any) -> None:
    assert column_of([10.0, np.nan, 2.5], kinds={"a": kind}) == (
        Column("a", kind, ("2.5", "10")),
        ["10", None, "2.5"],
    )


def test_text_declared_numeric_becomes_numbers() -> None:
    assert column_of(["1", "?", "2.5"], kinds={"a": "numeric"}) == (
        Column("a", "numeric"),
        [1.0, None, 2.5],
    )


def test_marks_that_are_numbers_hold_in_typed_columns() -> None:
    assert column_of([1, -999, 2], missing=("-999",))[1] == [1.0, None, 2.0]


def test_column_names_become_text_and_the_index_is_no_column() -> None:
    frame = pd.DataFrame({0: [1, 2], "y": ["p", "q"]}, index=["u", "v"])
    assert [column.name for column in read_table(frame, target="y").columns] == ["0"]


def test_the_frame_is_left_as_it_was() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": ["p", "q"]})
    table = read_table(frame, target="y")
    table.cells[0, 0] = 9.0
    assert frame["a"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (
            pd.to_datetime(["2020-01-01"] * 3).astype("datetime64[ns]"),
            "pandas DataFrame: column 'a' holds dates or times (datetime64[ns]); "
            f"make a number of it, as with frame['a'].astype('int64'), {LEFT_OUT}",
        ),
        (
            pd.to_timedelta([1, 2, 3]).astype("timedelta64[ns]"),
            "pandas DataFrame: column 'a' holds dates or times (timedelta64[ns]); "
            f"make a number of it, as with frame['a'].astype('int64'), {LEFT_OUT}",
        ),
        (
            [DAY, DAY, DAY],
            "pandas DataFrame: column 'a' holds dates or times (date); make a number of it, "
            f"as with pd.to_datetime(frame['a']).astype('int64'), {LEFT_OUT}",
        ),
        (
            [[1], [2], [3]],
            "pandas DataFrame, row 0 (counted from 0): column 'a' holds values of type list; "
            f"make numbers or text of it, {LEFT_OUT}",
        ),
        (
            [1j, 2, 3],
            "pandas DataFrame: column 'a' holds values of type complex128; "
            f"make numbers or text of it, {LEFT_OUT}",
        ),
        (
            [1.0, 2.0, np.inf],
            "pandas DataFrame, row 2 (counted from 0), column 'a': inf is not a finite number; "
            "mend it, or add it to the missing marks",
        ),
    ],
)
def test_pandas_columns_that_cannot_be_read(column: Any, expected: str) -> None:
    assert message(column_of, column) == expected


def test_duplicate_columns_of_a_frame() -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "a", "y"])
    assert message(read_table, frame, target="y") == (
        "pandas DataFrame: columns 1, 2 are all named 'a'; give each its own name"
    )


def test_a_frame_without_rows() -> None:
    frame = pd.DataFrame({"a": [], "y": []})
    assert message(read_table, frame, target="y") == "pandas DataFrame: there are no rows"


POLARS_TYPES = [
    (pl.Series([1, None, 3]), Column("a", "numeric"), [1.0, None, 3.0]),
    (pl.Series([0.5, float("nan"), None]), Column("a", "numeric"), [0.5, None, None]),
    (
        pl.Series([Decimal("1.5"), None, Decimal(2)]),
        Column("a", "numeric"),
        [1.5, None, 2.0],
    ),
    (pl.Series([None, None, None]), Column("a", "numeric"), [None, None, None]),
    (
        pl.Series([True, None, False]),
        Column("a", "nominal", ("false", "true")),
        ["true", None, "false"],
    ),
    (pl.Series(["v", None, "u"]), Column("a", "nominal", ("u", "v")), ["v", None, "u"]),
    (pl.Series(["10", "?", "9"]), Column("a", "nominal", ("9", "10")), ["10", None, "9"]),
    (
        pl.Series(["v", None, "u"], dtype=pl.Categorical),
        Column("a", "nominal", ("u", "v")),
        ["v", None, "u"],
    ),
    (
        pl.Series(["L", None, "S"], dtype=pl.Enum(["S", "M", "L"])),
        Column("a", "ordinal", ("S", "M", "L")),
        ["L", None, "S"],
    ),
]


def polars_frame(series: Any) -> Any:
    return pl.DataFrame({"a": series, "y": ["p", "q", "q"]})


@pytest.mark.parametrize(("series", "expected", "cells"), POLARS_TYPES)
def test_polars_types(series: Any, expected: Column, cells: list[Any]) -> None:
    table = read_table(polars_frame(series), target="y")
    assert (table.columns[0], values(table, "a")) == (expected, cells)


@pytest.mark.parametrize(("series", "expected", "cells"), POLARS_TYPES)
def test_parquet_that_polars_wrote(series: Any, expected: Column, cells: list[Any]) -> None:
    polars_frame(series).write_parquet("data.parquet")
    table = read_table("data.parquet", target="y")
    assert (table.columns[0], values(table, "a")) == (expected, cells)


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        (
            pl.Series([DAY, DAY, DAY]),
            "polars DataFrame: column 'a' holds dates or times (Date); make a number of it, "
            f"as with frame.with_columns(pl.col('a').cast(pl.Int64)), {LEFT_OUT}",
        ),
        (
            pl.Series([[1], [2], [3]]),
            "polars DataFrame: column 'a' holds values of type List(Int64); "
            f"make numbers or text of it, {LEFT_OUT}",
        ),
    ],
)
def test_polars_columns_that_cannot_be_read(series: Any, expected: str) -> None:
    assert message(read_table, polars_frame(series), target="y") == expected


def test_a_lazy_frame_must_be_collected() -> None:
    assert message(read_table, polars_frame(pl.Series([1, 2, 3])).lazy(), target="y") == (
        "a polars LazyFrame holds no data yet; give its collect()"
    )


def parquet_table(**columns: Any) -> Table:
    pd.DataFrame({**columns, "y": ["p", "q", "q"]}).to_parquet("data.parquet")
    return read_table("data.parquet", target="y")


def test_parquet_keeps_categories_and_their_order() -> None:
    sizes = pd.Categorical(["L", None, "S"], ["S", "M", "L"], ordered=True)
    assert parquet_table(a=sizes).columns == (Column("a", "ordinal", ("S", "M", "L")),)


def test_parquet_whole_numbers_with_gaps_are_numbers() -> None:
    assert values(parquet_table(a=pd.array([1, None, 3], dtype="Int64")), "a") == [1.0, None, 3.0]


def test_a_nameless_index_in_parquet_is_no_column() -> None:
    frame = pd.DataFrame({"a": [1, 2], "y": ["p", "q"]}, index=[5, 9])
    frame.to_parquet("data.parquet")
    assert read_table("data.parquet", target="y").n_columns == 1


def test_parquet_needs_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_pyarrow(name: str, *rest: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)
        return real(name, *rest, **options)

    parquet_table(a=[1, 2, 3])
    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    assert message(read_table, "data.parquet", target="y") == (
        "data.parquet: reading Parquet needs pyarrow; pip install treekit[parquet]"
    )


def test_a_parquet_file_that_is_not_one() -> None:
    assert message(read_table, saved("data.parquet", "a,y\n1,p\n"), target="y") == (
        "data.parquet: this is not a Parquet file, whatever its name says"
    )


def test_a_damaged_parquet_file() -> None:
    text = message(read_table, saved("data.parquet", b"PAR1" + b"x" * 20), target="y")
    assert text.startswith("data.parquet: this Parquet file cannot be read: ")
    assert "\n" not in text


def test_typed_values_find_levels_that_were_read_as_text() -> None:
    saved("data.csv", "a,b,y\n1.0,True,p\n2.0,False,q\n")
    schema = read_table("data.csv", target="y", kinds={"a": "nominal"}).schema
    table = read_like(pd.DataFrame({"a": [2, 1], "b": [False, True]}), schema)
    assert table.notes == ()
    assert values(table, "a") == ["2.0", "1.0"]
    assert values(table, "b") == ["False", "True"]
