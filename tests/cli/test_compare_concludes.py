"""`treekit compare` concludes: statistics, ablation, reports, learning curves, disturbed data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Treekit

GRID = ("c45", "--vary", "tree.impurity=entropy,gini", "--data", "tennis", "--data", "mammals")
QUICK = (*GRID, "--folds", "2")

FILE = """
recipes = ["cart"]
data = ["mammals"]
learn = [0.5, 1]

[disturb]
use = ["mcar"]
shares = [0, 0.2]

[resampling]
use = "hold_out"
"""


def test_the_test_is_told_and_what_it_does_not_allow(treekit: Treekit) -> None:
    answer = treekit("compare", *QUICK)
    assert answer.code == 0
    assert "Test: Wilcoxon's signed-rank test." in answer.out
    assert "Cautions:" in answer.out
    assert "Cautions:" not in treekit("compare", *QUICK, "--no-statistics").out


def test_json_has_the_statistics_of_every_metric(treekit: Treekit) -> None:
    found = json.loads(treekit("compare", *QUICK, "--json", "--ablation").out)
    assert [one["metric"] for one in found["statistics"]] == ["accuracy", "leaves"]
    assert found["ablation"]["effects"]


def test_what_is_due_to_which_path_is_told(treekit: Treekit) -> None:
    assert "tree.impurity  entropy - gini" in treekit("compare", *QUICK, "--ablation").out


def test_reports_tell_unasked_what_is_due_to_which_path(treekit: Treekit) -> None:
    answer = treekit("compare", *QUICK, "--report", "r")
    assert "entropy - gini" not in answer.out.replace("c45 [entropy] - c45 [gini]", "")
    assert "note: wrote r/effects.csv" in answer.err.splitlines()
    assert 'id="parts"' in Path("r/report.html").read_text(encoding="utf-8")
    treekit("compare", "id3", "c45", *QUICK[3:], "--report", "s")
    assert not Path("s/effects.csv").exists()
    assert 'id="parts"' not in Path("s/report.html").read_text(encoding="utf-8")


def test_nothing_to_tell_apart_is_told_before_any_work(treekit: Treekit) -> None:
    words = ("c45", "sklearn:DecisionTreeClassifier", *QUICK[3:], "--store", "s.db")
    answer = treekit("compare", *words, "--ablation")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "error: nothing is varied; vary something in the recipes\n"
    assert not Path("s.db").exists()


def test_the_level_of_a_file_and_its_copies_hold_for_the_ablation_too(treekit: Treekit) -> None:
    vary = '[vary]\n"tree.impurity" = ["gini", "entropy"]\n[statistics]\nalpha = 0.2\n'
    Path("file.toml").write_text(FILE.replace("learn = [0.5, 1]", "") + vary)
    answer = treekit("compare", "file.toml", "--ablation", "--json")
    found = json.loads(answer.out)["ablation"]
    assert found["alpha"] == 0.2
    assert found["cautions"][0].startswith("Disturbed copies of a data set are no further data")


def test_estimators_under_names_of_their_own_are_no_variants_of_a_recipe(treekit: Treekit) -> None:
    Path("study.toml").write_text(
        'recipes = ["c45"]\ndata = ["tennis", "mammals"]\n[resampling]\nfolds = 2\n'
        '[vary]\n"tree.impurity" = ["gini", "entropy"]\n'
        '[variants.shallow]\nrecipe = "sklearn:DecisionTreeClassifier"\nmax_depth = 2\n'
    )
    found = json.loads(treekit("compare", "study.toml", "--ablation", "--json").out)["ablation"]
    assert list(found["paths"]) == ["tree.impurity"]
    assert found["contenders"] == ["c45 [gini]", "c45 [entropy]"]
    assert not any("no full grid" in caution for caution in found["cautions"])


def test_one_contender_has_nothing_to_be_compared_with(treekit: Treekit) -> None:
    answer = treekit("compare", "id3", "--data", "tennis", "--folds", "2")
    assert answer.code == 0
    assert "Test:" not in answer.out


def test_reports_are_written_by_their_endings(treekit: Treekit) -> None:
    answer = treekit("compare", *QUICK, "--report", "r.html", "--report", "t.tex")
    assert answer.code == 0
    assert "note: wrote r.html" in answer.err
    assert "<html" in Path("r.html").read_text(encoding="utf-8")
    assert "\\toprule" in Path("t.tex").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_is_told_before_any_work(treekit: Treekit) -> None:
    answer = treekit("compare", *QUICK, "--report", "r.docx", "--store", "s.db")
    assert answer.code == 2
    assert "reports are not written as .docx" in answer.err
    assert not Path("s.db").exists()


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ("winz.svg", "winz.svg: there is no plot 'winz'; did you mean 'wins'?"),
        ("nowhere/r.html", "nowhere/r.html: there is no folder nowhere; make it first"),
        ("taken", "taken: this is a file, and a report without an ending is a folder; name another,"
         " or give it an ending"),
    ],
)  # fmt: skip
def test_a_report_that_has_no_place_is_told_before_any_work(
    treekit: Treekit, report: str, told: str
) -> None:
    Path("taken").touch()
    answer = treekit("compare", *QUICK, "--report", report, "--store", "s.db")
    assert (answer.code, answer.out, answer.err) == (2, "", f"error: {told}\n")
    assert not Path("s.db").exists()


@pytest.mark.parametrize("shares", ["0.5,2", "a", "", "0"])
def test_shares_to_learn_from_are_checked(treekit: Treekit, shares: str) -> None:
    answer = treekit("compare", "id3", "--data", "tennis", "--learn", shares)
    assert answer.code == 2
    assert "is not shares above 0 and up to 1" in answer.err


def test_a_file_asks_for_shares_and_disturbed_data(treekit: Treekit) -> None:
    Path("study.toml").write_text(FILE, encoding="utf-8")
    answer = treekit("compare", "study.toml")
    assert answer.code == 0
    assert "mammals, mcar 20%" in answer.out
    assert "cart, 0.5 of the rows" in answer.out
    assert "Disturbed copies of a data set" in answer.out


@pytest.mark.parametrize(
    ("wrong", "right", "told"),
    [
        (
            '["mcar"]',
            '["mcra"]',
            "study.toml:7: disturb.use: use = [\"mcra\"] is not allowed; did you mean 'mcar'? (give"
            ' a list with some of "mcar", "mar", "mnar", "label_noise")',
        ),
        (
            "[0, 0.2]",
            "[0, 0.9]",
            "study.toml:8: disturb.shares: shares = [0, 0.9] is not allowed; give a list of numbers"
            " >= 0.0 and <= 0.5",
        ),
        (
            "[0.5, 1]",
            "[0.5, 3]",
            "study.toml:4: learn: learn = [0.5, 3] is not allowed; give a list of numbers > 0.0 and"
            " <= 1.0",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(
    treekit: Treekit, wrong: str, right: str, told: str
) -> None:
    Path("study.toml").write_text(FILE.replace(wrong, right), encoding="utf-8")
    answer = treekit("compare", "study.toml")
    assert answer.code == 2
    assert answer.err == f"error: {told}\n"


@pytest.mark.parametrize("use", ["mcar", "label_noise"])
def test_learning_curves_and_disturbed_data_go_into_a_bundle_with_their_values(
    treekit: Treekit, use: str
) -> None:
    Path("study.toml").write_text(FILE.replace("mcar", use), encoding="utf-8")
    answer = treekit("compare", "study.toml", "--bundle", "b.zip")
    assert (answer.code, answer.err) == (
        2,
        f"error: 'mammals, {use} 20%' is disturbed data, which no file has; put the data into the"
        " bundle, too: --bundle-data\n",
    )
    assert treekit("compare", "study.toml", "--bundle", "b.zip", "--bundle-data").code == 0
    answer = treekit("verify", "b.zip", "--jobs", "1")
    assert (answer.code, answer.lines[-1]) == (0, "the figures hold")
