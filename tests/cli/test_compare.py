"""`treekit compare`: contenders side by side, from the command line."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from attrs import fields_dict

from treekit import comparing
from treekit.cli.compare import compare
from treekit.cli.comparing import WAYS
from treekit.comparing import resampling

SMALL = ("--data", "tennis", "--data", "mammals", "--folds", "2")


def test_means_over_the_folds_stand_side_by_side(treekit):
    done = treekit("compare", "id3", "stump", *SMALL)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "accuracy (greater is better): mean over the folds, +- standard deviation"
    assert lines[2].split() == ["data", "id3", "stump"]
    assert [line.split()[0] for line in lines[3:6]] == ["tennis", "mammals", "mean"]
    assert any(line.startswith("leaves (smaller is better)") for line in lines)


def test_json_has_the_means_and_every_fold(treekit):
    done = treekit("compare", "id3", *SMALL, "--metric", "error", "--json")
    found = json.loads(done.out)
    assert found["contenders"] == ["id3"]
    errors = [f["error"] for f in found["folds"] if f["data"] == "tennis"]
    assert found["means"]["error"]["tennis"]["id3"] == pytest.approx(sum(errors) / 2)


def test_a_grid_varies_a_path_of_every_recipe(treekit):
    done = treekit("compare", "id3", "c45", "--vary", "tree.impurity=entropy,gini", *SMALL)
    head = done.out.splitlines()[2]
    assert [part.strip() for part in head.split("  ") if part.strip()][1:] == [
        "id3 [entropy]", "id3 [gini]", "c45 [entropy]", "c45 [gini]",
    ]  # fmt: skip


def test_differences_are_told_against_a_contender(treekit):
    words = ("--metric", "training_error", "--against", "id3")
    done = treekit("compare", "stump", "id3", "--data", "tennis", "--folds", "2", *words)
    assert "less that of id3" in done.out
    assert done.out.splitlines()[3].split()[-1] == "+0"


def test_the_same_command_takes_up_where_it_ended(treekit, tmp_path):
    words = ("compare", "id3", *SMALL, "--store", str(tmp_path / "r.sqlite"))
    first, again = treekit(*words), treekit(*words)
    assert first.out == again.out
    assert (tmp_path / "r.sqlite").is_file()


def test_all_folds_are_written_as_csv(treekit, tmp_path):
    done = treekit("compare", "id3", *SMALL, "-o", str(tmp_path / "r.csv"))
    assert done.code == 0
    frame = pd.read_csv(tmp_path / "r.csv")
    assert len(frame) == 4
    assert {"data", "contender", "repeat", "fold", "accuracy", "fit_seconds"} <= set(frame)


@pytest.mark.parametrize(
    ("words", "data", "n_folds"),
    [
        ((), "tennis", 10),
        (("--resampling", "cross-validation", "--folds", "2", "--repeats", "3"), "tennis", 6),
        (("--resampling", "hold-out"), "tennis", 1),
        (("--resampling", "hold-out", "--share", "0.5", "--repeats", "3"), "tennis", 3),
        (("--resampling", "leave-one-out"), "tennis", 14),
        (("--resampling", "bootstrap"), "tennis", 50),
        (("--resampling", "bootstrap", "--repeats", "4"), "tennis", 4),
        (("--resampling", "test"), "mammals", 1),
    ],
)
def test_a_way_of_resampling_is_chosen(treekit, words, data, n_folds):
    done = treekit("compare", "id3", "--data", data, *words, "--json")
    folds = {(fold["repeat"], fold["fold"]) for fold in json.loads(done.out)["folds"]}
    assert (done.code, len(folds)) == (0, n_folds)


@pytest.mark.parametrize(("share", "n_tested"), [("0.2", 3), ("0.5", 7)])
def test_a_share_of_the_rows_is_held_out(treekit, share, n_tested):
    words = ("--resampling", "hold-out", "--share", share, "--repeats", "10", "--json")
    done = treekit("compare", "id3", "--data", "tennis", *words)
    right = [fold["accuracy"] * n_tested for fold in json.loads(done.out)["folds"]]
    assert right == pytest.approx([round(rows) for rows in right])
    assert any(0 < rows < n_tested for rows in right)


def test_a_test_file_beside_the_data_is_tested_on(treekit, folder):
    (folder / "a.csv").write_text("x,y\n" + "1,u\n2,v\n" * 20)
    (folder / "a.test.csv").write_text("x,y\n1,u\n2,u\n0,u\n9,u\n")
    words = ("--data", "a.csv", "--target", "y", "--resampling", "test", "--json")
    done = treekit("compare", "cart", *words)
    assert json.loads(done.out)["means"]["accuracy"] == {"a": {"cart": 0.5}}


def test_every_option_of_every_way_of_resampling_can_be_given():
    options = {parameter.name for parameter in compare.params}
    ways = [resampling.WAYS[name] for name in WAYS.values()]
    assert {name for way in ways for name in fields_dict(way)} <= options
    kinds = [v for v in vars(comparing).values() if isinstance(v, type) and hasattr(v, "draw")]
    assert set(kinds) - {comparing.Resampling} == set(ways)


def test_failures_are_told_once_for_each_contender_on_each_data_set(treekit, folder):
    rows = "".join(f"{'' if i % 2 else i},{'yes' if i % 3 else 'no'}\n" for i in range(12))
    for name in ("gaps", "holes"):
        (folder / f"{name}.csv").write_text(f"age,bought\n{rows}{'1,yes' * (name == 'holes')}\n")
    words = ("c45", "sklearn:LogisticRegression", "--target", "bought", "--folds", "3")
    done = treekit("compare", *words, "--data", "gaps.csv", "--data", "holes.csv")
    assert done.code == 1
    *told, last = done.notes
    assert [line.partition(": ")[0] for line in told] == [
        "sklearn:LogisticRegression failed on gaps, 3 of 3 folds",
        "sklearn:LogisticRegression failed on holes, 3 of 3 folds",
    ]
    assert all("contains NaN" in line and len(line) < 400 for line in told)
    assert last == "12 folds: 12 run, 6 failed"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("id3",), "Missing option '--data'"),
        (("--data", "tennis"), "Missing argument 'RECIPE...'"),
        (("id4", "--data", "tennis"), "did you mean 'id3'?"),
        (("id3", "--data", "tennnis"), "did you mean 'tennis'?"),
        (("id3", *SMALL, "--metric", "acuracy"), "did you mean 'accuracy'?"),
        (
            ("id3", *SMALL, "--metric", "rmse"),
            "the metric 'rmse' is not for answers that are classes",
        ),
        (("id3", "--data", "tennis", "--folds", "15"), "tennis: 14 rows cannot be dealt out"),
        (("id3", *SMALL, "--against", "c45"), "'c45' takes no part"),
        (("id3", *SMALL, "--vary", "tree.impurity"), "is not PATH=VALUE,..."),
        (
            ("id3", *SMALL, "--vary", "tree.impurity=ginny"),
            "vary tree.impurity: there is no impurity",
        ),
        (("id3", "--data", "tennis", "--folds", "1"), "'1' is not a whole number from 2"),
        (("id3", "--data", "tennis", "--resampling", "loo"), "'loo' is not one of"),
        (
            ("id3", "--data", "tennis", "--resampling", "hold-out", "--folds", "5"),
            "--folds does not go with --resampling hold-out, which takes --share and --repeats",
        ),
        (
            ("id3", "--data", "tennis", "--share", "0.2"),
            "--share does not go with --resampling cross-validation, which takes --folds and",
        ),
        (
            ("id3", "--data", "tennis", "--resampling", "bootstrap", "--share", "0.2"),
            "--share does not go with --resampling bootstrap, which takes --repeats",
        ),
        (
            ("id3", "--data", "tennis", "--resampling", "leave-one-out", "--repeats", "1"),
            "--repeats does not go with --resampling leave-one-out, which takes no option",
        ),
        (
            ("id3", "--data", "tennis", "--resampling", "test", "--repeats", "2"),
            "--repeats does not go with --resampling test, which takes no option",
        ),
        (("id3", "--data", "tennis", "--resampling", "test"), "there is no test file"),
        (("id3", "--data", "tennis", "--resampling", "hold-out", "--share", "1"), "0<x<1"),
        (("id3", "--data", "sklearn:iris", "--target", "x"), "so target cannot be said"),
        (("id3", "--data", "tennis", "--folds", "99"), "cannot be dealt out into 99 folds"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(treekit, words, said):
    done = treekit("compare", *words)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1
