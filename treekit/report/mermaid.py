"""A tree as a Mermaid flowchart, which GitHub and many wikis draw from Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treekit.model import Model
from treekit.report.branch import name
from treekit.report.view import View, views

FOREIGN = re.compile(r"[^\w .,=/()+-]")


def mermaid(model: Model, only: int | None = None) -> str:
    """The trees of a model as one flowchart, several of them each in a subgraph."""
    return drawn(views(model, only))


def drawn(trees: Iterable[View]) -> str:
    parts = ["flowchart TD\n"]
    for i, view in enumerate(trees):
        if view.title:
            parts.append(f"subgraph t{i} [{_quoted(view.title)}]\n")
        prefix = f"t{i}n" if view.title else "n"
        parts += (line + "\n" for line in _tree(view, prefix))
        if view.title:
            parts.append("end\n")
    return "".join(parts)


def _tree(view: View, prefix: str) -> Iterator[str]:
    for node in view.nodes:
        here = f"{prefix}{view.position(node)}"
        if view.kind[node]:
            yield f"{here}[{_quoted(name(view.column(node).name))}]"
            for child, words in zip(view.children(node), view.edges(node), strict=True):
                yield f"{here} -->|{_quoted(words)}| {prefix}{view.position(child)}"
        else:
            label, evidence = _escaped(view.brief(node)), _escaped(view.evidence(node))
            yield f'{here}(["{label}<br>{evidence}"])'


def _quoted(words: str) -> str:
    return f'"{_escaped(words)}"'


def _escaped(words: str) -> str:
    """Whatever might be Mermaid's, Markdown's or HTML's becomes a numbered entity (`#60;`)."""
    return FOREIGN.sub(lambda found: f"#{ord(found[0])};", words)
