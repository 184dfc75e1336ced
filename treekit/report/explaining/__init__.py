"""Explanations as text, Markdown, LaTeX and JSON.

An explanation becomes a `Sheet` of titled tables once (`growth`, `rows`); the forms only write it.
"""

from __future__ import annotations

from collections.abc import Callable

from treekit.errors import ModelError, Problem, did_you_mean
from treekit.explain import Explanation, RowExplanation
from treekit.report.explaining.growth import growth_sheet
from treekit.report.explaining.json import json
from treekit.report.explaining.latex import latex
from treekit.report.explaining.markdown import markdown
from treekit.report.explaining.rows import row_sheet
from treekit.report.explaining.tables import Sheet
from treekit.report.explaining.text import text

FORMATS: dict[str, Callable[[Sheet], str]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
    "json": json,
}


def render(found: Explanation | RowExplanation, format: str = "text", digits: int = 4) -> str:  # noqa: A002
    """An explanation in one of the FORMATS; `digits` are the decimals of a figure."""
    if format not in FORMATS:
        raise ModelError(
            Problem(
                f"there is no form {format!r} of an explanation",
                instead=did_you_mean(format, FORMATS),
            )
        )
    if isinstance(found, Explanation):
        return FORMATS[format](growth_sheet(found, digits, brief=format != "json"))
    return FORMATS[format](row_sheet(found, digits))


__all__ = ["FORMATS", "Sheet", "growth_sheet", "render", "row_sheet"]
