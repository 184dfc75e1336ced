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
    """What a parameter asks for: "a number > 0 and <= 1", "one of 'a', 'b'"."""
    options = list(choices(parameter))
    if options:
        return _one_of(options)
    return " ".join(filter(None, [_asked_by_type(parameter.type), _bounds(parameter.validator)]))


def choices(parameter: attrs.Attribute[Any]) -> Iterator[Any]:
    """The values that a parameter may take, if they can be counted."""
    if get_origin(parameter.type) is Literal:
        yield from get_args(parameter.type)
    else:
        for part in _parts(parameter.validator):
            options = getattr(part, "options", None)
            if options is not None:
                yield from options


def is_told(parameter: attrs.Attribute[Any], value: Any) -> bool:
    """Do the words of `asked_by` say why this value is refused?

    A validator of the plugin's own must speak for itself.
    """
    for part in _parts(parameter.validator):
        try:
            part(None, parameter, value)
        except Exception:
            return hasattr(part, "bound") or hasattr(part, "options")
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
