"""What goes wrong is said once, as data: what, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from attrs import frozen


@frozen
class Problem:
    """One thing that is wrong: `what`, `where` it stands, and what would be right `instead`."""

    what: str
    where: str = ""
    instead: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.instead}" if self.instead else ""
        return f"{place}{self.what}{remedy}"


class TreekitError(Exception):
    """Every error that treekit raises on purpose, with all the problems found."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems = tuple(Problem(p) if isinstance(p, str) else p for p in problems)
        super().__init__("\n".join(map(str, self.problems)))


class DataError(TreekitError):
    """A table, schema or column that cannot be used as it is."""


class RecipeError(TreekitError):
    """A recipe that does not name a whole and valid algorithm."""


class PluginError(TreekitError):
    """A plugin that cannot be used."""


class ModelError(TreekitError):
    """A model file that cannot be read, or a model asked for what it does not have."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The remedy for a misspelled name: the nearest known one, or the list of them."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name.lower(), [n.lower() for n in names], n=1, cutoff=0.6)
    if near:
        nearest = next(n for n in names if n.lower() == near[0])
        return f"did you mean {nearest!r}?"
    if not names:
        return "there is none to choose from"
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    return f"there is {shown}"
