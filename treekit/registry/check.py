"""Is this class fit for its role? What a plugin author most often forgets, in words."""

from __future__ import annotations

import re
from typing import Any

import attrs
from attrs import frozen

from treekit.formula import RowForm
from treekit.roles import BOTH_TASKS
from treekit.table.record import KINDS

METHODS: dict[str, tuple[str, ...]] = {
    "impurity": ("impurity",),
    "criterion": ("score",),
    "splitter": ("offer",),
    "stop": (),
    "missing": ("discount", "destination"),
    "label": ("answers",),
    "pruner": ("prune",),
    "grower": ("grow",),
    "ensemble": ("plant",),
}
"""The methods that a class must have to fill each role."""

ATTRIBUTES: dict[str, tuple[str, ...]] = {"splitter": ("kinds",), "stop": ("reason",)}
"""The attributes, fields or properties that it must have besides."""

ONE_OF: dict[str, tuple[str, ...]] = {
    "stop": ("before", "look", "after", "branch_rows", "branch_weight", "most_leaves")
}
"""Of these it must have at least one."""


@frozen
class Flaw:
    """What is wrong with an offer, how to mend it, and the strategy's name if it has one."""

    problem: str
    hint: str = ""
    name: str = ""


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def flaw_of_name(name: object) -> Flaw | None:
    """What is wrong with a name, and a hint; None if a recipe can write it."""
    if not isinstance(name, str):
        return Flaw(f"the name {name!r} is not a string", "return {name: class}")
    if not _NAME.fullmatch(name):
        return Flaw(
            f"the name {name!r} cannot stand in a recipe",
            "begin with a letter, then use letters, digits, '_' and '-'",
        )
    return None


def flaw_of_class(role: str, strategy: object) -> Flaw | None:
    """What makes a class unfit for a role, and a hint; None if it is fit."""
    if not isinstance(strategy, type):
        hint = "return the class, not an object of it" if attrs.has(type(strategy)) else ""
        return Flaw(f"{strategy!r} is not a class", hint or "return {name: class}")
    name = strategy.__name__
    if not attrs.has(strategy):
        return Flaw(f"the class {name} is not an attrs class", "decorate it with @attrs.frozen")
    try:
        attrs.resolve_types(strategy)
    except Exception as error:
        return Flaw(
            f"the fields of {name} have types that cannot be read ({error})",
            "import the types at the top of the module, not under TYPE_CHECKING",
        )
    return _flaw_of_members(role, strategy) or _flaw_of_words(strategy)


def _flaw_of_members(role: str, strategy: type) -> Flaw | None:
    name = strategy.__name__
    lacking = [m for m in METHODS[role] if not _is_method(getattr(strategy, m, None))]
    lacking += [a for a in ATTRIBUTES.get(role, ()) if not _has(strategy, a)]
    if lacking:
        return Flaw(
            f"the class {name} lacks {' and '.join(map(repr, lacking))}",
            f"see treekit.roles.{role.capitalize()}",
        )
    choice = ONE_OF.get(role, ())
    if choice and not any(_has(strategy, member) for member in choice):
        return Flaw(
            f"the class {name} has none of {', '.join(map(repr, choice))}",
            f"see treekit.roles.{role.capitalize()}",
        )
    return None


def _flaw_of_words(strategy: type) -> Flaw | None:
    """`kinds` and `tasks` are tuples of known words; `("numeric")` is a string, not a tuple."""
    for attribute, known in (("kinds", KINDS), ("tasks", BOTH_TASKS)):
        value = getattr(strategy, attribute, None)
        if attribute in attrs.fields_dict(strategy) or value is None or isinstance(value, property):
            continue
        if not isinstance(value, tuple) or not value or not set(value) <= set(known):
            return Flaw(
                f"{strategy.__name__}.{attribute} is {value!r}",
                f"it must be a tuple of {', '.join(map(repr, known))}",
            )
    return None


def _is_method(member: Any) -> bool:
    return callable(member) or isinstance(member, RowForm)


def _has(strategy: type, member: str) -> bool:
    return hasattr(strategy, member) or member in attrs.fields_dict(strategy)
