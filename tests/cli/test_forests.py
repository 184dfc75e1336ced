"""Many trees on the command line: what is printed, one of them shown, and an interrupt."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

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


@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupt_ends_a_forest_under_way(
    threads: str, treekit: Treekit, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []

    @contextmanager
    def interrupted(*_: object) -> Iterator[Callable[[int, int], None]]:
        def told(*at: int) -> None:
            done.append(at)
            if len(done) == 5:
                signal.raise_signal(signal.SIGINT)

        yield told

    monkeypatch.setattr("treekit.cli.fitting.working", interrupted)
    many = ("--set", "ensemble.trees=20000", "--threads", threads, "-o", "forest.json")
    answer = treekit("fit", "random_forest", "tennis", "--quiet", *many)
    assert (answer.code, answer.out, answer.notes[-1]) == (130, "", "error: interrupted")
    assert done == [(i, 20_000) for i in range(1, 6)]
    assert not Path("forest.json").exists()
