"""The laws of every role. A law is a function that raises AssertionError for a strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attrs import frozen

from treekit.testing.laws import (
    criterion,
    every_role,
    growing,
    impurity,
    label,
    missing,
    pruner,
    splitter,
    stop,
)

_OF_ROLE: dict[str, Callable[[Any], Iterator[Callable[[Any], None]]]] = {
    "impurity": impurity.laws,
    "criterion": criterion.laws,
    "splitter": splitter.laws,
    "stop": stop.laws,
    "missing": missing.laws,
    "label": label.laws,
    "pruner": pruner.laws,
}


@frozen
class Law:
    """A law about one strategy; `check()` raises AssertionError if it is broken."""

    name: str
    text: str
    check: Callable[[], None]


def laws_of(role: str, strategy: Any) -> list[Law]:
    """The laws that a strategy object of a role must keep."""
    laws = [_law(law, role, strategy) for law in every_role.LAWS]
    laws += [_law(law, strategy) for law in _OF_ROLE.get(role, _none)(strategy)]
    return laws + [_law(law, role, strategy) for law in growing.laws(role)]


def _none(strategy: Any) -> Iterator[Callable[[Any], None]]:
    yield from ()


def _law(law: Callable[..., None], *about: Any) -> Law:
    return Law(law.__name__, law.__doc__ or "", partial(law, *about))
