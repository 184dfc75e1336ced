"""The [classes] table: said in a file or with `set`, merged, shown, and checked."""

from __future__ import annotations

import tomllib
from typing import Any, ClassVar

import pytest
from attrs import frozen

import treekit
from treekit.classes import Classes
from treekit.errors import RecipeError
from treekit.recipe import Recipe, check, flat, load_recipe, new_recipe, to_toml
from treekit.table.record import Floats, Table
from treekit.tree import Tree

from .conftest import Writer
from .toys import Most


def messages(source: Any, settings: Any = ()) -> list[str]:
    return [str(problem) for problem in check(source, settings)]


# --- saying it -----------------------------------------------------------------------------------

WHOLE = """extends = "base"
[classes]
priors = { yes = 0.25, "not so" = 0.75 }
costs.yes = { "not so" = 5 }
"""


@pytest.mark.usefixtures("toys")
def test_a_recipe_without_the_table_says_nothing_of_the_classes() -> None:
    recipe = load_recipe("base")
    assert recipe.classes == Classes()
    assert "classes" not in recipe.document


@pytest.mark.usefixtures("toys")
def test_a_file_says_what_classes_weigh_and_errors_cost(write: Writer) -> None:
    recipe = load_recipe(write(WHOLE))
    assert recipe.classes == Classes(
        priors={"yes": 0.25, "not so": 0.75}, costs={"yes": {"not so": 5}}
    )
    assert recipe.document["classes"] == {
        "priors": {"yes": 0.25, "not so": 0.75},
        "costs": {"yes": {"not so": 5.0}},
    }


SETTINGS: list[Any] = [
    ["classes.weights.yes=2"],
    ["classes.weights={yes=2}"],
    {"classes.weights.yes": 2},
    {"classes.weights": {"yes": 2}},
    {"classes": {"weights": {"yes": 2}}},
    {"classes": Classes(weights={"yes": 2})},
]


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_set_says_it_too(settings: Any) -> None:
    assert load_recipe("base", set=settings).classes == Classes(weights={"yes": 2})


@pytest.mark.usefixtures("toys")
def test_a_recipe_composed_in_python_says_it_as_a_record() -> None:
    base = load_recipe("base")
    recipe = Recipe(task="classification", tree=base.tree, classes=Classes(weights="balanced"))
    assert recipe.document["classes"] == {"weights": "balanced"}
    assert load_recipe(recipe, set=["classes.weights=none"]).classes == Classes()


# --- merging -------------------------------------------------------------------------------------

MERGED: dict[str, tuple[str, list[str], Classes]] = {
    "key by key": (
        "weights = { yes = 2, no = 3 }",
        ["classes.weights.no=4", "classes.costs.no.yes=7"],
        Classes(weights={"yes": 2, "no": 4}, costs={"no": {"yes": 7}}),
    ),
    "costs of one class": (
        "costs.yes = { no = 2, maybe = 3 }",
        ["classes.costs.yes.no=4"],
        Classes(costs={"yes": {"maybe": 3, "no": 4}}),
    ),
    "a word replaces a table": (
        "weights = { yes = 2, no = 3 }",
        ["classes.weights=balanced"],
        Classes(weights="balanced"),
    ),
    "a table replaces a word": (
        'priors = "equal"',
        ["classes.priors={yes=0.5, no=0.5}"],
        Classes(priors={"yes": 0.5, "no": 0.5}),
    ),
    "the neutral word takes it back": (
        'weights = "balanced"',
        ["classes.weights=none", "classes.priors=equal"],
        Classes(priors="equal"),
    ),
}


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("text", "settings", "expected"), MERGED.values(), ids=list(MERGED))
def test_the_table_is_merged_as_others_are(
    text: str, settings: list[str], expected: Classes, write: Writer
) -> None:
    path = write(f'extends = "base"\n[classes]\n{text}\n')
    assert load_recipe(path, set=settings).classes == expected


# --- showing -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toys")
def test_every_value_is_shown_with_its_origin(write: Writer) -> None:
    path = write(WHOLE)
    rows = flat(load_recipe(path, set=["classes.costs.'not so'.yes=2"]))
    assert [row for row in rows if row[0].startswith("classes")] == [
        ("classes.priors.yes", 0.25, "mine.toml:3"),
        ('classes.priors."not so"', 0.75, "mine.toml:3"),
        ('classes.costs.yes."not so"', 5.0, "mine.toml:4"),
        ('classes.costs."not so".yes', 2.0, "--set classes.costs.'not so'.yes=2"),
    ]


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("origins", [False, True])
def test_the_toml_loads_as_the_same_recipe(write: Writer, origins: bool) -> None:
    recipe = load_recipe(write(WHOLE))
    text = to_toml(recipe, origins)
    again = load_recipe(tomllib.loads(text))
    assert again.classes == recipe.classes
    assert again.document == recipe.document


@pytest.mark.usefixtures("toys")
def test_a_starting_file_tells_the_parents_values_and_what_could_be_said(write: Writer) -> None:
    write(WHOLE, "parent.toml")
    text = new_recipe("mine", "parent.toml")
    lines = text.splitlines()
    assert '# classes.costs.yes."not so" = 5.0' in lines
    assert any(line.startswith("#   classes.weights") for line in lines)
    uncommented = text.replace('# classes.costs.yes."not so" = 5.0', "classes.costs.yes.no = 3")
    assert load_recipe(write(uncommented)).classes.costs == {"yes": {"not so": 5, "no": 3}}


# --- what is wrong before there is a table -------------------------------------------------------

WRONG = {
    "wieghts.yes = 2": "classes.wieghts: unknown key 'wieghts'; did you mean 'weights'?",
    'weights = "balance"': (
        "classes.weights: 'balance' says nothing of the classes; did you mean 'balanced'?"
        ' (give "none" or "balanced", or a table with a number for each class)'
    ),
    "weights = 2": (
        'classes.weights: 2 says nothing of the classes; give "none" or "balanced", or a table'
        " with a number for each class"
    ),
    "weights.yes = -1": (
        "classes.weights.yes: -1 is no number from 0; give a finite number, 0 or more"
    ),
    "weights.yes = true": (
        "classes.weights.yes: True is no number from 0; give a finite number, 0 or more"
    ),
    "priors.yes = inf": (
        "classes.priors.yes: inf is no number from 0; give a finite number, 0 or more"
    ),
    "priors = { yes = 0.5, no = 0.4 }": (
        "classes.priors: the priors sum to 0.9; they must sum to 1"
    ),
    'weights.yes = 2\npriors = "equal"': (
        "classes.priors: weights and priors both say how much each class counts; give one of"
        ' them, or weights = "none"'
    ),
    "costs = 3": "classes.costs: 3 is no table of costs; give costs.ACTUAL.PREDICTED = number",
    "costs.yes = 3": (
        "classes.costs.yes: 3 is no table of costs; give costs.ACTUAL.PREDICTED = number"
    ),
    "costs.yes.no = -2": "classes.costs.yes.no: -2 is no cost; give a finite number, 0 or more",
    "costs.yes.yes = 1": "classes.costs.yes.yes: the right answer costs 1; it costs nothing",
}


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("text", "expected"), WRONG.items(), ids=list(WRONG))
def test_what_no_table_could_mend_is_told_when_the_recipe_is_loaded(
    text: str, expected: str, write: Writer
) -> None:
    path = write(f'extends = "base"\n[classes]\n{text}\n')
    line = 2 + len(text.splitlines())
    assert messages(path) == [f"mine.toml:{line}: {expected}"]


@pytest.mark.usefixtures("toys")
def test_the_right_answer_may_be_said_to_cost_nothing() -> None:
    assert messages("base", ["classes.costs.yes.yes=0"]) == []


@pytest.mark.usefixtures("toys")
def test_everything_wrong_is_told_at_once() -> None:
    settings = ["classes.weights.yes=-1", "classes.costs.no.no=2", "classes.prior=equal"]
    assert len(messages("base", settings)) == 3


@pytest.mark.usefixtures("toys")
def test_a_recipe_composed_in_python_is_checked_too() -> None:
    tree = load_recipe("base").tree
    with pytest.raises(RecipeError, match=r"classes\.weights\.yes: -1"):
        Recipe(task="classification", tree=tree, classes=Classes(weights={"yes": -1}))


def test_a_recipe_for_numbers_has_no_classes() -> None:
    assert messages("regression", ["classes.weights=balanced"]) == [
        "--set classes.weights=balanced: classes: a recipe for regression has no classes; leave it"
        " out, or give a recipe for classes"
    ]


@frozen
class Charging:
    """The most frequent class, by costs of its own."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    has_costs: ClassVar[bool] = True

    def answers(self, tree: Tree, table: Table) -> Floats:
        return Most().answers(tree, table)


@frozen
class ByRow:
    """The most frequent class, but asked row by row."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def answers(self, tree: Tree, table: Table) -> Floats:
        return Most().answers(tree, table)

    def models(self, tree: Tree, table: Table, grown: Tree) -> None:
        return None


UNCHARGED = {
    Charging: "the label has costs of its own; say what errors cost in one place",
    ByRow: "the label answers row by row, and costs are weighed leaf by leaf; give a label that"
    " answers alike for all rows of a leaf",
}


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("label", "expected"), UNCHARGED.items())
def test_costs_that_would_not_reach_the_answers_are_refused(label: type, expected: str) -> None:
    settings = {"tree.label": label(), "classes.costs.yes.no": 2}
    assert messages("base", settings) == [f"set classes.costs.yes.no: classes.costs: {expected}"]
    assert messages("base", {"tree.label": label(), "classes.weights": "balanced"}) == []


# --- what does not fit a table -------------------------------------------------------------------


def test_unknown_classes_are_told_where_they_were_written(write: Writer) -> None:
    path = write('extends = "id3"\n[classes]\ncosts.yess.no = 2\ncosts.no.never = 3\n')
    with pytest.raises(RecipeError) as caught:
        treekit.fit(path, "tennis", set={"classes.weights.nay": 2})
    assert [str(problem) for problem in caught.value.problems] == [
        "set classes.weights.nay: the target 'play' has no class 'nay'; there is no, yes",
        "mine.toml:3: classes.costs.yess: the target 'play' has no class 'yess';"
        " did you mean 'yes'?",
        "mine.toml:4: classes.costs.no.never: the target 'play' has no class 'never';"
        " there is no, yes",
    ]


def test_a_saved_model_remembers_what_was_said_of_the_classes(tmp_path: Any) -> None:
    model = treekit.fit("id3", "tennis", set={"classes.costs.no.yes": 5})
    model.save(tmp_path / "model.json")
    kept = treekit.load(tmp_path / "model.json")
    assert kept.recipe["classes"] == {"costs": {"no": {"yes": 5.0}}}
    assert load_recipe(kept.recipe).classes == Classes(costs={"no": {"yes": 5}})
    assert kept.predict("tennis").tolist() == model.predict("tennis").tolist()
