"""Frames of plain numbers: read at once, and lent to a table that nobody keeps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from tests.table.helpers import message
from treekit.table import Column, Schema, Table, read_like

NAMES = ("a", "b", "c")
SCHEMA = Schema(
    tuple(Column(name, "numeric") for name in NAMES), Column("y", "nominal", ("p", "q"))
)
VALUES = np.array([[1.0, 2.0, np.nan], [4.0, -5.0, 6.5], [7.0, 8.0, 9.0], [0.0, 0.5, 1e300]])


def by_rows() -> pd.DataFrame:
    return pd.DataFrame(VALUES.copy(), columns=NAMES, copy=False)


def by_columns() -> pd.DataFrame:
    return pd.DataFrame(np.asfortranarray(VALUES), columns=NAMES, copy=False)


def one_by_one() -> pd.DataFrame:
    frame = pd.DataFrame({"a": VALUES[:, 0]})
    frame["b"] = VALUES[:, 1]
    frame["c"] = VALUES[:, 2]
    return frame


def among_others() -> pd.DataFrame:
    frame = by_columns()
    frame.insert(1, "word", ["x", "y", "z", "x"])
    return frame


def in_another_order() -> pd.DataFrame:
    return by_columns()[["c", "a", "b"]]


def of_other_types() -> pd.DataFrame:
    return by_columns().astype({"a": "int64", "b": "float32", "c": "Float64"})


def with_a_target() -> pd.DataFrame:
    return by_rows().assign(y=["p", "q", "p", "q"])


FRAMES = (
    by_rows, by_columns, one_by_one, among_others, in_another_order, of_other_types, with_a_target,
)  # fmt: skip


def lent(frame: pd.DataFrame) -> Table:
    return read_like(frame, SCHEMA, lent=True)


@pytest.mark.parametrize("made", FRAMES)
def test_a_lent_table_holds_what_a_table_of_its_own_does(made: Callable[[], pd.DataFrame]) -> None:
    frame = made()
    np.testing.assert_array_equal(lent(frame).cells, VALUES.T)
    np.testing.assert_array_equal(read_like(frame, SCHEMA).cells, VALUES.T)


@pytest.mark.parametrize("made", FRAMES)
def test_a_table_of_its_own_shares_nothing_with_the_frame(
    made: Callable[[], pd.DataFrame],
) -> None:
    frame = made()
    cells = read_like(frame, SCHEMA).cells
    assert cells.flags.writeable
    for name in NAMES:
        assert not np.shares_memory(cells, frame[name].to_numpy())


@pytest.mark.parametrize("made", [by_rows, by_columns])
def test_a_frame_that_lies_as_one_matrix_is_not_copied_where_it_is_lent(
    made: Callable[[], pd.DataFrame],
) -> None:
    frame = made()
    cells = lent(frame).cells
    assert np.shares_memory(cells, frame.to_numpy())
    assert not cells.flags.writeable


def test_marks_that_are_numbers_are_unknown_in_a_lent_table_too() -> None:
    frame = by_columns()
    table = read_like(frame, SCHEMA, missing=("9", "0"), lent=True)
    assert np.argwhere(np.isnan(table.cells)).tolist() == [[0, 3], [2, 0], [2, 2]]
    np.testing.assert_array_equal(frame.to_numpy(), VALUES)


@pytest.mark.parametrize("made", [by_rows, by_columns, one_by_one, among_others])
def test_infinity_is_refused_and_every_such_column_named(made: Callable[[], pd.DataFrame]) -> None:
    frame = made()
    frame.loc[2, "c"] = -np.inf
    frame.loc[3, "a"] = np.inf
    assert message(lent, frame).splitlines() == [
        "pandas DataFrame, row 3 (counted from 0), column 'a': inf is not a finite number; "
        "mend it, or add it to the missing marks",
        "pandas DataFrame, row 2 (counted from 0), column 'c': -inf is not a finite number; "
        "mend it, or add it to the missing marks",
    ]


def test_no_rows_and_no_columns_are_no_error() -> None:
    assert lent(by_columns().iloc[:0]).cells.shape == (3, 0)
    without = Schema((), SCHEMA.target)
    assert read_like(by_columns(), without, lent=True).cells.shape == (0, 0)
