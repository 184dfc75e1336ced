"""A tree as a Mermaid flowchart, which GitHub and many wikis draw from Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treekit.model import Model
from treekit.report.branch import name
from treekit.report.view import View, views

FOREIGN = re.compile(r"[^\w .,=/()+-]")


def mermaid(model: Model) -> str:
    """The trees of a model as one flowchart, several of them each in a subgraph."""
    parts = ["flowchart TD\n"]
    for i, view in enumerate(views(model)):
        if view.title:
            parts.append(f"subgraph t{i} [{_quoted(view.title)}]\n")
        prefix = f"t{i}n" if view.title else "n"
        parts += (line + "\n" for line in _tree(view, prefix))
        if view.title:
            parts.append("end\n")
    return "".join(parts)


def _tree(view: View, prefix: str) -> Iterator[str]:
    for node, kind in enumerate(view.kind):
        if kind:
            yield f"{prefix}{node}[{_quoted(name(view.column(node).name))}]"
            for child, words in zip(view.children(node), view.edges(node), strict=True):
                yield f"{prefix}{node} -->|{_quoted(words)}| {prefix}{child}"
        else:
            label, evidence = _escaped(view.brief(node)), _escaped(view.evidence(node))
            yield f'{prefix}{node}(["{label}<br>{evidence}"])'


def _quoted(words: str) -> str:
    return f'"{_escaped(words)}"'


def _escaped(words: str) -> str:
    """Whatever might be Mermaid's, Markdown's or HTML's becomes a numbered entity (`#60;`)."""
    return FOREIGN.sub(lambda found: f"#{ord(found[0])};", words)
