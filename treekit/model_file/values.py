"""Typed reading of JSON values: each function gives the value that was asked for, or says where
in the document something else stands.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from attrs import evolve, frozen

from treekit.errors import ModelError, Problem, did_you_mean
from treekit.table.record import Bools, Floats, Ints


@frozen
class Place:
    """Somewhere in a document: its file, and the path there."""

    file: str
    path: str = ""

    def key(self, name: str) -> Place:
        return evolve(self, path=f"{self.path}.{name}" if self.path else name)

    def at(self, index: int) -> Place:
        return evolve(self, path=f"{self.path}[{index}]")

    def error(self, what: str, instead: str = "") -> ModelError:
        where = ": ".join(part for part in (self.file, self.path) if part)
        return ModelError(Problem(what, where, instead))

    def unless(self, good: Bools, values: Sequence[Any] | Ints | Floats, what: str) -> None:
        """Raise at the first entry that is not good."""
        if not good.all():
            index = int(np.argmin(good))
            raise self.at(index).error(f"{what}, got {shown(values[index])}")


def shown(value: Any) -> str:
    """A value in a message, cut short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, np.generic):
        value = value.item()
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            value = int(value)
    words = json.dumps(value)
    return words if len(words) <= 40 else words[:37] + "..."


def json_value(content: str, place: Place, instead: str = "") -> Any:
    """A document in strict JSON: no key twice, no number that JSON lacks."""

    def constant(token: str) -> NoReturn:
        raise place.error(f"{token} is not a JSON number")

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        together = dict(found)
        if len(together) < len(found):
            names = [name for name, _ in found]
            twice = next(name for name in names if names.count(name) > 1)
            raise place.error(f"the key {shown(twice)} stands twice in one object")
        return together

    try:
        return json.loads(content, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        what = f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        raise place.error(what, instead) from None
    except ValueError:
        raise place.error("holds an integer of thousands of digits") from None


def members(
    value: Any, place: Place, needed: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Any]:
    """An object with these keys and no others."""
    found = mapping(value, place)
    known = (*needed, *optional)
    for name in found:
        if name not in known:
            raise place.error(f"unknown key {shown(name)}", did_you_mean(name, known))
    for name in needed:
        if name not in found:
            raise place.error(f"the key {shown(name)} is missing")
    return found


def mapping(value: Any, place: Place) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise place.error(f"must be an object, got {shown(value)}")
    return value


def items(value: Any, place: Place) -> list[Any]:
    if not isinstance(value, list):
        raise place.error(f"must be a list, got {shown(value)}")
    return value


def text(value: Any, place: Place) -> str:
    if not isinstance(value, str):
        raise place.error(f"must be a text, got {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        problem = place.error(f"must be Unicode text, got half a character in {shown(value)}")
        raise problem from None
    return value


def texts(value: Any, place: Place) -> tuple[str, ...]:
    return tuple(text(entry, place.at(i)) for i, entry in enumerate(items(value, place)))


def number(value: Any, place: Place) -> float:
    return float(floats([value], place, single=True)[0])


def integer(value: Any, place: Place) -> int:
    if type(value) is not int:
        raise place.error(f"must be an integer, got {shown(value)}")
    return value


def integers(value: Any, place: Place, length: int | None = None) -> Ints:
    """A list of integers as int64."""
    values = items(value, place)
    _length(values, place, length)
    _types(values, place, {int}, "must be an integer")
    try:
        return np.array(values, np.int64)
    except OverflowError:
        limit = np.iinfo(np.int64)
        good = np.array([limit.min <= v <= limit.max for v in values])
        place.unless(good, values, "must be an integer of at most 64 bits")
        raise


def floats(
    value: Any, place: Place, length: int | None = None, null: bool = False, single: bool = False
) -> Floats:
    """A list of finite numbers; null, where allowed, is NaN. `single`: one number, no list."""
    values = items(value, place)
    _length(values, place, length)
    wanted = "must be a finite number" + (" or null" if null else "")
    kinds = {int, float, type(None)} if null else {int, float}
    if single and type(values[0]) not in kinds:
        raise place.error(f"{wanted}, got {shown(values[0])}")
    _types(values, place, kinds, wanted)
    try:
        array = np.array(values, np.float64)
    except OverflowError:
        array = np.array([_as_float(v) for v in values])
    good = ~np.isinf(array) if null else np.isfinite(array)
    if single and not good.all():
        raise place.error(f"{wanted}, got {shown(values[0])}")
    place.unless(good, values, wanted)
    return array


def _as_float(value: int | float | None) -> float:
    try:
        return np.nan if value is None else float(value)
    except OverflowError:
        return np.inf


def _length(values: list[Any], place: Place, length: int | None) -> None:
    if length is not None and len(values) != length:
        raise place.error(f"must have {length} entries, has {len(values)}")


def _types(values: list[Any], place: Place, allowed: set[type], wanted: str) -> None:
    # `type`, not isinstance: to Python true is an integer.
    if not set(map(type, values)) <= allowed:
        place.unless(np.array([type(v) in allowed for v in values]), values, wanted)
