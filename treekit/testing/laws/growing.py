"""Laws of strategies as parts of a whole: trees grow, models are kept and answer."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from treekit.engine import prepared
from treekit.errors import TreekitError
from treekit.fitting import fit_table, grow_member, planted
from treekit.model import Model, load
from treekit.offers import Member
from treekit.planting import Means
from treekit.recipe.record import Recipe, tree_task
from treekit.roles import retargets
from treekit.table.record import KINDS, Table
from treekit.testing.expecting import expect, expect_same, expect_same_tree
from treekit.testing.hosting import grown, hosting, recipe_with, tasks
from treekit.testing.samples import sample_tables
from treekit.testing.trees import check_tree


def grows_a_valid_tree(role: str, strategy: Any) -> None:
    """A tree that it has a part in is whole, and its statistics are those of its rows."""
    for task, table in _tables(role, strategy):
        parts = hosting(task, role, strategy)
        check_tree(grown(table, parts), prepared(table, parts))


def grows_the_same_tree_twice(role: str, strategy: Any) -> None:
    """The same seed grows the same tree."""
    for task, table in _tables(role, strategy):
        parts = hosting(task, role, strategy)
        what = "the same seed grows another tree"
        expect_same_tree(grown(table, parts), grown(table, parts), what)


def plants_valid_trees(role: str, strategy: Any) -> None:
    """There is a tree at least, each is whole, and its weight is finite and not negative."""
    for task, table in _tables(role, strategy):
        recipe = recipe_with(task, role, strategy)
        forest = planted(recipe, table, 0, grow_member)
        expect(forest.members, "there is no tree")
        count = f"{len(forest.members)} trees have {len(forest.weights)} weights"
        expect(len(forest.members) == len(forest.weights), count)
        sound = np.isfinite(forest.weights) & (np.asarray(forest.weights) >= 0.0)
        expect(sound.all(), f"a weight is not a number from 0: {forest.weights}")
        for member in forest.members:
            check_tree(member.tree, prepared(member.learned, recipe.tree))


def members_answer_for_every_node(role: str, strategy: Any) -> None:
    """Each member has an answer for each node: shares of the classes, or a finite number."""
    for task, table in _tables(role, strategy):
        recipe = recipe_with(task, role, strategy)
        of_numbers = tree_task(recipe) == "regression"
        width = 1 if of_numbers else len(table.schema.classes)
        for member in planted(recipe, table, 0, grow_member).members:
            wanted, found = (member.tree.n_nodes, width), member.answers.shape
            expect(found == wanted, f"answers have the shape {found}, not {wanted}")
            expect(np.isfinite(member.answers).all(), "an answer is not a finite number")


def tells_that_it_retargets(role: str, strategy: Any) -> None:
    """Unless it says `retargets`, its trees are grown on the target of the table."""
    for task, table in _tables(role, strategy):

        def watched(recipe: Recipe, sample: Table, *given: Any, **more: Any) -> Member:
            own = sample.schema.target == table.schema.target  # noqa: B023
            own = own and bool(np.isin(sample.y, table.y).all())  # noqa: B023
            expect(own or retargets(strategy), "a tree has another target, but it does not say so")
            return grow_member(recipe, sample, *given, **more)

        planted(recipe_with(task, role, strategy), table, 0, watched)


def threads_change_nothing(role: str, strategy: Any) -> None:
    """The model is the same whatever the number of threads."""
    for task, table in _tables(role, strategy):
        recipe = recipe_with(task, role, strategy)
        one = fit_table(recipe, table, 7, means=Means(threads=1))
        other = fit_table(recipe, table, 7, means=Means(threads=3))
        _expect_same_forest(one, other, "in threads")


def plants_the_same_trees_twice(role: str, strategy: Any) -> None:
    """The same seed gives the same trees and weights."""
    for task, table in _tables(role, strategy):
        recipe = recipe_with(task, role, strategy)
        one, other = fit_table(recipe, table, 7), fit_table(recipe, table, 7)
        _expect_same_forest(one, other, "the second time")


def _expect_same_forest(one: Model, other: Model, when: str) -> None:
    expect(len(one.trees) == len(other.trees), f"another number of trees {when}")
    expect_same(one.tree_weights, other.tree_weights, f"other weights {when}")
    expect(one.facts == other.facts, f"other facts {when}: {one.facts}, {other.facts}")
    for a, b in zip(one.trees, other.trees, strict=True):
        expect_same_tree(b, a, f"other trees {when}")


def a_saved_model_answers_the_same(role: str, strategy: Any) -> None:
    """A model that it has a part in can be saved, loaded without it, and answers as before."""
    for task, table in _tables(role, strategy):
        model = fit_table(recipe_with(task, role, strategy), table)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            model.save(path)
            again = load(path)
        expect((again.predict(table) == model.predict(table)).all(), "a loaded model differs")


def laws(role: str) -> Iterator[Callable[[str, Any], None]]:
    """The laws of a strategy of this role as a part of a whole."""
    if role == "ensemble":
        yield plants_valid_trees
        yield members_answer_for_every_node
        yield tells_that_it_retargets
        yield plants_the_same_trees_twice
        yield threads_change_nothing
    elif role not in ("label", "pruner"):
        yield grows_a_valid_tree
        yield grows_the_same_tree_twice
    yield a_saved_model_answers_the_same


def _tables(role: str, strategy: Any) -> Iterator[tuple[str, Table]]:
    """Tables that the strategy can be tried on; it may refuse some by `check`."""
    for task in tasks(strategy):
        for table in sample_tables(task, strategy.kinds if role == "splitter" else KINDS):
            try:
                getattr(strategy, "check", _any_table)(table)
            except TreekitError:
                continue
            yield task, table


def _any_table(table: Table) -> None:
    """A strategy without a check learns from any table."""
