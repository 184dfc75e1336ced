"""A sheet as JSON, all digits kept.

    {"title", "facts", "lines", "sections": [SECTION, ...]}

SECTION  {"title", "facts", "lines", "tables": [TABLE, ...], "verdict"}
TABLE    {"title", "columns": [names], "rows": [[cells], ...], "note"}

Figures that lines say in words are in "facts" as numbers.
"""

from __future__ import annotations

import json as codec
import math
from collections.abc import Mapping
from typing import Any

from treekit.report.explaining.tables import Grid, Said, Section, Sheet


def json(sheet: Sheet) -> str:
    """The whole sheet."""
    document = {
        "title": sheet.title,
        "facts": _plain(sheet.facts),
        "lines": list(sheet.lines),
        "sections": [_section(section) for section in sheet.sections],
    }
    return codec.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "facts": _plain(section.facts),
        "lines": list(section.lines),
        "tables": [_grid(table) for table in section.grids],
        "verdict": list(section.verdict),
    }


def _grid(table: Grid) -> dict[str, Any]:
    return {
        "title": table.title,
        "columns": [head.name for head in table.heads],
        "rows": [[_plain(cell) for cell in row] for row in table.rows],
        "note": table.note,
    }


def _plain(value: Any) -> Any:
    """A value as JSON knows it; what is no number is null."""
    if isinstance(value, Said):
        return _plain(value.value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
