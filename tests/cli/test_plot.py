"""`treekit plot`: pictures in files, figures on the terminal."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Treekit

MINE = '''
import numpy as np
from attrs import frozen
from treekit import hookimpl


@frozen
class Mine:
    """Half of dkm."""

    tasks = ("classification",)

    def impurity(self, stats):
        p = np.clip(stats[..., 1:] / np.maximum(stats[..., :1], 1e-300), 0, 1)
        return np.sqrt(p * (1 - p)).sum(axis=-1) / 2


@hookimpl
def treekit_impurities():
    return {"mine": Mine}
'''


@pytest.fixture
def mine(install: Callable[[str, str], None]) -> None:
    install("treekit-mine", MINE)


def test_without_a_file_the_figures_are_printed_as_csv(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", "entropy", "gini", "--steps", "4")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [
        "p,entropy,gini",
        "0,0,0",
        "0.25,0.811278,0.375",
        "0.5,1,0.5",
        "0.75,0.811278,0.375",
        "1,0,0",
    ]


def test_a_name_with_commas_is_still_one_column(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", '{ use = "renyi", alpha = 2, base = 2 }')
    header, *rows = csv.reader(answer.lines)
    assert header == ["p", "renyi (alpha = 2, base = 2)"]
    assert [len(row) for row in rows] == [2] * 21


def test_of_three_classes_there_are_three_shares(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", "gini", "--classes", "3", "--steps", "2")
    assert answer.lines == [
        "p1,p2,p3,gini",
        "0,0,1,0",
        "0,0.5,0.5,0.5",
        "0,1,0,0",
        "0.5,0,0.5,0.5",
        "0.5,0.5,0,0.5",
        "1,0,0,0",
    ]


def test_scaled_all_have_the_same_peak(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", "entropy", "gini", "--scaled", "--steps", "2")
    assert answer.lines[2] == "0.5,1,1"


def test_json_has_the_figures_in_full(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", "entropy", "gini", "--classes", "3", "--json")
    facts = json.loads(answer.out)
    assert (facts["classes"], facts["scaled"], len(facts["shares"])) == (3, False, 66)
    assert [one["name"] for one in facts["impurities"]] == ["entropy", "gini"]
    assert facts["impurities"][1]["greatest"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("classes", ["2", "3"])
def test_a_plugins_impurity_is_plotted(treekit: Treekit, mine: None, classes: str) -> None:
    words = ("plot", "impurity", "entropy", "gini", "mine", "--classes", classes)
    answer = treekit(*words, "-o", "mine.svg", "--json")
    assert (answer.code, answer.err) == (0, "note: wrote mine.svg\n")
    assert json.loads(answer.out)["impurities"][2]["name"] == "mine"
    assert Path("mine.svg").read_text().startswith("<?xml")


def test_quiet_says_nothing(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", "gini", "-o", "plot.png", "-q")
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert Path("plot.png").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gnii"], "there is no impurity 'gnii'; did you mean 'gini'?"),
        (["gini", "-o", "plot.gif"],
         "plot.gif: plots are not written as .gif; give one of .svg, .png, .pdf"),
        (["gini", "-o", "no/plot.svg"], "no/plot.svg: there is no folder no; make it first"),
        (["gini", "--classes", "4"],
         "Invalid value for '--classes': '4' is not one of '2', '3';"
         " see 'treekit plot impurity --help'"),
        (["gini", "--steps", "0"],
         "Invalid value for '--steps': '0' is not a whole number from 1 to 1000;"
         " see 'treekit plot impurity --help'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(treekit: Treekit, words: list[str], message: str) -> None:
    answer = treekit("plot", "impurity", *words)
    assert (answer.code, answer.out, answer.err) == (2, "", f"error: {message}\n")


def test_a_misspelled_name_may_be_a_plugins(treekit: Treekit, mine: None) -> None:
    answer = treekit("plot", "impurity", "mien")
    assert answer.err == "error: there is no impurity 'mien'; did you mean 'mine'?\n"


def test_without_names_there_is_a_list_of_them(treekit: Treekit, mine: None) -> None:
    answer = treekit("plot", "impurity")
    assert answer.code == 2
    assert answer.err.startswith("error: no impurity is named; there is dkm, entropy, gini, ")
    assert ", mine, " in answer.err
    assert "variance" not in answer.err


def test_an_impurity_of_numbers_is_refused(treekit: Treekit) -> None:
    answer = treekit("plot", "impurity", "variance")
    start = "error: 'variance' serves regression, not classification; for classification there is"
    assert (answer.code, answer.err[: len(start)]) == (2, start)


def test_without_matplotlib_the_figures_are_still_printed(
    treekit: Treekit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = treekit("plot", "impurity", "gini", "-o", "plot.svg")
    message = "error: drawing a plot needs matplotlib; pip install treekit[plots]\n"
    assert (answer.code, answer.err) == (2, message)
    assert not Path("plot.svg").exists()
    assert treekit("plot", "impurity", "gini").code == 0
