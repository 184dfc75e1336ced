"""How many of a table's columns are drawn at random."""

from __future__ import annotations

import math
from typing import Any, Literal

from attrs import Attribute

from treekit_builtin.shares import share_of

ColumnCount = int | float | Literal["all", "sqrt", "log2"]

WORDS = ("all", "sqrt", "log2")


def count_or_share(_: Any, attribute: Attribute[Any], value: Any) -> None:
    """An attrs validator."""
    if isinstance(value, bool) or not (
        value in WORDS
        or (isinstance(value, int) and value >= 1)
        or (isinstance(value, float) and 0.0 < value <= 1.0)
    ):
        raise ValueError(
            f'\'{attribute.name}\' must be "all", "sqrt", "log2", a whole number >= 1 or a'
            f" share > 0.0 and <= 1.0: {value!r}"
        )


def number_of(count: ColumnCount, columns: int) -> int:
    """How many of so many columns: 1 at least."""
    if isinstance(count, str):
        words = {"all": columns, "sqrt": math.sqrt(columns), "log2": math.log2(columns)}
        return max(int(words[count]), 1)
    return count if isinstance(count, int) else share_of(count, columns)
