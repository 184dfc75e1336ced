"""Loading a recipe: layers, merge, strategies, and every error at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from treekit.errors import Problem, RecipeError, TreekitError, did_you_mean
from treekit.recipe.build import Built, build
from treekit.recipe.draft import Draft, Leaf, Slot, Stops
from treekit.recipe.merging import merged
from treekit.recipe.reading import read_layer
from treekit.recipe.record import TREE_ROLES, Recipe, TreeParts, document_of, slots_of
from treekit.recipe.setting import Settings, set_layers
from treekit.recipe.source import Keys, Layer, Origin, defaults, dotted, is_path, read_chain
from treekit.recipe.terms import CLASSES, class_problems, classes_of
from treekit.recipe.whole import IMPURITY, unmeasured, whole_problems
from treekit.recipe.words import as_toml
from treekit.registry import Registry, installed
from treekit.roles import BOTH_TASKS, ROLES
from treekit.table.record import KINDS

Source = str | Path | Mapping[str, Any] | Recipe

OPTIONAL = ("impurity",)
"""The slots that may stay empty: some criteria need no impurity."""


def load_recipe(source: Source, set: Settings = (), registry: Registry | None = None) -> Recipe:  # noqa: A002
    """The recipe of a shipped name, a .toml file, a mapping or a Recipe, with changes.

    `set` changes values, in order: "tree.pruner.confidence=0.1" as on the command line, or
    {"tree.pruner.confidence": 0.1} in Python, where a slot may also be given a strategy object.
    `tree.stop.0.branch` reaches into the list of stop rules. RecipeError tells all that is wrong.
    """
    if isinstance(source, Recipe) and not set:
        return source
    registry = installed() if registry is None else registry
    if not isinstance(source, str | Path | Mapping | Recipe):
        what = f"{source!r} is not a recipe"
        remedy = "give a shipped name, a path to a .toml file, a mapping or a Recipe"
        raise RecipeError(Problem(what, instead=remedy))
    layers = [_layer_of(source)] if isinstance(source, Recipe) else read_chain(source)
    changes, problems = set_layers(set)
    draft = Draft()
    for layer in [*layers, *changes]:
        read, misplaced = read_layer(layer, registry)
        draft, unreached = merged(draft, read)
        problems += misplaced + unreached
    root = Origin(layers[-1].label)
    return _compose(_name_of(source), draft, root, registry, problems)


def check(source: Source, set: Settings = (), registry: Registry | None = None) -> list[Problem]:  # noqa: A002
    """Everything that is wrong with a recipe."""
    try:
        load_recipe(source, set, registry)
    except TreekitError as error:
        return list(error.problems)
    return []


def _line(problem: Problem) -> tuple[str, int]:
    """Problems are told in the order of the file's lines."""
    file, _, rest = problem.where.partition(", line ")
    line = re.match(r"\d+", rest)
    return (file, int(line[0])) if line else ("", 0)


def default_strategy(path: Keys, registry: Registry | None = None) -> Any:
    """The strategy that the shipped defaults bind to a slot."""
    registry = installed() if registry is None else registry
    draft, problems = read_layer(defaults(), registry)
    if path not in draft.slots:
        raise RecipeError(Problem("the shipped defaults bind nothing here", dotted(path)))
    made = build(path, path[-1], draft.slots[path], registry)
    if isinstance(made, Built):
        return made.strategy
    raise RecipeError(*problems, *made)


# --- composing -----------------------------------------------------------------------------------


def _compose(
    name: str, draft: Draft, root: Origin, registry: Registry, problems: list[Problem]
) -> Recipe:
    """The recipe that a merged draft describes, or every problem with it."""
    problems = [*problems, *_wrong_facts(draft, root)]
    slots = _slots(draft)
    problems += _unfilled(slots, draft, root, registry)
    built: dict[Keys, Built] = {}
    for path, slot in slots.items():
        made = build(path, _role(path), slot, registry)
        if isinstance(made, Built):
            built[path] = made
        else:
            problems += made
    task: Any = draft.facts["task"].value if "task" in draft.facts else None

    def where(path: Keys) -> str:
        if path[0] == CLASSES:
            return _origin_in(draft.classes, path, root).where(path)
        return (slots[path].origin if path in slots else root).where(path)

    strategies = [(path, _role(path), part.strategy) for path, part in built.items()]
    # Of which task the trees are is the ensemble's to say: without it they cannot be judged by it.
    known = task in BOTH_TASKS and ("ensemble",) in built
    problems += whole_problems(task if known else None, strategies, where, registry)
    if IMPURITY not in slots:
        problems += unmeasured(strategies, where, registry)
    classes, label = classes_of(draft.classes), built.get(("tree", "label"))
    problems += class_problems(classes, task, label and label.strategy, where)
    if problems:
        raise RecipeError(*sorted(dict.fromkeys(problems), key=_line))
    tree, ensemble = _tree(built), built[("ensemble",)].strategy
    summary = draft.facts["summary"].value if "summary" in draft.facts else ""
    names = {path: part.name for path, part in built.items()}
    origins = {key: str(leaf.origin) for key, leaf in draft.facts.items()}
    origins |= {dotted(path): str(leaf.origin) for path, leaf in draft.classes.items()}
    for path, part in built.items():
        origins |= {dotted((*path, key)): str(origin) for key, origin in part.origins.items()}
    return Recipe(
        name=name,
        summary=summary,
        task=task,
        tree=tree,
        ensemble=ensemble,
        classes=classes,
        document=document_of(summary, task, slots_of(tree, ensemble), names, classes),
        origins=origins,
    )


def _origin_in(leaves: Mapping[Keys, Leaf], path: Keys, otherwise: Origin) -> Origin:
    """Where a leaf was written, or the last one below a path."""
    below = [leaf.origin for keys, leaf in leaves.items() if keys[: len(path)] == path]
    return below[-1] if below else otherwise


def _wrong_facts(draft: Draft, root: Origin) -> Iterator[Problem]:
    task, summary = draft.facts.get("task"), draft.facts.get("summary")
    if task is None:
        remedy = f"give one of {', '.join(map(as_toml, BOTH_TASKS))}"
        yield Problem("the recipe does not say its task", root.where(("task",)), remedy)
    elif task.value not in BOTH_TASKS:
        what = f"task = {as_toml(task.value)} is not a task"
        remedy = did_you_mean(str(task.value), BOTH_TASKS)
        yield Problem(what, task.origin.where(("task",)), remedy)
    if summary is not None and not isinstance(summary.value, str):
        what = f"summary = {as_toml(summary.value)} is not a string"
        remedy = "say in a line what the recipe is, and its source"
        yield Problem(what, summary.origin.where(("summary",)), remedy)


def _slots(draft: Draft) -> dict[Keys, Slot]:
    """Every slot of the draft by its path, in the order of a document."""
    stops = draft.stops.items if isinstance(draft.stops, Stops) else ()
    rules: dict[Keys, Slot] = {("tree", "stop", str(i)): slot for i, slot in enumerate(stops)}
    return dict(sorted({**draft.slots, **rules}.items(), key=lambda item: _place(item[0])))


def _place(path: Keys) -> tuple[int, int]:
    within = path[-1] if len(path) == 3 else "0"
    kinds: tuple[str, ...] = KINDS
    return ROLES.index(_role(path)), int(within) if within.isdecimal() else kinds.index(within)


def _role(path: Keys) -> str:
    return path[0] if len(path) == 1 else path[1]


def _unfilled(
    slots: Mapping[Keys, Slot], draft: Draft, root: Origin, registry: Registry
) -> Iterator[Problem]:
    """The slots that a whole algorithm needs and this recipe leaves empty."""
    filled = {_role(path) for path in slots}
    if draft.stops is not None:
        filled.add("stop")
    for role in ROLES:
        if role in filled or role in OPTIONAL:
            continue
        path = (role,) if role not in TREE_ROLES else ("tree", role)
        names = ", ".join(registry.names(role)) or "nothing"
        yield Problem(f"the slot {role!r} is empty", root.where(path), f"there is {names}")


def _tree(built: Mapping[Keys, Built]) -> TreeParts:
    parts: dict[str, Any] = {"splitter": {}, "stop": []}
    for path, part in built.items():
        role = _role(path)
        if role == "stop":
            parts[role].append(part.strategy)
        elif role == "splitter":
            parts[role][path[-1]] = part.strategy
        elif role in TREE_ROLES:
            parts[role] = part.strategy
    return TreeParts(**parts)


def _layer_of(recipe: Recipe) -> Layer:
    """A recipe made earlier as a layer: its strategies stand for themselves."""
    tree: dict[str, Any] = {role: getattr(recipe.tree, role) for role in TREE_ROLES}
    implied = "ordinal" not in recipe.document["tree"]["splitter"]
    tree["splitter"] = {
        kind: strategy
        for kind, strategy in recipe.tree.splitter.items()
        if not (kind == "ordinal" and implied)
    }
    filled = {role: value for role, value in tree.items() if value is not None}
    document = {
        "summary": recipe.summary,
        "task": recipe.task,
        "ensemble": recipe.ensemble,
        CLASSES: recipe.classes,
        "tree": filled,
    }
    return Layer(document, recipe.name, origins=recipe.origins)


def _name_of(source: Source) -> str:
    if isinstance(source, Recipe):
        return source.name
    if isinstance(source, Mapping):
        return "unnamed"
    return Path(source).stem if isinstance(source, Path) or is_path(source) else source
