"""From every source, through `extends` and `set`, to strategy objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treekit.errors import RecipeError
from treekit.recipe import Recipe, TreeParts, load_recipe, recipe_names

from .conftest import Writer
from .toys import (
    BASE,
    Compare,
    Cut,
    Deep,
    Done,
    Drop,
    Every,
    Fan,
    Few,
    Forbid,
    Keep,
    Most,
    One,
    Rows,
    Several,
    Spread,
)

pytestmark = pytest.mark.usefixtures("toys")

MAPPING: dict[str, Any] = {
    "task": "classification",
    "tree": {"criterion": "drop", "splitter": {"nominal": "fan"}, "stop": "done", "label": "most"},
}


def test_a_shipped_name_gives_a_whole_recipe() -> None:
    recipe = load_recipe("base")
    assert (recipe.name, recipe.summary, recipe.task) == ("base", "the base", "classification")
    assert recipe.tree == TreeParts(
        impurity=Spread(),
        criterion=Drop(),
        splitter={"numeric": Cut(gap=0.5), "ordinal": Cut(gap=0.5), "nominal": Fan()},
        stop=(Done(), Few(rows=4)),
        missing=Forbid(),
        label=Most(),
        pruner=Every(number=0.25),
        grower=Rows(),
    )
    assert recipe.ensemble == One()


def test_recipe_names_leave_out_the_defaults() -> None:
    assert recipe_names() == ("base",)


@pytest.mark.parametrize("as_path", [str, Path])
def test_a_path_gives_the_recipe_of_a_file(write: Writer, as_path: Any) -> None:
    recipe = load_recipe(as_path(write(BASE)))
    assert recipe.name == "mine"
    assert recipe.tree == load_recipe("base").tree


def test_a_byte_order_mark_and_windows_line_ends_are_read(write: Writer) -> None:
    text = "\ufeff" + BASE.replace("\n", "\r\n")
    Path("windows.toml").write_bytes(text.encode())
    recipe = load_recipe("windows.toml")
    assert recipe.tree == load_recipe("base").tree
    assert recipe.origins["tree.label.use"] == "windows.toml:8"


def test_a_mapping_is_a_recipe() -> None:
    recipe = load_recipe(MAPPING)
    assert recipe.name == "unnamed"
    assert recipe.tree.impurity is None
    assert recipe.tree.splitter == {"nominal": Fan()}
    assert recipe.tree.stop == (Done(),)


def test_a_mapping_may_hold_strategy_objects_and_classes() -> None:
    tree = MAPPING["tree"] | {"impurity": Spread(base=3.0), "pruner": Every}
    recipe = load_recipe(MAPPING | {"tree": tree})
    assert recipe.tree.impurity == Spread(base=3.0)
    assert recipe.tree.pruner == Every()
    assert recipe.document["tree"]["impurity"] == {"use": "spread", "base": 3.0}


def test_a_mapping_may_extend_a_shipped_recipe() -> None:
    recipe = load_recipe({"extends": "base", "tree": {"pruner": "keep"}})
    assert recipe.tree.pruner == Keep()
    assert recipe.tree.impurity == Spread()


def test_a_recipe_without_changes_is_itself() -> None:
    recipe = load_recipe("base")
    assert load_recipe(recipe) is recipe


def test_an_empty_list_of_stop_rules_is_allowed() -> None:
    assert load_recipe("base", set=["tree.stop=[]"]).tree.stop == ()


# --- extends -------------------------------------------------------------------------------------


def test_tables_merge_key_by_key(write: Writer) -> None:
    path = write('extends = "base"\n[tree.pruner]\nflag = true\n')
    assert load_recipe(path).tree.pruner == Every(number=0.25, flag=True)


def test_a_slot_with_the_same_use_keeps_its_parameters(write: Writer) -> None:
    path = write('extends = "base"\n[tree]\npruner = { use = "every", flag = true }\n')
    assert load_recipe(path).tree.pruner == Every(number=0.25, flag=True)


def test_a_slot_whose_use_changes_is_replaced_whole(write: Writer) -> None:
    write('extends = "base"\n[tree]\npruner = "keep"\n', "parent.toml")
    path = write('extends = "parent.toml"\n[tree]\npruner = "every"\n')
    assert load_recipe(path).tree.pruner == Every()


def test_a_table_of_values_merges_key_by_key(write: Writer) -> None:
    write('extends = "base"\n[tree.pruner.costs]\nyes = 1\nno = 2\n', "parent.toml")
    path = write('extends = "parent.toml"\n[tree.pruner.costs]\nno = 3\n')
    assert load_recipe(path).tree.pruner == Every(number=0.25, costs={"yes": 1.0, "no": 3.0})


def test_a_list_of_values_is_replaced_whole(write: Writer) -> None:
    write('extends = "base"\n[tree.pruner]\nmany = [1, 2, 3]\n', "parent.toml")
    path = write('extends = "parent.toml"\n[tree.pruner]\nmany = [4]\n')
    assert load_recipe(path).tree.pruner == Every(number=0.25, many=(4.0,))


def test_a_path_in_extends_is_relative_to_its_file(write: Writer) -> None:
    write('extends = "base"\n[tree]\npruner = "keep"\n', "sub/parent.toml")
    path = write('extends = "parent.toml"\n', "sub/child.toml")
    assert load_recipe(path).tree.pruner == Keep()


def test_the_defaults_lie_under_every_root(write: Writer) -> None:
    path = write(BASE + 'missing = "forbid"\ngrower = "rows"\n')
    recipe = load_recipe(path)
    assert recipe.origins["tree.grower.use"] == "mine.toml:11"
    assert recipe.origins["ensemble.use"] == "_defaults.toml:2"


# --- stop rules ----------------------------------------------------------------------------------

STOPS = {
    "a list replaces": ('stop = ["few"]', (Few(),)),
    "a name replaces": ('stop = "few"', (Few(),)),
    "a slot replaces": ('stop = { use = "few", rows = 6 }', (Few(rows=6),)),
    "a number reaches an item": ("stop.1.rows = 6", (Done(), Few(rows=6))),
    "an item may change its use": ('stop.0 = "few"', (Few(), Few(rows=4))),
    "the next number adds": (
        'stop.2 = { use = "deep", depth = 3 }',
        (Done(), Few(rows=4), Deep(3)),
    ),
}


@pytest.mark.parametrize(("line", "stop"), STOPS.values(), ids=STOPS)
def test_stop_rules_are_replaced_or_reached(write: Writer, line: str, stop: Any) -> None:
    assert load_recipe(write(f'extends = "base"\n[tree]\n{line}\n')).tree.stop == stop


def test_parameters_reach_the_only_stop_rule(write: Writer) -> None:
    write('extends = "base"\n[tree]\nstop = { use = "few", rows = 6 }\n', "parent.toml")
    path = write('extends = "parent.toml"\n[tree.stop]\ncount = "weight"\n')
    assert load_recipe(path).tree.stop == (Few(rows=6, count="weight"),)


def test_the_only_stop_rule_keeps_its_parameters_under_the_same_use(write: Writer) -> None:
    write('extends = "base"\n[tree]\nstop = { use = "few", rows = 6 }\n', "parent.toml")
    path = write('extends = "parent.toml"\n[tree]\nstop = { use = "few", count = "weight" }\n')
    assert load_recipe(path).tree.stop == (Few(rows=6, count="weight"),)


# --- set -----------------------------------------------------------------------------------------

SETTINGS: dict[str, tuple[Any, str, Any]] = {
    "a number": (["tree.pruner.number=0.5"], "pruner", Every(number=0.5)),
    "a boolean": (["tree.pruner.flag=true"], "pruner", Every(number=0.25, flag=True)),
    "a bare word": (["tree.pruner.choice=right"], "pruner", Every(number=0.25, choice="right")),
    "spaces": ([" tree.pruner.number = 0.5 "], "pruner", Every(number=0.5)),
    "a quoted word": (['tree.pruner.word="a=b"'], "pruner", Every(number=0.25, word="a=b")),
    "a list": (["tree.pruner.many=[1, 2]"], "pruner", Every(number=0.25, many=(1.0, 2.0))),
    "a strategy": (["tree.pruner=keep"], "pruner", Keep()),
    "a use": (["tree.pruner.use=keep"], "pruner", Keep()),
    "a distribution's": (["tree.pruner=treekit-toys:keep"], "pruner", Keep()),
    "a table": (['tree.pruner={use="every", number=1}'], "pruner", Every(number=1.0)),
    "in order": (["tree.pruner=keep", "tree.pruner=every"], "pruner", Every()),
    "one text": ("tree.pruner.number=0.5", "pruner", Every(number=0.5)),
    "a stop rule": (["tree.stop.1.rows=6"], "stop", (Done(), Few(rows=6))),
    "a mapping": ({"tree.pruner.number": 0.5}, "pruner", Every(number=0.5)),
    "a nested mapping": ({"tree": {"pruner": {"number": 0.5}}}, "pruner", Every(number=0.5)),
    "a mapping's string": ({"tree.pruner.word": "true"}, "pruner", Every(number=0.25, word="true")),
    "an object": ({"tree.pruner": Every(whole=2)}, "pruner", Every(whole=2)),
    "an object, then a value": (
        {"tree.pruner": Every(whole=2), "tree.pruner.flag": True},
        "pruner",
        Every(whole=2, flag=True),
    ),
    "objects in a list": ({"tree.stop": [Deep(1), "done"]}, "stop", (Deep(1), Done())),
}


@pytest.mark.parametrize(("settings", "slot", "strategy"), SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("made_earlier", [False, True])
def test_set_changes_a_recipe(settings: Any, slot: str, strategy: Any, made_earlier: bool) -> None:
    source = load_recipe("base") if made_earlier else "base"
    assert getattr(load_recipe(source, set=settings).tree, slot) == strategy


@pytest.mark.parametrize("nothing", [(), [], None, {}])
def test_nothing_to_set_is_fine(nothing: Any) -> None:
    assert load_recipe("base", set=nothing) == load_recipe("base")


def test_the_implied_ordinal_splitter_follows_the_numeric_one() -> None:
    recipe = load_recipe(load_recipe("base"), set=["tree.splitter.numeric.gap=2"])
    assert recipe.tree.splitter["ordinal"] == Cut(gap=2.0)


def test_a_bound_ordinal_splitter_is_its_own() -> None:
    bound = load_recipe("base", set=["tree.splitter.ordinal={use='cut', gap=0.5}"])
    recipe = load_recipe(bound, set=["tree.splitter.numeric.gap=2"])
    assert recipe.tree.splitter["ordinal"] == Cut(gap=0.5)


def test_a_change_of_a_recipe_keeps_the_other_origins() -> None:
    recipe = load_recipe(load_recipe("base"), set=["tree.pruner.flag=true"])
    assert recipe.origins["tree.pruner.number"] == "base.toml:9"
    assert recipe.origins["tree.pruner.flag"] == "--set tree.pruner.flag=true"
    assert recipe.origins["tree.pruner.word"] == "default of every"


# --- in Python -----------------------------------------------------------------------------------


def in_python(**changes: Any) -> Recipe:
    parts: dict[str, Any] = {
        "criterion": Drop(),
        "splitter": {"nominal": Fan(), "numeric": Cut()},
        "stop": Done(),
        "label": Most(),
    }
    return Recipe(task="classification", tree=TreeParts(**(parts | changes)))


def test_a_recipe_can_be_built_from_objects() -> None:
    recipe = in_python(impurity=Spread(), stop=[Done(), Few()])
    assert recipe.document == {
        "summary": "",
        "task": "classification",
        "ensemble": {"use": "one"},
        "tree": {
            "impurity": {"use": "spread", "base": 2.0},
            "criterion": {"use": "drop"},
            "splitter": {"numeric": {"use": "cut", "gap": 0.0}, "nominal": {"use": "fan"}},
            "stop": [
                {"use": "done"},
                {"use": "few", "rows": 2, "count": "rows", "least": None},
            ],
            "missing": {"use": "forbid"},
            "label": {"use": "most"},
            "pruner": {"use": "keep"},
            "grower": {"use": "rows"},
        },
    }
    assert set(recipe.origins.values()) == {"given in Python"}


def test_parts_left_out_come_from_the_defaults() -> None:
    recipe = in_python()
    assert (recipe.tree.missing, recipe.tree.pruner, recipe.tree.grower) == (
        Forbid(),
        Keep(),
        Rows(),
    )
    assert recipe.ensemble == One()


def test_the_document_of_a_recipe_loads_as_the_same_recipe() -> None:
    recipe = in_python(pruner=Every(many=(1.0,), costs={"a": 1.0}, words=["x"]))
    assert load_recipe(recipe.document).tree == recipe.tree


def test_a_class_that_nobody_registered_goes_by_its_own_name() -> None:
    from attrs import frozen

    @frozen
    class Homemade:
        power: int = 2

        def impurity(self, stats: Any) -> Any: ...

    recipe = in_python(impurity=Homemade(power=3))
    assert recipe.document["tree"]["impurity"] == {"use": "Homemade", "power": 3}
    changed = load_recipe(recipe, set={"tree.impurity.power": 4})
    assert changed.tree.impurity == Homemade(power=4)


def test_a_recipe_built_in_python_is_checked_as_a_whole() -> None:
    with pytest.raises(RecipeError) as caught:
        in_python(splitter={"numeric": Fan(), "nomnal": Fan()}, pruner=Done())
    assert str(caught.value) == (
        "tree.splitter.numeric: 'fan' serves nominal columns, not numeric ones; for numeric"
        " columns there is cut\n"
        "tree.splitter.nomnal: unknown kind of column 'nomnal'; give numeric or ordinal or"
        " nominal\n"
        "tree.pruner: the class Done lacks 'prune'; see treekit.roles.Pruner"
    )


def test_a_splitter_in_python_is_bound_to_kinds() -> None:
    with pytest.raises(RecipeError) as caught:
        in_python(splitter=Cut())
    assert str(caught.value) == (
        "tree.splitter: Cut(gap=0.0) is not bound to a kind of column; give a dict, such as"
        ' {"numeric": ..., "nominal": ...}'
    )


def test_a_task_in_python_is_checked() -> None:
    with pytest.raises(RecipeError) as caught:
        Recipe(task="clasification", tree=in_python().tree)  # type: ignore[arg-type]
    assert (
        str(caught.value) == "task: 'clasification' is not a task; did you mean 'classification'?"
    )


def test_a_criterion_in_python_that_compares_impurities_needs_one() -> None:
    with pytest.raises(RecipeError) as caught:
        in_python(criterion=Compare())
    assert str(caught.value) == (
        "tree.impurity: 'compare' compares impurities, and the slot 'impurity' is empty; there is"
        " scatter, spread"
    )


def test_recipes_of_equal_parts_are_equal() -> None:
    assert in_python() == in_python()
    assert in_python() != in_python(pruner=Every())


def test_an_ensemble_is_a_slot_of_the_root() -> None:
    recipe = load_recipe("base", set=["ensemble={use='several', trees=3}"])
    assert recipe.ensemble == Several(trees=3)
