"""A sheet as plain text, its tables aligned."""

from __future__ import annotations

from collections.abc import Iterator

from treekit.report.explaining.tables import Grid, Section, Sheet, shown_rows


def text(sheet: Sheet) -> str:
    """The whole sheet."""
    parts = ["\n".join([sheet.title, *sheet.lines])]
    parts += ("\n".join(_section(section, sheet.digits)) for section in sheet.sections)
    return "\n\n".join(parts) + "\n"


def _section(section: Section, digits: int) -> Iterator[str]:
    yield section.title
    yield from section.lines
    for table in section.grids:
        yield ""
        yield from _grid(table, digits)
    if section.grids and section.verdict:
        yield ""
    yield from section.verdict


def _grid(table: Grid, digits: int) -> Iterator[str]:
    if table.title:
        yield table.title
    lines = [[head.name for head in table.heads], *shown_rows(table, digits)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        aligned = (
            cell.rjust(width) if head.right else cell.ljust(width)
            for cell, width, head in zip(cells, widths, table.heads, strict=True)
        )
        yield "  ".join(aligned).rstrip()
    if table.note:
        yield table.note
