"""Where recipes come from: shipped names, files and mappings, each read as a chain of layers."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from treekit.errors import Problem, RecipeError, did_you_mean
from treekit.recipe.locate import locate

DEFAULTS = "_defaults"
"""The shipped recipe that lies under every other."""


Keys = tuple[str, ...]
"""A path in a recipe: ("tree", "stop", "0", "branch")."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def dotted(path: Keys) -> str:
    """A path as a recipe writes it: tree.stop.0.branch."""
    return ".".join(key if _BARE.fullmatch(key) else quoted(key) for key in path)


def quoted(text: str) -> str:
    """A TOML string. JSON's escapes are TOML's, but TOML also wants DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@frozen
class Origin:
    """Where a value was written: a file and a line, or words; `path` if the words name it."""

    text: str
    line: int | None = None
    path: Keys = ()

    def __str__(self) -> str:
        return self.text if self.line is None else f"{self.text}:{self.line}"

    def where(self, path: Keys) -> str:
        """The place of a problem at `path`, without saying the path twice."""
        return str(self) if path == self.path else f"{self}: {dotted(path)}"


@frozen
class Layer:
    """One recipe as written, before it is merged with its parents.

    `lines` are those of its file. `path` is what `label` already names. `origins` tell where the
    values of a recipe made earlier came from.
    """

    document: Mapping[str, Any]
    label: str
    lines: Mapping[Keys, int] = field(factory=dict, repr=False)
    file: Path | None = None
    path: Keys = ()
    origins: Mapping[str, str] = field(factory=dict, repr=False)

    @property
    def resolved(self) -> Path | None:
        return None if self.file is None else self.file.resolve()

    def origin(self, path: Keys) -> Origin:
        """Where this path, or the nearest thing that holds it, was written."""
        for known in (path, (*path, "use")):
            if dotted(known) in self.origins:
                return Origin(self.origins[dotted(known)])
        while path and path not in self.lines:
            path = path[:-1]
        return Origin(self.label, self.lines.get(path), self.path)


def recipes_folder() -> Path:
    """The shipped recipes: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_recipes"
    return inside if inside.is_dir() else package.parent / "recipes"


def recipe_names() -> tuple[str, ...]:
    """The names of the shipped recipes."""
    stems = (file.stem for file in recipes_folder().glob("*.toml"))
    return tuple(sorted(stem for stem in stems if not stem.startswith("_")))


def is_name(text: str) -> bool:
    """Can a recipe be called this?"""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", text) is not None


def is_path(source: str) -> bool:
    """Does this text name a file rather than a shipped recipe?"""
    return source.endswith(".toml") or "/" in source or "\\" in source


def defaults() -> Layer:
    """The layer under every root recipe."""
    return read_toml(recipes_folder() / f"{DEFAULTS}.toml", f"{DEFAULTS}.toml")


def read_chain(source: str | Path | Mapping[str, Any]) -> list[Layer]:
    """The recipe and its ancestors, the eldest first; the defaults lie under them all."""
    layer = Layer(source, "mapping") if isinstance(source, Mapping) else _open(source, None, "")
    chain = [layer]
    while "extends" in layer.document:
        parent = layer.document["extends"]
        where = layer.origin(("extends",)).where(("extends",))
        if not isinstance(parent, str):
            problem = f"extends = {json.dumps(parent, default=str)} is not a string"
            raise RecipeError(Problem(problem, where, "name one recipe, or a path to a .toml file"))
        layer = _open(parent, layer.file, where)
        seen = [other.resolved for other in chain]
        if layer.resolved in seen:
            circle = [*chain[seen.index(layer.resolved) :], layer]
            problem = f"recipes extend each other in a circle: {_arrows(circle)}"
            raise RecipeError(Problem(problem, where, "one of them must not extend another"))
        chain.append(layer)
    return [defaults(), *reversed(chain)]


def _arrows(layers: list[Layer]) -> str:
    return " -> ".join(layer.label for layer in layers)


def _open(source: str | Path, beside: Path | None, where: str) -> Layer:
    """A recipe by shipped name or by path; a path in a file is relative to that file."""
    if isinstance(source, str) and not is_path(source):
        return _shipped(source, where)
    path = Path(source).expanduser()
    if beside is not None and not path.is_absolute():
        path = beside.parent / path
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:
        problem = f"{str(source)!r} is not a path: {error.strerror}"
        raise RecipeError(Problem(problem, where)) from None
    if is_folder:
        inside = ", ".join(sorted(file.name for file in path.glob("*.toml")))
        remedy = f"name a file in it: {inside}" if inside else "name a .toml file"
        raise RecipeError(Problem(f"{str(source)!r} is a directory, not a recipe", where, remedy))
    if not is_there:
        near = [file.name for file in path.parent.glob("*.toml")]
        known = f"the shipped recipes are {', '.join(recipe_names())}"
        remedy = did_you_mean(path.name, near) if near else known
        raise RecipeError(Problem(f"there is no file {str(source)!r}", where, remedy))
    return read_toml(path, str(path))


def _shipped(name: str, where: str) -> Layer:
    names = recipe_names()
    if name not in names:
        remedy = f"{did_you_mean(name, names)}"
        if "did you mean" in remedy:
            remedy += f" There is {', '.join(names)}"
        if Path(f"{name}.toml").is_file():
            remedy = f"there is a file {name}.toml here"
        raise RecipeError(
            Problem(
                f"there is no recipe {name!r}",
                where,
                f"{remedy}; a file is named by a path that ends in .toml",
            )
        )
    return read_toml(recipes_folder() / f"{name}.toml", f"{name}.toml")


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(path: Path, label: str, kind: str = "recipe") -> Layer:
    """A TOML file as it is written, with the line of every key; `kind` is what it is called."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        problem = f"the {kind} cannot be read: {error.strerror}"
        raise RecipeError(Problem(problem, label)) from None
    except UnicodeDecodeError as error:
        problem = f"the {kind} is not UTF-8 text (byte {error.start + 1})"
        raise RecipeError(Problem(problem, label, "save it as UTF-8")) from None
    # tomllib takes line ends as they come; the locator counts "\n".
    text = text.replace("\r\n", "\n")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(syntax_problem(error, text, label)) from None
    return Layer(document, label, locate(text), path)


def syntax_problem(error: tomllib.TOMLDecodeError, text: str, label: str) -> Problem:
    """Where the text is no TOML, what is wrong, and the line itself."""
    message = str(error)
    place = _PLACE.search(message)
    what = _PLACE.sub("", message)
    what = what[:1].lower() + what[1:]
    lines = text.splitlines() or [""]
    if place is not None and place[1]:
        row, column = int(place[1]), int(place[2])
    else:
        row, column = len(lines), len(lines[-1]) + 1
    shown = lines[row - 1].strip() if row <= len(lines) else ""
    remedy = f"the line reads: {shown}" if shown else ""
    return Problem(f"this is not TOML: {what}", f"{label}:{row}:{column}", remedy)
