"""One explanation, four forms: text, Markdown, LaTeX and JSON say the same."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pandas as pd
import pytest

import treekit
from treekit.errors import ModelError
from treekit.explain import Explanation
from treekit.report.explaining import FORMATS, growth_sheet
from treekit.report.explaining.latex import escaped as latex_escaped
from treekit.report.explaining.markdown import escaped as markdown_escaped
from treekit.report.explaining.tables import (
    Grid,
    Head,
    Said,
    Section,
    Sheet,
    amount,
    figure,
    grid,
    shown_rows,
)

NASTY = r"a_b & 5% of $x|y [1] {2} <3> #4 ~ ^ \n -- *bold* `code`"


@pytest.fixture(scope="module")
def cheat() -> Explanation:
    return treekit.fit("cart", "cheat", set=["tree.stop=pure"]).explain()


def sheet(*grids: Grid, digits: int = 2) -> Sheet:
    section = Section("Node 0", ("a line",), grids, ("so it is",), {"rows": 3})
    return Sheet("Title", ("about",), (section,), {"all": math.inf}, digits)


SMALL = grid(
    "",
    [Head("column", grouped=True), Head("n", True), Head("gain", True), Head("empty")],
    [["x", 1, 1 / 3, None], ["x", 20, None, None], ["y_z", 3, Said("two", 2.0), ""]],
    "… 2 more",
)


# --- figures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (0.24675, 4, "0.2467"),
        (0.24675, 3, "0.247"),
        (0.0, 4, "0.0000"),
        (-0.0, 2, "0.00"),
        (-1e-17, 2, "0.00"),
        (1.0, 4, "1.0000"),
        (0.00001, 4, "1.00e-05"),
        (-0.00001, 4, "-1.00e-05"),
        (123456.5, 2, "123456.50"),
        (12345678901.5, 2, "12345678901.5"),
        (2.5, 0, "2"),
        (math.nan, 4, "nan"),
        (-math.inf, 4, "-inf"),
    ],
)
def test_a_figure_has_the_decimals_asked_for(value: float, digits: int, said: str) -> None:
    assert figure(value, digits) == said


@pytest.mark.parametrize(
    ("value", "said"), [(14.0, "14"), (1.0000000001, "1"), (28.71794, "28.72")]
)
def test_a_whole_weight_is_told_as_such(value: float, said: str) -> None:
    assert amount(value, 2) == said


# --- tables --------------------------------------------------------------------------------------


def test_an_empty_column_of_a_table_is_left_out() -> None:
    assert [head.name for head in SMALL.heads] == ["column", "n", "gain"]


def test_a_grouped_value_is_shown_where_it_changes() -> None:
    rows = [["a", "b"], ["a", "b"], ["c", "b"]]
    table = grid("", [Head("one", grouped=True), Head("two", grouped=True)], rows)
    assert shown_rows(table, 2) == [["a", "b"], ["", ""], ["c", "b"]]


def test_text_aligns_columns() -> None:
    assert FORMATS["text"](sheet(SMALL)) == (
        """\
Title
about

Node 0
a line

column   n  gain
x        1  0.33
        20
y_z      3   two
… 2 more

so it is
"""
    )


def test_markdown_makes_tables() -> None:
    assert FORMATS["markdown"](sheet(SMALL)) == (
        """\
# Title

about

## Node 0

a line

| column | n | gain |
| --- | ---: | ---: |
| x | 1 | 0.33 |
|  | 20 |  |
| y\\_z | 3 | two |

… 2 more

so it is
"""
    )


def test_latex_rules_tables_by_booktabs() -> None:
    assert FORMATS["latex"](sheet(SMALL)) == (
        r"""% Needs \usepackage[T1]{fontenc} and \usepackage{booktabs}.
\section*{Title}

about

\subsection*{Node 0}

a line

\noindent
\begin{tabular}{lrr}
\toprule
column & n & gain \\
\midrule
x & 1 & 0.33 \\
 & 20 &  \\
y\_z & 3 & two \\
\bottomrule
\end{tabular}

\ldots{} 2 more

so it is
"""
    )


def test_json_keeps_all_digits_and_all_cells() -> None:
    assert json.loads(FORMATS["json"](sheet(SMALL))) == {
        "title": "Title",
        "facts": {"all": None},
        "lines": ["about"],
        "sections": [
            {
                "title": "Node 0",
                "facts": {"rows": 3},
                "lines": ["a line"],
                "tables": [
                    {
                        "title": "",
                        "columns": ["column", "n", "gain"],
                        "rows": [["x", 1, 1 / 3], ["x", 20, None], ["y_z", 3, 2.0]],
                        "note": "… 2 more",
                    }
                ],
                "verdict": ["so it is"],
            }
        ],
    }


# --- escaping ------------------------------------------------------------------------------------


def test_markdown_takes_nothing_for_its_own() -> None:
    assert markdown_escaped("a|b_c *d* <e> `f`") == r"a\|b\_c \*d\* \<e\> \`f\`"


def test_latex_takes_nothing_for_its_own() -> None:
    assert latex_escaped(NASTY) == (
        r"a\_b \& 5\% of \$x\textbar{}y {[}1{]} \{2\} \textless{}3\textgreater{} \#4"
        r" \textasciitilde{} \textasciicircum{} \textbackslash{}n {-}{-} *bold* `code`"
    )


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_names_and_levels_of_any_kind_can_be_written(form: str) -> None:
    data = pd.DataFrame({NASTY: ["a|b", "c&d", "a|b"], "y": ["p_q", "r%s", "p_q"]})
    said = treekit.fit("id3", data, target="y").explain().render(form)
    assert {"markdown": r"a\|b", "latex": r"c\&d"}[form] in said
    bare = r"(?<!\\)[_%#]" if form == "latex" else r"(?<!\\)_"
    body = said.partition("\n")[2]
    assert not re.search(bare, body)


# --- whole explanations --------------------------------------------------------------------------


def test_all_forms_tell_the_same_tables(cheat: Explanation) -> None:
    tables = [table for section in growth_sheet(cheat, 3).sections for table in section.grids]
    told = {form: cheat.render(form, 3) for form in FORMATS}
    assert len(tables) > 3
    for table in tables:
        for cells in shown_rows(table, 3):
            assert re.search(r" *".join(map(re.escape, cells)).rstrip(), told["text"])
            assert f"| {' | '.join(map(markdown_escaped, cells))} |" in told["markdown"]
            assert " & ".join(map(latex_escaped, cells)) in told["latex"]
    names = [table["title"] for s in json.loads(told["json"])["sections"] for table in s["tables"]]
    assert names == [table.title for table in tables]


def test_json_has_the_node_as_facts(cheat: Explanation) -> None:
    document = json.loads(cheat.render("json"))
    facts = document["facts"]
    assert (facts["impurity"], facts["criterion"], facts["nodes"]) == ("gini", "gain", 7)
    root = document["sections"][0]
    assert root["facts"] == {
        "node": 0, "parent": None, "branch": None, "depth": 0,
        "rows": 10, "weight": 10, "counts": {"Yes": 3, "No": 7},
        "impurity": pytest.approx(0.42, abs=1e-15),
        "chosen": "marital_status", "runner_up": "taxable_income", "margin": 0, "tied": True,
        "cannot_win": {}, "stopped": None,
    }  # fmt: skip
    best = root["tables"][2]["rows"][5]
    assert best == [97.5, [6, 4], [[3, 3], [0, 4]], [0.5, 0], pytest.approx(0.3),
                    pytest.approx(0.12), "best"]  # fmt: skip


def test_json_has_levels_and_ends_of_branches(cheat: Explanation) -> None:
    rows = json.loads(cheat.render("json"))["sections"][0]["tables"][0]["rows"]
    assert [row[:2] for row in rows] == [
        ["refund", {"levels": ["Yes"]}],
        ["refund", {"levels": ["No"]}],
        ["marital_status", {"levels": ["Married"]}],
        ["marital_status", {"levels": ["Single", "Divorced"]}],
        ["taxable_income", {"upto": 97.5}],
        ["taxable_income", {"above": 97.5}],
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_every_kind_of_model_is_written_in_every_form(form: str) -> None:
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"x": rng.normal(size=40), "town": rng.choice(list("abc"), 40)})
    data.loc[::7, "town"] = None
    data["y"] = data.x * 2
    data["label"] = [f"class {i % 8}" for i in range(40)]
    number = treekit.fit("regression", data.drop(columns="label"), target="y")
    many = treekit.fit("cart", data.drop(columns="y"), target="label", set=["tree.stop=pure"])
    for model in (number, many):
        assert model.explain().render(form)
        assert model.explain_row(data, 0).render(form)


def test_of_many_classes_the_most_frequent_are_told() -> None:
    data = pd.DataFrame({"x": np.arange(20.0), "y": [f"c{min(i // 2, 8)}" for i in range(20)]})
    model = treekit.fit("cart", data, target="y", set=["tree.stop=pure"])
    first = str(model.explain(depth=0)).splitlines()[6]
    assert first == "20 rows: c8 4, c0 2, c1 2, c2 2, 5 more; gini 0.8800"


def test_of_very_many_branches_the_first_are_told_but_not_in_json() -> None:
    data = pd.DataFrame({"town": [f"town{i:02}" for i in range(20)], "y": ["a", "b"] * 10})
    found = treekit.fit("id3", data, target="y").explain(depth=0)
    assert "… 4 more branches" in str(found)
    assert len(json.loads(found.render("json"))["sections"][0]["tables"][0]["rows"]) == 20


def test_a_criterion_of_its_own_is_named(cheat: Explanation) -> None:
    found = treekit.fit("cart", "cheat", set=["tree.stop=pure", "tree.criterion=twoing"]).explain(
        depth=0
    )
    head = next(line for line in str(found).splitlines() if line.startswith("column"))
    assert head.split()[-4:] == ["remainder", "gain", "twoing", "verdict"]
    assert "Best: marital_status, twoing 0.0600" in str(found)


def test_a_tie_is_told() -> None:
    found = treekit.fit("id3", "parity3").explain(depth=0)
    assert str(found).splitlines()[-1] == (
        "Best: A, gain 0.0000; B scores the same, and the order of the columns decides (margin 0)."
    )


def test_what_cannot_win_is_told_with_the_rule() -> None:
    lines = str(treekit.fit("id3", "vegetation").explain(node=3)).splitlines()
    assert lines[-3:] == [
        "Best: stream, gain 1.0000; no other column can win.",
        "Cannot win, its rows have one known value at most: slope.",
        "Cannot win, asked above already: elevation.",
    ]


def test_what_is_not_told_is_counted() -> None:
    found = treekit.fit("id3", "tennis").explain(depth=1)
    assert str(found).splitlines()[3] == "4 of 8 nodes are explained here"


def test_a_form_that_is_not_there_is_an_error(cheat: Explanation) -> None:
    with pytest.raises(ModelError) as caught:
        cheat.render("latx")
    assert str(caught.value) == "there is no form 'latx' of an explanation; did you mean 'latex'?"


def test_text_is_the_form_of_str(cheat: Explanation) -> None:
    assert str(cheat) == cheat.render("text").rstrip("\n")
