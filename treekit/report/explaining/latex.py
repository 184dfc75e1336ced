"""A sheet as LaTeX, its tables ruled by the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treekit.report.explaining.tables import Grid, Section, Sheet, shown_rows

ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "--": "{-}{-}",  # no dash out of two hyphens
    "…": r"\ldots{}",
    "[": "{[}",  # what follows a line break must not look like its argument
    "]": "{]}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
SPECIAL = re.compile("|".join(map(re.escape, ESCAPES)))
HINT = "% Needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}."


def latex(sheet: Sheet) -> str:
    """The whole sheet, as a part of a document."""
    parts = [f"{HINT}\n\\section*{{{escaped(sheet.title)}}}", *map(escaped, sheet.lines)]
    for section in sheet.sections:
        parts += _section(section, sheet.digits)
    return "\n\n".join(parts) + "\n"


def _section(section: Section, digits: int) -> Iterator[str]:
    yield f"\\subsection*{{{escaped(section.title)}}}"
    yield from map(escaped, section.lines)
    for table in section.grids:
        if table.title:
            yield f"\\noindent\\textit{{{escaped(table.title)}}}"
        yield "\\noindent\n" + "\n".join(_grid(table, digits))
        if table.note:
            yield escaped(table.note)
    yield from map(escaped, section.verdict)


def _grid(table: Grid, digits: int) -> Iterator[str]:
    columns = "".join("r" if head.right else "l" for head in table.heads)
    yield f"\\begin{{tabular}}{{{columns}}}"
    yield "\\toprule"
    yield _line([head.name for head in table.heads])
    yield "\\midrule"
    for cells in shown_rows(table, digits):
        yield _line(cells)
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _line(cells: list[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def escaped(words: str) -> str:
    """Whatever LaTeX might take for its own is written by its name."""
    return SPECIAL.sub(lambda found: ESCAPES[found[0]], words)
