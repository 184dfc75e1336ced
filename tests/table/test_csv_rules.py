"""How a CSV or TSV file becomes a table."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.table.helpers import csv_table, saved, values
from treekit.table import Column, read_table


def test_numbers_are_numeric_and_other_text_is_nominal() -> None:
    table = csv_table("size,colour,y\n1,red,a\n2.5,blue,b\n")
    assert table.columns == (
        Column("size", "numeric"),
        Column("colour", "nominal", ("blue", "red")),
    )
    assert table.schema.target == Column("y", "nominal", ("a", "b"))
    assert table.cells.tolist() == [[1.0, 2.5], [1.0, 0.0]]
    assert table.y.tolist() == [0.0, 1.0]


def test_cells_are_contiguous_float64_with_a_row_per_column() -> None:
    cells = csv_table("a,b,y\n1,x,p\n2,z,q\n3,z,q\n").cells
    assert cells.shape == (2, 3)
    assert cells.dtype == np.dtype(np.float64)
    assert cells.flags.c_contiguous
    assert cells.flags.writeable


def test_the_source_is_the_path_as_given() -> None:
    assert csv_table("a,y\n1,p\n2,q\n").source == "data.csv"


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["true", "false"], ("false", "true")),
        (["TRUE", "", "False"], ("False", "TRUE")),
        (["01", "1", "x"], ("01", "1", "x")),
        (["0x10", "7"], ("0x10", "7")),
        (["1_000", "7"], ("1_000", "7")),
        (["inf", "sup"], ("inf", "sup")),
        (["None", "null"], ("None", "null")),
        (["2020-01-01", "2019-01-01"], ("2019-01-01", "2020-01-01")),
        ([" a", "a"], (" a", "a")),
        (['"a,b"', '"say ""no"""'], ("a,b", 'say "no"')),
        (["été", "über"], ("été", "über")),
    ],
)
def test_the_text_of_a_level_is_kept_exactly(cells: list[str], levels: tuple[str, ...]) -> None:
    table = csv_table("a,y\n" + "".join(f"{cell},p\n" for cell in cells))
    assert table.columns == (Column("a", "nominal", levels),)


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1", "-2", "+3"], [1.0, -2.0, 3.0]),
        ([".5", "1.", "1e3", "1E-2"], [0.5, 1.0, 1000.0, 0.01]),
        ([" 1", "2 ", '"3"'], [1.0, 2.0, 3.0]),
        (["99999999999999999999999", "1"], [1e23, 1.0]),
        (["18446744073709551615", "-1"], [18446744073709551615.0, -1.0]),
        (["1", "", "?", "NA", "NaN", "nan"], [1.0, None, None, None, None, None]),
        (["1", " ? ", '"?"', '""'], [1.0, None, None, None]),
    ],
)
def test_all_these_are_numbers_or_unknown(cells: list[str], numbers: list[float | None]) -> None:
    table = csv_table("a,y\n" + "".join(f"{cell},p\n" for cell in cells))
    assert values(table, "a") == numbers


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_every_float_is_read_back_to_its_last_bit(numbers: list[float]) -> None:
    table = csv_table("a,y\n" + "".join(f"{number!r},p\n" for number in numbers))
    assert table.cells[0].tolist() == numbers


def test_levels_that_are_all_numbers_are_sorted_as_numbers() -> None:
    table = csv_table("a,y\n10,p\n9,q\n-1,q\n", kinds={"a": "nominal"})
    assert table.columns[0].levels == ("-1", "9", "10")


def test_marks_are_settable() -> None:
    table = csv_table("a,b,y\n-,none,p\n1,NA,q\n", missing=("-", "none"))
    assert values(table, "a") == [None, 1.0]
    assert values(table, "b") == [None, "NA"]


def test_a_mark_that_is_a_number_stands_for_equal_numbers() -> None:
    table = csv_table("a,b,y\n-999.0,-999.0,p\n1,x,q\n", missing=("-999",))
    assert values(table, "a") == [None, 1.0]
    assert values(table, "b") == ["-999.0", "x"]
    zero = csv_table("a,b,y\n0.0,0,p\n1,x,q\n", missing=("0",))
    assert (values(zero, "a"), values(zero, "b")) == ([None, 1.0], [None, "x"])


def test_nan_is_unknown_in_a_numeric_column_whatever_the_marks() -> None:
    assert values(csv_table("a,y\nnan,p\n1,q\n", missing=()), "a") == [None, 1.0]


def test_blank_lines_are_skipped() -> None:
    assert csv_table("\na,y\n\n1,p\n  \n2,q\n\n").cells.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(end: str) -> None:
    assert csv_table(end.join(["a,y", "1,p", "2,q", ""])).cells.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_a_blank_line_swallows_nothing_of_the_next(end: str) -> None:
    table = csv_table(end.join(["a,b,y", "1,2,p", "", ",3,q", ""]))
    assert values(table, "a") == [1.0, None]
    assert values(table, "b") == [2.0, 3.0]


def test_the_last_line_needs_no_end() -> None:
    assert csv_table("a,y\n1,p\n2,q").cells.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("written", "encoding"),
    [("utf-8", None), ("utf-8-sig", None), ("utf-8", "utf-8"), ("utf-8-sig", "UTF_8")]
    + [(name, name) for name in ("latin-1", "cp1252", "utf-16", "utf-8-sig")],
)
def test_encodings(written: str, encoding: str | None) -> None:
    table = csv_table("é,y\nà,p\nb,q\n".encode(written), encoding=encoding)
    assert table.columns == (Column("é", "nominal", ("b", "à")),)


def test_tsv_is_divided_by_tabs() -> None:
    table = read_table(saved("data.tsv", "a b\ty\n1,5\tp\n2\tq\n"), target="y")
    assert table.columns == (Column("a b", "nominal", ("1,5", "2")),)


@pytest.mark.parametrize(("name", "delimiter"), [("data.csv.gz", ","), ("DATA.TSV.GZ", "\t")])
def test_gzip_is_unpacked(name: str, delimiter: str) -> None:
    text = "a,y\n1,p\n2,q\n".replace(",", delimiter)
    assert read_table(saved(name, gzip.compress(text.encode())), target="y").n_rows == 2


@pytest.mark.parametrize("last", ["x", "true", "1.5e"])
def test_a_long_column_that_turns_to_text_late_loses_nothing(last: str) -> None:
    rows = 300_000
    text = "a,y\n" + "01,p\n" * rows + f"{last},q\n"
    assert csv_table(text).columns == (Column("a", "nominal", ("01", last)),)


def test_a_quoted_field_may_hold_lines_and_delimiters() -> None:
    table = csv_table('a,y\n"1\n2, 3",p\nb,q\n')
    assert values(table, "a") == ["1\n2, 3", "b"]


def test_an_empty_last_field_is_unknown_and_not_a_short_row() -> None:
    table = csv_table('y,a,b\np,1,\nq,"2, 3",\nq,"2 ""5""",7\n')
    assert values(table, "b") == [None, None, 7.0]


def test_weights_are_a_column_of_their_own() -> None:
    table = csv_table("a,w,y\n1,2,p\n2,0.5,q\n", weights="w")
    assert [column.name for column in table.columns] == ["a"]
    assert table.weights.tolist() == [2.0, 0.5]


def test_a_numeric_target_means_regression() -> None:
    table = csv_table("a,y\n1,3\n2,4.5\n")
    assert (table.task, table.schema.classes, table.y.tolist()) == ("regression", (), [3.0, 4.5])


def test_a_numeric_target_declared_nominal_means_classification() -> None:
    table = csv_table("a,y\n1,0\n2,1\n", kinds={"y": "nominal"})
    assert (table.task, table.schema.classes) == ("classification", ("0", "1"))


def test_an_ignored_column_is_left_out_whatever_it_holds() -> None:
    table = csv_table("id,a,y\nx,1,p\ninf,2,q\n", kinds={"id": "ignore"})
    assert [column.name for column in table.columns] == ["a"]


def test_an_ordinal_column_of_numbers_is_ordered_by_them() -> None:
    table = csv_table("a,y\n10,p\n9,q\n", kinds={"a": "ordinal"})
    assert table.columns == (Column("a", "ordinal", ("9", "10")),)


@pytest.mark.parametrize(
    ("text", "options", "notes"),
    [
        ("a,y\n1,p\n2,q\n", {}, ()),
        ("a,y\n1,p\n1,q\n", {}, ("column 'a' has one value only: 1",)),
        ("a,y\nx,p\n?,q\n", {}, ("column 'a' has one value only: 'x'",)),
        ("a,b,y\n?,1,p\n,2,q\n", {}, ("column 'a' has no known value",)),
        ("a,y\n1,p\n2,p\n", {}, ("the target 'y' has one class only: 'p'",)),
        ("a,y\n1,7\n2,7\n", {}, ("the target 'y' has one value only: 7",)),
        (
            "a,y\n1,p\n2,\n3,q\n",
            {"drop_missing_target": True},
            ("1 of 3 rows left out: their target 'y' is unknown",),
        ),
        (
            "a,y\n1,p\n2,\n1,q\n",
            {"drop_missing_target": True},
            (
                "1 of 3 rows left out: their target 'y' is unknown",
                "column 'a' has one value only: 1",
            ),
        ),
        (
            "a,y\nx ,p\nx,q\n",
            {},
            ("column 'a': levels that begin or end with a blank ('x ')",),
        ),
        (
            "a,y\n1,p\n2,q\n3,q\nthree,q\n",
            {},
            (
                "column 'a' is nominal, though most of its values are numbers: "
                "'three' (line 5) is not",
            ),
        ),
    ],
)
def test_notes_tell_what_is_kept_but_odd(
    text: str, options: dict[str, bool], notes: tuple[str, ...]
) -> None:
    assert csv_table(text, **options).notes == notes


def test_rows_without_a_target_are_dropped_with_their_weights() -> None:
    table = csv_table("a,w,y\n1,5,p\n2,6,\n3,7,q\n", weights="w", drop_missing_target=True)
    assert table.cells.tolist() == [[1.0, 3.0]]
    assert table.y.tolist() == [0.0, 1.0]
    assert table.weights.tolist() == [5.0, 7.0]


def test_a_column_without_known_values_is_kept_as_numeric() -> None:
    table = csv_table("a,b,y\n?,1,p\n,2,q\n")
    assert table.columns[0] == Column("a", "numeric")
    assert all(math.isnan(cell) for cell in table.cells[0])
