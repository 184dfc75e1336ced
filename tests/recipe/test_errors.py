"""Every error of a recipe: the place, what is wrong there, and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from treekit.errors import Problem, RecipeError
from treekit.recipe import check, load_recipe
from treekit.registry import Failure, Registry

from .conftest import Writer
from .toys import BASE, REGISTRY, Done

pytestmark = pytest.mark.usefixtures("toys")


def messages(source: Any, settings: Any = ()) -> list[str]:
    return [str(problem) for problem in check(source, settings)]


# What is wrong on the third line of a recipe that extends `base`, after [tree] or another table.
STRUCTURE = {
    '[tree]\nprunner = "keep"': "tree.prunner: unknown slot 'prunner'; did you mean 'pruner'?",
    '[tree]\nensemble = "one"': (
        "tree.ensemble: 'ensemble' does not stand under [tree]; put it at the root"
    ),
    '[tree]\nsplitter = "cut"': (
        'tree.splitter: "cut" is not bound to a kind of column; give a table with one for each'
        " kind of column: { numeric = ..., nominal = ... }"
    ),
    '[tree]\nsplitter = { use = "cut" }': (
        'tree.splitter: { use = "cut" } is not bound to a kind of column; give a table with one'
        " for each kind of column: { numeric = ..., nominal = ... }"
    ),
    '[tree]\nsplitter.nominl = "fan"': (
        "tree.splitter.nominl: unknown kind of column 'nominl'; did you mean 'nominal'?"
    ),
    "[tree]\npruner = 3": (
        'tree.pruner: 3 does not name a pruner; give a name, or a table { use = "name", ... }'
    ),
    "[tree]\nstop = 3": (
        'tree.stop: 3 does not name a stop rule; give a name, or a table { use = "name", ... }'
    ),
    "[tree]\nmissing = [1]": (
        "tree.missing: [1] does not name a missing-value handler; give a name, or a table"
        ' { use = "name", ... }'
    ),
    "[tree]\npruner.use = 3": "tree.pruner.use: use = 3 is not a name; give the name of a pruner",
    '[tree]\npruner = "kepe"': "tree.pruner: there is no pruner 'kepe'; did you mean 'keep'?",
    '[tree]\npruner = "drop"': (
        "tree.pruner: 'drop' is a criterion, not a pruner; there is every, keep, picky, untyped"
    ),
    '[tree]\npruner = "treekit-other:keep"': (
        "tree.pruner: there is no pruner 'treekit-other:keep'; 'keep' is offered as"
        " 'treekit-toys:keep'"
    ),
    '[tree]\npruner = { use = "keep", low = 3 }': (
        "tree.pruner.low: keep has no parameter 'low'; keep takes no parameters"
    ),
    '[tree]\npruner = { use = "picky", low = 3 }': "tree.pruner: picky: low must not exceed high",
    '[tree]\nstop = "deep"': ("tree.stop.0: deep needs the parameter 'depth'; give a whole number"),
    "[tree]\nstop = [{ rows = 3 }]": (
        "tree.stop.0: `use` does not say which stop these parameters are for; there is deep, done,"
        " few"
    ),
    "[tree]\nstop = { rows = 3 }": (
        "tree.stop: these parameters do not say which stop rule they are for; the rules are"
        " 0 = done, 1 = few; write tree.stop.N.rows, N being its number"
    ),
    "[tree]\nstop.5.rows = 3": (
        "tree.stop.5: there is no stop rule 5 to change; the rules are 0 = done, 1 = few;"
        ' tree.stop.2 = { use = "..." } adds one'
    ),
    "[tree]\nstop.2.rows = 3": (
        "tree.stop.2: there is no stop rule 2 to change; the rules are 0 = done, 1 = few;"
        ' tree.stop.2 = { use = "..." } adds one'
    ),
    '[tree]\nsplitter.nominal = "cut"': (
        "tree.splitter.nominal: 'cut' serves numeric or ordinal columns, not nominal ones; for"
        " nominal columns there is fan"
    ),
    '[tree]\nlabel = "middle"': (
        "tree.label: 'middle' serves regression, not classification; for classification there is"
        " most"
    ),
    "[tree.pruner]\nhiden = 3": (
        "tree.pruner.hiden: every has no parameter 'hiden'; did you mean 'hidden'?"
    ),
}


@pytest.mark.parametrize(("text", "message"), STRUCTURE.items())
def test_a_slot_that_cannot_be_filled_is_told(write: Writer, text: str, message: str) -> None:
    assert messages(write(f'extends = "base"\n{text}\n')) == [f"mine.toml:3: {message}"]


# What stands on the second line, at the root.
ROOT = {
    "tre = 1": "tre: unknown key 'tre'; did you mean 'tree'?",
    'pruner = "keep"': "pruner: 'pruner' does not stand at the root; put it under [tree]",
    "tree = 3": "tree: tree = 3 is not a table; write [tree]",
    'task = "clasification"': (
        "task: task = \"clasification\" is not a task; did you mean 'classification'?"
    ),
    "task = 1": "task: task = 1 is not a task; there is classification, regression",
    "summary = 2": (
        "summary: summary = 2 is not a string; say in a line what the recipe is, and its source"
    ),
    "ensemble = { use = 'several', trees = 0 }": (
        "ensemble.trees: trees = 0 is not allowed; give a whole number >= 1"
    ),
}


@pytest.mark.parametrize(("text", "message"), ROOT.items())
def test_a_wrong_key_of_the_root_is_told(write: Writer, text: str, message: str) -> None:
    assert messages(write(f'extends = "base"\n{text}\n')) == [f"mine.toml:2: {message}"]


# Values that merely resemble what is asked for, and what is asked for.
REFUSED = {
    'flag = "no"': "true or false",
    "flag = 1": "true or false",
    "whole = 2.9": "a whole number >= 0",
    "whole = true": "a whole number >= 0",
    'whole = "3"': "a whole number >= 0",
    "whole = -1": "a whole number >= 0",
    'number = "no"': "a number > 0 and <= 1",
    "number = true": "a number > 0 and <= 1",
    "number = 0": "a number > 0 and <= 1",
    "number = 1.5": "a number > 0 and <= 1",
    "number = nan": "a number > 0 and <= 1",
    "word = 3": "a string",
    'choice = "up"': 'one of "left", "right"',
    "choice = 1": 'one of "left", "right"',
    'option = "c"': 'one of "a", "b"',
    'maybe = "x"': "a number",
    'either = "rot"': 'a whole number or "root"',
    "either = 1.5": 'a whole number or "root"',
    "either = true": 'a whole number or "root"',
    'loose = "x"': "a number or a whole number",
    "pair = [1]": "a list of a whole number, then a number",
    "pair = [1.5, 2]": "a list of a whole number, then a number",
    'pair = "ab"': "a list of a whole number, then a number",
    'many = [1, "x"]': "a list of numbers",
    "many = 3": "a list of numbers",
    'words = "abc"': "a list of strings",
    "costs = 3": "a table of numbers",
    'costs = { a = "x" }': "a table of numbers",
    "hidden = 1.5": "a whole number",
}


@pytest.mark.parametrize(("text", "asked"), REFUSED.items())
def test_nothing_is_accepted_that_only_resembles_it(write: Writer, text: str, asked: str) -> None:
    key = text.split()[0]
    assert messages(write(f'extends = "base"\n[tree.pruner]\n{text}\n')) == [
        f"mine.toml:3: tree.pruner.{key}: {text} is not allowed; give {asked}"
    ]


ACCEPTED: dict[str, Any] = {
    "flag = true": True,
    "whole = 2": 2,
    "number = 1": 1.0,
    'choice = "right"': "right",
    'option = "b"': "b",
    "maybe = 3": 3.0,
    "either = 3": 3,
    'either = "root"': "root",
    "loose = 3": 3,
    "loose = 3.5": 3.5,
    "pair = [1, 2]": (1, 2.0),
    "many = [1, 2.5]": (1.0, 2.5),
    'words = ["x"]': ["x"],
    "costs = { a = 1 }": {"a": 1.0},
    "anything = [1]": [1],
}


@pytest.mark.parametrize(("text", "value"), ACCEPTED.items())
def test_what_is_asked_for_is_accepted(write: Writer, text: str, value: Any) -> None:
    recipe = load_recipe(write(f'extends = "base"\n[tree.pruner]\n{text}\n'))
    made = getattr(recipe.tree.pruner, text.split()[0])
    assert made == value
    assert type(made) is type(value)


def test_a_parameter_without_a_type_takes_any_value(write: Writer) -> None:
    path = write('extends = "base"\n[tree]\npruner = { use = "untyped", power = 3 }\n')
    assert load_recipe(path).document["tree"]["pruner"] == {"use": "untyped", "power": 3}


def test_a_near_choice_is_proposed(write: Writer) -> None:
    assert messages(write('extends = "base"\n[tree.pruner]\nchoice = "rigth"\n')) == [
        "mine.toml:3: tree.pruner.choice: choice = \"rigth\" is not allowed; did you mean 'right'?"
        ' (give one of "left", "right")'
    ]


def test_a_near_choice_of_a_list_is_proposed(write: Writer) -> None:
    assert messages(write('extends = "base"\n[tree.pruner]\nsome = ["a", "right", "leftt"]\n')) == [
        'mine.toml:3: tree.pruner.some: some = ["a", "right", "leftt"] is not allowed; give a list'
        ' with some of "left", "right"'
    ]
    assert messages(write('extends = "base"\n[tree.pruner]\nsome = ["leftt"]\n')) == [
        "mine.toml:3: tree.pruner.some: some = [\"leftt\"] is not allowed; did you mean 'left'?"
        ' (give a list with some of "left", "right")'
    ]


def test_a_validator_of_the_plugins_own_speaks_for_itself(write: Writer) -> None:
    assert messages(write('extends = "base"\n[tree.pruner]\nwhole = 3\n')) == [
        "mine.toml:3: tree.pruner.whole: whole = 3 is not allowed; an even number is wanted"
    ]


def test_all_problems_are_told_at_once(write: Writer) -> None:
    path = write(
        'extends = "base"\n'
        'sumary = "x"\n'
        "[tree]\n"
        'impurity = "spred"\n'
        "pruner = { flag = 1, whole = 3, numbr = 1 }\n"
        'stop = ["done", { use = "few", rows = "3", count = "weights" }]\n'
    )
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    assert caught.value.problems[0] == Problem(
        "unknown key 'sumary'", "mine.toml:2: sumary", "did you mean 'summary'?"
    )
    assert str(caught.value).splitlines() == [
        "mine.toml:2: sumary: unknown key 'sumary'; did you mean 'summary'?",
        "mine.toml:4: tree.impurity: there is no impurity 'spred'; did you mean 'spread'?",
        'mine.toml:6: tree.stop.1.rows: rows = "3" is not allowed; give a whole number >= 0',
        'mine.toml:6: tree.stop.1.count: count = "weights" is not allowed; did you mean'
        ' \'weight\'? (give one of "rows", "weight")',
        "mine.toml:5: tree.pruner.flag: flag = 1 is not allowed; give true or false",
        "mine.toml:5: tree.pruner.numbr: every has no parameter 'numbr'; did you mean 'number'?",
        "mine.toml:5: tree.pruner.whole: whole = 3 is not allowed; an even number is wanted",
    ]


def test_a_problem_stands_where_its_value_was_written(write: Writer) -> None:
    assert messages(write('extends = "base"\ntask = "regression"\n')) == [
        "base.toml:4: tree.impurity: 'spread' serves classification, not regression; for"
        " regression there is scatter",
        "base.toml:8: tree.label: 'most' serves classification, not regression; for regression"
        " there is middle",
    ]


def test_empty_slots_are_told(write: Writer) -> None:
    assert messages(write("")) == [
        "mine.toml: task: the recipe does not say its task; give one of"
        ' "classification", "regression"',
        "mine.toml: tree.criterion: the slot 'criterion' is empty; there is compare, drop",
        "mine.toml: tree.splitter: the slot 'splitter' is empty; there is cut, fan",
        "mine.toml: tree.stop: the slot 'stop' is empty; there is deep, done, few",
        "mine.toml: tree.label: the slot 'label' is empty; there is middle, most",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("stop.0.rows = 1", "tree.stop.0: there is no stop rule 0 to change"),
        ("stop.rows = 1", "tree.stop: these parameters do not say which stop rule they are for"),
    ],
)
def test_a_stop_rule_that_is_not_inherited_cannot_be_changed(
    write: Writer, line: str, message: str
) -> None:
    stop = 'stop = ["done", { use = "few", rows = 4 }]'
    assert messages(write(BASE.replace(stop, line))) == [
        f"mine.toml:7: {message}; none is inherited; say which to use, as in"
        ' stop = { use = "..." }'
    ]


def test_a_failed_plugin_is_told_when_a_name_is_missing() -> None:
    failure = Failure("toy = toy", "treekit-toy", "0.3", "'toy' cannot be imported: KeyError")
    registry = Registry(REGISTRY.entries, (failure,))
    assert load_recipe("base", registry=registry).name == "base"
    (problem,) = check("base", ["tree.pruner=clip"], registry)
    assert str(problem) == (
        "--set tree.pruner=clip: there is no pruner 'clip'; there is every, keep, picky, untyped;"
        " the plugin treekit-toy 0.3 failed: 'toy' cannot be imported: KeyError"
    )


# --- sources -------------------------------------------------------------------------------------

SOURCES = {
    "bas": (
        "there is no recipe 'bas'; did you mean 'base'? There is base; a file is named by a path"
        " that ends in .toml"
    ),
    "xyz": (
        "there is no recipe 'xyz'; there is base; a file is named by a path that ends in .toml"
    ),
    "_defaults": (
        "there is no recipe '_defaults'; there is base; a file is named by a path that ends in"
        " .toml"
    ),
    "min.toml": "there is no file 'min.toml'; did you mean 'mine.toml'?",
    "no/such.toml": "there is no file 'no/such.toml'; the shipped recipes are base",
    "./": "'./' is a directory, not a recipe; name a file in it: mine.toml",
    "sub/": "'sub/' is a directory, not a recipe; name a .toml file",
    "x" * 300 + ".toml": f"'{'x' * 300}.toml' is not a path: File name too long",
}


@pytest.mark.parametrize(("source", "message"), SOURCES.items())
def test_a_source_that_is_no_recipe_is_told(write: Writer, source: str, message: str) -> None:
    write(BASE)
    Path("sub").mkdir()
    assert messages(source) == [message]


EXTENDS = {
    "extends = 3": "extends = 3 is not a string; name one recipe, or a path to a .toml file",
    'extends = ["base"]': (
        'extends = ["base"] is not a string; name one recipe, or a path to a .toml file'
    ),
    'extends = "bse"': (
        "there is no recipe 'bse'; did you mean 'base'? There is base; a file is named by a path"
        " that ends in .toml"
    ),
    'extends = "min.toml"': "there is no file 'min.toml'; did you mean 'mine.toml'?",
    'extends = "mine.toml"': (
        "recipes extend each other in a circle: mine.toml -> mine.toml; one of them must not"
        " extend another"
    ),
}


@pytest.mark.parametrize(("text", "message"), EXTENDS.items())
def test_a_wrong_parent_is_told(write: Writer, text: str, message: str) -> None:
    assert messages(write(f"\n{text}\n")) == [f"mine.toml:2: extends: {message}"]


def test_a_circle_of_recipes_is_told(write: Writer) -> None:
    write('extends = "sub/b.toml"', "a.toml")
    write('extends = "../a.toml"', "sub/b.toml")
    assert messages("a.toml") == [
        "sub/b.toml:1: extends: recipes extend each other in a circle: a.toml -> sub/b.toml ->"
        " sub/../a.toml; one of them must not extend another"
    ]


SYNTAX = {
    "a = \n": "1:5: this is not TOML: invalid value; the line reads: a =",
    "a = 1\nb b = 2\n": (
        "2:3: this is not TOML: expected '=' after a key in a key/value pair; the line reads:"
        " b b = 2"
    ),
    'a = "x': '1:7: this is not TOML: unterminated string; the line reads: a = "x',
    "a = 1\na = 2\n": "2:6: this is not TOML: cannot overwrite a value; the line reads: a = 2",
}


@pytest.mark.parametrize(("text", "message"), SYNTAX.items())
def test_what_is_not_toml_is_told_with_line_and_column(
    write: Writer, text: str, message: str
) -> None:
    assert messages(write(text)) == [f"mine.toml:{message}"]


def test_what_is_not_utf8_is_told(write: Writer) -> None:
    Path("latin.toml").write_bytes('summary = "é"'.encode("latin-1"))
    assert messages("latin.toml") == [
        "latin.toml: the recipe is not UTF-8 text (byte 12); save it as UTF-8"
    ]


def test_what_cannot_be_read_is_told(write: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    path = write(BASE)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert messages(path) == ["mine.toml: the recipe cannot be read: Permission denied"]


# --- set -----------------------------------------------------------------------------------------

SETTINGS = {
    "tree.pruner.number=7": "number = 7 is not allowed; give a number > 0 and <= 1",
    "tree.prunner=keep": "unknown slot 'prunner'; did you mean 'pruner'?",
    "tree.pruner.numbr=1": "every has no parameter 'numbr'; did you mean 'number'?",
    "tree.pruner={use='every', flag=1}": (
        "tree.pruner.flag: flag = 1 is not allowed; give true or false"
    ),
    "tree.stop.rows=1": (
        "tree.stop: these parameters do not say which stop rule they are for; the rules are"
        " 0 = done, 1 = few; write tree.stop.N.rows, N being its number"
    ),
    "tree=3": "tree = 3 is not a table; write [tree]",
    "x": "there is no '='; write path=value, as in tree.pruner.confidence=0.1",
    "=3": "'' is not a path in a recipe; write path=value, as in tree.pruner.confidence=0.1",
    "tree..x=1": (
        "'tree..x' is not a path in a recipe; write path=value, as in tree.pruner.confidence=0.1"
    ),
    "tree.pruner.word=a b": (
        "'a b' is not a value; give a TOML value, such as 0.1, true, \"text\" or"
        ' { use = "name" }, or a bare word'
    ),
    "tree.pruner.word=1\ntask=2": (
        "'1\\ntask=2' is not a value; give a TOML value, such as 0.1, true, \"text\" or"
        ' { use = "name" }, or a bare word'
    ),
    "extends=base": (
        "what a recipe extends cannot be set; name the other recipe, or write a file that extends"
        " it"
    ),
}


@pytest.mark.parametrize(("setting", "message"), SETTINGS.items())
def test_a_wrong_setting_is_told(setting: str, message: str) -> None:
    assert messages("base", [setting]) == [f"--set {setting}: {message}"]


def test_a_wrong_setting_in_python_is_told() -> None:
    assert messages("base", {"tree.pruner.number": 7, "tree.stop": Done(), "tree.label": None}) == [
        'set tree.label: None does not name a leaf labeler; give a name, or a table { use = "name",'
        " ... }",
        "set tree.pruner.number: number = 7 is not allowed; give a number > 0 and <= 1",
    ]


def test_an_object_of_another_role_is_told() -> None:
    assert messages("base", {"tree.pruner": Done()}) == [
        "set tree.pruner: the class Done lacks 'prune'; see treekit.roles.Pruner"
    ]


def test_an_object_whose_types_cannot_be_read_is_told() -> None:
    @frozen
    class Odd:
        x: Unheard = 1  # type: ignore[name-defined]  # noqa: F821

        def prune(self, tree: Any, data: Any) -> Any: ...

    assert messages("base", {"tree.pruner": Odd()}) == [
        "set tree.pruner: the fields of Odd have types that cannot be read (name 'Unheard' is not"
        " defined); import the types at the top of the module, not under TYPE_CHECKING"
    ]


def test_a_key_of_a_mapping_that_is_no_string_is_told() -> None:
    assert messages({"extends": "base", 3: 4}) == [
        "mapping: the key 3 is not a string; keys are strings"
    ]


def test_a_criterion_that_compares_impurities_needs_one(write: Writer) -> None:
    text = BASE.replace('impurity = "spread"', "").replace('"drop"', '"compare"')
    assert messages(write(text)) == [
        "mine.toml: tree.impurity: 'compare' compares impurities, and the slot 'impurity' is"
        " empty; there is scatter, spread"
    ]


def test_an_impurity_that_cannot_be_made_is_not_told_twice() -> None:
    assert messages("base", ["tree.criterion=compare", "tree.impurity=spred"]) == [
        "--set tree.impurity=spred: there is no impurity 'spred'; did you mean 'spread'?"
    ]


def test_what_can_be_no_recipe_is_told() -> None:
    assert messages(3) == [
        "3 is not a recipe; give a shipped name, a path to a .toml file, a mapping or a Recipe"
    ]


def test_a_sound_recipe_has_no_problems() -> None:
    assert check("base") == []
