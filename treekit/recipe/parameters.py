"""The parameters of a strategy class, as people read them."""

from __future__ import annotations

import inspect
import re
from typing import Any

import attrs
from attrs import frozen

from treekit.recipe.words import asked_by, fields_of

_LINE = re.compile(r"(\w+)(?::|  ) *(\S.*)")


@frozen
class Parameter:
    """A parameter: its name in a recipe, what it asks for, its default and its documentation.

    `default` is attrs.NOTHING if it must be given.
    """

    name: str
    asked: str
    default: Any
    text: str


def parameters_of(strategy: type) -> tuple[Parameter, ...]:
    """The parameters of a strategy class, in their order."""
    fields = fields_of(strategy)
    texts = _documented(strategy, set(fields))
    return tuple(
        Parameter(name, asked_by(f), _default(f.default), texts.get(name, ""))
        for name, f in fields.items()
    )


def _default(default: Any) -> Any:
    takes_nothing = isinstance(default, attrs.Factory) and not default.takes_self  # type: ignore[arg-type]
    return default.factory() if takes_nothing else default


def _documented(strategy: type, names: set[str]) -> dict[str, str]:
    """What the docstring says of each parameter.

    A line that begins with its name and a colon or two spaces, and the lines indented under it.
    """
    texts: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in inspect.cleandoc(strategy.__doc__ or "").splitlines():
        found = _LINE.fullmatch(line)
        if found and found[1] in names:
            current = texts.setdefault(found[1], [])
            current.append(found[2])
        elif current is not None and line.startswith("  "):
            current.append(line.strip())
        else:
            current = None
    return {name: " ".join(lines) for name, lines in texts.items()}
