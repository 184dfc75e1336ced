"""A decision graph as text: the tree, but that each node is written once.

    A = 0
    |   B = 0 [1]
    |   |   C = 0: 0 (4.0) [3]
    |   |   C = 1: 1 (4.0) [4]
    |   B = 1 [2]
    |   |   C = 0 -> 4: 1
    |   |   C = 1 -> 3: 0
    A = 1
    |   B = 0 -> 2
    |   B = 1 -> 1

A node that several branches lead to has a number, in brackets where it is written; `->` refers to
it. What stands behind an answer is of all the rows that get there. Last come the sizes, and the
order in which all paths ask the columns, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treekit.errors import ModelError, Problem, did_you_mean
from treekit.graph import Graph
from treekit.report.branch import name
from treekit.report.dot import drawn as dot_drawn
from treekit.report.json import graph_json
from treekit.report.mermaid import drawn as mermaid_drawn
from treekit.report.text import bars
from treekit.report.view import View, view_of

SHOWN_COLUMNS = 12


def text(graph: Graph) -> str:
    return "".join(f"{line}\n" for line in (*_lines(graph), "", *summary(graph)))


def summary(graph: Graph) -> Iterator[str]:
    """How large the graph is, and whether it is ordered."""
    tree = graph.tree
    yield (
        f"graph: {_size(graph.n_nodes, graph.n_leaves)};"
        f" the tree has {_size(tree.n_nodes, tree.n_leaves)}"
    )
    if graph.order is None:
        yield "not ordered: no order of the columns is kept to by every path"
    elif graph.order:
        columns = [name(graph.schema.columns[c].name) for c in graph.order]
        more = len(columns) - SHOWN_COLUMNS
        rest = f" and {more} more" if more > 0 else ""
        yield f"ordered: every path asks in the order {', '.join(columns[:SHOWN_COLUMNS])}{rest}"


def _size(nodes: int, leaves: int) -> str:
    return f"{nodes} node{'s' * (nodes != 1)}, {leaves} lea{'f' if leaves == 1 else 'ves'}"


def _lines(graph: Graph) -> Iterator[str]:
    view = view_of(graph)
    root = view.nodes[0]
    if not view.kind[root]:
        yield f"{view.answer(root)} {view.evidence(root)}"
        return
    shared = (graph.n_parents > 1).tolist()
    written: set[int] = set()
    path = [_opened(view, root)]
    while path:
        following = next(path[-1], None)
        if following is None:
            path.pop()
            continue
        child, words = following
        here = view.position(child)
        line = bars(len(path) - 1) + words
        number = f" [{here}]" if shared[here] else ""
        if here in written:
            yield f"{line} -> {here}" + ("" if view.kind[child] else f": {view.brief(child)}")
        elif view.kind[child]:
            yield line + number
            path.append(_opened(view, child))
        else:
            yield f"{line}: {view.answer(child)} {view.evidence(child)}{number}"
        written.add(here)


def _opened(view: View, node: int) -> Iterator[tuple[int, str]]:
    return zip(view.children(node), view.conditions(node), strict=True)


def _json(graph: Graph) -> str:
    return graph_json(view_of(graph), graph)


GRAPH_FORMATS: dict[str, Callable[[Graph], str]] = {
    "text": text,
    "json": _json,
    "dot": lambda graph: dot_drawn([view_of(graph)]),
    "mermaid": lambda graph: mermaid_drawn([view_of(graph)]),
}


def render_graph(graph: Graph, format: str = "text") -> str:  # noqa: A002
    """The decision graph in one of the GRAPH_FORMATS."""
    if format not in GRAPH_FORMATS:
        what = f"there is no report format {format!r} of decision graphs"
        raise ModelError(Problem(what, instead=did_you_mean(format, GRAPH_FORMATS)))
    return GRAPH_FORMATS[format](graph)
