"""A tree as indented text: a line for each branch, the answer of a leaf at the end of its line.

    outlook = sunny
    |   humidity <= 75: yes (2.0)
    |   humidity > 75: no (3.0)
    outlook = overcast: yes (4.0)

A class is followed by (weight/errors) as in C4.5, where the errors are the weight at the leaf that
is of other classes, left out if there is none; a number by how many cases it is of, and their
population variance. A leaf with a model of numbers answers with its formula; one with a model of
classes with the class that is the most frequent there, and what it looks at: columns, or so many
nearest rows. Below DEEPEST levels the indentation stops, and the depth is told instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from treekit.model import Model, counted
from treekit.report.stand_ins import stand_ins
from treekit.report.view import View, title, views
from treekit.tree import REFUSE, SPREAD, STAY, Tree

if TYPE_CHECKING:
    from rich.text import Text

DEEPEST = 24
MOST_TREES = 10
BAR = "|   "
Line = tuple[str, str, str, str]
UNKNOWN = {
    SPREAD: "is shared out over all branches, by their weight",
    STAY: "goes no further: the node answers",
    REFUSE: "is refused",
}


def text(
    model: Model,
    only: int | None = None,
    *,
    reasons: bool = False,
    unknown: bool = False,
    surrogates: bool = False,
) -> str:
    """The trees of a model, or `only` one of them.

    `reasons`: why each leaf stopped. `unknown`: where such values go. `surrogates`: above its
    branches, what stands in for a node's test.
    """
    told = lines(model, only, reasons, unknown, surrogates)
    return "".join("".join(line) + "\n" for line in told)


def overview(model: Model) -> str:
    """A line for each of the first trees of many, and how many more there are."""
    shown = range(min(len(model.trees), MOST_TREES))
    told = [f"{title(model, i)}: {size_in_words(model.trees[i])}\n" for i in shown]
    more = len(model.trees) - len(told)
    return "".join([*told, f"... and {more} more\n"] if more else told)


def size_in_words(tree: Tree) -> str:
    nodes, leaves = counted(tree.n_nodes, "node"), counted(tree.n_leaves, "leaf", "leaves")
    return f"{nodes}, {leaves}, depth {tree.depth}"


def coloured(
    model: Model,
    only: int | None = None,
    *,
    reasons: bool = False,
    unknown: bool = False,
    surrogates: bool = False,
) -> Text:
    """The same for a terminal, as rich's Text."""
    from rich.text import Text

    out = Text()
    for bars, words, label, evidence in lines(model, only, reasons, unknown, surrogates):
        out.append(bars, "dim").append(words).append(label, "bold green")
        out.append(evidence, "cyan").append("\n")
    return out


def lines(
    model: Model, only: int | None, reasons: bool, unknown: bool, surrogates: bool
) -> Iterator[Line]:
    """The lines in pieces: indentation, condition, label, evidence."""
    for i, view in enumerate(views(model, only)):
        if view.title:
            if i:
                yield ("", "", "", "")
            yield ("", view.title, "", "")
        yield from _tree(view, reasons, unknown, surrogates)
        if unknown:
            yield from _unknown_values(view)


def _tree(view: View, reasons: bool, unknown: bool, surrogates: bool) -> Iterator[Line]:
    if not view.kind[0]:
        yield ("", "", *_leaf(view, 0, reasons))
        return
    # A node that is open: its children's conditions, and how many of them are written.
    path = [_opened(view, 0, unknown)]
    if surrogates:
        yield from _surrogates(view, 0, "")
    while path:
        following = next(path[-1], None)
        if following is None:
            path.pop()
            continue
        child, words = following
        depth = len(path) - 1
        indent = bars(depth)
        if view.kind[child]:
            yield (indent, words, "", "")
            path.append(_opened(view, child, unknown))
            if surrogates:
                yield from _surrogates(view, child, bars(depth + 1))
        else:
            yield (indent, words + ": ", *_leaf(view, child, reasons))


def bars(depth: int) -> str:
    """The indentation at a depth."""
    return BAR * min(depth, DEEPEST) + (f"[{depth}] " if depth > DEEPEST else "")


def _surrogates(view: View, node: int, indent: str) -> Iterator[Line]:
    if view.tree.surrogates is not None:
        for words in stand_ins(view.tree.surrogates, node, view.schema):
            yield (indent, words, "", "")


def _opened(view: View, node: int, unknown: bool) -> Iterator[tuple[int, str]]:
    words = view.conditions(node)
    goes_to = view.unknown[node]
    if unknown and goes_to >= 0 and not view.branches(node)[goes_to].unknown:
        words[goes_to] += " or unknown"
    return zip(view.children(node), words, strict=True)


def _leaf(view: View, node: int, reasons: bool) -> tuple[str, str]:
    reason = view.reason(node) if reasons else ""
    basis = "" if view.is_regression else view.basis(node)
    evidence = f" {view.evidence(node)}" + (f" {basis}" if basis else "")
    return view.answer(node), evidence + (f" [{reason}]" if reason else "")


def _unknown_values(view: View) -> Iterator[Line]:
    inner = [goes_to for goes_to, kind in zip(view.unknown, view.kind, strict=True) if kind]
    for code, words in UNKNOWN.items():
        tests = inner.count(code)
        if tests:
            share = "" if tests == len(inner) else f" at {tests} of {len(inner)} tests"
            yield ("", f"An unknown value {words}{share}.", "", "")
