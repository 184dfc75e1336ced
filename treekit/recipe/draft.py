"""Drafts: layers read as slots, and merged, each value remembering where it was written.

Merging is key by key, but a slot whose `use` changes is replaced whole. `stop` is a list of slots:
a list, or a slot with another `use`, replaces it; `stop.0`, `stop.1`, ... reach its items, and the
number after the last one adds an item; parameters without `use` reach the item of a list of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from attrs import evolve, field, frozen

from treekit.errors import Problem, did_you_mean
from treekit.recipe.record import TREE_ROLES
from treekit.recipe.source import Keys, Layer, Origin
from treekit.recipe.words import as_toml
from treekit.registry import NOUNS, Registry
from treekit.table.record import KINDS

FACTS = ("summary", "task")
ROOT_KEYS = (*FACTS, "extends", "tree", "ensemble")


@frozen
class Given:
    """A strategy class that Python code gave as such, under the name it goes by."""

    name: str
    strategy: type


@frozen
class Leaf:
    """A value and where it was written; `is_made` if it comes from a strategy object."""

    value: Any
    origin: Origin
    is_made: bool = False


@frozen
class Slot:
    """One strategy as a recipe writes it."""

    origin: Origin
    use: Leaf | None = None
    parameters: Mapping[str, Leaf] = field(factory=dict)

    @property
    def used(self) -> str | None:
        """The name in `use`."""
        if self.use is None:
            return None
        value = self.use.value
        return value.name if isinstance(value, Given) else value


@frozen
class Stops:
    """The stop rules; `is_list` if they were written as a list."""

    items: tuple[Slot, ...]
    is_list: bool


@frozen
class Patch:
    """Changes to inherited stop rules by position; None: to the only one."""

    items: Mapping[int | None, Slot]


@frozen
class Draft:
    """A recipe before its strategies are made."""

    facts: Mapping[str, Leaf] = field(factory=dict)
    slots: Mapping[Keys, Slot] = field(factory=dict)
    stops: Stops | Patch | None = None


# --- reading -------------------------------------------------------------------------------------


def read_layer(layer: Layer, registry: Registry) -> tuple[Draft, list[Problem]]:
    """A layer as slots, and what has no place in a recipe."""
    reader = _Reader(layer, registry)
    return reader.draft(), reader.problems


class _Reader:
    """Reads one layer; collects its problems."""

    def __init__(self, layer: Layer, registry: Registry) -> None:
        self.layer = layer
        self.registry = registry
        self.problems: list[Problem] = []
        self.slots: dict[Keys, Slot] = {}
        self.stops: Stops | Patch | None = None

    def draft(self) -> Draft:
        facts: dict[str, Leaf] = {}
        for key, value in self.table((), self.layer.document):
            if key in FACTS:
                facts[key] = Leaf(value, self.layer.origin((key,)))
            elif key == "tree":
                self.tree(value)
            elif key == "ensemble":
                self.put(("ensemble",), "ensemble", value)
            elif key in TREE_ROLES:
                self.wrong((key,), f"{key!r} does not stand at the root", "put it under [tree]")
            elif key != "extends":
                self.wrong((key,), f"unknown key {key!r}", did_you_mean(key, ROOT_KEYS))
        return Draft(facts, self.slots, self.stops)

    def tree(self, value: Any) -> None:
        for role, slot in self.table(("tree",), value):
            path = ("tree", role)
            if role == "splitter":
                self.splitter(path, slot)
            elif role == "stop":
                self.stops = self.stop(path, slot)
            elif role in TREE_ROLES:
                self.put(path, role, slot)
            elif role in ROOT_KEYS:
                self.wrong(path, f"{role!r} does not stand under [tree]", "put it at the root")
            else:
                self.wrong(path, f"unknown slot {role!r}", did_you_mean(role, TREE_ROLES))

    def splitter(self, path: Keys, value: Any) -> None:
        shape = "give a table with one for each kind of column: { numeric = ..., nominal = ... }"
        if not isinstance(value, Mapping) or "use" in value:
            self.wrong(path, f"{as_toml(value)} is not bound to a kind of column", shape)
            return
        for kind, slot in self.table(path, value):
            if kind in KINDS:
                self.put((*path, kind), "splitter", slot)
            else:
                what = f"unknown kind of column {kind!r}"
                self.wrong((*path, kind), what, did_you_mean(kind, KINDS))

    def stop(self, path: Keys, value: Any) -> Stops | Patch | None:
        if isinstance(value, list | tuple):
            slots = [self.slot((*path, str(i)), "stop", item) for i, item in enumerate(value)]
            return Stops(tuple(slot for slot in slots if slot), is_list=True)
        if isinstance(value, Mapping) and value and all(str(key).isdecimal() for key in value):
            patches = {int(k): self.slot((*path, str(k)), "stop", v) for k, v in value.items()}
            return Patch({i: slot for i, slot in sorted(patches.items()) if slot})
        slot = self.slot(path, "stop", value)
        if slot is None:
            return None
        return Patch({None: slot}) if slot.use is None else Stops((slot,), is_list=False)

    def put(self, path: Keys, role: str, value: Any) -> None:
        slot = self.slot(path, role, value)
        if slot is not None:
            self.slots[path] = slot

    def slot(self, path: Keys, role: str, value: Any) -> Slot | None:
        origin = self.layer.origin(path)
        if isinstance(value, str):
            return Slot(origin, Leaf(value, origin))
        given = self.given(role, value)
        if given is not None:
            return Slot(origin, Leaf(given, origin), self.made(path, value))
        if not isinstance(value, Mapping):
            what = f"{as_toml(value)} does not name {NOUNS[role]}"
            self.wrong(path, what, 'give a name, or a table { use = "name", ... }')
            return None
        use = None
        parameters: dict[str, Leaf] = {}
        for key, item in self.table(path, value):
            leaf = Leaf(item, self.layer.origin((*path, key)))
            if key != "use":
                parameters[key] = leaf
                continue
            given = self.given(role, item)
            if given is None and not isinstance(item, str):
                what = f"use = {as_toml(item)} is not a name"
                self.wrong((*path, key), what, f"give the name of {NOUNS[role]}")
                return None
            use = evolve(leaf, value=given or item)
            parameters = {**self.made(path, item), **parameters}
        return Slot(origin, use, parameters)

    def given(self, role: str, value: Any) -> Given | None:
        """A strategy object or class that stands for itself."""
        strategy = value if isinstance(value, type) else type(value)
        if not attrs.has(strategy):
            return None
        return Given(self.registry.name_of(role, strategy), strategy)

    def made(self, path: Keys, value: Any) -> dict[str, Leaf]:
        """The parameters of a strategy object; none of a class or a name."""
        if isinstance(value, str | type):
            return {}
        values = values_of(value).items()
        return {k: Leaf(v, self.layer.origin((*path, k)), is_made=True) for k, v in values}

    def table(self, path: Keys, value: Any) -> list[tuple[str, Any]]:
        if not isinstance(value, Mapping):
            self.wrong(path, f"{path[-1]} = {as_toml(value)} is not a table", f"write [{path[-1]}]")
            return []
        named = []
        for key, item in value.items():
            if isinstance(key, str):
                named.append((key, item))
            else:
                self.wrong(path, f"the key {key!r} is not a string", "keys are strings")
        return named

    def wrong(self, path: Keys, what: str, instead: str) -> None:
        self.problems.append(Problem(what, self.layer.origin(path).where(path), instead))


def values_of(strategy: Any) -> dict[str, Any]:
    """The parameters of a strategy object, by the names that a recipe uses."""
    fields = attrs.fields(type(strategy))
    return {f.alias or f.name: getattr(strategy, f.name) for f in fields if f.init}


# --- merging -------------------------------------------------------------------------------------


def merged(under: Draft, over: Draft) -> tuple[Draft, list[Problem]]:
    """`over` laid upon `under`, and what it could not reach."""
    slots = dict(under.slots)
    for path, slot in over.slots.items():
        slots[path] = _merged_slot(slots[path], slot) if path in slots else slot
    stops, problems = _merged_stops(under.stops, over.stops)
    return Draft({**under.facts, **over.facts}, slots, stops), problems


def _merged_slot(under: Slot, over: Slot) -> Slot:
    if over.used is not None and over.used != under.used:
        return over
    parameters = dict(under.parameters)
    for key, leaf in over.parameters.items():
        held = parameters.get(key)
        parameters[key] = leaf if held is None else _merged_leaf(held, leaf)
    return Slot(over.origin, over.use or under.use, parameters)


def _merged_leaf(under: Leaf, over: Leaf) -> Leaf:
    return evolve(over, value=_merged_value(under.value, over.value))


def _merged_value(under: Any, over: Any) -> Any:
    if not (isinstance(under, Mapping) and isinstance(over, Mapping)):
        return over
    both = {key: _merged_value(under[key], over[key]) for key in over if key in under}
    return {**under, **over, **both}


def _merged_stops(
    under: Stops | Patch | None, over: Stops | Patch | None
) -> tuple[Stops | Patch | None, list[Problem]]:
    if over is None:
        return under, []
    held = list(under.items) if isinstance(under, Stops) else []
    if isinstance(over, Stops):
        if not over.is_list and len(held) == 1:
            over = Stops((_merged_slot(held[0], over.items[0]),), is_list=False)
        return over, []
    problems = []
    for position, slot in over.items.items():
        i = position
        if i is None and len(held) == 1:
            i = 0
        if i is not None and i < len(held):
            held[i] = _merged_slot(held[i], slot)
        elif i == len(held) and slot.use is not None:
            held.append(slot)
        else:
            problems.append(_unreached(position, slot, held))
    return Stops(tuple(held), is_list=True), problems


def _unreached(position: int | None, slot: Slot, held: list[Slot]) -> Problem:
    rules = ", ".join(f"{i} = {rule.used}" for i, rule in enumerate(held))
    if position is None:
        path: Keys = ("tree", "stop")
        what = "these parameters do not say which stop rule they are for"
        example = f"tree.stop.0.{next(iter(slot.parameters), 'use')}"
    else:
        path = ("tree", "stop", str(position))
        what = f"there is no stop rule {position} to change"
        example = f'tree.stop.{len(held)} = {{ use = "..." }} adds one'
    if not held:
        remedy = 'none is inherited; say which to use, as in stop = { use = "..." }'
    elif position is None:
        remedy = f"the rules are {rules}; write, for example, {example}"
    else:
        remedy = f"the rules are {rules}; {example}"
    return Problem(what, slot.origin.where(path), remedy)
