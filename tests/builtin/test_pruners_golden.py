"""The pruners alone against the originals: their unpruned trees in, their pruned figures out.

C4.5's arithmetic and its data are float32, and so are the cells and cuts given to the pruner here.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from treekit_builtin.pruners import Collapse, ErrorBased, complexities, estimated_errors

from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, LEVELS, NOWHERE, SPREAD

from .naive import Branching, Cases, dealt, flat, pruning_data, statistics, structure

SHARED = Path(__file__).resolve().parents[3] / "shared"
CONFIDENCE = {"cf10": 0.10, "cf50": 0.50}

pytestmark = [
    pytest.mark.golden,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the originals' trees are not in ../shared"),
]


def documents(program: str) -> list[Path]:
    return sorted((SHARED / "golden" / program).glob("*.json"))


def load(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def table_for(document: dict[str, Any]) -> Table:
    name, attributes = document["dataset"], document["attributes"]
    target = load(SHARED / "data" / f"{name}.schema.json")["target"]
    with (SHARED / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[: document["n_train"]]
    cells = [
        [
            np.nan if (text := row[a["name"]]) == "" else
            float(np.float32(text)) if a["type"] == "numeric" else a["values"].index(text)
            for row in rows
        ]
        for a in attributes
    ]  # fmt: skip
    columns = tuple(
        Column(a["name"], "numeric")
        if a["type"] == "numeric"
        else Column(a["name"], "nominal", tuple(a["values"]))
        for a in attributes
    )
    classes = document["classes"]
    schema = Schema(columns, Column(target, "nominal", tuple(classes)))
    y = np.array([float(classes.index(r[target])) for r in rows])
    return Table(schema, np.array(cells, dtype=float), y)


def with_cases(printed: dict[str, Any], table: Table, cases: Cases) -> Branching:
    """A printed tree, and the training cases that its tests send to each node."""
    node = Branching(statistics(table, cases), cases)
    if "branches" not in printed:
        return node
    node.column, node.unknown = printed["att"], SPREAD
    levels = table.columns[node.column].levels
    if printed["kind"] == "continuous":
        node.kind, node.operands = CUTS, (float(np.float32(printed["cut"])),)
    else:
        node.kind = LEVELS
        subsets = printed.get("subsets", [[level] for level in levels])
        branch = {level: float(b) for b, subset in enumerate(subsets) for level in subset}
        node.operands = tuple(branch.get(level, float(NOWHERE)) for level in levels)
    groups, _ = dealt(node, len(printed["branches"]), table, cases)
    node.children = [
        with_cases(below, table, group)
        for below, group in zip(printed["branches"], groups, strict=True)
    ]
    return node


def by_level(printed: dict[str, Any]) -> Iterator[dict[str, Any]]:
    nodes = [printed]
    for node in nodes:
        yield node
        nodes.extend(node.get("branches", ()))


@pytest.mark.parametrize("path", documents("c45"), ids=lambda path: path.stem)
def test_c45_trees_are_pruned_as_the_original_pruned_them(path: Path) -> None:
    """Every run, whatever float32 did to growth; a subset test is compared by its estimate.

    The original then drops values from subset tests, which is no part of pruning.
    """
    document = load(path)
    table = table_for(document)
    cases = [(row, 1.0) for row in range(table.n_rows)]
    for name, run in document["runs"].items():
        confidence = CONFIDENCE.get(name, 0.25)
        tree = flat(with_cases(run["unpruned"]["tree"], table, cases))
        assert structure(Collapse().prune(tree, pruning_data(table))) == structure(tree), name
        pruned = ErrorBased(confidence).prune(tree, pruning_data(table))
        estimates = estimated_errors(pruned, confidence)
        assert estimates[0] == pytest.approx(run["pruned"]["root_errors"], rel=1e-5), name
        if name.startswith("subset"):
            continue
        printed = run["pruned"]["tree"]
        assert structure(pruned) == structure(flat(with_cases(printed, table, cases))), name
        nodes = list(by_level(printed))
        assert pruned.weight == pytest.approx([n["items"] for n in nodes], rel=1e-5), name
        assert estimates == pytest.approx([n["errors"] for n in nodes], rel=1e-4, abs=1e-4), name


@pytest.mark.parametrize("path", documents("rpart"), ids=lambda path: path.stem)
def test_complexities_are_those_that_rpart_reports(path: Path) -> None:
    for name, run in load(path)["runs"].items():
        frame = run["frame"]
        if run["size"] == 1:
            continue
        place = {number: i for i, number in enumerate(frame["node"])}
        numbers = [1]
        nodes = {number: Branching([1.0, 1.0]) for number in place}
        for number in numbers:
            below = [n for n in (2 * number, 2 * number + 1) if n in place]
            numbers.extend(below)
            nodes[number].children = [nodes[n] for n in below]
            nodes[number].kind = CUTS if below else nodes[number].kind
        tree = flat(nodes[1])
        order = [place[number] for number in numbers]
        found = complexities(tree, np.array(frame["dev"], dtype=float)[order])
        inner = ~tree.is_leaf
        expected = np.array(frame["complexity"])[order]
        assert found[inner] == pytest.approx(expected[inner], abs=1e-7), name
