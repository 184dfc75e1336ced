"""The table of errors: what a person does wrong, and the whole text that they read.

Each message says what is wrong, where, and what would be right; all of them end with code 2.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from treekit_builtin import treekit_criteria

from treekit import recipe_names

from .conftest import SHOP, Treekit

FIT = ["fit", "c45", "shop.csv", "--target", "bought"]
ID3 = ["fit", "id3", "shop.csv", "--target", "bought"]

ERRORS: dict[str, tuple[list[str], str]] = {
    "misspelled strategy": (
        [*ID3, "--set", "tree.criterion=gian"],
        "--set tree.criterion=gian: there is no criterion 'gian'; did you mean 'gain'?",
    ),
    "strategy of another role": (
        [*ID3, "--set", "tree.criterion=gini"],
        "--set tree.criterion=gini: 'gini' is an impurity, not a criterion; did you mean 'gain'?",
    ),
    "misspelled parameter": (
        [*FIT, "--set", "tree.pruner.confidense=0.1"],
        "--set tree.pruner.confidense=0.1: error_based has no parameter 'confidense';"
        " did you mean 'confidence'?",
    ),
    "misspelled role": (
        [*FIT, "--set", "tree.prunner.confidence=0.1"],
        "--set tree.prunner.confidence=0.1: tree.prunner: unknown slot 'prunner';"
        " did you mean 'pruner'?",
    ),
    "misspelled recipe": (
        ["fit", "c54", "shop.csv", "--target", "bought"],
        f"there is no recipe 'c54'; did you mean 'c45'? There is {', '.join(recipe_names())};"
        " a file is named by a path that ends in .toml",
    ),
    "misspelled recipe file": (
        ["fit", "mien.toml", "shop.csv", "--target", "bought"],
        "there is no file 'mien.toml'; did you mean 'mine.toml'?",
    ),
    "misspelled target": (
        ["fit", "c45", "shop.csv", "--target", "bougth"],
        "shop.csv: --target: there is no column 'bougth'; did you mean 'bought'?",
    ),
    "no target": (
        ["fit", "c45", "shop.csv"],
        "shop.csv: no target is named; give --target COL, one of age, income, size, member, price,"
        " bought",
    ),
    "no target, but a schema": (
        ["fit", "c45", "with.csv"],
        "with.csv: no target is named; give --target COL, one of a, y, or give"
        " --schema with.schema.json, which lies beside it",
    ),
    "no rows left to learn from": (
        ["fit", "gradient_boosting", "tennis", "--set", "ensemble.validation=0.9"],
        "tennis: ensemble.validation = 0.9 holds out 13 of 14 rows with a weight, which leaves 1"
        " to learn from; leave 2 rows, one of each class, at least, or set it to 0",
    ),
    "two forms": (
        ["show", "id3", "tennis", "--json", "--format", "dot"],
        "--json is --format json, not --format dot; leave one out; see 'treekit show --help'",
    ),
    "two forms, the other way round": (
        ["explain", "id3", "tennis", "--format", "latex", "--json"],
        "--json is --format json, not --format latex; leave one out; see 'treekit explain --help'",
    ),
    "a number that is none": (
        ["show", "id3", "tennis", "--tree", "x"],
        "Invalid value for '--tree': 'x' is not a whole number from 1; see 'treekit show --help'",
    ),
    "misspelled column": (
        [*FIT, "--kind", "aeg=numeric"],
        "shop.csv: --kind: there is no column 'aeg'; did you mean 'age'?",
    ),
    "misspelled kind": (
        [*FIT, "--kind", "age=number"],
        "--kind: unknown kind 'number' for column 'age'; did you mean 'numeric'?",
    ),
    "misspelled column of weights": (
        [*FIT, "--weights", "pryce"],
        "shop.csv: --weights: there is no column 'pryce'; did you mean 'price'?",
    ),
    "misspelled file": (
        ["fit", "c45", "shopp.csv", "--target", "bought"],
        "shopp.csv: there is no such file; near it: shop.csv",
    ),
    "misspelled data set": (
        ["fit", "c45", "tenis"],
        "'tenis' is neither a file nor a built-in data set; did you mean 'tennis'?",
    ),
    "misspelled test file": (
        [*FIT, "--test", "shopp.csv"],
        "shopp.csv: there is no such file; near it: shop.csv",
    ),
    "data set without a test part": (
        ["fit", "c45", "tennis", "--test", "tennis:test"],
        "the data set 'tennis' has no part 'test'; there is 'train'",
    ),
    "misspelled schema file": (
        [*FIT, "--schema", "schema.toml"],
        "schema.toml: there is no such schema file; near it: mine.toml",
    ),
    "unknown encoding": (
        [*FIT, "--encoding", "klingon"],
        "shop.csv: there is no encoding 'klingon'; there is 'utf-8', 'latin-1', 'cp1252',"
        " 'utf-16' and what else Python has",
    ),
    "wrong type": (
        [*FIT, "--set", "tree.pruner.confidence=lots"],
        '--set tree.pruner.confidence=lots: confidence = "lots" is not allowed;'
        " give a number > 0.0 and <= 1.0",
    ),
    "out of range": (
        [*FIT, "--set", "tree.pruner.confidence=1.5"],
        "--set tree.pruner.confidence=1.5: confidence = 1.5 is not allowed;"
        " give a number > 0.0 and <= 1.0",
    ),
    "setting without a value": (
        [*FIT, "--set", "tree.pruner.confidence"],
        "--set tree.pruner.confidence: there is no '='; write path=value,"
        " as in tree.pruner.confidence=0.1",
    ),
    "missing values under refuse": (
        ["fit", "id3", "gaps.csv", "--target", "bought"],
        "gaps.csv: column 'size' has 1 unknown value (first in row 9, counted from 1), and this"
        " recipe refuses them; fill them in, leave the column out (--kind COL=ignore),"
        " or --set tree.missing=fractional",
    ),
    "numeric target with id3": (
        ["fit", "id3", "shop.csv", "--target", "price"],
        "shop.csv: recipe 'id3' predicts classes, but the target 'price' is numeric; say that it"
        " holds classes (--kind price=nominal), or take a recipe for numbers",
    ),
    "classes with regression": (
        ["fit", "regression", "shop.csv", "--target", "bought"],
        "shop.csv: recipe 'regression' predicts a number, but the target 'bought' is nominal;"
        " name a numeric target, or take a recipe for classes",
    ),
    "unknown target values": (
        ["fit", "c45", "gaps.csv", "--target", "size"],
        "gaps.csv: the target 'size' is unknown in 1 of 9 rows (line 10); mend them, or leave them"
        " out with --drop-missing-target",
    ),
    "text in a numeric column": (
        ["fit", "c45", "text.csv", "--target", "bought", "--kind", "age=numeric"],
        "text.csv, line 3, column 'age': 'old' is not a number; mend it, add it to the missing"
        " marks (--missing), or declare the column nominal (--kind COL=nominal)",
    ),
    "semicolons": (
        ["fit", "c45", "semicolons.csv", "--target", "bought"],
        "semicolons.csv: the fields seem to be divided by semicolons; save it with commas, or with"
        " tabs as .tsv",
    ),
    "another encoding": (
        ["fit", "c45", "latin.csv", "--target", "bought"],
        "latin.csv, line 1: byte 0xF6 is not utf-8 text; save it as UTF-8, or give its --encoding,"
        " such as 'latin-1' or 'cp1252'",
    ),
    "folder instead of data": (
        ["fit", "c45", "folder", "--target", "bought"],
        "folder: this is a folder; give a file in it",
    ),
    "folder instead of a recipe": (
        ["fit", "./folder", "shop.csv", "--target", "bought"],
        "'./folder' is a directory, not a recipe; name a .toml file",
    ),
    "folder instead of an output": (
        [*FIT, "-o", "folder"],
        "folder: this is a folder; name a file to write",
    ),
    "output in no folder": (
        [*FIT, "-o", "none/model.json"],
        "none/model.json: there is no folder none; make it first",
    ),
    "misspelled model": (
        ["predict", "modle.json", "shop.csv"],
        "modle.json: there is no such model file; near it: mine.json;"
        " make one with: treekit fit RECIPE DATA -o model.json",
    ),
    "data set instead of a model": (
        ["predict", "tennis", "tennis"],
        "tennis: there is no such model file;"
        " make one with: treekit fit RECIPE tennis -o model.json",
    ),
    "data set instead of a model to show": (
        ["show", "tennis"],
        "tennis: there is no such model file;"
        " make one with: treekit fit RECIPE tennis -o model.json",
    ),
    "recipe instead of a model": (
        ["predict", "c45", "tennis"],
        "c45: there is no such model file; make one with: treekit fit c45 DATA -o model.json",
    ),
    "folder instead of a model": (
        ["predict", "folder", "shop.csv"],
        "folder: this is a folder; give a model file in it;"
        " make one with: treekit fit RECIPE DATA -o model.json",
    ),
    "empty model": (
        ["show", "mine.json"],
        "mine.json: this model file is empty; make one with: treekit fit RECIPE DATA -o model.json",
    ),
    "missing model with data": (
        ["show", "gone.json", "tennis"],
        "'gone.json' is a model and takes no data; name a recipe instead;"
        " see 'treekit show --help'",
    ),
    "data instead of a model": (
        ["show", "shop.csv"],
        "shop.csv: line 1, column 1: not JSON: Expecting value;"
        " the file is damaged or is no treekit model",
    ),
    "recipe without data": (
        ["show", "c45"],
        "'c45' is a recipe; name the data to fit it to, too; see 'treekit show --help'",
    ),
    "unknown format": (
        ["show", "c45", "tennis", "--format", "pdf"],
        "Invalid value for '--format': 'pdf' is not one of 'text', 'json', 'dot', 'mermaid',"
        " 'rules'; see 'treekit show --help'",
    ),
}


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    Path("gaps.csv").write_text(SHOP + "70,low,?,no,1.0,no\n")
    Path("mine.toml").write_text('extends = "c45"\n')
    Path("mine.json").touch()
    Path("text.csv").write_text(SHOP.replace("31,", "old,"))
    Path("semicolons.csv").write_text(SHOP.replace(",", ";"))
    Path("latin.csv").write_text(SHOP.replace("income", "größe"), encoding="latin-1")
    Path("with.csv").write_text("a,y\n1,p\n2,q\n")
    Path("with.schema.json").write_text('{"target": "y", "columns": {}}')
    Path("folder").mkdir()


@pytest.mark.parametrize(("words", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_an_error_says_what_and_where_and_what_instead(
    treekit: Treekit, words: list[str], message: str
) -> None:
    answer = treekit(*words)
    told = [line for line in answer.err.splitlines() if not line.startswith("note: ")]
    assert (answer.code, answer.out, told) == (2, "", [f"error: {message}"])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["fit", "", "tennis"], "'RECIPE'"),
        (["fit", "c45", ""], "'DATA'"),
        (["fit", "c45", "tennis", "--test", ""], "'--test'"),
        (["fit", "c45", "tennis", "--target", ""], "'--target'"),
        (["fit", "c45", "tennis", "--schema", ""], "'--schema'"),
        (["fit", "c45", "tennis", "--weights", ""], "'--weights'"),
        (["fit", "c45", "tennis", "--encoding", ""], "'--encoding'"),
        (["fit", "c45", "tennis", "-o", ""], "'-o' / '--output'"),
        (["predict", "", "tennis"], "'MODEL'"),
        (["predict", "model.json", ""], "'DATA'"),
        (["show", ""], "'MODEL'"),
        (["recipe", "show", ""], "'RECIPE'"),
        (["recipe", "check", ""], "'RECIPE...'"),
        (["recipe", "new", ""], "'NAME'"),
        (["recipe", "new", "mine", "--extends", ""], "'--extends'"),
        (["plugins", ""], "'[ROLE]'"),
        (["datasets", "show", ""], "'NAME'"),
        (["demo", ""], "'[DATA]'"),
    ],
    ids=str,
)
def test_an_empty_name_is_an_error(treekit: Treekit, words: list[str], name: str) -> None:
    command = " ".join(words[:2] if words[0] in ("recipe", "datasets") else words[:1])
    answer = treekit(*words)
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        f"error: Invalid value for {name}: it is empty; see 'treekit {command} --help'\n",
    )


def test_a_standard_stream_is_no_file_to_write(treekit: Treekit) -> None:
    answer = treekit(*FIT, "-o", "-")
    assert (answer.code, answer.err) == (
        2,
        "error: Invalid value for '-o' / '--output': '-' is not a file; see 'treekit fit --help'\n",
    )


def test_a_target_that_only_a_schema_names_is_not_blamed_on_the_option(treekit: Treekit) -> None:
    Path("shop.toml").write_text('target = "bougth"\nothers = "infer"\n')
    answer = treekit("fit", "c45", "shop.csv", "--schema", "shop.toml")
    assert (answer.code, answer.err) == (
        2,
        "error: shop.csv: target: there is no column 'bougth'; did you mean 'bought'?\n",
    )


def test_all_the_errors_of_a_recipe_are_told_at_once(treekit: Treekit) -> None:
    Path("mine.toml").write_text(
        'extends = "c45"\n[tree]\nimpurity = "entropi"\npruner = { confidense = 0.1 }\n'
    )
    answer = treekit("fit", "mine.toml", "shop.csv", "--target", "bought")
    assert (answer.code, answer.err) == (
        2,
        "error: mine.toml:3: tree.impurity: there is no impurity 'entropi';"
        " did you mean 'entropy'?\n"
        "error: mine.toml:4: tree.pruner.confidense: error_based has no parameter 'confidense';"
        " did you mean 'confidence'?\n",
    )


def test_all_the_columns_that_a_model_misses_are_told_at_once(treekit: Treekit, model: str) -> None:
    Path("few.csv").write_text("age,income\n1,low\n")
    answer = treekit("predict", model, "few.csv")
    assert (answer.code, answer.err) == (
        2,
        "".join(
            f"error: few.csv: there is no column {name!r}, which the model uses;"
            " there is age, income\n"
            for name in ("size", "member", "price")
        ),
    )


def test_a_plugin_that_failed_is_named_where_it_might_have_helped(
    treekit: Treekit, install: Callable[[str, str], None]
) -> None:
    install("treekit-broken", "import nothing_of_this_name\n")
    criteria = ", ".join(sorted(treekit_criteria()))
    answer = treekit(*ID3, "--set", "tree.criterion=bhattacharyya")
    assert (answer.code, answer.err) == (
        2,
        "error: --set tree.criterion=bhattacharyya: there is no criterion 'bhattacharyya';"
        f" there is {criteria}; the plugin treekit-broken 1.0 failed:"
        " 'treekit_broken' cannot be imported: ModuleNotFoundError:"
        " No module named 'nothing_of_this_name'\n",
    )


@pytest.mark.parametrize("words", [FIT, ["predict", "model.json", "shop.csv"]], ids=" ".join)
def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    treekit: Treekit, model: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Permissions do not hold root back, so the question itself is answered here.
    monkeypatch.setattr("os.access", lambda path, mode: False)
    answer = treekit(*words, "-o", "out.json")
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        "error: out.json: this cannot be written; name another file\n",
    )


def test_a_failed_write_leaves_the_old_file(
    treekit: Treekit, model: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("out.csv").write_text("old")
    before = sorted(folder.iterdir())

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    answer = treekit("predict", model, "shop.csv", "-o", "out.csv")
    assert (answer.code, answer.err) == (2, "error: No space left on device\n")
    assert (Path("out.csv").read_text(), sorted(folder.iterdir())) == ("old", before)
