"""Strict structuring: a parameter takes the type it says, and nothing that merely resembles it.

Left alone, cattrs turns "no" into True and 2.9 into 2. Here a whole number is accepted where a
number is asked for, and that is all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

import cattrs

from treekit.recipe.words import MAPPINGS, SEQUENCES, is_union


@cache
def strict_converter() -> cattrs.Converter:
    """The converter that recipes are structured with."""
    converter = cattrs.Converter()
    for scalar in (bool, int, str):
        converter.register_structure_hook(scalar, _exactly)
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook_func(lambda t: t is type(None), _exactly_none)
    converter.register_structure_hook_func(_is_literal, _literal)
    converter.register_structure_hook_func(is_union, _first_that_fits)
    converter.register_structure_hook_func(_is_sequence, _sequence)
    converter.register_structure_hook_func(_is_mapping, _mapping)
    return converter


def _exactly(value: Any, type_: Any) -> Any:
    if type(value) is not type_:
        raise TypeError(value)
    return value


def _number(value: Any, _: Any) -> float:
    if type(value) not in (int, float):
        raise TypeError(value)
    return float(value)


def _exactly_none(value: Any, _: Any) -> None:
    if value is not None:
        raise TypeError(value)


def _is_literal(type_: Any) -> bool:
    return get_origin(type_) is Literal


def _literal(value: Any, type_: Any) -> Any:
    for option in get_args(type_):
        if type(option) is type(value) and option == value:
            return option
    raise ValueError(value)


def _first_that_fits(value: Any, type_: Any) -> Any:
    """A member of the very type of the value goes first: 3 in `float | int` stays whole."""
    members = sorted(get_args(type_), key=lambda member: member is not type(value))
    for member in members:
        try:
            return strict_converter().structure(value, member)
        except Exception:
            continue
    raise TypeError(value)


def _is_sequence(type_: Any) -> bool:
    return get_origin(type_) in SEQUENCES


def _sequence(value: Any, type_: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise TypeError(value)
    origin, inner = get_origin(type_), get_args(type_)
    if origin is tuple and inner[-1] is not Ellipsis:
        if len(inner) != len(value):
            raise ValueError(value)
        types = inner
    else:
        types = (inner[0],) * len(value)
    made = [strict_converter().structure(v, t) for v, t in zip(value, types, strict=True)]
    return made if origin is list else (origin if origin in (set, frozenset) else tuple)(made)


def _is_mapping(type_: Any) -> bool:
    return get_origin(type_) in MAPPINGS


def _mapping(value: Any, type_: Any) -> Any:
    if not isinstance(value, Mapping):
        raise TypeError(value)
    key_type, value_type = get_args(type_)
    structure = strict_converter().structure
    return {structure(k, key_type): structure(v, value_type) for k, v in value.items()}
