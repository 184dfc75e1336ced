"""Reports of a model for people and other programs: text, json, dot, mermaid, rules.

Every format is written without recursion, so a tree may be as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Callable

from treekit.errors import ModelError, Problem, did_you_mean
from treekit.model import Model, check_tree_number
from treekit.report.differences import Differences, differences
from treekit.report.dot import dot
from treekit.report.graph import GRAPH_FORMATS, render_graph
from treekit.report.json import json
from treekit.report.mermaid import mermaid
from treekit.report.rules import rules
from treekit.report.text import coloured, overview, text

FORMATS: dict[str, Callable[[Model, int | None], str]] = {
    "text": text,
    "json": json,
    "dot": dot,
    "mermaid": mermaid,
    "rules": rules,
}


def render(model: Model, format: str = "text", tree: int | None = None) -> str:  # noqa: A002
    """The model in one of the FORMATS: all its trees, or one of them, counted from 0."""
    if format not in FORMATS:
        raise ModelError(
            Problem(f"there is no report format {format!r}", instead=did_you_mean(format, FORMATS))
        )
    if tree is not None:
        check_tree_number(model, tree)
    return FORMATS[format](model, tree)


__all__ = [
    "FORMATS",
    "GRAPH_FORMATS",
    "Differences",
    "coloured",
    "differences",
    "overview",
    "render",
    "render_graph",
    "text",
]
