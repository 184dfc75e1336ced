"""A sheet as Markdown, as GitHub and most notebooks read it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treekit.report.explaining.tables import Grid, Section, Sheet, shown_rows

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


def markdown(sheet: Sheet) -> str:
    """The whole sheet."""
    parts = [f"# {escaped(sheet.title)}", *map(escaped, sheet.lines)]
    for section in sheet.sections:
        parts += _section(section, sheet.digits)
    return "\n\n".join(parts) + "\n"


def _section(section: Section, digits: int) -> Iterator[str]:
    yield f"## {escaped(section.title)}"
    yield from map(escaped, section.lines)
    for table in section.grids:
        if table.title:
            yield f"**{escaped(table.title)}**"
        yield "\n".join(_grid(table, digits))
        if table.note:
            yield escaped(table.note)
    yield from map(escaped, section.verdict)


def _grid(table: Grid, digits: int) -> Iterator[str]:
    yield _line([escaped(head.name) for head in table.heads])
    yield _line(["---:" if head.right else "---" for head in table.heads])
    for cells in shown_rows(table, digits):
        yield _line(list(map(escaped, cells)))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(words: str) -> str:
    """Whatever Markdown might take for its own is escaped."""
    return SPECIAL.sub(r"\\\1", words)
