"""Contenders: what learns from a fold. Recipes here; scikit-learn's estimators in `estimators`."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from attrs import evolve, field, frozen

from treekit.compiling import OFTEN, interpreted
from treekit.errors import Problem, RecipeError
from treekit.fitting import check_fit, fit_table, versions_of
from treekit.model import Model, normalised, row_answers
from treekit.recipe import Recipe, load_recipe
from treekit.recipe.setting import Settings
from treekit.recipe.words import as_toml
from treekit.table.record import Floats, Table


class Learned(Protocol):
    """What a contender learned from a fold."""

    def answers(self, table: Table) -> Floats:
        """[rows, classes]: shares that sum to 1; or [rows, 1]: a number."""

    @property
    def model(self) -> Model | None:
        """The model, if it is one of treekit's."""


class Contender(Protocol):
    """Whoever takes part. It is sent to other processes, so it holds plain data."""

    @property
    def name(self) -> str: ...

    @property
    def varied(self) -> Mapping[str, str]:
        """What tells it from the others of a grid: paths of the recipe, and the words there."""

    @property
    def document(self) -> Mapping[str, Any]:
        """All that decides what it learns, as plain data."""

    @property
    def versions(self) -> Mapping[str, str]: ...

    def check(self, table: Table) -> None:
        """Can it learn from these rows, with the weights of the data? DataError, RecipeError."""

    def learn(self, table: Table, seed: int) -> Learned:
        """Learn from a fold's rows; one drawn several times weighs as much more."""


def digest(contender: Contender) -> str:
    """What tells a contender from any other, whatever its name."""
    told = {"document": contender.document, "versions": contender.versions}
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=repr).encode()).hexdigest()


@frozen(eq=False)
class RecipeContender:
    """A recipe, as the plain data that `load_recipe` takes back."""

    name: str
    document: Mapping[str, Any] = field(repr=False)
    varied: Mapping[str, str] = field(factory=dict)

    @cached_property
    def recipe(self) -> Recipe:
        return evolve(load_recipe(self.document), name=self.name)

    @property
    def versions(self) -> dict[str, str]:
        return versions_of(self.recipe)

    def check(self, table: Table) -> None:
        check_fit(self.recipe, table, 0)

    def learn(self, table: Table, seed: int) -> LearnedModel:
        return LearnedModel(fit_table(self.recipe, table, seed))


@frozen(eq=False)
class LearnedModel:
    model: Model

    def answers(self, table: Table) -> Floats:
        # Folds may be small, but there are many; one after the other is worth a compiler.
        often = interpreted("answers of folds", self.model.members.steps(table)) > OFTEN
        answers = row_answers(self.model, table, threads=1, compiled=often)
        return answers if table.task == "regression" else normalised(answers)


def recipe_contenders(
    recipes: Iterable[str | Path | Mapping[str, Any] | Recipe],
    vary: Mapping[str, Sequence[Any]] | None = None,
    settings: Settings = (),
) -> list[RecipeContender]:
    """Each recipe with every combination of what is varied: the full grid.

    vary      {"tree.impurity": ["entropy", "gini"], ...}: paths, and the values to be tried there
    settings  changes to all of them, as `--set`
    """
    paths = {path: list(values) for path, values in (vary or {}).items()}
    for path, values in paths.items():
        if not values:
            what = "there is nothing to vary here"
            raise RecipeError(Problem(what, f"vary {path}", "give some values"))
    found: list[RecipeContender] = []
    problems: list[Problem] = []
    for source in recipes:
        base = load_recipe(source, settings)
        for chosen in itertools.product(*paths.values()):
            change = dict(zip(paths, chosen, strict=True))
            try:
                recipe = changed(base, change, "vary")
            except RecipeError as error:
                problems += error.problems
            else:
                found.append(contender_of(recipe, change, len(paths)))
    if problems:
        raise RecipeError(*dict.fromkeys(problems))
    return found


def changed(base: Recipe, change: Mapping[str, Any], called: str) -> Recipe:
    """A recipe with some changes; problems are told of what the changes are `called`."""
    try:
        return load_recipe(base, change) if change else base
    except RecipeError as error:
        told = (evolve(p, where=re.sub(r"^set ", f"{called} ", p.where)) for p in error.problems)
        raise RecipeError(*told) from None


def contender_of(
    recipe: Recipe, change: Mapping[str, Any] | None = None, shown: int = 0, name: str = ""
) -> RecipeContender:
    """A recipe that takes part, under a name or by its own and what was changed in it."""
    words = {path: word_of(value) for path, value in (change or {}).items()}
    called = ", ".join(words.values())
    name = name or (f"{recipe.name} [{called}]" if shown else recipe.name)
    return RecipeContender(name, json.loads(json.dumps(recipe.document, default=repr)), words)


def word_of(value: Any) -> str:
    """A value of a recipe, as short as it can be said."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and "use" in value:
        rest = ", ".join(f"{k} {word_of(v)}" for k, v in value.items() if k != "use")
        return f"{value['use']}({rest})" if rest else str(value["use"])
    return as_toml(value)
