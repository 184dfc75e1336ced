"""Every data set of the collection beside the checkout can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treekit.table import load_schema, read_table

FOLDER = Path(__file__).parents[3] / "shared" / "data"
FILES = sorted(FOLDER.glob("*.csv"))

pytestmark = pytest.mark.skipif(not FILES, reason="no data sets in ../shared/data")


def schema_of(file: Path) -> Path:
    name = file.name.removesuffix(".csv").removesuffix(".test")
    return file.with_name(f"{name}.schema.json")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_by_its_schema(file: Path) -> None:
    schema = json.loads(schema_of(file).read_text())
    table = read_table(file, schema=schema_of(file))
    assert table.task == schema["task"]
    described = {column["name"]: column for column in schema["columns"]}
    for column in (*table.columns, table.schema.target):
        said = described[column.name]
        assert column.kind == said["type"].replace("ordered", "ordinal")
        assert column.levels == tuple(said.get("values", ()))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_by_plain_inference(file: Path) -> None:
    target = load_schema(schema_of(file)).target
    by_schema = read_table(file, schema=schema_of(file))
    assert read_table(file, target=target).n_rows == by_schema.n_rows
