"""`treekit measure`: how large a model is, and how good its answers are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from treekit.metrics import metric_names

from .conftest import Treekit


@pytest.fixture(autouse=True)
def model(treekit: Treekit) -> None:
    """A tree for mammals, in `model.json`."""
    treekit("fit", "id3", "mammals", "-o", "model.json")


def test_the_size_is_told_without_data(treekit: Treekit) -> None:
    assert treekit("measure", "model.json").lines == [
        "metric              value    what it tells",
        "trees               1        trees",
        "nodes               5        nodes of all trees",
        "leaves              3        leaves of all trees",
        "depth               2        tests on the longest path",
        "graph_nodes         4        nodes when the equal subtrees of each tree are merged",
        "path_length         1.4      tests that a row is asked, on average",
        "description_length  6.16993  bits of the trees and their training errors",
    ]


def test_answers_are_judged_on_data(treekit: Treekit) -> None:
    words = ("--metric", "error", "--metric", "nodes")
    assert treekit("measure", "model.json", "mammals:test", *words).lines == [
        "metric  value  what it tells",
        "error   0.2    share of the weight answered wrong",
        "nodes   5      nodes of all trees",
    ]


def test_json_has_every_metric(treekit: Treekit) -> None:
    facts = json.loads(treekit("measure", "model.json", "mammals:test", "--json").out)
    assert (facts["model"], facts["data"]) == ("model.json", "mammals:test")
    assert tuple(facts["metrics"]) == metric_names("classification")


def test_what_cannot_be_told_is_a_dash_or_null(treekit: Treekit) -> None:
    Path("one.csv").write_text("body_temp,gives_birth,four_legs,mammal\nwarm,yes,yes,yes\n")
    said = ("measure", "model.json", "one.csv", "--metric", "auc")
    assert treekit(*said).lines[1].split()[:2] == ["auc", "-"]
    assert json.loads(treekit(*said, "--json").out)["metrics"] == {"auc": None}


def test_the_help_names_every_metric(treekit: Treekit) -> None:
    words = set(re.findall(r"\w+", treekit("measure", "--help").out))
    assert set(metric_names()) <= words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--metric", "acc"], "there is no metric 'acc'; did you mean 'auc'?"),
        (
            ["--metric", "accuracy"],
            "the metric 'accuracy' needs rows whose target is known; give data that hold it",
        ),
        (
            ["--weights", "w"],
            "there are no data to read; name them after the model; see 'treekit measure --help'",
        ),
    ],
)
def test_what_is_wrong_is_told(treekit: Treekit, words: list[str], message: str) -> None:
    answer = treekit("measure", "model.json", *words)
    assert (answer.code, answer.err) == (2, f"error: {message}\n")
