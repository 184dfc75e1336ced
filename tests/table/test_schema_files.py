"""Schema files in TOML and JSON, and how they rule the reading."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.helpers import csv_message, csv_table, message, saved, values
from treekit.table import Column, ColumnSpec, SchemaFile, load_schema, read_table

WEATHER = "id,outlook,temp,size,play\n7,rain,70,M,no\n8,sunny,65,S,yes\n"
TOML = """
target = "play"

[columns]
outlook = ["sunny", "overcast", "rain"]
temp = "numeric"
size = { kind = "ordinal", levels = ["S", "M", "L"] }
id = "ignore"
"""
JSON = """{"name": "weather", "task": "classification", "target": "play", "columns": [
  {"name": "id", "type": "ignore"},
  {"name": "outlook", "type": "nominal", "values": ["sunny", "overcast", "rain"]},
  {"name": "temp", "type": "numeric"},
  {"name": "size", "type": "%s", "values": ["S", "M", "L"]},
  {"name": "play", "type": "nominal", "values": ["yes", "no"]}]}"""


@pytest.mark.parametrize(
    ("name", "text", "classes"),
    [
        ("s.toml", TOML, ("no", "yes")),
        ("s.json", JSON % "ordinal", ("yes", "no")),
        ("s.json", JSON % "ordered", ("yes", "no")),
    ],
)
def test_a_schema_says_kinds_levels_target_and_order(
    name: str, text: str, classes: tuple[str, ...]
) -> None:
    table = csv_table(WEATHER, target=None, schema=saved(name, text))
    assert table.columns == (
        Column("outlook", "nominal", ("sunny", "overcast", "rain")),
        Column("temp", "numeric"),
        Column("size", "ordinal", ("S", "M", "L")),
    )
    assert table.schema.target == Column("play", "nominal", classes)
    assert values(table, "size") == ["M", "S"]


def test_a_schema_may_be_a_record() -> None:
    schema = SchemaFile({"a": ColumnSpec("a", "nominal", ("2", "1"))}, target="y")
    assert csv_table("a,y\n1,p\n2,q\n", target=None, schema=schema).cells.tolist() == [[1.0, 0.0]]


def test_a_schema_may_be_that_of_a_table() -> None:
    first = csv_table("a,y\nu,p\nv,q\n")
    again = csv_table("a,b,y\nv,0,q\nv,0,q\n", target=None, schema=first.schema)
    assert again.schema == first.schema


def test_digits_declared_nominal_keep_their_text() -> None:
    schema = saved("s.toml", '[columns]\na = ["01", "1", "1.0"]')
    table = csv_table("a,y\n01,p\n1,q\n1.0,q\n", schema=schema)
    assert values(table, "a") == ["01", "1", "1.0"]


def test_whole_numbers_may_be_levels() -> None:
    schema = saved("s.toml", "[columns]\na = [2, 1]")
    assert csv_table("a,y\n1,p\n2,q\n", schema=schema).columns[0].levels == ("2", "1")


def test_a_nominal_column_without_levels_gets_them_from_the_data() -> None:
    schema = saved("s.toml", '[columns]\na = "nominal"')
    assert csv_table("a,y\n10,p\n9,q\n", schema=schema).columns[0].levels == ("9", "10")


def test_a_mark_that_is_listed_as_a_level_is_a_level() -> None:
    schema = saved("s.toml", '[columns]\na = ["NA", "b"]')
    assert values(csv_table("a,y\nNA,p\n?,q\nb,q\n", schema=schema), "a") == ["NA", None, "b"]


def test_kinds_go_before_the_schema() -> None:
    schema = saved("s.toml", '[columns]\na = ["2", "1"]\nb = "numeric"')
    table = csv_table(
        "a,b,y\n1,1,p\n2,2,q\n", schema=schema, kinds={"a": "ordinal", "b": "nominal"}
    )
    assert table.columns == (
        Column("a", "ordinal", ("2", "1")),
        Column("b", "nominal", ("1", "2")),
    )


def test_a_named_target_goes_before_the_schema() -> None:
    schema = saved("s.toml", 'target = "a"\n[columns]\na = "numeric"\ny = "nominal"')
    assert csv_table("a,y\n1,p\n2,q\n", target="y", schema=schema).schema.target.name == "y"


@pytest.mark.parametrize(
    ("task", "kind"), [("classification", "nominal"), ("regression", "numeric")]
)
def test_the_task_says_what_an_undescribed_target_is(task: str, kind: str) -> None:
    schema = saved("s.toml", f'task = "{task}"\ntarget = "y"\n[columns]\na = "numeric"')
    assert csv_table("a,y\n1,0\n2,1\n", target=None, schema=schema).schema.target.kind == kind


def test_a_schema_may_name_the_weights() -> None:
    schema = saved("s.toml", 'target = "y"\nweights = "w"\n[columns]\na = "numeric"')
    table = csv_table("a,w,y\n1,2,p\n2,3,q\n", target=None, schema=schema)
    assert table.weights.tolist() == [2.0, 3.0]


@pytest.mark.parametrize(("others", "names"), [("infer", ["a", "b"]), ("ignore", ["a"])])
def test_columns_that_the_schema_does_not_name(others: str, names: list[str]) -> None:
    schema = saved("s.toml", f'others = "{others}"\n[columns]\na = "numeric"')
    table = csv_table("a,b,y\n1,2,p\n2,3,q\n", schema=schema)
    assert [column.name for column in table.columns] == names


def test_an_ignored_column_need_not_be_there() -> None:
    schema = saved("s.toml", '[columns]\na = "numeric"\nid = "ignore"')
    assert csv_table("a,y\n1,p\n2,q\n", schema=schema).n_columns == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[columns]\na = ["u", "v"]',
            "data.csv, line 3, column 'a': 'w' is not one of the 2 levels; there is u, v",
        ),
        (
            '[columns]\na = ["u", "ww"]',
            "data.csv, line 3, column 'a': 'w' is not one of the 2 levels; did you mean 'ww'?",
        ),
        (
            "[columns]",
            "s.toml: the schema does not know column 'a' of data.csv; describe it, "
            "with the kind 'ignore' to leave it out, or set others = \"infer\"",
        ),
        (
            '[columns]\na = "nominal"\nbb = "nominal"',
            "s.toml: the schema's column 'bb' is not in data.csv; there is a, y",
        ),
        (
            '[columns]\na = "nominal"\ny = ["p"]',
            "data.csv, line 3, column 'y': 'q' is not one of the 1 levels; there is p",
        ),
    ],
)
def test_data_that_the_schema_does_not_fit(text: str, expected: str) -> None:
    assert csv_message("a,y\nu,p\nw,q\n", schema=saved("s.toml", text)) == expected


def test_all_columns_that_the_schema_does_not_know_are_named() -> None:
    assert csv_message("a,b,c,y\n1,2,3,p\n", schema=SchemaFile(source="mine")) == (
        "mine: the schema does not know columns a, b, c of data.csv; describe it, "
        "with the kind 'ignore' to leave it out, or set others = \"infer\""
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("s.toml", "", "s.toml: this schema file is empty"),
        (
            "s.toml",
            'target = "y"\n[columns\n',
            "s.toml, line 2: this is not TOML: Expected ']' at the end of a table declaration",
        ),
        (
            "s.json",
            '{"target": "y",\n "columns": [}',
            "s.json, line 2: this is not JSON: Expecting value",
        ),
        ("s.json", "[1]", "s.json: a schema must be a table of keys"),
        ("s.yaml", "a: b", "s.yaml: a schema cannot end in '.yaml'; it must be .toml or .json"),
        (
            "s.toml",
            'tagret = "y"\n[columns]\n',
            "s.toml, line 1: unknown key 'tagret'; did you mean 'target'?",
        ),
        ("s.toml", "target = 3\n", "s.toml, line 1: target must be text, not 3"),
        (
            "s.toml",
            'task = "sorting"\n',
            "s.toml, line 1: task must be one of 'classification', 'regression', not \"sorting\"",
        ),
        (
            "s.toml",
            'others = "drop"\n',
            "s.toml, line 1: others must be one of 'error', 'infer', 'ignore', not \"drop\"",
        ),
        (
            "s.toml",
            'columns = "a"\n',
            's.toml, line 1: columns must be a table or a list, not "a"',
        ),
        (
            "s.toml",
            '[columns]\n\nsize = "nominel"\n',
            "s.toml, line 3: column 'size' has an unknown kind \"nominel\"; "
            "did you mean 'nominal'?",
        ),
        (
            "s.toml",
            "[columns]\nsize = 7\n",
            "s.toml, line 2: column 'size' must be a kind, a list of levels or a table, not 7",
        ),
        (
            "s.toml",
            '[columns]\nsize = { kind = "nominal", level = ["a"] }\n',
            "s.toml, line 2: column 'size' has an unknown key 'level'; did you mean 'levels'?",
        ),
        (
            "s.toml",
            '[columns]\nsepal.length = "numeric"\n',
            "s.toml, line 2: column 'sepal' has an unknown key 'length'; "
            "a name with a dot in it must be in quotes",
        ),
        ("s.toml", "[columns]\nsize = {}\n", "s.toml, line 2: column 'size' has no kind"),
        (
            "s.toml",
            "[columns]\nsize = []\n",
            "s.toml, line 2: the levels of column 'size' must be a list of texts, not []",
        ),
        (
            "s.toml",
            '[columns]\nsize = ["a", 1.5, true]\n',
            "s.toml, line 2: column 'size' has a level 1.5, which is not text; "
            "write it in quotes, exactly as it stands in the data\n"
            "s.toml, line 2: column 'size' has a level true, which is not text; "
            "write it in quotes, exactly as it stands in the data",
        ),
        (
            "s.toml",
            '[columns]\nsize = ["a", "b", "a"]\n',
            "s.toml, line 2: column 'size' lists the level 'a' twice",
        ),
        (
            "s.toml",
            '[columns]\nsize = { kind = "numeric", levels = ["a"] }\n',
            "s.toml, line 2: column 'size' has levels, but its kind is 'numeric'",
        ),
        (
            "s.toml",
            '[columns]\nsize = "ordinal"\n',
            "s.toml, line 2: ordinal column 'size' has no levels; "
            "list them from the lowest to the highest",
        ),
        (
            "s.toml",
            'target = "y"\n[columns]\ny = "ignore"\n',
            "s.toml, line 3: the target 'y' is ignored",
        ),
        (
            "s.json",
            '{"task": "regression", "target": "y",\n"columns": [{"name": "y", "type": "nominal"}]}',
            "s.json, line 1: the task is regression, but the target 'y' is nominal; "
            "a numeric target means regression, any other means classification",
        ),
        (
            "s.json",
            '{"columns": [\n{"name": "a", "type": "numeric"},\n{"type": "numeric"}]}',
            "s.json: column 2 of the list has no name",
        ),
        (
            "s.json",
            '{"columns": [\n{"name": "a", "type": "numeric"},\n{"name": "a", "type": "numeric"}]}',
            "s.json, line 2: column 'a' is described twice",
        ),
        (
            "s.json",
            '{"columns": [\n{"name": "a", "type": 3}]}',
            "s.json, line 2: column 'a' has an unknown kind 3; "
            "there is ignore, nominal, numeric, ordinal",
        ),
        (
            "s.toml",
            b"# \xe9\n",
            "s.toml, line 1: byte 0xE9 is not utf-8 text; "
            "save it as UTF-8, or give its encoding, such as 'latin-1' or 'cp1252'",
        ),
    ],
)
def test_a_broken_schema_is_told_with_file_and_line(
    name: str, text: str | bytes, expected: str
) -> None:
    assert message(load_schema, saved(name, text)) == expected


def test_all_problems_of_a_schema_are_told_at_once() -> None:
    text = '[columns]\na = "numerc"\nb = 3\n'
    assert len(message(load_schema, saved("s.toml", text)).splitlines()) == 2


def test_no_such_schema() -> None:
    data = saved("data.csv", "a,y\n1,p\n")
    saved("data.schema.toml", "")
    assert message(read_table, data, schema="data.schem.toml") == (
        "data.schem.toml: there is no such schema file; near it: data.schema.toml"
    )


@pytest.mark.parametrize("form", [{"a": "numeric"}, [{"name": "a", "type": "numeric"}]])
def test_either_format_may_hold_either_form(form: Any) -> None:
    import json

    loaded = load_schema(saved("s.json", json.dumps({"columns": form})))
    assert loaded.columns == {"a": ColumnSpec("a", "numeric")}
