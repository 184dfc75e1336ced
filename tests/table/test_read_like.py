"""Data to predict, read by the schema of the data that a model was grown from."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.table.helpers import message, saved, values
from treekit.table import Column, Schema, read_like, read_table

SCHEMA = Schema(
    (
        Column("size", "ordinal", ("S", "M", "L")),
        Column("temp", "numeric"),
        Column("k", "nominal", ("1", "02")),
    ),
    Column("y", "nominal", ("p", "q")),
)


def like(text: str, **options: str) -> object:
    return read_like(saved("new.csv", text), SCHEMA, **options)


def test_columns_are_found_by_name_in_any_order_and_others_ignored() -> None:
    table = read_like(saved("new.csv", "junk,k,temp,size\ninf,02,1,L\n,1,?,S\n"), SCHEMA)
    assert table.schema is SCHEMA
    assert values(table, "size") == ["L", "S"]
    assert values(table, "temp") == [1.0, None]
    assert values(table, "k") == ["02", "1"]
    assert (table.target_values, table.notes, table.source) == (None, (), "new.csv")


def test_a_level_never_seen_is_unknown_and_told() -> None:
    table = read_like(saved("new.csv", "k,temp,size\n2,1,XL\n1,1,XXL\n1,1,XL\n"), SCHEMA)
    assert values(table, "size") == [None, None, None]
    assert values(table, "k") == [None, "1", "1"]
    assert table.notes == (
        "column 'size': 3 rows with a level never seen in training ('XL', 'XXL'), taken as unknown",
        "column 'k': 1 row with a level never seen in training ('2'), taken as unknown",
    )


def test_the_target_is_read_if_it_is_there() -> None:
    table = read_like(saved("new.csv", "k,temp,size,y\n1,1,S,q\n1,1,S,p\n"), SCHEMA)
    assert table.y.tolist() == [1.0, 0.0]


def test_an_unknown_target_stays_unknown_and_is_told() -> None:
    table = read_like(saved("new.csv", "k,temp,size,y\n1,1,S,q\n1,1,S,?\n"), SCHEMA)
    assert [value == value for value in table.y] == [True, False]
    assert table.notes == ("the target is unknown in 1 of 2 rows",)


def test_a_target_unknown_in_all_rows_is_none() -> None:
    table = read_like(saved("new.csv", "k,temp,size,y\n1,1,S,?\n1,1,S,?\n"), SCHEMA)
    assert table.target_values is None


def test_weights() -> None:
    table = read_like(saved("new.csv", "k,temp,size,w\n1,1,S,2\n"), SCHEMA, weights="w")
    assert table.weights.tolist() == [2.0]


def test_no_rows_are_no_error() -> None:
    assert read_like(saved("new.csv", "k,temp,size,y\n"), SCHEMA).cells.shape == (3, 0)
    empty = pd.DataFrame({"k": [], "temp": [], "size": []})
    assert read_like(empty, SCHEMA).cells.shape == (3, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "kk,temp\n1,1\n",
            "new.csv: there is no column 'size', which the model uses; there is kk, temp\n"
            "new.csv: there is no column 'k', which the model uses; did you mean 'kk'?",
        ),
        (
            "k,temp,size,y\n1,1,S,r\n",
            "new.csv, line 2, column 'y': 'r' is not one of the 2 levels; there is p, q",
        ),
        (
            "k,temp,size\n1,hot,S\n",
            "new.csv, line 2, column 'temp': 'hot' is not a number; "
            "mend it, add it to the missing marks, or declare the column nominal",
        ),
        (
            "k,temp,size\n1,inf,S\n",
            "new.csv, line 2, column 'temp': inf is not a finite number; "
            "mend it, or add it to the missing marks",
        ),
    ],
)
def test_message(text: str, expected: str) -> None:
    assert message(like, text) == expected


def test_unknown_weights() -> None:
    assert message(like, "k,temp,size\n1,1,S\n", weights="w") == (
        "new.csv: weights: there is no column 'w'; there is k, size, temp"
    )


def test_the_training_file_itself_gives_the_same_cells() -> None:
    path = saved("data.csv", "a,b,y\ntrue,01,p\nfalse,,q\n?,2,q\n")
    table = read_table(path, target="y", kinds={"b": "nominal"})
    again = read_like(path, table.schema)
    assert again.cells.tobytes() == table.cells.tobytes()
    assert again.y.tolist() == table.y.tolist()
