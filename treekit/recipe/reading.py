"""Reading a layer as slots, and telling what has no place in a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from attrs import evolve

from treekit.classes import Classes, said
from treekit.errors import Problem, did_you_mean
from treekit.recipe.draft import Draft, Given, Leaf, Patch, Slot, Stops
from treekit.recipe.record import TREE_ROLES
from treekit.recipe.source import Keys, Layer
from treekit.recipe.terms import CLASSES, TERMS
from treekit.recipe.words import as_toml, fields_of
from treekit.registry import NOUNS, Registry
from treekit.table.record import KINDS

FACTS = ("summary", "task")
ROOT_KEYS = (*FACTS, "extends", CLASSES, "tree", "ensemble")


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
        self.classes: dict[Keys, Leaf] = {}

    def draft(self) -> Draft:
        facts: dict[str, Leaf] = {}
        for key, value in self.table((), self.layer.document):
            if key in FACTS:
                facts[key] = Leaf(value, self.layer.origin((key,)))
            elif key == CLASSES:
                self.terms(said(value) if isinstance(value, Classes) else value)
            elif key == "tree":
                self.tree(value)
            elif key == "ensemble":
                self.put(("ensemble",), "ensemble", value)
            elif key in TREE_ROLES:
                self.wrong((key,), f"{key!r} does not stand at the root", "put it under [tree]")
            elif key != "extends":
                self.wrong((key,), f"unknown key {key!r}", did_you_mean(key, ROOT_KEYS))
        return Draft(facts, self.slots, self.stops, self.classes)

    def terms(self, value: Any) -> None:
        for key, item in self.table((CLASSES,), value):
            path = (CLASSES, key)
            if key in TERMS:
                self.term(path, item)
            else:
                self.wrong(path, f"unknown key {key!r}", did_you_mean(key, TERMS))

    def term(self, path: Keys, value: Any) -> None:
        if not isinstance(value, Mapping):
            self.classes[path] = Leaf(value, self.layer.origin(path))
            return
        for key, item in self.table(path, value):
            self.term((*path, key), item)

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
        return {
            key: Leaf(getattr(value, f.name), self.layer.origin((*path, key)), is_made=True)
            for key, f in fields_of(type(value)).items()
        }

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
