"""Changes to a recipe: each becomes a layer of its own, and takes the way of every other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from treekit.errors import Problem
from treekit.recipe.source import Keys, Layer

Settings = Mapping[str, Any] | Sequence[str | Mapping[str, Any]] | str | None

_EXAMPLE = "write path=value, as in tree.pruner.confidence=0.1"
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")


def set_layers(settings: Settings) -> tuple[list[Layer], list[Problem]]:
    """Each change as a layer of its own, and those that cannot be read."""
    layers: list[Layer] = []
    problems: list[Problem] = []
    given = [settings] if isinstance(settings, str | Mapping) else list(settings or ())
    for label, text, value in (item for one in given for item in _items(one)):
        keys = _keys(text)
        if isinstance(value, Problem):
            problems.append(Problem(value.what, label, value.instead))
        elif keys is None:
            problems.append(Problem(f"{text!r} is not a path in a recipe", label, _EXAMPLE))
        elif keys[0] == "extends":
            remedy = "name the other recipe, or write a file that extends it"
            problems.append(Problem("what a recipe extends cannot be set", label, remedy))
        else:
            for key in reversed(keys):
                value = {key: value}
            layers.append(Layer(value, label, path=keys))
    return layers, problems


def _items(given: str | Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """What to call each change, its path, and the value."""
    if isinstance(given, str):
        return [(f"--set {given}", *_split(given))]
    return [(f"set {path}", str(path), value) for path, value in given.items()]


def _split(text: str) -> tuple[str, Any]:
    """path=value: the value is TOML, or a bare word that stands for itself."""
    path, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        return path, Problem("there is no '='", instead=_EXAMPLE)
    try:
        document = tomllib.loads(f"value = {written}")
    except tomllib.TOMLDecodeError:
        document = {}
    if list(document) == ["value"]:
        return path, document["value"]
    if _WORD.fullmatch(written):
        return path, written
    remedy = 'give a TOML value, such as 0.1, true, "text" or { use = "name" }, or a bare word'
    return path, Problem(f"{written!r} is not a value", instead=remedy)


def _keys(path: str) -> Keys | None:
    try:
        node: Any = tomllib.loads(f"{path} = 0") if "\n" not in path and "=" not in path else {}
    except tomllib.TOMLDecodeError:
        return None
    keys = []
    while isinstance(node, dict) and len(node) == 1:
        ((key, node),) = node.items()
        keys.append(key)
    return tuple(keys) or None
