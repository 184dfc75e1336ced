"""A tree in Graphviz's language: `dot -Tsvg tree.dot` draws it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treekit.model import Model
from treekit.report.branch import name
from treekit.report.view import View, views


def dot(model: Model, only: int | None = None) -> str:
    """The trees of a model as one digraph, several of them each in a cluster."""
    return drawn(views(model, only))


def drawn(trees: Iterable[View]) -> str:
    parts = ["digraph {\n", "node [shape=box]\n"]
    for i, view in enumerate(trees):
        if view.title:
            parts.append(f"subgraph cluster_{i} {{\nlabel={_quoted(view.title)}\n")
        prefix = f"t{i}n" if view.title else "n"
        parts += (line + "\n" for line in _tree(view, prefix))
        if view.title:
            parts.append("}\n")
    return "".join([*parts, "}\n"])


def _tree(view: View, prefix: str) -> Iterator[str]:
    for node in view.nodes:
        here = f"{prefix}{view.position(node)}"
        if view.kind[node]:
            yield f"{here} [label={_quoted(name(view.column(node).name))}]"
            for child, words in zip(view.children(node), view.edges(node), strict=True):
                yield f"{here} -> {prefix}{view.position(child)} [label={_quoted(words)}]"
        else:
            words = f"{view.brief(node)}\n{view.evidence(node)}"
            yield f"{here} [label={_quoted(words)} style=rounded]"


def _quoted(words: str) -> str:
    r"""A Graphviz string: a backslash is doubled, lest \N or \l mean something."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
