"""Comparison files: a whole comparison in TOML, read as strictly as recipes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import asdict, evolve, field, fields_dict, frozen, validators

from treekit.comparing.comparison import Comparison, Statistics, Variant, is_estimator
from treekit.comparing.data import beside, check_word
from treekit.comparing.disturbing import Disturbing
from treekit.comparing.resampling import WAYS, CrossValidation, Resampling
from treekit.comparing.results import measured_names
from treekit.errors import Problem, RecipeError, TreekitError, did_you_mean
from treekit.recipe.build import structured
from treekit.recipe.draft import Leaf, Slot
from treekit.recipe.source import Keys, Layer, dotted, is_path, read_toml
from treekit.recipe.words import as_toml

KIND: Final = "comparison file"


@frozen
class _Head:
    """What stands above all tables."""

    title: str = ""
    recipes: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    seed: int = field(default=0, validator=validators.ge(0))
    against: str = ""
    learn: tuple[float, ...] = field(
        default=(), validator=validators.deep_iterable([validators.gt(0.0), validators.le(1.0)])
    )


@frozen
class _Read:
    """How data are read; None: as the reader thinks best."""

    target: str | None = None
    schema: str | None = None
    kinds: Mapping[str, str] | None = None
    weights: str | None = None
    drop_missing_target: bool | None = None
    missing: str | tuple[str, ...] | None = None
    encoding: str | None = None


HEAD: Final = tuple(fields_dict(_Head))
TELLING: Final = ("recipes", "data", "metrics", "vary", "variants", "resampling", "disturb")
"""What no recipe has."""
TABLES: Final = ("read", "set", "vary", "variants", "disturb", "resampling", "statistics")


def is_comparison(path: str | Path) -> bool:
    """Is this file, if there is one, a comparison rather than a recipe? RecipeError: no TOML."""
    if not (str(path).endswith(".toml") and Path(path).expanduser().is_file()):
        return False
    document = read_toml(Path(path).expanduser(), str(path), KIND).document
    return any(key in document for key in TELLING)


def load_comparison(path: str | Path) -> Comparison:
    """The comparison that a file asks for; TreekitError tells all that is wrong with it.

    Paths in it are relative to the file.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        near = [other.name for other in file.parent.glob("*.toml")]
        instead = did_you_mean(file.name, near) if near else "name a .toml file"
        raise RecipeError(Problem(f"there is no {KIND} {str(path)!r}", instead=instead))
    reading = _Reading(read_toml(file, str(path), KIND), file)
    found = reading.comparison()
    if reading.problems:
        raise TreekitError(*sorted(dict.fromkeys(reading.problems), key=_line))
    return found


def _line(problem: Problem) -> int:
    """Problems are told in the order of the file's lines."""
    line = re.search(r":(\d+)", problem.where)
    return int(line[1]) if line else 0


class _Reading:
    """A file being read, and the problems found so far."""

    def __init__(self, layer: Layer, file: Path) -> None:
        self.layer = layer
        self.file = file
        self.problems: list[Problem] = []
        self.places: dict[str, str] = {}

    def comparison(self) -> Comparison:
        document = self.layer.document
        for key in document:
            if key not in (*HEAD, *TABLES):
                near = did_you_mean(key, (*HEAD, *TABLES))
                self.wrong(f"a comparison has no {key!r}", (key,), near)
        # One by one: what is wrong with one says nothing of the others.
        head = _Head()
        for key in (key for key in HEAD if key in document):
            one = self.section((), _Head, {key: document[key]})
            head = head if one is None else evolve(head, **{key: getattr(one, key)})
        read = self.section(("read",), _Read) or _Read()
        statistics = self.section(("statistics",), Statistics) or Statistics()
        found = Comparison(
            recipes=tuple(self.recipe(word) for word in head.recipes),
            data=tuple(beside(word, self.file.parent) for word in head.data),
            title=head.title,
            metrics=head.metrics,
            against=head.against,
            seed=head.seed,
            reading=self.reading(read),
            settings=(self.paths(("set",)),),
            vary=self.grid(),
            variants=tuple(self.variants()),
            learn=head.learn,
            disturb=self.disturbing(),
            resampling=self.resampling(),
            statistics=statistics,
            file=self.file,
            places=self.places,
        )
        self.check(found)
        return found

    def check(self, found: Comparison) -> None:
        """Are there such recipes, strategies, metrics and data?"""
        for key in ("recipes", "data", "metrics"):
            for i in range(len(getattr(found, key))):
                self.places[f"{key}.{i}"] = self.where((key, str(i)))
        self.places["against"] = self.where(("against",))
        with found.noting(self.problems, ""):
            _ = found.contenders
        for i, word in enumerate(found.data):
            with found.noting(self.problems, f"data.{i}"):
                check_word(word)
        every = measured_names()
        for i, name in enumerate(found.metrics):
            if name not in every:
                near = did_you_mean(name, every)
                self.wrong(f"there is no metric {name!r}", ("metrics", str(i)), near)

    # --- tables ----------------------------------------------------------------------------------

    def section(self, path: Keys, made: type, document: Any = None, name: str = "") -> Any:
        """An object of this class out of a table; None if something is wrong with it."""
        table = self.table(path) if document is None else document
        leaves = {k: Leaf(v, self.layer.origin((*path, k))) for k, v in table.items()}
        slot = Slot(self.layer.origin(path), parameters=leaves)
        found = structured(path, name or dotted(path), made, slot)
        if isinstance(found, list):
            self.problems += found
            return None
        return found

    def table(self, path: Keys) -> Mapping[str, Any]:
        """The table at a path; empty if there is none."""
        found: Any = self.layer.document
        for key in path:
            found = found.get(key, {})
        if not isinstance(found, Mapping):
            what = f"{path[-1]} = {as_toml(found)} is not a table"
            self.wrong(what, path, f"write [{dotted(path)}] and what belongs to it below")
            return {}
        return found

    def reading(self, read: _Read) -> dict[str, Any]:
        given = {k: v for k, v in asdict(read, recurse=False).items() if v is not None}
        if "schema" in given:
            given["schema"] = str(self.file.parent / given["schema"])
        if isinstance(given.get("missing"), str):
            given["missing"] = (given["missing"],)
        return given

    def resampling(self) -> Resampling:
        table = dict(self.table(("resampling",)))
        use = table.pop("use", "cross_validation")
        if use not in WAYS:
            what = f"use = {as_toml(use)} is no way of resampling"
            self.wrong(what, ("resampling", "use"), did_you_mean(str(use), WAYS))
            return CrossValidation()
        found: Resampling | None = self.section(("resampling",), WAYS[use], table, use)
        return found or CrossValidation()

    def disturbing(self) -> Disturbing | None:
        if "disturb" not in self.layer.document:
            return None
        found: Disturbing | None = self.section(("disturb",), Disturbing)
        return found

    # --- paths of recipes ------------------------------------------------------------------------

    def paths(self, path: Keys, without: str = "") -> dict[str, Any]:
        """The values of a table by paths of a recipe, written in quotes or as TOML's own."""
        called = ".".join(path)
        table = {k: v for k, v in self.table(path).items() if k != without}
        found = {}
        for keys, value in _leaves(table, path):
            words = keys[len(path)] if len(keys) == len(path) + 1 else dotted(keys[len(path) :])
            found[words] = value
            self.places[f"{called} {words}"] = f"{self.layer.origin(keys)}: {called} {words}"
        return found

    def grid(self) -> dict[str, list[Any]]:
        found = {}
        for path, values in self.paths(("vary",)).items():
            place = self.places[f"vary {path}"]
            if not isinstance(values, list):
                what = f"{as_toml(values)} is not a list of values"
                self.problems.append(Problem(what, place, "give some: [..., ...]"))
            elif not values:
                what = "there is nothing to vary here"
                self.problems.append(Problem(what, place, "give some values"))
            else:
                found[path] = values
        return found

    def variants(self) -> Iterator[Variant]:
        for name in self.table(("variants",)):
            path = ("variants", name)
            self.places[f"variants.{name}"] = self.where(path)
            recipe = self.table(path).get("recipe")
            if recipe is not None and not isinstance(recipe, str):
                what = f"recipe = {as_toml(recipe)} is not a recipe"
                self.wrong(what, (*path, "recipe"), "name one recipe, or leave it out")
                recipe = None
            changes = self.paths(path, without="recipe")
            yield Variant(name, changes, None if recipe is None else self.recipe(recipe))

    def recipe(self, word: str) -> str:
        """A recipe as the comparison names it; paths are relative to the file."""
        if is_estimator(word) or not is_path(word):
            return word
        return str(self.file.parent / Path(word).expanduser())

    # --- problems --------------------------------------------------------------------------------

    def where(self, path: Keys) -> str:
        return self.layer.origin(path).where(path)

    def wrong(self, what: str, path: Keys, instead: str = "") -> None:
        self.problems.append(Problem(what, self.where(path), instead))


def _leaves(value: Any, path: Keys) -> Iterator[tuple[Keys, Any]]:
    """What is set at which path. A table with `use` is a strategy, hence a value."""
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner and "use" not in inner:
            yield from _leaves(inner, (*path, key))
        else:
            yield (*path, key), inner
