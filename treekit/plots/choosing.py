"""Which impurities are meant: written as in a recipe, and made by what makes a recipe's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import evolve, frozen

from treekit.errors import Problem, RecipeError
from treekit.recipe.build import Built, build
from treekit.recipe.reading import read_layer
from treekit.recipe.record import plain_parameters
from treekit.recipe.setting import set_layers
from treekit.recipe.source import Layer
from treekit.recipe.whole import IMPURITY, whole_problems
from treekit.recipe.words import as_toml
from treekit.registry import installed
from treekit.roles import tasks_of

TASK = "classification"
"""Shares of classes are what an impurity is plotted over."""


@frozen(eq=False)
class Chosen:
    """An impurity to be plotted, the name it was asked for by, and the parameters that were said.

    Of a strategy object all parameters are said.
    """

    strategy: Any
    name: str
    said: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, Any]:
        return plain_parameters(self.strategy)

    @property
    def label(self) -> str:
        """The name, with what was said of it."""
        return self._told()

    @property
    def label_with_unit(self) -> str:
        return self._told(self.unit)

    @property
    def unit(self) -> str:
        """What it is measured in, if the strategy says so."""
        return str(getattr(self.strategy, "unit", ""))

    def _told(self, *more: str) -> str:
        parameters = self.parameters
        told = [f"{key} = {_short(parameters[key])}" for key in self.said]
        told += filter(None, more)
        return f"{self.name} ({', '.join(told)})" if told else self.name


def chosen(impurities: Any) -> tuple[Chosen, ...]:
    """The impurities that these words stand for; RecipeError tells all that is wrong.

    Each is a text as `--set tree.impurity=` takes it (`gini`, `{ use = "tsallis", q = 1.5 }`), a
    mapping that says the same, or a strategy object or class. One alone need not be in a list.
    """
    found: list[Chosen] = []
    problems: list[Problem] = []
    for value in _several(impurities):
        try:
            found.append(value if isinstance(value, Chosen) else _one(value))
        except RecipeError as error:
            problems += error.problems
    if not found and not problems:
        entries = [e for e in installed().of(IMPURITY[-1]) if TASK in tasks_of(e.strategy)]
        names = ", ".join(dict.fromkeys(entry.name for entry in entries))
        problems.append(Problem("no impurity is named", instead=f"there is {names}"))
    problems += _named_twice(found)
    if problems:
        raise RecipeError(*problems)
    return tuple(found)


def _several(impurities: Any) -> Iterable[Any]:
    is_one = isinstance(impurities, str | type | Mapping) or attrs.has(type(impurities))
    return (impurities,) if is_one or not isinstance(impurities, Iterable) else impurities


def _one(value: Any) -> Chosen:
    # A text is a change of a recipe as the command line writes it.
    settings = [f"tree.impurity={value}"] if isinstance(value, str) else {"tree.impurity": value}
    layers, problems = set_layers(settings)
    found = _made(layers[0]) if layers else problems
    if isinstance(found, Chosen):
        slot = (IMPURITY, IMPURITY[-1], found.strategy)
        unfit = whole_problems(TASK, [slot], lambda _: "", installed())
        if not unfit:
            return found
        found = unfit
    raise RecipeError(*(evolve(problem, where=_place(value, problem)) for problem in found))


def _made(layer: Layer) -> Chosen | list[Problem]:
    """The impurity that a layer of a recipe sets, or what is wrong with it."""
    registry = installed()
    draft, problems = read_layer(layer, registry)
    if IMPURITY not in draft.slots or problems:
        return problems
    slot = draft.slots[IMPURITY]
    built = build(IMPURITY, IMPURITY[-1], slot, registry)
    if isinstance(built, Built):
        return Chosen(built.strategy, built.name, tuple(slot.parameters))
    return built


def _place(value: Any, problem: Problem) -> str:
    """What was written, unless the problem says it; there is no recipe with a path around it."""
    return value if isinstance(value, str) and repr(value) not in problem.what else ""


def _named_twice(found: Sequence[Chosen]) -> Iterator[Problem]:
    keys = [(one.label, type(one.strategy)) for one in found]
    for label, strategy in dict.fromkeys(keys):
        if keys.count((label, strategy)) > 1:
            what = f"{label} is named twice"
            yield Problem(what, instead="name each once, or give other parameters")


def _short(value: Any) -> str:
    return as_toml(value).removesuffix(".0")
