"""What every form of an explanation is made of: sections of lines and titled tables.

An explanation becomes a Sheet once; text, Markdown, LaTeX and JSON only write sheets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from treekit.report.branch import number

LARGE = 1e7


@frozen
class Said:
    """A cell that people read as `text` and programs as `value`."""

    text: str
    value: Any


Cell = str | int | float | None | Said


@frozen
class Head:
    """A column of a table. Of one that is `grouped`, a value is shown where it changes."""

    name: str
    right: bool = False
    grouped: bool = False


@frozen
class Grid:
    """A titled table."""

    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@frozen
class Section:
    """Some lines, some tables and what follows from them; `facts` are the lines as data."""

    title: str
    lines: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    verdict: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(factory=dict)


@frozen
class Sheet:
    """An explanation; figures have `digits` decimal places where people read them."""

    title: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    facts: Mapping[str, Any]
    digits: int


def grid(title: str, heads: Sequence[Head], rows: Sequence[Sequence[Cell]], note: str = "") -> Grid:
    """A table without those of its columns that are empty."""
    used = [j for j in range(len(heads)) if any(row[j] not in (None, "") for row in rows)]
    return Grid(
        title,
        tuple(heads[j] for j in used),
        tuple(tuple(row[j] for j in used) for row in rows),
        note,
    )


def figure(value: float, digits: int) -> str:
    """A figure with so many decimals; a small or large one with as many digits."""
    if not math.isfinite(value):
        return str(value)
    if 0 < abs(value) < 0.5 * 10.0**-digits and abs(value) > 1e-12:
        return f"{value:.{max(digits - 2, 0)}e}"
    if abs(value) >= LARGE:
        return number(value)
    return f"{value + 0.0:.{digits}f}".replace("-" + f"{0:.{digits}f}", f"{0:.{digits}f}")


def amount(value: float, digits: int) -> str:
    """A weight: a whole number as such."""
    return str(round(value)) if abs(value - round(value)) < 1e-9 else figure(value, digits)


def shown(cell: Cell, digits: int) -> str:
    """A cell for people."""
    if cell is None:
        return ""
    if isinstance(cell, Said):
        return cell.text
    return figure(cell, digits) if isinstance(cell, float) else str(cell)


def shown_rows(table: Grid, digits: int) -> list[list[str]]:
    """The cells of a table for people, repeated values of grouped columns left out."""
    rows = []
    above: tuple[Cell, ...] | None = None
    for row in table.rows:
        cells = [shown(cell, digits) for cell in row]
        for j, head in enumerate(table.heads):
            if head.grouped and above is not None and row[: j + 1] == above[: j + 1]:
                cells[j] = ""
        rows.append(cells)
        above = row
    return rows
