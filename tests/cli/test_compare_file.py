"""`treekit compare FILE.toml`: a whole comparison in a file, and options that go before it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

STUDY = """\
title = "Impurities"
recipes = ["c45", "id3"]
data = ["tennis", "mammals"]
metrics = ["error"]

[vary]
"tree.impurity" = ["entropy", "gini"]

[resampling]
folds = 2
"""


@pytest.fixture(autouse=True)
def study(folder):
    Path("study.toml").write_text(STUDY)
    Path("bare.toml").write_text('title = "nothing"\n')


def folds(done):
    return json.loads(done.out)["folds"]


def test_a_file_is_carried_out(treekit):
    done = treekit("compare", "study.toml")
    assert done.code == 0, done.err
    assert done.lines[0] == "Impurities"
    assert done.lines[2].startswith("error (smaller is better)")
    assert [line.split()[0] for line in done.lines[5:8]] == ["tennis", "mammals", "mean"]
    assert done.notes == ["16 folds: 16 run, 0 failed"]


def test_json_tells_what_was_varied(treekit):
    found = json.loads(treekit("compare", "study.toml", "--data", "tennis", "--json").out)
    assert found["varied"]["c45 [gini]"] == {"tree.impurity": "gini"}


def test_data_metrics_and_resampling_of_the_command_line_take_the_place_of_the_file_s(treekit):
    done = treekit(
        "compare", "study.toml", "--data", "tennis", "--metric", "leaves", "--folds", "3",
        "--repeats", "2", "--json",
    )  # fmt: skip
    assert {fold["data"] for fold in folds(done)} == {"tennis"}
    assert list(json.loads(done.out)["means"]) == ["leaves"]
    assert {(fold["repeat"], fold["fold"]) for fold in folds(done)} == {
        (r, f) for r in range(2) for f in range(3)
    }


def test_another_way_of_resampling_has_its_own_options(treekit):
    done = treekit("compare", "study.toml", "--resampling", "hold-out", "--json")
    assert len(folds(done)) == 8


def test_a_seed_is_another_only_if_it_is_given(treekit):
    Path("study.toml").write_text("seed = 5\n" + STUDY)
    seeds = [
        {fold["seed"] for fold in folds(treekit("compare", "study.toml", "--json", *words))}
        for words in ((), ("--seed", "5"), ("--seed", "0"))
    ]
    assert seeds[0] == seeds[1] != seeds[2]


def test_settings_come_after_the_file_s(treekit):
    Path("study.toml").write_text(STUDY + "[set]\ntree.stop = 'pure'\n")
    done = treekit("compare", "study.toml", "--set", "tree.impurity=ginni")
    assert done.code == 2
    assert "--set tree.impurity=ginni: there is no impurity 'ginni'" in done.err


def test_a_recipe_file_is_still_a_recipe(treekit):
    Path("mine.toml").write_text('extends = "id3"\n')
    done = treekit("compare", "mine.toml", "--data", "tennis", "--folds", "2", "--json")
    assert json.loads(done.out)["contenders"] == ["mine"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stdy.toml",), "there is no comparison file 'stdy.toml'; did you mean 'study.toml'?"),
        (("study.toml", "c45"), "study.toml is a comparison file, and stands alone"),
        (("study.toml", "--share", "0.2"), "--share does not go with --resampling cross-valid"),
        (("study.toml", "--against", "c46"), "'c46' takes no part"),
        (("study.toml", "--metric", "acuracy"), "did you mean 'accuracy'?"),
        (("study.toml", "--data", "none/*.csv"), "there is no data file that this matches"),
        (("study.txt",), "'--data': study.txt is no comparison file, for it is no .toml file"),
        (("bare.toml",), "bare.toml is no comparison file, for it names neither recipes nor data"),
        (("study.toml", "--jobs", "0"), "'0' is not a whole number from 1"),
        (("study.toml", "--backend", "dask"), "--backend dask needs --scheduler ADDRESS"),
        (("study.toml", "--scheduler", "tcp://x"), "--scheduler goes with --backend dask only"),
        (
            ("study.toml", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9"),
            "tcp://127.0.0.1:9: no scheduler of Dask answers here",
        ),
        (
            ("study.toml", "--backend", "dask", "--scheduler", "tcp://x", "--jobs", "2"),
            "--jobs does not go with --backend dask",
        ),
    ],
)
def test_what_is_wrong_is_told_in_a_line(treekit, words, said):
    done = treekit("compare", *words)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('recipes = ["c45"\n', "error: study.toml:1:17: this is not TOML"),
        (STUDY.replace("gini", "ginni"), "error: study.toml:7: vary tree.impurity: there is no"),
        (STUDY.replace("tennis", "tenis"), "error: study.toml:3: data.0: 'tenis' is neither"),
        (STUDY.replace("error", "eror"), "error: study.toml:4: metrics.0: there is no metric"),
        (STUDY.replace('"error"', '"rmse"'), "error: study.toml:4: metrics.0: the metric 'rmse'"),
        (STUDY.replace("metrics", "metric"), "error: study.toml:4: metric: a comparison has no"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_with_its_line(treekit, text, said):
    Path("study.toml").write_text(text)
    done = treekit("compare", "study.toml")
    assert (done.code, done.err.startswith(said)) == (2, True), done.err
