"""Drafts: a recipe as slots, each value remembering where it was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from treekit.recipe.source import Keys, Origin


@frozen
class Given:
    """A strategy class that Python code gave as such, under the name it goes by."""

    name: str
    strategy: type


@frozen
class Leaf:
    """A value and where it was written; `is_made` if it comes from a strategy object."""

    value: Any
    origin: Origin
    is_made: bool = False


@frozen
class Slot:
    """One strategy as a recipe writes it."""

    origin: Origin
    use: Leaf | None = None
    parameters: Mapping[str, Leaf] = field(factory=dict)

    @property
    def used(self) -> str | None:
        """The name in `use`."""
        if self.use is None:
            return None
        value = self.use.value
        return value.name if isinstance(value, Given) else value


@frozen
class Stops:
    """The stop rules; `is_list` if they were written as a list."""

    items: tuple[Slot, ...]
    is_list: bool


@frozen
class Patch:
    """Changes to inherited stop rules by position; None: to the only one."""

    items: Mapping[int | None, Slot]


@frozen
class Draft:
    """A recipe before its strategies are made."""

    facts: Mapping[str, Leaf] = field(factory=dict)
    slots: Mapping[Keys, Slot] = field(factory=dict)
    stops: Stops | Patch | None = None
    classes: Mapping[Keys, Leaf] = field(factory=dict)
