"""A recipe for people: flat with the origin of every value, and as TOML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from treekit.errors import Problem, RecipeError
from treekit.recipe.record import Recipe, leaves, origin_of, slots_of
from treekit.recipe.source import Keys, dotted
from treekit.recipe.terms import CLASSES
from treekit.recipe.words import as_toml

_NUMERIC = ("tree", "splitter", "numeric")
_ORDINAL = ("tree", "splitter", "ordinal")


def flat(recipe: Recipe) -> list[tuple[str, Any, str]]:
    """Every value of a recipe: its path, the value, and where it was written.

    An ordinal splitter that no layer binds is shown as what it is: the numeric one.
    """
    rows = [(path, value, origin_of(recipe, path)) for path, value in leaves(recipe.document)]
    splitter = recipe.document["tree"].get("splitter", {})
    if "ordinal" in recipe.tree.splitter and "ordinal" not in splitter:
        implied = leaves(splitter["numeric"], _ORDINAL)
        after = max(i for i, (path, _, _) in enumerate(rows) if path[: len(_NUMERIC)] == _NUMERIC)
        rows[after + 1 : after + 1] = [(p, v, f"as {dotted(_NUMERIC)}") for p, v in implied]
    return [(dotted(path), value, origin) for path, value, origin in rows]


def to_toml(recipe: Recipe, origins: bool = False) -> str:
    """The flat recipe as TOML, which loads as the same recipe; origins as comments if asked."""
    _refuse_unwritable(recipe)
    lines = _Lines(recipe, origins)
    document = recipe.document
    for key in ("summary", "task"):
        if key in document:
            lines.pair((key,), key, document[key])
    lines.slots((), {"ensemble": document["ensemble"]})
    if CLASSES in document:
        lines.header(f"[{CLASSES}]")
        for path, value in leaves(document[CLASSES], (CLASSES,)):
            lines.pair(path, dotted(path[1:]), value)
    tree = dict(document["tree"])
    stop, splitter = tree.pop("stop"), tree.pop("splitter")
    lines.header("[tree]")
    if not stop:
        lines.pair(("tree", "stop"), "stop", [])
    bound = {f"splitter.{kind}": slot for kind, slot in splitter.items()}
    lines.slots(("tree",), {**tree, **bound})
    for i, slot in enumerate(stop):
        lines.header("[[tree.stop]]")
        lines.table(("tree", "stop", str(i)), slot)
    return "\n".join(lines.done()) + "\n"


class _Lines:
    """TOML lines under way."""

    def __init__(self, recipe: Recipe, origins: bool) -> None:
        self.recipe = recipe
        self.origins = origins
        self.written: list[tuple[str, str]] = []

    def header(self, text: str) -> None:
        self.written += [("", ""), (text, "")]

    def pair(self, path: Keys, key: str, value: Any) -> None:
        origin = origin_of(self.recipe, path) if self.origins else ""
        self.written.append((f"{key} = {as_toml(value)}", origin))

    def slots(self, prefix: Keys, slots: Mapping[str, Any]) -> None:
        """Slots without parameters in a line each, then a table for each of the others."""
        for key, slot in slots.items():
            if len(slot) == 1:
                self.pair((*prefix, *key.split("."), "use"), key, slot["use"])
        for key, slot in slots.items():
            if len(slot) > 1:
                path = (*prefix, *key.split("."))
                self.header(f"[{dotted(path)}]")
                self.table(path, slot)

    def table(self, path: Keys, slot: Mapping[str, Any]) -> None:
        for key, value in slot.items():
            if value is not None:
                self.pair((*path, key), dotted((key,)), value)

    def done(self) -> Iterator[str]:
        width = max(len(text) for text, origin in self.written if origin) if self.origins else 0
        for text, origin in self.written:
            yield f"{text:<{min(width, 60)}}  # {origin}" if origin else text


def _refuse_unwritable(recipe: Recipe) -> None:
    """TOML has no null: None can be left out only where it is the default."""
    problems = []
    for path, _, strategy in slots_of(recipe.tree, recipe.ensemble):
        for f in attrs.fields(type(strategy)):
            if f.init and getattr(strategy, f.name) is None and f.default is not None:
                what = f"{f.alias} is None, which TOML cannot say"
                problems.append(Problem(what, dotted(path), "give it a value"))
    if problems:
        raise RecipeError(*problems)
