"""A starting file: every slot of a parent recipe, commented out, with what could stand there."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import attrs

from treekit import roles
from treekit.classes import BALANCED, EQUAL, NO_WEIGHTS, SAMPLE
from treekit.errors import Problem, RecipeError
from treekit.recipe.load import load_recipe
from treekit.recipe.parameters import Parameter, parameters_of
from treekit.recipe.record import Recipe, leaves, plain_parameters, slots_of
from treekit.recipe.source import Keys, dotted, is_name
from treekit.recipe.terms import CLASSES
from treekit.recipe.words import as_toml
from treekit.registry import Registry, installed

_WIDTH = 96

_TERMS = {
    "weights": f'"{NO_WEIGHTS}", "{BALANCED}" or {{ CLASS = NUMBER }}: what the weights of its rows'
    " are multiplied by",
    "priors": f'"{SAMPLE}", "{EQUAL}" or {{ CLASS = SHARE }}: how frequent each class is taken to'
    " be",
    "costs": "{ ACTUAL = { PREDICTED = NUMBER } }: what an error costs; 1 unless named",
}


def new_recipe(name: str, extends: str, registry: Registry | None = None) -> str:
    """The text of a recipe file that extends another and changes nothing yet.

    Every slot stands there as a comment, with its parameters, their documentation and the
    registered alternatives; to change a value, take the `#` away and write another.
    """
    if not is_name(name):
        remedy = "use letters, digits, '_' and '-', and begin with a letter"
        raise RecipeError(Problem(f"{name!r} is not a name for a recipe", instead=remedy))
    registry = installed() if registry is None else registry
    parent = load_recipe(extends, registry=registry)
    lines = [
        f"# {name}.toml: {extends}, with changes. Nothing is changed yet.",
        "# To change a value, take the '# ' from its line and write another. What stays a comment",
        "# is inherited. A strategy that gets another name in `use` forgets its old parameters.",
        "",
        f"summary = {as_toml(f'{name}: say what it is, and cite its source')}",
        f"extends = {as_toml(extends)}",
        f"# task = {as_toml(parent.task)}",
        "",
        *_role_lines("ensemble", parent, registry),
        *_class_lines(parent),
        "[tree]",
        "",
    ]
    for role in roles.ROLES:
        if role != "ensemble":
            lines += _role_lines(role, parent, registry)
    return "\n".join(lines).rstrip() + "\n"


def _class_lines(parent: Recipe) -> Iterator[str]:
    if parent.task != "classification":
        return
    yield "# --- classes: what do they weigh, and what do errors cost?"
    for path, value in leaves(parent.document.get(CLASSES, {}), (CLASSES,)):
        if path != (CLASSES,):
            yield f"# {dotted(path)} = {as_toml(value)}"
    yield "# There is:"
    for key, text in _TERMS.items():
        yield from _wrapped(f"#   {CLASSES}.{key:<10} {text}", "#" + " " * 22)
    yield ""


def _role_lines(role: str, parent: Recipe, registry: Registry) -> Iterator[str]:
    question = (getattr(roles, role.capitalize()).__doc__ or "").partition("?")[0]
    yield f"# --- {role}: {question}?"
    slots = slots_of(parent.tree, parent.ensemble)
    filled = [(path, strategy) for path, other, strategy in slots if other == role]
    for path, strategy in filled:
        table = _table_at(parent, path)
        if table is None:
            yield f"# {dotted(path[1:])} is the numeric one"
            continue
        yield f"# {_key(role, path)}.use = {as_toml(table)}"
        values = plain_parameters(strategy)
        for parameter in parameters_of(type(strategy)):
            yield from _parameter_lines(_key(role, path), parameter, values[parameter.name])
    if not filled:
        yield f"# {role} is empty"
    yield "# There is:"
    for entry in registry.of(role):
        yield from _wrapped(f"#   {entry.name:<18} {entry.summary}", "#" + " " * 22)
        for parameter in parameters_of(entry.strategy):
            text = f"#       {parameter.name:<14} {_said(parameter)}"
            yield from _wrapped(text, "#" + " " * 22)
    yield ""


def _key(role: str, path: Keys) -> str:
    return dotted(path if role == "ensemble" else path[1:])


def _table_at(parent: Recipe, path: Keys) -> str | None:
    """The name that the parent's document has for a slot; None if the slot is implied."""
    node = parent.document
    for key in path:
        if isinstance(node, list):
            node = node[int(key)]
        elif key in node:
            node = node[key]
        else:
            return None
    return str(node["use"])


def _parameter_lines(key: str, parameter: Parameter, value: object) -> Iterator[str]:
    if value is None:
        yield f"# {key}.{parameter.name} is not set"
    else:
        yield f"# {key}.{dotted((parameter.name,))} = {as_toml(value)}"


def _said(parameter: Parameter) -> str:
    default = parameter.default
    if default is attrs.NOTHING:
        need = "must be given"
    elif default is None:
        need = "not set by default"
    else:
        need = f"default {as_toml(default)}"
    return f"{parameter.asked}, {need}" + (f": {parameter.text}" if parameter.text else "")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
