"""Comparison files: a whole comparison in TOML, read as strictly as a recipe."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

import treekit
from treekit.comparing import (
    Bootstrap,
    CrossValidation,
    HoldOut,
    compare,
    is_comparison,
    load_comparison,
)
from treekit.errors import TreekitError

STUDY = """\
title = "Impurities"
recipes = ["c45"]
data = ["tennis", "vegetation"]
metrics = ["accuracy"]
seed = 3

[vary]
"tree.impurity" = ["entropy", "gini"]

[resampling]
folds = 2
"""


@pytest.fixture
def written(tmp_path):
    """Writes a file and gives its path."""

    def write(text: str, name: str = "study.toml") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def problems(path: Path) -> list[str]:
    """All that is wrong with a file, without the folder that it is in."""
    with pytest.raises(TreekitError) as caught:
        load_comparison(path)
    return [str(problem).replace(f"{path.parent}/", "") for problem in caught.value.problems]


def names(text: str, written) -> list[str]:
    return [contender.name for contender in load_comparison(written(text)).contenders]


def test_a_file_gives_what_the_same_words_in_python_give(written):
    of_file = treekit.compare_file(written(STUDY))
    by_hand = compare(
        ["c45"],
        ["tennis", "vegetation"],
        vary={"tree.impurity": ["entropy", "gini"]},
        resampling=CrossValidation(2),
        seed=3,
    )
    assert of_file.contenders == by_hand.contenders
    seconds = ["fit_seconds", "predict_seconds"]
    assert of_file.frame.drop(columns=seconds).equals(by_hand.frame.drop(columns=seconds))


def test_what_is_said_in_python_goes_before_the_file(written):
    results = treekit.compare_file(written(STUDY), data=("tennis",), seed=0)
    assert results.data == ("tennis",)


def test_everything_that_a_file_says_is_kept(written):
    found = load_comparison(
        written(
            STUDY
            + """
use = "cross_validation"
[read]
missing = "unknown"
drop_missing_target = true
[set]
"tree.pruner.confidence" = 0.1
[statistics]
alpha = 0.01
rope = 0.02
"""
        )
    )
    assert (found.title, found.metrics, found.seed) == ("Impurities", ("accuracy",), 3)
    assert found.reading == {"missing": ("unknown",), "drop_missing_target": True}
    assert (found.statistics.alpha, found.statistics.rope) == (0.01, 0.02)
    assert all(c.document["tree"]["pruner"]["confidence"] == 0.1 for c in found.contenders)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("", CrossValidation()),
        ('use = "cross_validation"\nfolds = 5\nrepeats = 2', CrossValidation(5, 2)),
        ('use = "hold_out"\nshare = 0.2', HoldOut(0.2)),
        ('use = "bootstrap"\nrepeats = 7', Bootstrap(7)),
    ],
)
def test_a_way_of_resampling_is_chosen(written, text, how):
    assert load_comparison(written(f'data = ["tennis"]\n[resampling]\n{text}')).resampling == how


def test_paths_are_relative_to_the_file(written, tmp_path, monkeypatch):
    folder = tmp_path / "study"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "a.csv").write_text("x,y\n" + "1,u\n2,v\n" * 4)
    (folder / "mine.toml").write_text('extends = "id3"\n')
    path = written(
        'recipes = ["./mine.toml"]\ndata = ["data/*.csv", "tennis"]\n[read]\ntarget = "y"\n',
        "study/study.toml",
    )
    monkeypatch.chdir(tmp_path)
    found = evolve(load_comparison(path), data=load_comparison(path).data[:1])
    assert [Path(word).is_absolute() for word in found.data] == [True]
    results = treekit.compare_file(path, data=found.data, resampling=CrossValidation(2))
    assert (results.data, results.contenders) == (("a",), ("mine",))


# --- variants ------------------------------------------------------------------------------------

VARIANT = '[variants.plain]\n"tree.criterion" = "gain"\n'


def test_a_variant_takes_part_beside_its_recipe(written):
    assert names(f'recipes = ["c45"]\n{VARIANT}', written) == ["c45", "plain"]


def test_a_variant_of_several_recipes_is_told_apart_by_their_names(written):
    assert names(f'recipes = ["c45", "id3"]\n{VARIANT}', written) == [
        "c45", "id3", "c45 [plain]", "id3 [plain]",
    ]  # fmt: skip


def test_a_variant_may_name_its_recipe(written):
    assert names(f'recipes = ["id3"]\n{VARIANT}recipe = "c45"\n', written) == ["id3", "plain"]
    assert names(f'{VARIANT}recipe = "c45"\n', written) == ["plain"]


def test_of_an_estimator_a_variant_changes_parameters(written):
    text = '[variants.small]\nrecipe = "sklearn:DecisionTreeClassifier"\nmax_depth = 1\n'
    (found,) = load_comparison(written(text)).contenders
    assert (found.name, found.varied) == ("small", {"max_depth": "1"})
    assert found.document["parameters"] == {"max_depth": 1}


def test_estimators_are_not_varied_as_recipes_are(written):
    text = f'recipes = ["c45", "sklearn:DecisionTreeClassifier"]\n{VARIANT}'
    assert names(text, written) == ["c45", "sklearn:DecisionTreeClassifier", "plain"]


def test_results_tell_what_was_varied(written):
    text = STUDY + '[variants.weak]\n"tree.pruner" = { use = "error_based", confidence = 0.5 }\n'
    results = treekit.compare_file(written(text), data=("tennis",))
    assert results.varied == {
        "c45 [entropy]": {"tree.impurity": "entropy"},
        "c45 [gini]": {"tree.impurity": "gini"},
        "weak": {"tree.pruner": "error_based(confidence 0.5)"},
    }


def test_paths_may_be_written_as_tables(written):
    text = """\
recipes = ["c45"]
[set]
tree.pruner.confidence = 0.1
[vary.tree]
impurity = ["entropy", "gini"]
"""
    found = load_comparison(written(text))
    assert [c.varied for c in found.contenders] == [
        {"tree.impurity": "entropy"},
        {"tree.impurity": "gini"},
    ]
    assert found.contenders[0].document["tree"]["pruner"]["confidence"] == 0.1


# --- what is wrong -------------------------------------------------------------------------------


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_lines(written):
    text = """\
titel = "x"
recipes = ["id4", "c45"]
data = ["tenis", "no/*.csv", "sklearn:irs", "none.csv"]
metrics = ["acuracy"]
seed = -1
[read]
targt = "y"
missing = 3
[set]
tree.stopp = "pure"
[vary]
"tree.impurity" = ["entropi", "ginni"]
tree.criterion = "gain"
[variants.plain]
"tree.criterion" = "gian"
[variants.other]
recipe = "sklearn:DecisionTreeClassifier"
max_dept = 1
[resampling]
use = "hold_out"
folds = 3
share = "a"
[statistics]
alpha = 2
"""
    found = problems(written(text))
    expected = [
        ":1: titel: a comparison has no 'titel'; did you mean 'title'?",
        ":2: recipes.0: there is no recipe 'id4'; did you mean 'id3'?",
        ":3: data.0: 'tenis' is neither",
        ":3: data.1: no/*.csv: there is no data file that this matches",
        ":3: data.2: scikit-learn bundles no data set 'irs'; did you mean 'iris'?",
        ":3: data.3: there is no file 'none.csv'",
        ":4: metrics.0: there is no metric 'acuracy'; did you mean 'accuracy'?",
        ":5: seed: seed = -1 is not allowed; give a whole number >= 0",
        ":7: read.targt: read has no parameter 'targt'; did you mean 'target'?",
        ":8: read.missing: missing = 3 is not allowed; give a string or a list of strings",
        ":10: set tree.stopp: unknown slot 'stopp'; did you mean 'stop'?",
        ":13: vary tree.criterion: \"gain\" is not a list of values",
        ":16: variants.other: DecisionTreeClassifier has no parameter 'max_dept'",
        ":21: resampling.folds: hold_out has no parameter 'folds'",
        ":22: resampling.share: share = \"a\" is not allowed; give a number > 0.0 and < 1.0",
        ":24: statistics.alpha: alpha = 2 is not allowed",
    ]  # fmt: skip
    assert [f.startswith(f"study.toml{e}") for f, e in zip(found, expected, strict=True)] == [
        True for _ in expected
    ], "\n".join(found)


def test_misspelled_strategies_are_told_with_their_lines(written):
    text = """\
recipes = ["c45"]
[vary]
"tree.impurity" = ["entropi", "gini", "ginni"]
[variants.plain]
tree.criterion = "gian"
"""
    assert problems(written(text)) == [
        "study.toml:3: vary tree.impurity: there is no impurity 'entropi'; did you mean 'entropy'?",
        "study.toml:3: vary tree.impurity: there is no impurity 'ginni'; did you mean 'gini'?",
        "study.toml:5: variants.plain tree.criterion: there is no criterion 'gian'; did you mean"
        " 'gain'?",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('recipes = ["c45"\ndata = 3', "study.toml:2:1: this is not TOML: unclosed array"),
        ('recipes = "c45"', 'study.toml:1: recipes: recipes = "c45" is not allowed'),
        ("recipes = [3]", "study.toml:1: recipes: recipes = [3] is not allowed; give a list of"),
        ("resampling = 3", "study.toml:1: resampling: resampling = 3 is not a table"),
        ('[resampling]\nuse = "loo"', "resampling.use: use = \"loo\" is no way of resampling"),
        ('[vary]\n"tree.impurity" = []', ":2: vary tree.impurity: there is nothing to vary here"),
        ("[variants]\nx = 1", ":2: variants.x: x = 1 is not a table"),
        ("[variants.x]\nrecipe = 1", ":2: variants.x.recipe: recipe = 1 is not a recipe"),
        (VARIANT, "study.toml:1: variants.plain: there is no recipe to vary"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(written, text, said):
    assert said in "\n".join(problems(written(text)))


def test_a_missing_file_is_told_with_the_nearest(written):
    written(STUDY)
    (said,) = problems(written(STUDY).with_name("stdy.toml"))
    assert said == "there is no comparison file 'stdy.toml'; did you mean 'study.toml'?"


def test_who_takes_no_part_cannot_be_compared_against(written):
    path = written('against = "cort"\n' + STUDY.replace('"c45"', '"c45", "cart"'))
    with pytest.raises(TreekitError, match=r"study.toml:1: against: 'cort' takes no part"):
        treekit.compare_file(path)


def test_a_comparison_is_told_from_a_recipe_by_its_keys(written, tmp_path):
    assert is_comparison(written(STUDY))
    assert is_comparison(written('[variants.x]\nrecipe = "c45"\n'))
    assert not is_comparison(written('extends = "c45"\n'))
    assert not is_comparison("c45")
    assert not is_comparison(tmp_path / "none.toml")
