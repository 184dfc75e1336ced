"""`treekit importances`: how much each column has to do with a model's answers."""

from __future__ import annotations

import json

import pytest

from .conftest import Treekit


@pytest.fixture(autouse=True)
def model(treekit: Treekit) -> None:
    """A tree for tennis, in `model.json`."""
    treekit("fit", "id3", "tennis", "-o", "model.json")


def test_the_most_important_column_comes_first(treekit: Treekit) -> None:
    """Entropy falls by 0.2467 for 14 rows at the root, and by 0.9710 for 5 at two nodes below."""
    assert treekit("importances", "model.json").lines == [
        "importance  column",
        "0.36879     humidity",
        "0.36879     wind",
        "0.26242     outlook",
        "0           temp",
    ]


def test_json_names_every_column(treekit: Treekit) -> None:
    facts = json.loads(treekit("importances", "model.json", "--json").out)
    assert facts["by"] == "impurity"
    assert sum(facts["importances"].values()) == pytest.approx(1.0)
    assert list(facts["importances"]) == ["outlook", "temp", "humidity", "wind"]


def test_what_tests_are_worth_adds_up_to_what_the_tree_tells(treekit: Treekit) -> None:
    """All 0.940 bits of the 14 rows."""
    facts = json.loads(treekit("importances", "model.json", "--by", "surrogates", "--json").out)
    assert sum(facts["importances"].values()) == pytest.approx(14 * 0.9402859586706309)


def test_columns_can_be_shuffled(treekit: Treekit) -> None:
    said = ("importances", "model.json", "--by", "permutation", "--on", "tennis", "--json")
    found = json.loads(treekit(*said).out)["importances"]
    assert found["temp"] == 0.0
    assert found["outlook"] > 0.0


@pytest.mark.parametrize("words", [["--by", "permutation"], ["--on", "tennis"]])
def test_shuffling_needs_data_and_data_shuffling(treekit: Treekit, words: list[str]) -> None:
    answer = treekit("importances", "model.json", *words)
    assert (answer.code, answer.err) == (
        2,
        "error: --on DATA and --by permutation go together; see 'treekit importances --help'\n",
    )
