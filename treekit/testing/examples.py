"""Objects of a strategy class to try: its defaults, and every choice that can be counted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import attrs

from treekit.recipe.strict import strict_converter
from treekit.recipe.words import choices

# Tried in this order for a parameter that has no default.
_PLAUSIBLE = (2, 0.5, 1, 10, 0, True, "a")


def examples_of(strategy: Any) -> list[Any]:
    """An object stands for itself; a class for its defaults and, one by one, its other choices.

    A field with metadata {"example": value} is tried with that instead of its default.
    """
    if not isinstance(strategy, type):
        return [strategy]
    if not attrs.has(strategy):
        return [strategy()]
    attrs.resolve_types(strategy)
    first = _first(strategy)
    return [first, *_others(first)]


def label_of(name: str, example: Any) -> str:
    """The name, and the parameters that are not the default: variance(ddof=1)."""
    if not attrs.has(type(example)):
        return name
    told = [
        f"{f.alias or f.name}={getattr(example, f.name)}"
        for f in attrs.fields(type(example))
        if f.init and getattr(example, f.name) != f.default and not isinstance(f.default, _FACTORY)
    ]
    return f"{name}({','.join(told)})" if told else name


_FACTORY: Any = type(attrs.Factory(list))


def _first(strategy: type) -> Any:
    own = [f for f in attrs.fields(strategy) if f.init]
    required = [f for f in own if f.default is attrs.NOTHING]
    # A hundred trees show no more than a few: a field's metadata may say what to try instead.
    quick = {f.alias: f.metadata["example"] for f in own if "example" in f.metadata}
    for values in itertools.product(*(list(_guesses(f)) for f in required)):
        given = quick | {f.alias: value for f, value in zip(required, values, strict=True)}
        try:
            return strategy(**given)
        except Exception:
            if not given:
                raise
    names = ", ".join(f.name for f in required)
    raise TypeError(
        f"{strategy.__name__} needs {names}, and no plausible value was accepted;"
        " give the contract tests an object of it"
    )


def _guesses(parameter: attrs.Attribute[Any]) -> Iterator[Any]:
    yield from choices(parameter)
    for value in _PLAUSIBLE:
        try:
            yield strict_converter().structure(value, parameter.type or object)
        except Exception:
            continue


def _others(first: Any) -> Iterator[Any]:
    for f in attrs.fields(type(first)):
        if not f.init or f.alias is None:
            continue
        options = (False, True) if f.type is bool else tuple(choices(f))
        for option in options:
            if option != getattr(first, f.name):
                try:
                    yield attrs.evolve(first, **{f.alias: option})
                except Exception:
                    # A choice may depend on another field; what no recipe can ask is not tried.
                    continue
