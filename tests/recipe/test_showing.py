"""Recipes for people: flat with origins, as TOML, and as a file to start from."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from attrs import NOTHING, evolve, field, frozen
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from treekit.errors import RecipeError
from treekit.recipe import flat, load_recipe, new_recipe, parameters_of, to_toml

from ..properties import examples
from .conftest import Writer
from .toys import REGISTRY, Deep, Every, Few, Spread

pytestmark = pytest.mark.usefixtures("toys")


def test_every_value_has_the_place_where_it_was_written(write: Writer) -> None:
    path = write('extends = "base"\n[tree]\npruner = { use = "picky", low = -1 }\n')
    rows = flat(load_recipe(path, set=["tree.stop.1.rows=6"]))
    assert rows == [
        ("summary", "the base", "base.toml:1"),
        ("task", "classification", "base.toml:2"),
        ("ensemble.use", "one", "_defaults.toml:2"),
        ("tree.impurity.use", "spread", "base.toml:4"),
        ("tree.impurity.base", 2.0, "default of spread"),
        ("tree.criterion.use", "drop", "base.toml:5"),
        ("tree.splitter.numeric.use", "cut", "base.toml:6"),
        ("tree.splitter.numeric.gap", 0.5, "base.toml:6"),
        ("tree.splitter.ordinal.use", "cut", "as tree.splitter.numeric"),
        ("tree.splitter.ordinal.gap", 0.5, "as tree.splitter.numeric"),
        ("tree.splitter.nominal.use", "fan", "base.toml:6"),
        ("tree.stop.0.use", "done", "base.toml:7"),
        ("tree.stop.1.use", "few", "base.toml:7"),
        ("tree.stop.1.rows", 6, "--set tree.stop.1.rows=6"),
        ("tree.stop.1.count", "rows", "default of few"),
        ("tree.stop.1.least", None, "default of few"),
        ("tree.missing.use", "forbid", "_defaults.toml:4"),
        ("tree.label.use", "most", "base.toml:8"),
        ("tree.pruner.use", "picky", "mine.toml:3"),
        ("tree.pruner.low", -1, "mine.toml:3"),
        ("tree.pruner.high", 1, "default of picky"),
        ("tree.grower.use", "rows", "_defaults.toml:6"),
    ]


def test_a_table_of_values_is_shown_value_by_value() -> None:
    recipe = load_recipe("base", set=["tree.pruner.costs={yes=1, 'not so'=2}"])
    rows = {path: (value, origin) for path, value, origin in flat(recipe)}
    origin = "--set tree.pruner.costs={yes=1, 'not so'=2}"
    assert rows["tree.pruner.costs.yes"] == (1.0, origin)
    assert rows['tree.pruner.costs."not so"'] == (2.0, origin)


def test_a_strategy_object_is_shown_as_set(write: Writer) -> None:
    rows = flat(load_recipe("base", set={"tree.impurity": Spread(base=4.0)}))
    assert ("tree.impurity.base", 4.0, "set tree.impurity") in rows


def test_a_recipe_is_written_as_toml() -> None:
    recipe = load_recipe("base", set=["tree.pruner=picky"])
    assert to_toml(recipe) == (
        'summary = "the base"\n'
        'task = "classification"\n'
        'ensemble = "one"\n'
        "\n"
        "[tree]\n"
        'criterion = "drop"\n'
        'missing = "forbid"\n'
        'label = "most"\n'
        'grower = "rows"\n'
        'splitter.nominal = "fan"\n'
        "\n"
        "[tree.impurity]\n"
        'use = "spread"\n'
        "base = 2.0\n"
        "\n"
        "[tree.pruner]\n"
        'use = "picky"\n'
        "low = 0\n"
        "high = 1\n"
        "\n"
        "[tree.splitter.numeric]\n"
        'use = "cut"\n'
        "gap = 0.5\n"
        "\n"
        "[[tree.stop]]\n"
        'use = "done"\n'
        "\n"
        "[[tree.stop]]\n"
        'use = "few"\n'
        "rows = 4\n"
        'count = "rows"\n'
    )


def test_origins_are_written_as_comments() -> None:
    lines = to_toml(load_recipe("base"), origins=True).splitlines()
    assert 'task = "classification"  # base.toml:2' in [re.sub("  +", "  ", x) for x in lines]
    assert load_recipe(tomllib.loads("\n".join(lines))).tree == load_recipe("base").tree


def test_no_stop_rules_are_written_as_an_empty_list() -> None:
    recipe = load_recipe("base", set=["tree.stop=[]"])
    assert load_recipe(tomllib.loads(to_toml(recipe))).tree.stop == ()


words = st.text(st.characters(codec="utf-8"), max_size=5)
pruners = st.builds(
    Every,
    flag=st.booleans(),
    whole=st.integers(0, 2**40).map(lambda n: n * 2),
    number=st.floats(0, 1, exclude_min=True),
    word=words,
    maybe=st.none() | st.floats(allow_nan=False),
    either=st.integers() | st.just("root"),
    loose=st.integers() | st.floats(allow_nan=False),
    many=st.lists(st.floats(allow_nan=False)).map(tuple),
    words=st.lists(words),
    costs=st.dictionaries(words, st.floats(allow_nan=False)),
)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pruner=pruners, stop=st.lists(st.builds(Few) | st.builds(Deep, st.integers()), max_size=3))
def test_a_recipe_written_as_toml_loads_as_the_same_recipe(pruner: Every, stop: list[Any]) -> None:
    recipe = load_recipe("base", set={"tree.pruner": pruner, "tree.stop": stop})
    again = load_recipe(tomllib.loads(to_toml(recipe)))
    assert evolve(again, name=recipe.name) == recipe
    assert again.document == recipe.document


def test_a_none_that_is_no_default_cannot_be_written() -> None:
    @frozen
    class Odd:
        limit: float | None = 1.0

        def prune(self, tree: Any, data: Any) -> Any: ...

    recipe = load_recipe("base", set={"tree.pruner": Odd(limit=None)})
    with pytest.raises(RecipeError) as caught:
        to_toml(recipe)
    assert str(caught.value) == (
        "tree.pruner: limit is None, which TOML cannot say; give it a value"
    )


# --- a file to start from ------------------------------------------------------------------------


def test_a_new_recipe_changes_nothing(write: Writer) -> None:
    path = write(new_recipe("mine", "base"))
    assert load_recipe(path).tree == load_recipe("base").tree


def test_every_line_of_a_new_recipe_can_be_uncommented(write: Writer) -> None:
    text = re.sub(r"(?m)^# (?=[a-z0-9_.]+ = )", "", new_recipe("mine", "base"))
    recipe = load_recipe(write(text))
    assert recipe.tree == load_recipe("base").tree
    assert recipe.origins["tree.stop.1.rows"].startswith("mine.toml:")
    assert "_defaults.toml" not in "".join(recipe.origins.values())


def test_a_new_recipe_shows_what_could_stand_in_a_slot() -> None:
    lines = new_recipe("mine", "base").splitlines()
    begin = lines.index("# --- impurity: How mixed is a node?")
    assert lines[begin : begin + 7] == [
        "# --- impurity: How mixed is a node?",
        '# impurity.use = "spread"',
        "# impurity.base = 2.0",
        "# There is:",
        "#   scatter            How far the numbers scatter.",
        "#   spread             How far the classes spread.",
        "#       base           a number > 1, default 2.0: the base of the logarithm.",
    ]
    begin = lines.index("# --- stop: Why stop here?")
    assert lines[begin : begin + 14] == [
        "# --- stop: Why stop here?",
        '# stop.0.use = "done"',
        '# stop.1.use = "few"',
        "# stop.1.rows = 4",
        '# stop.1.count = "rows"',
        "# stop.1.least is not set",
        "# There is:",
        "#   deep               Too deep.",
        "#       depth          a whole number, must be given",
        "#   done               Nothing is left to do.",
        "#   few                Too few rows.",
        "#       rows           a whole number >= 0, default 2: how many are enough",
        '#       count          one of "rows", "weight", default "rows": what is counted',
        "#       least          a number >= 0, not set by default",
    ]


def test_a_new_recipe_says_what_is_empty_and_what_is_implied() -> None:
    text = new_recipe("mine", "base")
    assert "# splitter.ordinal is the numeric one\n" in text


def test_a_new_recipe_needs_a_name_that_a_file_can_have() -> None:
    with pytest.raises(RecipeError) as caught:
        new_recipe("a b", "base")
    assert str(caught.value) == (
        "'a b' is not a name for a recipe; use letters, digits, '_' and '-', and begin with a"
        " letter"
    )


def test_a_new_recipe_needs_a_parent_that_is_there() -> None:
    with pytest.raises(RecipeError, match="there is no recipe 'bse'"):
        new_recipe("mine", "bse", REGISTRY)


def test_parameters_are_read_off_a_class() -> None:
    @frozen
    class Example:
        """An example.

        first: of its kind,
            and last.
        second   the other
        prose: about nothing in particular
        """

        first: int
        second: list[int] = field(factory=list)
        third: float | None = None

    first, second, third = parameters_of(Example)
    assert (first.name, first.asked, first.default) == ("first", "a whole number", NOTHING)
    assert first.text == "of its kind, and last."
    assert (second.asked, second.default, second.text) == (
        "a list of whole numbers",
        [],
        "the other",
    )
    assert (third.asked, third.default, third.text) == ("a number", None, "")
