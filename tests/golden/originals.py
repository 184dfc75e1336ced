"""What the original programs answered, as one kind of record, and the data they were given.

The answers lie beside the checkout, in ../shared/golden/PROGRAM/NAME.json, the data in
../shared/data. Where they are absent there is nothing to compare.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from treekit.table import read_like, read_table
from treekit.table.record import Table

SHARED = Path(__file__).resolve().parents[3] / "shared"
UNKNOWN = ("",)

needs_originals = pytest.mark.skipif(
    not (SHARED / "golden").is_dir(),
    reason="the original programs' trees are not beside the checkout (../shared/golden)",
)


@frozen(eq=False)
class Node:
    """A node of an original's tree: the test, the node's figures, and what lies below.

    `branches` say in words what leads to each child, `levels` which levels do, if the test is of
    levels. `rows` are the training rows of the node, if the program told where each row went.
    """

    column: str | None
    cut: float | None
    figures: Mapping[str, Any]
    branches: tuple[str, ...] = ()
    children: tuple[Node, ...] = ()
    rows: frozenset[int] = frozenset()
    levels: tuple[tuple[str, ...], ...] = ()

    @property
    def size(self) -> int:
        """How many nodes there are from here on, this one included."""
        return 1 + sum(child.size for child in self.children)


@frozen(eq=False)
class Run:
    """One run of an original program: its trees by name, and the classes it gave to rows."""

    program: str
    dataset: str
    name: str
    agreement: str
    trees: Mapping[str, Node] = field(repr=False)
    predictions: Mapping[tuple[str, str], list[int]] = field(repr=False)

    @property
    def label(self) -> str:
        return f"{self.dataset}:{self.name}"


def dataset_names(program: str) -> list[str]:
    return sorted(path.stem for path in (SHARED / "golden" / program).glob("*.json"))


def run_names(program: str, dataset: str) -> dict[str, str]:
    """The runs of a program on a data set, each with its agreement."""
    runs: dict[str, Any] = document(program, dataset)["runs"]
    return {name: run["agreement"] for name, run in runs.items()}


def load_run(program: str, dataset: str, name: str) -> Run:
    return _LOADERS[program](dataset, name)


@cache
def training_table(dataset: str) -> Table:
    data = SHARED / "data"
    path = data / f"{dataset}.csv"
    return read_table(path, schema=data / f"{dataset}.schema.json", missing=UNKNOWN)


@cache
def has_gaps(dataset: str) -> bool:
    """Is a value unknown anywhere? Told from the file alone, for choosing runs."""
    with (SHARED / "data" / f"{dataset}.csv").open(encoding="utf-8", newline="") as file:
        return any("" in row for row in csv.reader(file))


@cache
def held_out_table(dataset: str) -> Table:
    path = SHARED / "data" / f"{dataset}.test.csv"
    return read_like(path, training_table(dataset).schema, missing=UNKNOWN)


@cache
def document(program: str, dataset: str) -> dict[str, Any]:
    """All that was written down of a program's runs on a data set."""
    path = SHARED / "golden" / program / f"{dataset}.json"
    written: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return written


# --- C4.5 ----------------------------------------------------------------------------------------


def _load_c45(dataset: str, name: str) -> Run:
    written = document("c45", dataset)
    run = written["runs"][name]
    levels = {a["name"]: a.get("values", ()) for a in written["attributes"]}
    return Run(
        "c45",
        dataset,
        name,
        run["agreement"],
        {
            "unpruned": _c45_node(run["unpruned"]["tree"], levels, pruned=False),
            "pruned": _c45_node(run["pruned"]["tree"], levels, pruned=True),
        },
        {
            (part, tree): classes
            for part, by_tree in run["predictions"].items()
            for tree, classes in by_tree.items()
        },
    )


def _c45_node(node: Mapping[str, Any], levels: Mapping[str, list[str]], *, pruned: bool) -> Node:
    figures = {"items": node["items"]}
    # A branch that no case takes is printed with the counts of the node above.
    if node["items"] > 0:
        figures["dist"] = node["dist"]
    if pruned:
        figures["estimate"] = node["errors"]
    # Where a raised subtree's classes tie, the original goes on printing the class from before,
    # as it does at a branch that no case takes; it predicts otherwise (rules 7 and 9).
    if not pruned or (node["items"] > 0 and _has_one_majority(node["dist"])):
        figures["class"] = node["cls"]
    if "branches" not in node:
        return Node(None, None, figures)
    column, cut = node["name"], node.get("cut")
    below = tuple(_c45_node(branch, levels, pruned=pruned) for branch in node["branches"])
    if cut is not None:
        sides = (f"{column} <= {cut:.6g}", f"{column} > {cut:.6g}")
        return Node(column, cut, figures, sides, below)
    groups = tuple(
        tuple(group) for group in node.get("subsets", [[level] for level in levels[column]])
    )
    words = tuple(f"{column} = {', '.join(group)}" for group in groups)
    return Node(column, None, figures, words, below, levels=groups)


def _has_one_majority(counts: list[float]) -> bool:
    second, first = sorted(counts)[-2:]
    return first - second > 1e-4 * first


# --- rpart ---------------------------------------------------------------------------------------


def _load_rpart(dataset: str, name: str) -> Run:
    written = document("rpart", dataset)
    run = written["runs"][name]
    frame = run["frame"]
    names = {made_name(column.name): column for column in training_table(dataset).columns}
    primary = _primary_splits(run)
    rows: dict[int, set[int]] = {}
    for row, node in enumerate(run["train_node"]):
        while node:
            rows.setdefault(node, set()).add(row)
            node //= 2
    nodes: dict[int, Node] = {}
    # Children have greater numbers than their parents, so they are made first.
    for number, i in sorted(zip(frame["node"], range(len(frame["node"])), strict=True))[::-1]:
        figures = {"n": frame["n"][i], "risk": frame["dev"][i], "answer": frame["yval"][i]}
        here = frozenset(rows.get(number, ()))
        if frame["var"][i] == "<leaf>":
            nodes[number] = Node(None, None, figures, rows=here)
            continue
        column = names[frame["var"][i]]
        n_categories, cut = primary[i]
        numeric = abs(n_categories) == 1
        nodes[number] = Node(
            column.name,
            # An ordered factor is cut between its codes, which rpart counts from 1.
            cut - (column.kind == "ordinal") if numeric else None,
            figures,
            tuple(f"{column.name} {side}" for side in ("left", "right")),
            (nodes[2 * number], nodes[2 * number + 1]),
            here,
        )
    return Run("rpart", dataset, name, run["agreement"], {"tree": nodes[1]}, {})


def _primary_splits(run: Mapping[str, Any]) -> dict[int, tuple[int, float]]:
    """By place in the frame: the number of categories, and the cut, of each node's own split."""
    frame, found, at = run["frame"], {}, 0
    for i, var in enumerate(frame["var"]):
        if var != "<leaf>":
            _, n_categories, _, index, _ = run["splits"]["rows"][at]
            found[i] = (n_categories, index)
            at += 1 + frame["ncompete"][i] + frame["nsurrogate"][i]
    return found


def made_name(name: str) -> str:
    """R's make.names, as far as these data sets need it."""
    return re.sub(r"[^A-Za-z0-9._]", ".", name)


_LOADERS = {"c45": _load_c45, "rpart": _load_rpart}
