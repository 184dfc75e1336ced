"""The branch of unknown values: pruned, saved, and named in every report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from treekit_builtin import Multiway, OwnBranch, Threshold

from treekit import Table, fit, load
from treekit.report import render
from treekit.testing.trees import check_tree

from ..properties import examples
from .unknowns import UNKNOWN, gappy_tables, learned, query, table_of

NUMBERS = table_of("aaabbbcc", x=[1, 1, 1, 1, 2, 2, UNKNOWN, UNKNOWN])
LEVELS = table_of("aaabbbcc", x="l l l l m m ? ?")
TABLES = pytest.mark.parametrize("table", [NUMBERS, LEVELS], ids=["numbers", "levels"])

SPLITTERS = {"numeric": Threshold(), "nominal": Multiway()}
NAMED = {
    "text": "x is unknown: c (2.0)",
    "rules": "IF x is unknown THEN y = c (2.0)",
    "dot": 'n0 -> n3 [label="unknown"]',
    "mermaid": 'n0 -->|"unknown"| n3',
}


@TABLES
@pytest.mark.parametrize(("form", "line"), NAMED.items())
def test_reports_name_it(table: Table, form: str, line: str) -> None:
    model = learned(OwnBranch(), table, splitter=SPLITTERS)
    assert line in render(model, form).splitlines()


@TABLES
def test_json_gives_its_number(table: Table) -> None:
    root = json.loads(render(learned(OwnBranch(), table, splitter=SPLITTERS), "json"))["root"]
    assert root["test"]["unknown"] == 2
    assert root["children"][2] == {"label": "c", "weight": 2.0, "counts": [0.0, 0.0, 2.0]}


@TABLES
def test_a_saved_model_has_it(table: Table, tmp_path: Path) -> None:
    learned(OwnBranch(), table, splitter=SPLITTERS).save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.trees[0].n_children[0] == 3
    assert again.predict(query(table, UNKNOWN)).tolist() == ["c"]


@examples(40)
@given(table=gappy_tables(kinds=["numeric", "nominal"], tasks=["classification"], max_rows=40))
def test_pruning_and_raising_keep_it(table: Table) -> None:
    model = fit("c45", table, set={"tree.missing": "own_branch", "tree.pruner.confidence": 0.4})
    check_tree(model.trees[0], table)
    nothing = Table(table.schema, np.full((table.n_columns, 1), UNKNOWN))
    assert model.predict(nothing)[0] in table.schema.classes
