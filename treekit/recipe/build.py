"""From a slot to a strategy object: the class by its name, the parameters by their types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from treekit.errors import PluginError, Problem, did_you_mean
from treekit.recipe.draft import Given, Leaf, Slot
from treekit.recipe.record import plain_parameters
from treekit.recipe.source import Keys, Origin
from treekit.recipe.strict import strict_converter
from treekit.recipe.words import as_toml, asked_by, choices, fields_of, is_told, refused_members
from treekit.registry import Registry
from treekit.registry.check import flaw_of_class


@frozen
class Built:
    """A strategy, the name it was asked for by, and where each value of its slot was written."""

    strategy: Any
    name: str
    origins: dict[str, Origin]


def build(path: Keys, role: str, slot: Slot, registry: Registry) -> Built | list[Problem]:
    """The strategy that a slot describes, or everything that is wrong with the slot."""
    if slot.use is None:
        what = f"`use` does not say which {role} these parameters are for"
        names = ", ".join(registry.names(role)) or "nothing"
        return [Problem(what, slot.origin.where(path), f"there is {names}")]
    where = slot.use.origin.where(path)
    try:
        strategy = _class_of(role, slot.use.value, registry, where)
    except PluginError as error:
        return list(error.problems)
    name = str(slot.used)
    made = structured(path, name, strategy, slot)
    if isinstance(made, list):
        return made
    origins = {key: leaf.origin for key, leaf in slot.parameters.items()}
    default = Origin(f"default of {name}")
    parameters = {key: origins.get(key, default) for key in plain_parameters(made)}
    return Built(made, name, {"use": slot.use.origin, **parameters})


def _class_of(role: str, use: str | Given, registry: Registry, where: str) -> type:
    if isinstance(use, str):
        return registry.get(role, use, where)
    flaw = flaw_of_class(role, use.strategy)
    if flaw is not None:
        raise PluginError(Problem(flaw.problem, where, flaw.hint))
    return use.strategy


def structured(path: Keys, name: str, strategy: type, slot: Slot) -> Any | list[Problem]:
    """An object of an attrs class, or everything that is wrong with what a slot says of it."""
    fields = fields_of(strategy)
    problems = []
    values: dict[str, Any] = {}
    for key, leaf in slot.parameters.items():
        where = leaf.origin.where((*path, key))
        if key not in fields:
            near = did_you_mean(key, fields) if fields else f"{name} takes no parameters"
            problems.append(Problem(f"{name} has no parameter {key!r}", where, near))
            continue
        try:
            values[key] = _structured(leaf, fields[key])
        except Exception:
            problems.append(_refused(key, leaf.value, fields[key], where))
    for key, parameter in fields.items():
        if parameter.default is attrs.NOTHING and key not in slot.parameters:
            what = f"{name} needs the parameter {key!r}"
            problems.append(Problem(what, slot.origin.where(path), f"give {asked_by(parameter)}"))
    if problems:
        return problems + _invalid(path, strategy, fields, values, slot)
    try:
        return strategy(**values)
    except Exception as error:
        found = _invalid(path, strategy, fields, values, slot)
        return found or [Problem(f"{name}: {error}", slot.origin.where(path))]


def _structured(leaf: Leaf, parameter: attrs.Attribute[Any]) -> Any:
    if leaf.is_made or parameter.type is None:
        return leaf.value
    return strict_converter().structure(leaf.value, parameter.type)


def _invalid(
    path: Keys,
    strategy: type,
    fields: Mapping[str, attrs.Attribute[Any]],
    values: Mapping[str, Any],
    slot: Slot,
) -> list[Problem]:
    """Which of these values their validators refuse.

    attrs runs validators in `__init__`, stops at the first, and need not name the field; so they
    are asked one by one about an object that was never initialised.
    """
    bare: Any = object.__new__(strategy)
    for key, parameter in fields.items():
        if key in values:
            object.__setattr__(bare, parameter.name, values[key])
        elif parameter.default is not attrs.NOTHING and not _is_factory(parameter.default):
            object.__setattr__(bare, parameter.name, parameter.default)
    problems = []
    for key, value in values.items():
        if fields[key].validator is None:
            continue
        try:
            fields[key].validator(bare, fields[key], value)  # type: ignore[misc]
        except Exception as error:
            leaf = slot.parameters[key]
            where = leaf.origin.where((*path, key))
            problems.append(_refused(key, leaf.value, fields[key], where, error))
    return problems


def _is_factory(default: Any) -> bool:
    return isinstance(default, attrs.Factory)  # type: ignore[arg-type]


def _refused(
    key: str,
    value: Any,
    parameter: attrs.Attribute[Any],
    where: str,
    error: Exception | None = None,
) -> Problem:
    """A value that is not what the parameter asks for, and what it asks for."""
    remedy = f"give {asked_by(parameter)}"
    near = _near(value, list(choices(parameter)))
    for one, options in refused_members(parameter, value)[:1]:
        near = _near(one, options)
    if error is not None and not is_told(parameter, value):
        remedy = str(error)
    elif near.startswith("did you mean"):
        remedy = f"{near} ({remedy})"
    return Problem(f"{key} = {as_toml(value)} is not allowed", where, remedy)


def _near(value: Any, options: Sequence[Any]) -> str:
    if not isinstance(value, str):
        return ""
    return did_you_mean(value, [option for option in options if isinstance(option, str)])
