"""Laws of every strategy, whatever its role."""

from __future__ import annotations

import inspect
import pickle
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import attrs

from treekit.recipe import load_recipe, parameters_of, to_toml
from treekit.recipe.record import slots_of
from treekit.recipe.words import choices, fields_of
from treekit.registry import Entry, Registry, installed
from treekit.registry.check import flaw_of_class
from treekit.roles import tree_task_of
from treekit.testing.expecting import expect
from treekit.testing.hosting import host, tasks


def fits_its_role(role: str, strategy: Any) -> None:
    """It is an attrs class with the methods of its role; `tasks` and `kinds` are known words."""
    flaw = flaw_of_class(role, type(strategy))
    if flaw is not None:
        raise AssertionError(f"{flaw.problem}; {flaw.hint}")


def is_frozen(role: str, strategy: Any) -> None:
    """Nothing can be assigned to it, so nodes, threads and models may share it."""
    for name in [*(f.name for f in attrs.fields(type(strategy))), "anything"]:
        try:
            setattr(strategy, name, getattr(strategy, name, None))
        except attrs.exceptions.FrozenInstanceError:
            continue
        except AttributeError:
            pass
        raise AssertionError("its attributes can be assigned to; decorate it with @attrs.frozen")


def has_no_base_class(role: str, strategy: Any) -> None:
    """A strategy inherits nothing: what it does stands in its class."""
    bases = [base.__name__ for base in type(strategy).__mro__[1:-1]]
    expect(not bases, f"it inherits from {', '.join(bases)}")


def is_summed_up_in_one_line(role: str, strategy: Any) -> None:
    """The docstring begins with one line, which `treekit plugins` lists."""
    lines = inspect.cleandoc(type(strategy).__doc__ or "").splitlines()
    expect(lines and lines[0].strip(), "it has no docstring")
    expect(len(lines[0]) <= 100, f"the first line of its docstring is too long: {lines[0]!r}")
    followed = len(lines) > 1 and lines[1].strip()
    expect(not followed, "its docstring needs an empty line after the first")


def documents_its_fields(role: str, strategy: Any) -> None:
    """The docstring has a line for each field: its name, a colon or two spaces, and its meaning."""
    for parameter in parameters_of(type(strategy)):
        expect(parameter.text, f"the field {parameter.name!r} is not documented")


def is_equal_by_its_fields(role: str, strategy: Any) -> None:
    """Objects with equal fields are equal and hash alike; the engine groups by that."""
    twin = attrs.evolve(strategy)
    expect(twin == strategy, "two objects with the same fields are not equal")
    expect(hash(twin) == hash(strategy), "two equal objects have different hashes")


def can_be_pickled(role: str, strategy: Any) -> None:
    """It can be sent to another process."""
    try:
        again = pickle.loads(pickle.dumps(strategy))
    except Exception as error:
        raise AssertionError(f"it cannot be pickled: {error}") from error
    expect(again == strategy, f"pickling changes it to {again!r}")


def survives_a_recipe(role: str, strategy: Any) -> None:
    """Written to a TOML recipe and read again, it is the same."""
    registry = _with(role, type(strategy))
    task = tasks(strategy)[0]
    where = Path(__file__).parents[1] / "hosts" / f"{tree_task_of(strategy, task)}.toml"
    changes = {**dict.fromkeys(_paths(role, strategy), strategy), "task": task}
    recipe = load_recipe(where, changes, registry)
    text = to_toml(recipe)
    again = load_recipe(tomllib.loads(text), registry=registry)
    expect(
        slots_of(again.tree, again.ensemble) == slots_of(recipe.tree, recipe.ensemble),
        f"a recipe that holds it reads back as another:\n{text}",
    )


def refuses_values_out_of_range(role: str, strategy: Any) -> None:
    """A field says which values it takes: no word but its own, no NaN, no number without limit."""
    for name, f in fields_of(type(strategy)).items():
        options = tuple(choices(f))
        if options:
            bad = "no such word" if isinstance(options[0], str) else max(options) + 1
            expect(_refuses(strategy, name, bad), f"the field {name!r} takes {bad!r}")
        elif _may_be(f, float):
            expect(_refuses(strategy, name, float("nan")), f"the field {name!r} takes NaN")
        elif _may_be(f, int):
            has_limit = any(_refuses(strategy, name, limit) for limit in (-(10**12), 10**12))
            expect(has_limit, f"the field {name!r} has no limit; give it a validator")


LAWS: tuple[Callable[[str, Any], None], ...] = (
    fits_its_role,
    is_frozen,
    has_no_base_class,
    is_summed_up_in_one_line,
    documents_its_fields,
    is_equal_by_its_fields,
    can_be_pickled,
    survives_a_recipe,
    refuses_values_out_of_range,
)


def _may_be(parameter: attrs.Attribute[Any], scalar: type) -> bool:
    return parameter.type is scalar or scalar in get_args(parameter.type)


def _refuses(strategy: Any, name: str, value: Any) -> bool:
    try:
        attrs.evolve(strategy, **{name: value})
    except Exception:
        return True
    return False


def _with(role: str, strategy: type) -> Registry:
    """What is installed, and this class."""
    registry = installed()
    if any(entry.strategy is strategy for entry in registry.of(role)):
        return registry
    entry = Entry(role, strategy.__name__, strategy, "under-test", "", "", strategy.__module__)
    return Registry((*registry.entries, entry), registry.failures)


def _paths(role: str, strategy: Any) -> list[str]:
    """Where the host recipe may hold it."""
    if role == "splitter":
        return [f"tree.splitter.{kind}" for kind in host(tasks(strategy)[0]).tree.splitter
                if kind in strategy.kinds]  # fmt: skip
    return [role if role == "ensemble" else f"tree.{role}"]
