"""The Recipe: an algorithm as a whole, every slot filled by a strategy object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from treekit.classes import Classes, said
from treekit.errors import Problem, RecipeError, did_you_mean
from treekit.recipe.source import Keys, dotted
from treekit.recipe.terms import CLASSES, class_problems
from treekit.recipe.whole import implied_ordinal, unmeasured, whole_problems
from treekit.recipe.words import fields_of
from treekit.registry import Registry, installed
from treekit.roles import (
    BOTH_TASKS,
    ROLES,
    Criterion,
    Ensemble,
    Grower,
    Impurity,
    Label,
    Missing,
    Pruner,
    Splitter,
    Stop,
    tree_task_of,
)
from treekit.table.record import KINDS, Kind, Task

TREE_ROLES = tuple(role for role in ROLES if role != "ensemble")
"""The slots of a tree, in the order of the roles."""

IN_PYTHON = "given in Python"
"""The origin of what no file says."""


def _standard(*path: str) -> Callable[[], Any]:
    """A field's default: the strategy that the shipped defaults bind."""

    def default() -> Any:
        from treekit.recipe.load import default_strategy

        return default_strategy(path)

    return default


def _in_order(splitter: Mapping[Kind, Splitter]) -> dict[Kind, Splitter]:
    if not isinstance(splitter, Mapping):
        what = f"{splitter!r} is not bound to a kind of column"
        remedy = 'give a dict, such as {"numeric": ..., "nominal": ...}'
        raise RecipeError(Problem(what, "tree.splitter", remedy))
    bound = {**splitter, **implied_ordinal(splitter)}
    return {kind: bound[kind] for kind in sorted(bound, key=_place)}


def _place(kind: Kind) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def _as_tuple(stop: Stop | Iterable[Stop]) -> tuple[Stop, ...]:
    return tuple(stop) if isinstance(stop, Iterable) else (stop,)


@frozen(kw_only=True)
class TreeParts:
    """The strategies that make one tree.

    `stop` is one rule or several, any of which stops. Where `splitter` binds none to ordinal
    columns, the numeric one serves them too if it can. What has a default takes it from the
    shipped defaults.
    """

    impurity: Impurity | None = None
    criterion: Criterion
    splitter: dict[Kind, Splitter] = field(converter=_in_order)
    stop: tuple[Stop, ...] = field(converter=_as_tuple)
    missing: Missing = field(factory=_standard("tree", "missing"))
    label: Label
    pruner: Pruner = field(factory=_standard("tree", "pruner"))
    grower: Grower = field(factory=_standard("tree", "grower"))


@frozen(kw_only=True)
class Recipe:
    """An algorithm.

    `classes` is what it says of the classes, if anything. `document` is the recipe as plain nested
    data with every parameter, which `load_recipe` takes back. `origins` tell where each value was
    written, by its dotted path.
    """

    name: str = "unnamed"
    summary: str = ""
    task: Task
    tree: TreeParts
    ensemble: Ensemble = field(factory=_standard("ensemble"))
    classes: Classes = field(factory=Classes)
    document: Mapping[str, Any] = field(eq=False, repr=False)
    origins: Mapping[str, str] = field(eq=False, repr=False)

    @document.default
    def _derived(self) -> dict[str, Any]:
        slots = slots_of(self.tree, self.ensemble)
        names = _names(slots, installed())
        return document_of(self.summary, self.task, slots, names, self.classes)

    @origins.default
    def _all_in_python(self) -> dict[str, str]:
        return {dotted(path): IN_PYTHON for path, _ in leaves(self.document)}

    @cached_property
    def slots(self) -> list[tuple[Keys, str, Any]]:
        """Every filled slot, as `slots_of` has them."""
        return slots_of(self.tree, self.ensemble)

    def __attrs_post_init__(self) -> None:
        slots = slots_of(self.tree, self.ensemble)
        problems = whole_problems(self.task, slots, dotted, None)
        if self.tree.impurity is None:
            problems += unmeasured(slots, dotted, None)
        problems += class_problems(self.classes, self.task, self.tree.label, dotted)
        if self.task not in BOTH_TASKS:
            remedy = did_you_mean(str(self.task), BOTH_TASKS)
            problems = [Problem(f"{self.task!r} is not a task", "task", remedy)]
        if problems:
            raise RecipeError(*problems)


def tree_task(recipe: Recipe) -> str:
    """What the trees of a recipe predict: as the recipe, unless its ensemble has other trees."""
    return tree_task_of(recipe.ensemble, recipe.task)


def slots_of(tree: TreeParts, ensemble: Ensemble) -> list[tuple[Keys, str, Any]]:
    """Every filled slot: its path, its role and its strategy."""
    slots: list[tuple[Keys, str, Any]] = [(("ensemble",), "ensemble", ensemble)]
    for part in attrs.fields(TreeParts):
        role, value = part.name, getattr(tree, part.name)
        if role == "splitter":
            slots += [(("tree", role, kind), role, value[kind]) for kind in value]
        elif role == "stop":
            slots += [(("tree", role, str(i)), role, rule) for i, rule in enumerate(value)]
        elif value is not None:
            slots.append((("tree", role), role, value))
    return slots


def document_of(
    summary: str,
    task: str,
    slots: Iterable[tuple[Keys, str, Any]],
    names: Mapping[Keys, str],
    classes: Classes,
) -> dict[str, Any]:
    """A recipe as plain nested data; a slot without a name is left out, being implied."""
    tree: dict[str, Any] = {"stop": []}
    document: dict[str, Any] = {"summary": summary, "task": task}
    for path, role, strategy in slots:
        if path not in names:
            continue
        table = {"use": names[path], **plain_parameters(strategy)}
        if role == "ensemble":
            document[role] = table
        elif role == "stop":
            tree[role].append(table)
        elif role == "splitter":
            tree.setdefault(role, {})[path[-1]] = table
        else:
            tree[role] = table
    if terms := said(classes):
        document[CLASSES] = terms
    return {**document, "tree": {role: tree[role] for role in TREE_ROLES if role in tree}}


def _names(slots: Iterable[tuple[Keys, str, Any]], registry: Registry) -> dict[Keys, str]:
    """The names that recipes have for these strategies; none for an implied ordinal splitter."""
    splitter = {path[-1]: strategy for path, role, strategy in slots if role == "splitter"}
    ordinal = splitter.pop("ordinal", None)
    names = {path: registry.name_of(role, type(strategy)) for path, role, strategy in slots}
    if ordinal is not None and implied_ordinal(splitter).get("ordinal") == ordinal:
        del names[("tree", "splitter", "ordinal")]
    return names


def plain_parameters(strategy: Any) -> dict[str, Any]:
    """A strategy's parameters as plain data, by the names that a recipe uses."""
    fields = fields_of(type(strategy)).items()
    return {key: _plain(getattr(strategy, f.name)) for key, f in fields}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [_plain(item) for item in items]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def leaves(document: Any, path: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Every value of a document with its path; of lists, only those of tables are entered."""
    if isinstance(document, Mapping) and (document or not path):
        for key, value in document.items():
            yield from leaves(value, (*path, key))
    elif isinstance(document, list) and any(isinstance(item, Mapping) for item in document):
        for i, item in enumerate(document):
            yield from leaves(item, (*path, str(i)))
    else:
        yield path, document


def origin_of(recipe: Recipe, path: Keys) -> str:
    """Where the value at a path was written, or else the first below it, or what holds it."""
    below = dotted(path) + "."
    nearest = [origin for key, origin in recipe.origins.items() if key.startswith(below)]
    while path:
        if dotted(path) in recipe.origins:
            return recipe.origins[dotted(path)]
        path = path[:-1]
    return nearest[0] if nearest else IN_PYTHON


def place_of(recipe: Recipe, path: Keys) -> str:
    """The place of a problem at a path, without saying the path twice."""
    origin = origin_of(recipe, path)
    return origin if dotted(path) in origin else f"{origin}: {dotted(path)}"
