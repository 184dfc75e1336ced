"""A table in words."""

from __future__ import annotations

import json

from tests.table.helpers import csv_table, saved
from treekit.table import describe, read_like


def test_each_column_and_the_target_are_described() -> None:
    table = csv_table("a,b,y\n1,u,p\n1,?,q\n?,u,q\n")
    assert describe(table) == [
        {
            "name": "a",
            "kind": "numeric",
            "levels": None,
            "distinct": 1,
            "unknown": 1,
            "role": "column",
        },
        {
            "name": "b",
            "kind": "nominal",
            "levels": ["u"],
            "distinct": 1,
            "unknown": 1,
            "role": "column",
        },
        {
            "name": "y",
            "kind": "nominal",
            "levels": ["p", "q"],
            "distinct": 2,
            "unknown": 0,
            "role": "target",
        },
    ]


def test_a_description_is_fit_for_json() -> None:
    entries = describe(csv_table("a,y\n1,p\n2,q\n"))
    assert json.loads(json.dumps(entries)) == entries


def test_a_table_without_target_values_has_no_entry_for_it() -> None:
    schema = csv_table("a,y\n1,p\n2,q\n").schema
    table = read_like(saved("new.csv", "a\n3\n"), schema)
    assert [entry["role"] for entry in describe(table)] == ["column"]
