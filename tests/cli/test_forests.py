"""Many trees on the command line: what is printed, one of them shown, and an interrupt."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from .conftest import Treekit

FOREST = ("fit", "random_forest", "tennis", "--set", "ensemble.trees=12")


def test_of_many_trees_only_sizes_are_printed(treekit: Treekit) -> None:
    lines = treekit(*FOREST, "-o", "forest.json").lines
    assert re.fullmatch(
        r"Tree 1 of 12, weight 0.0833333: \d+ nodes, \d+ leaves, depth \d", lines[0]
    )
    assert lines[10:14] == [
        "... and 2 more",
        "",
        "one of them: treekit show forest.json --tree 1",
        "",
    ]
    assert lines[14].startswith("size: 12 trees, ")
    assert lines[16].startswith("out of bag error: 0.")


def test_without_a_model_file_it_says_how_to_get_one(treekit: Treekit) -> None:
    lines = treekit(*FOREST).lines
    assert "one of them: treekit show MODEL --tree 1, once -o keeps it" in lines


def test_facts_are_in_the_json(treekit: Treekit) -> None:
    answer = json.loads(treekit(*FOREST, "--json").out)
    assert set(answer["facts"]) == {"out_of_bag_error", "out_of_bag_rows", "in_every_bag"}
    assert len(answer["model"]["trees"]) == answer["size"]["trees"] == 12


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("text", "Tree 3 of 12, weight 0.0833333"),
        ("rules", "Tree 3 of 12, weight 0.0833333"),
        ("dot", "digraph {"),
        ("mermaid", "flowchart TD"),
    ],
)
def test_one_tree_is_shown(treekit: Treekit, form: str, first: str) -> None:
    treekit(*FOREST, "-o", "forest.json", "-q")
    one = treekit("show", "forest.json", "--tree", "3", "--format", form)
    assert one.lines[0] == first
    assert "Tree 3 of 12" in one.out
    assert "Tree 4 of 12" not in one.out


def test_one_tree_is_shown_as_json(treekit: Treekit) -> None:
    treekit(*FOREST, "-o", "forest.json", "-q")
    one = json.loads(treekit("show", "forest.json", "--tree", "3", "--json").out)
    all_trees = json.loads(treekit("show", "forest.json", "--json").out)
    assert one["tree"] == 3
    assert one["root"] == all_trees["trees"][2]["root"]


def test_a_tree_that_is_not_there_is_told(treekit: Treekit) -> None:
    treekit(*FOREST, "-o", "forest.json", "-q")
    answer = treekit("show", "forest.json", "--tree", "13")
    assert (answer.code, answer.err) == (2, "error: there is no tree 13: the model has 12 trees\n")


def test_threads_change_nothing(treekit: Treekit) -> None:
    answers = [treekit(*FOREST, "--json", "--threads", str(n)).out for n in (1, 3)]
    assert answers[0] == answers[1]


def test_an_interrupt_ends_a_forest_under_way(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.normal(size=(3000, 5)), rng.integers(0, 2, 3000)])
    data = tmp_path / "data.csv"
    head = ",".join([*(f"x{i}" for i in range(5)), "y"])
    np.savetxt(data, rows, delimiter=",", header=head, comments="")
    words = ["fit", "random_forest", str(data), "--target", "y", "--kind", "y=nominal"]
    run = subprocess.Popen(
        [sys.executable, "-m", "treekit", *words, "--set", "ensemble.trees=1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    assert run.stderr.readline().startswith("note: 3000 rows")  # the fit begins next
    time.sleep(1.0)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=120)
    assert (run.returncode, out) == (130, "")
    assert err.endswith("error: interrupted\n")
