"""Formats with a header of their own whose rows are split in Python: ARFF and C4.5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from treekit.errors import DataError, Problem
from treekit.table.raw import Ask, ColumnSpec, RawColumn, labels_of


@frozen(eq=False)
class TextRows:
    """Rows of text with the line of each. `refused` says why a column cannot be read."""

    source: str
    names: tuple[str, ...]
    declared: Mapping[str, ColumnSpec]
    own_target: str | None
    rows: list[list[str]] = field(repr=False)
    lines: list[int] = field(repr=False)
    refused: Mapping[str, Problem] = field(factory=dict)

    def load(self, asked: Mapping[str, Ask], missing: Sequence[str]) -> dict[str, RawColumn]:
        problems = [self.refused[name] for name in asked if name in self.refused]
        if problems:
            raise DataError(*problems)
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.names)
        at = {name: i for i, name in enumerate(self.names)}
        return {name: labels_of(columns[at[name]]) for name in asked}

    def place(self, row: int) -> str:
        return f"line {self.lines[row]}"


def uneven(found: int, expected: int, noun: str, source: str, line: int) -> Problem:
    """The problem of a row with too many or too few values."""
    values = f"{found} value{'' if found == 1 else 's'}"
    return Problem(f"{values}, but there are {expected} {noun}", f"{source}, line {line}")
