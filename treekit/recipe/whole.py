"""Do a recipe's strategies fit each other? What no slot can see alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from treekit.errors import Problem
from treekit.recipe.source import Keys
from treekit.registry import Registry, installed
from treekit.registry.check import flaw_of_class
from treekit.roles import tasks_of, tree_task_of
from treekit.table.record import KINDS

Where = Callable[[Keys], str]

IMPURITY: Keys = ("tree", "impurity")
"""The slot that may stay empty if the criterion compares no impurities."""


def implied_ordinal(splitter: Mapping[Any, Any]) -> dict[Any, Any]:
    """The numeric splitter serves ordinal columns too, if none is bound to them and it can."""
    numeric = splitter.get("numeric")
    if "ordinal" in splitter or "ordinal" not in getattr(numeric, "kinds", ()):
        return {}
    return {"ordinal": numeric}


def whole_problems(
    task: str | None,
    slots: Iterable[tuple[Keys, str, Any]],
    where: Where,
    registry: Registry | None,
) -> list[Problem]:
    """Strategies unfit for their role, the task, or the kind of column they are bound to.

    The registry (by default what is installed) is asked only for what would be right.
    """
    problems = []
    slots = list(slots)
    for path, role, strategy in slots:
        wanted = _task_of(role, slots, task)
        flaw = flaw_of_class(role, type(strategy))
        if flaw is not None:
            problems.append(Problem(flaw.problem, where(path), flaw.hint))
            continue
        served = tasks_of(strategy)
        if wanted is not None and wanted not in served:
            called = _called(role, strategy, registry)
            what = f"{called} serves {' and '.join(served)}, not {wanted}"
            fit = _names(role, registry, partial(_serves, wanted))
            problems.append(Problem(what, where(path), f"for {wanted} there is {fit}"))
        if role == "splitter" and path[-1] not in strategy.kinds:
            problems.append(_wrong_kind(path, strategy, where, registry))
    return problems


def _serves(task: str, strategy: type) -> bool:
    return task in tasks_of(strategy)


def _task_of(
    role: str, slots: Iterable[tuple[Keys, str, Any]], recipe_task: str | None
) -> str | None:
    """The task that a strategy must serve: an ensemble may have trees of another one."""
    if role == "ensemble" or recipe_task is None:
        return recipe_task
    ensembles = [strategy for _, other, strategy in slots if other == "ensemble"]
    return tree_task_of(ensembles[0], recipe_task) if ensembles else recipe_task


def unmeasured(
    slots: Iterable[tuple[Keys, str, Any]], where: Where, registry: Registry | None
) -> list[Problem]:
    """Criteria that compare impurities, in a recipe that binds none."""
    problems = []
    for _, role, strategy in slots:
        if role == "criterion" and getattr(strategy, "by_mean_impurity", False):
            called = _called(role, strategy, registry)
            fit = _names("impurity", registry, lambda _: True)
            what = f"{called} compares impurities, and the slot 'impurity' is empty"
            problems.append(Problem(what, where(IMPURITY), f"there is {fit}"))
    return problems


def _wrong_kind(path: Keys, strategy: Any, where: Where, registry: Registry | None) -> Problem:
    kind = path[-1]
    if kind not in KINDS:
        return Problem(f"unknown kind of column {kind!r}", where(path), f"give {_or(KINDS)}")
    called = _called("splitter", strategy, registry)
    what = f"{called} serves {_or(strategy.kinds)} columns, not {kind} ones"
    fit = _names("splitter", registry, lambda c: kind in c.kinds)
    return Problem(what, where(path), f"for {kind} columns there is {fit}")


def _called(role: str, strategy: Any, registry: Registry | None) -> str:
    return repr((registry or installed()).name_of(role, type(strategy)))


def _names(role: str, registry: Registry | None, fits: Callable[[Any], bool]) -> str:
    found = [entry.name for entry in (registry or installed()).of(role) if fits(entry.strategy)]
    return ", ".join(dict.fromkeys(found)) or "nothing"


def _or(words: Iterable[str]) -> str:
    return " or ".join(words)
