"""A tree as rules, one for each leaf; conditions on the same column are merged into one.

IF outlook = sunny AND 70 < humidity <= 75 THEN play = yes (2.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from treekit.model import Model
from treekit.report.branch import Branch, condition, name
from treekit.report.view import View, views


def rules(model: Model, only: int | None = None) -> str:
    """The rules of each tree of a model, leaves from left to right."""
    parts: list[str] = []
    for view in views(model, only):
        if view.title:
            parts.append(f"\n{view.title}\n" if parts else f"{view.title}\n")
        parts += (rule + "\n" for rule in _tree(view))
    return "".join(parts)


def _tree(view: View) -> Iterator[str]:
    """Walk down with one merged condition per column, and take each back on the way up."""
    held: dict[int, Branch] = {}
    if not view.kind[0]:
        yield _rule(view, 0, held)
        return
    path = [(0, None, _opened(view, 0))]
    while path:
        node, before, following = path[-1]
        column = view.subject_of[node]
        child, branch = next(following, (None, None))
        if child is None or branch is None:
            path.pop()
            if before is None:
                held.pop(column, None)
            else:
                held[column] = before
            continue
        held[column] = branch if before is None else merged(before, branch)
        if view.kind[child]:
            path.append((child, held.get(view.subject_of[child]), _opened(view, child)))  # type: ignore[arg-type]
        else:
            yield _rule(view, child, held)


def _opened(view: View, node: int) -> Iterator[tuple[int, Branch]]:
    return zip(view.children(node), view.branches(node), strict=True)


def merged(first: Branch, second: Branch) -> Branch:
    """Both conditions on a column at once. Nothing more can be known of what is unknown."""
    if first.unknown or second.unknown:
        return Branch(unknown=True)
    if first.levels is None or second.levels is None:
        return evolve(first, low=max(first.low, second.low), high=min(first.high, second.high))
    allowed = set(second.levels)
    both = tuple(level for level in first.levels if level in allowed)
    together = both == tuple(range(both[0], both[-1] + 1)) if both else False
    return Branch(levels=both, ordered=(first.ordered or second.ordered) and together)


def _rule(view: View, leaf: int, held: dict[int, Branch]) -> str:
    answer = f"{name(view.schema.target.name)} = {view.answer(leaf)} {view.evidence(leaf)}"
    if not view.is_regression and (basis := view.basis(leaf)):
        answer += f" {basis}"
    if not held:
        return f"ALWAYS {answer}"
    conditions = (
        condition(view.subjects[column], branch, view.digits.get(column, 6))
        for column, branch in held.items()
    )
    return f"IF {' AND '.join(conditions)} THEN {answer}"
