"""A comparison as it is asked for, in Python, on the command line or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen, validators

from treekit.comparing.contenders import (
    Contender,
    changed,
    contender_of,
    recipe_contenders,
    word_of,
)
from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.disturbing import Disturbing, disturbed
from treekit.comparing.estimators import PREFIX, estimator_contender
from treekit.comparing.partly import partly
from treekit.comparing.plan import Plan, plan_of
from treekit.comparing.resampling import CrossValidation, FixedTest, Resampling
from treekit.comparing.results import check_metrics
from treekit.errors import DataError, Problem, RecipeError, TreekitError, did_you_mean
from treekit.recipe import load_recipe
from treekit.recipe.setting import Settings


@frozen
class Variant:
    """Recipes with some changes, under a name; of every recipe of the comparison unless it names
    its own. Of an estimator the changes are parameters.
    """

    name: str
    changes: Mapping[str, Any] = field(factory=dict)
    recipe: str | None = None


@frozen
class Statistics:
    """What is asked of the statistics; None: as they think best.

    alpha  the level at which a difference is called significant
    rope   differences up to this are equal in practice
    """

    alpha: float | None = field(
        default=None, validator=validators.optional([validators.gt(0.0), validators.lt(1.0)])
    )
    rope: float | None = field(default=None, validator=validators.optional(validators.ge(0.0)))


@frozen(eq=False)
class Comparison:
    """What is compared, on what, and how.

    recipes     shipped names, .toml files, mappings, Recipes, or `sklearn:NAME` of an estimator
    data        files, folders, globs, built-in names, `sklearn:NAME`, tables or DataFrames
    reading     how the data are read: target, kinds and so on, as in `fit`
    settings    changes to all recipes, as in `fit`
    vary        the grid: {"tree.impurity": ["entropy", "gini"], ...} for every recipe
    variants    further contenders: recipes with some changes
    learn       shares of the rows that each of them learns from; empty: all rows
    disturb     which disturbed copies of the data there are, too
    resampling  which rows are tested, drawn from `seed`
    metrics     what will be looked at; empty: the usual ones
    against     the contender from which differences are told; empty: none
    places      where in a file problems are: "set tree.stop", "data.0" and the like
    """

    recipes: tuple[Any, ...] = ()
    data: tuple[Any, ...] = ()
    title: str = ""
    metrics: tuple[str, ...] = ()
    against: str = ""
    seed: int = 0
    reading: Mapping[str, Any] = field(factory=dict)
    settings: tuple[str | Mapping[str, Any], ...] = ()
    vary: Mapping[str, Sequence[Any]] = field(factory=dict)
    variants: tuple[Variant, ...] = ()
    learn: tuple[float, ...] = ()
    disturb: Disturbing | None = None
    resampling: Resampling = field(factory=CrossValidation)
    statistics: Statistics = field(factory=Statistics)
    file: Path | None = None
    places: Mapping[str, str] = field(factory=dict, repr=False)

    @cached_property
    def contenders(self) -> tuple[Contender, ...]:
        """Who takes part: recipes with all their variations, variants, and estimators."""
        found: list[Contender] = []
        problems: list[Problem] = []
        recipes: list[Any] = []
        for i, word in enumerate(self.recipes):
            with self.noting(problems, f"recipes.{i}"):
                if not is_estimator(word):
                    load_recipe(word, self.settings)
                    recipes.append(word)
                found += contenders_of([word], self.vary, self.settings)
        for variant in self.variants:
            with self.noting(problems, f"variants.{variant.name}"):
                # What is wrong with a recipe is not told again of each variant.
                if recipes or variant.recipe is not None or not problems:
                    found += self._of_variant(variant, recipes)
        if self.learn:
            with self.noting(problems, "learn"):
                found = partly(found, self.learn)
        if problems:
            raise TreekitError(*dict.fromkeys(problems))
        return tuple(found)

    def _of_variant(self, variant: Variant, recipes: list[Any]) -> Iterator[Contender]:
        if variant.recipe is not None:
            yield self._varied(variant, variant.recipe)
            return
        if not recipes:
            what = "there is no recipe to vary"
            raise TreekitError(Problem(what, instead="name one: recipe = ..."))
        for word in recipes:
            yield self._varied(variant, word, len(recipes) == 1)

    def _varied(self, variant: Variant, word: Any, is_only: bool = True) -> Contender:
        if is_estimator(word):
            made = estimator_contender(word, variant.changes, variant.name)
            return evolve(made, varied={p: word_of(v) for p, v in variant.changes.items()})
        base = load_recipe(word, self.settings)
        recipe = changed(base, variant.changes, f"variants.{variant.name}")
        name = variant.name if is_only else f"{base.name} [{variant.name}]"
        return contender_of(recipe, variant.changes, name=name)

    @contextmanager
    def noting(self, problems: list[Problem], place: str) -> Iterator[None]:
        """Problems are noted with their places in the file; what has none is told of this one."""
        try:
            yield
        except TreekitError as error:
            problems += [_placed(p, self.places, place) for p in error.problems]


def is_estimator(word: Any) -> bool:
    return isinstance(word, str) and word.startswith(PREFIX)


def contenders_of(
    words: Iterable[Any],
    vary: Mapping[str, Sequence[Any]] | None = None,
    settings: Settings = (),
) -> list[Contender]:
    """Recipes with every combination of what is varied, and estimators."""
    found: list[Contender] = []
    for word in words:
        if is_estimator(word):
            found.append(estimator_contender(word))
        else:
            found += recipe_contenders([word], vary, settings)
    return found


def planned(comparison: Comparison) -> Plan:
    """The plan of a comparison; what is wrong is told before any work."""
    of_contenders: list[Problem] = []
    of_data: list[Problem] = []
    data: list[DataSet] = []
    with_tests = isinstance(comparison.resampling, FixedTest)
    with comparison.noting(of_contenders, ""):
        _check_against(comparison)
    for i, word in enumerate(comparison.data):
        with comparison.noting(of_data, f"data.{i}"):
            data += data_sets([word], with_tests, **comparison.reading)
    if of_contenders or of_data:
        both = TreekitError if of_contenders else DataError
        raise (both if of_data else RecipeError)(*dict.fromkeys([*of_contenders, *of_data]))
    how, seed = comparison.resampling, comparison.seed
    every = data_sets(data)
    if comparison.disturb is not None:
        every = disturbed(every, comparison.disturb, seed)
    plan = plan_of(comparison.contenders, every, how, seed)
    task = plan.data[0].table.task
    of_metrics: list[Problem] = []
    for i, name in enumerate(comparison.metrics):
        with comparison.noting(of_metrics, f"metrics.{i}"):
            check_metrics([name], task)
    if of_metrics:
        raise TreekitError(*of_metrics)
    return plan


def _check_against(comparison: Comparison) -> None:
    names, against = [c.name for c in comparison.contenders], comparison.against
    if against and against not in names:
        what = f"{against!r} takes no part"
        where = comparison.places.get("against", "")
        raise TreekitError(Problem(what, where, did_you_mean(against, names)))


def _placed(problem: Problem, places: Mapping[str, str], place: str) -> Problem:
    """A problem with its place in the file, if it is of one."""
    for words in sorted(places, key=len, reverse=True):
        if problem.where == words or problem.where.startswith(f"{words}:"):
            return evolve(problem, where=places[words] + problem.where.removeprefix(words))
    if place in places and place.startswith("data."):
        return evolve(problem, where=": ".join(filter(None, (places[place], problem.where))))
    if place in places and (not problem.where or is_estimator(problem.where)):
        return evolve(problem, where=places[place])
    return problem
