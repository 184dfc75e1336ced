"""Values and types in the words of a recipe: TOML text, and what a parameter asks for."""

from __future__ import annotations

import math
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from treekit.recipe.source import dotted, quoted


def as_toml(value: Any) -> str:
    """A value as TOML writes it; what TOML cannot write, as Python shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, Mapping):
        pairs = [f"{dotted((str(key),))} = {as_toml(item)}" for key, item in value.items()]
        return "{ " + ", ".join(pairs) + " }" if pairs else "{}"
    return repr(value)


def fields_of(strategy: type) -> dict[str, attrs.Attribute[Any]]:
    """A strategy class's parameters by the names that a recipe uses, their types resolved.

    Types that cannot be resolved make a class unfit, which is told elsewhere.
    """
    with suppress(NameError):
        attrs.resolve_types(strategy)
    return {f.alias or f.name: f for f in attrs.fields(strategy) if f.init}


_SCALARS = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}
_MANY = {bool: "booleans", int: "whole numbers", float: "numbers", str: "strings"}
MAPPINGS = (dict, Mapping)
SEQUENCES = (list, tuple, set, frozenset, Sequence)


def asked_by(parameter: attrs.Attribute[Any]) -> str:
    """What a parameter asks for: "a number > 0 and <= 1", "one of 'a', 'b'", of a list, too."""
    if options := list(choices(parameter)):
        return _one_of(options)
    of_each = _member_validator(parameter)
    if options := list(_options(of_each)):
        return f"a list with some of {', '.join(map(as_toml, options))}"
    bounds = _bounds(parameter.validator if of_each is None else of_each)
    return " ".join(filter(None, [_asked_by_type(parameter.type), bounds]))


def choices(parameter: attrs.Attribute[Any]) -> Iterator[Any]:
    """The values that a parameter may take, if they can be counted."""
    if get_origin(parameter.type) is Literal:
        yield from get_args(parameter.type)
    else:
        yield from _options(parameter.validator)


def refused_members(parameter: attrs.Attribute[Any], value: Any) -> list[tuple[Any, list[Any]]]:
    """Of a list, the values that may not be in it, each with those that may, if counted."""
    each = _member_validator(parameter)
    if each is None or not isinstance(value, list | tuple):
        return []
    return [(one, list(_options(each))) for one in value if not _takes(each, parameter, one)]


def _takes(validator: Any, parameter: attrs.Attribute[Any], value: Any) -> bool:
    try:
        validator(None, parameter, value)
    except Exception:
        return False
    return True


def _options(validator: Any) -> Iterator[Any]:
    for part in _parts(validator):
        options = getattr(part, "options", None)
        if options is not None:
            yield from options


def _member_validator(parameter: attrs.Attribute[Any]) -> Any:
    """What attrs' `deep_iterable` holds each value of a list to; None: nothing does."""
    found = (getattr(part, "member_validator", None) for part in _parts(parameter.validator))
    return next((each for each in found if each is not None), None)


def is_told(parameter: attrs.Attribute[Any], value: Any) -> bool:
    """Do the words of `asked_by` say why this value is refused?

    A validator of the plugin's own must speak for itself.
    """
    for part in _parts(parameter.validator):
        if not _takes(part, parameter, value):
            told = ("bound", "options", "member_validator")
            return any(hasattr(part, word) for word in told)
    return False


def is_union(type_: Any) -> bool:
    return get_origin(type_) in (Union, types.UnionType)


def _asked_by_type(type_: Any) -> str:
    if type_ in _SCALARS:
        return _SCALARS[type_]
    inner = [member for member in get_args(type_) if member is not type(None)]
    origin = get_origin(type_)
    if origin is Literal:
        return _one_of(inner)
    if is_union(type_):
        return " or ".join(map(_asked_by_type, inner))
    if origin in SEQUENCES:
        if origin is tuple and inner[-1] is not Ellipsis:
            return "a list of " + ", then ".join(map(_asked_by_type, inner))
        return f"a list of {_MANY[inner[0]]}" if inner[0] in _MANY else "a list"
    if origin in MAPPINGS:
        return f"a table of {_MANY[inner[1]]}" if inner[1] in _MANY else "a table"
    return "a value"


def _one_of(options: Sequence[Any]) -> str:
    said = ", ".join(map(as_toml, options))
    return said if len(options) == 1 else f"one of {said}"


def _bounds(validator: Any) -> str:
    """The range that attrs' own validators hold a value to, in words."""
    said = [
        f"{part.compare_op} {as_toml(part.bound)}"
        for part in _parts(validator)
        if hasattr(part, "compare_op") and hasattr(part, "bound")
    ]
    return " and ".join(said)


def _parts(validator: Any) -> Iterator[Any]:
    """A validator's parts: attrs joins several with `and_`, and wraps one with `optional`."""
    if validator is None:
        return
    inner = getattr(validator, "_validators", None) or getattr(validator, "validator", None)
    if isinstance(inner, tuple | list):
        for part in inner:
            yield from _parts(part)
    elif inner is not None:
        yield from _parts(inner)
    else:
        yield validator
