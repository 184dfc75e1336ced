"""`treekit explain`: how a tree grew, and how a row is answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Treekit


def test_a_recipe_and_data_are_explained_node_by_node(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis")
    assert answer.code == 0
    assert [line for line in answer.lines if line.startswith("Node ")] == [
        "Node 0: the root",
        "Node 1: outlook = sunny, below node 0",
        "Node 2: outlook = overcast, below node 0",
        "Node 3: outlook = rain, below node 0",
        "Node 4: humidity = high, below node 1",
        "Node 5: humidity = normal, below node 1",
        "Node 6: wind = weak, below node 3",
        "Node 7: wind = strong, below node 3",
    ]
    assert answer.notes[0] == "14 rows; target play: classes yes, no"


def test_options_of_fit_hold_here_too(treekit: Treekit) -> None:
    answer = treekit(
        "explain", "id3", "shop.csv", "--target", "member", "--kind", "age=nominal",
        "--set", "tree.criterion=gain_ratio", "--seed", "1", "--depth", "0", "--quiet",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[2] == "target member, impurity entropy, criterion gain ratio"


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("text", "How the tree grew on tennis"),
        ("markdown", "# How the tree grew on tennis"),
        ("latex", r"% Needs \usepackage[T1]{fontenc} and \usepackage{booktabs}."),
        ("json", "{"),
    ],
)
def test_every_form_can_be_asked_for(treekit: Treekit, form: str, first: str) -> None:
    assert treekit("explain", "id3", "tennis", "--format", form).lines[0] == first


def test_json_for_short(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--json")
    assert answer.out == treekit("explain", "id3", "tennis", "--format", "json").out
    assert json.loads(answer.out)["facts"]["nodes"] == 8


def test_it_can_be_written_to_a_file(treekit: Treekit) -> None:
    printed = treekit("explain", "id3", "tennis", "--quiet").out
    answer = treekit("explain", "id3", "tennis", "-o", "growth.txt")
    assert (answer.code, answer.out, answer.notes[-1]) == (0, "", "wrote growth.txt")
    assert Path("growth.txt").read_text(encoding="utf-8") == printed


def test_decimals_can_be_chosen(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--node", "0", "--digits", "3")
    assert "14 rows: yes 9, no 5; entropy 0.940" in answer.lines


def test_nodes_can_be_picked(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--node", "3", "--node", "1")
    nodes = [line for line in answer.lines if line.startswith("Node ")]
    assert nodes == [
        "Node 1: outlook = sunny, below node 0",
        "Node 3: outlook = rain, below node 0",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nodes", "3"], "3 of 8 nodes are explained here"),
        (["--depth", "1"], "4 of 8 nodes are explained here"),
    ],
)
def test_what_is_left_out_is_told(treekit: Treekit, words: list[str], said: str) -> None:
    assert said in treekit("explain", "id3", "tennis", *words).lines


@pytest.mark.parametrize(
    ("cuts", "said"), [("3", "… 6 more"), ("all", "172.5  9 | 1"), ("9", "172.5  9 | 1")]
)
def test_the_cuts_of_a_column_can_be_limited(treekit: Treekit, cuts: str, said: str) -> None:
    words = ["explain", "cart", "cheat", "--set", "tree.stop=pure", "--node", "0", "--cuts", cuts]
    answer = treekit(*words)
    assert "taxable_income: 9 cuts" in answer.lines
    assert said in answer.out
    assert ("… 6 more" in answer.lines) == (cuts == "3")


def test_columns_can_be_limited(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--node", "0", "--columns", "1")
    assert "… 3 more columns" in answer.lines


# --- rows ----------------------------------------------------------------------------------------


def test_rows_are_explained_instead_of_growth(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--row", "3", "--row", "1")
    assert [line for line in answer.lines if line.startswith(("Row", "Node"))] == [
        "Row 3 of tennis",
        "Row 1 of tennis",
    ]


def test_several_rows_are_a_list_in_json(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--row", "3", "--row", "1", "--json")
    assert [row["facts"]["label"] for row in json.loads(answer.out)] == ["yes", "no"]
    answer = treekit("explain", "id3", "tennis", "--row", "3", "--json")
    assert json.loads(answer.out)["facts"]["label"] == "yes"


def test_a_model_file_explains_rows_of_other_data(treekit: Treekit, model: str) -> None:
    Path("new.csv").write_text("age,income,size,member,price\n30,low,S,yes,3\n")
    answer = treekit("explain", model, "new.csv", "--row", "1")
    assert answer.lines[:2] == ["Row 1 of new.csv", "Answer: bought = yes (no 0.0000, yes 1.0000)"]


def test_a_model_file_grows_again_on_its_own_data(treekit: Treekit, model: str) -> None:
    answer = treekit("explain", model, "shop.csv")
    fresh = treekit("explain", "id3", "shop.csv", "--target", "bought")
    assert (answer.code, answer.out) == (0, fresh.out)


def test_rows_for_pruning_can_be_given(treekit: Treekit) -> None:
    given = ["--set", "tree.pruner=reduced_error", "--validation", "tennis"]
    answer = treekit("explain", "id3", "tennis", *given, "--quiet")
    assert "errors on the validation rows" in answer.lines
    treekit("fit", "id3", "tennis", *given, "-o", "model.json")
    again = treekit("explain", "model.json", "tennis", "--validation", "tennis", "--quiet")
    assert (again.code, again.out) == (0, answer.out)


# --- mistakes ------------------------------------------------------------------------------------

SEE = "; see 'treekit explain --help'\n"


def test_a_model_alone_is_told_what_it_lacks(treekit: Treekit, model: str) -> None:
    answer = treekit("explain", model)
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        "error: 'model.json' is a model: its growth can be told only with the data it was fitted"
        f" to, and the path of a row (--row) only with the row's data; name DATA too{SEE}",
    )


def test_a_recipe_alone_is_told_what_it_lacks(treekit: Treekit) -> None:
    answer = treekit("explain", "id3")
    assert (answer.code, answer.err) == (
        2,
        f"error: 'id3' is a recipe; name the data to fit it to, too{SEE}",
    )


def test_a_model_takes_no_options_of_a_fit(treekit: Treekit, model: str) -> None:
    answer = treekit("explain", model, "shop.csv", "--target", "age", "--set", "x=1", "--seed", "1")
    assert (answer.code, answer.err) == (
        2,
        f"error: 'model.json' is fitted already; leave out --target, --set, --seed{SEE}",
    )


def test_options_of_growth_do_not_go_with_rows(treekit: Treekit) -> None:
    answer = treekit("explain", "id3", "tennis", "--row", "1", "--node", "0", "--cuts", "all")
    assert (answer.code, answer.err) == (
        2,
        f"error: --row tells of rows, not of growth; leave out --node, --cuts{SEE}",
    )


def test_data_that_a_model_was_not_fitted_to_are_refused(treekit: Treekit, model: str) -> None:
    lines = Path("shop.csv").read_text().splitlines(keepends=True)
    Path("less.csv").write_text("".join(lines[:-1]))
    answer = treekit("explain", model, "less.csv")
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        "error: less.csv: grown again on these data, the tree is another one; give the very rows"
        " and weights that the model was learned from\n",
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--row", "15"], "tennis: there is no row 15: the rows are counted from 1 to 14"),
        (["--node", "8"], "there is no node 8: the grown tree has 8 nodes, counted from 0"),
        (["--tree", "2"], "there is no tree 2: the model has 1 tree"),
    ],
)
def test_what_is_not_there_is_told(treekit: Treekit, words: list[str], said: str) -> None:
    answer = treekit("explain", "id3", "tennis", "--quiet", *words)
    assert (answer.code, answer.out, answer.err) == (2, "", f"error: {said}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cuts", "0"], "'0' is neither a whole number from 1 nor 'all'"),
        (["--nodes", "few"], "'few' is neither a whole number from 1 nor 'all'"),
        (["--row", "0"], "'0' is not a whole number from 1"),
        (["--format", "pdf"], "'pdf' is not one of 'text', 'markdown', 'latex', 'json'"),
    ],
)
def test_an_option_out_of_range_is_told(treekit: Treekit, words: list[str], said: str) -> None:
    answer = treekit("explain", "id3", "tennis", *words)
    assert (answer.code, answer.out) == (2, "")
    assert f"Invalid value for '{words[0]}'" in answer.err
    assert said in answer.err


def test_a_file_that_cannot_be_written_is_told_first(treekit: Treekit) -> None:
    answer = treekit("explain", "no such recipe", "tennis", "-o", "nowhere/x.txt")
    assert answer.err == "error: nowhere/x.txt: there is no folder nowhere; make it first\n"
