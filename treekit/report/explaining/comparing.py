"""What was compared at a node, as tables: the columns' best tests, and all tests of a column."""

from __future__ import annotations

import math
from collections.abc import Sequence

from treekit.explain import Candidate, ColumnSeen, Explanation, NodeSeen
from treekit.report.branch import digits_apart, name
from treekit.report.explaining.tables import Cell, Grid, Head, Said, amount, figure, grid
from treekit.report.explaining.wording import (
    MOST_CLASSES,
    counted,
    edges,
    part_cells,
    part_heads,
    test_cell,
    which_cell,
)

SAME = 1e-6  # some criteria compare in single precision
MOST_BRANCHES = 16


def comparisons(found: Explanation, node: NodeSeen, digits: int, brief: bool) -> list[Grid]:
    """The tables of one node: its columns, then the tests of each that has several."""
    tables = [_columns(found, node, digits, brief)]
    for seen in node.columns:
        if len(seen.candidates) + seen.left_out > 1:
            tables.append(_candidates(found, seen, digits, brief))
    return tables


def _columns(found: Explanation, node: NodeSeen, digits: int, brief: bool) -> Grid:
    """The best test of each column, branch by branch."""
    figures = _figures(found, node.columns)
    heads = [
        Head("column", grouped=True),
        Head("branch"),
        Head("which rows"),
        *part_heads(found.schema, found.impurity),
        *(Head(label, True) for label, _ in figures),
        Head("verdict"),
    ]
    rows: list[list[Cell]] = []
    for place, seen in enumerate(node.columns):
        best = _foremost(seen)
        if best is None:
            continue
        for i, line in enumerate(_branches(best, found, digits, brief)):
            last: list[Cell] = [None] * (len(figures) + 1)
            if i == 0:
                last = [*(value[place] for _, value in figures), _place(node, place)]
            rows.append([name(seen.column.name), *line, *last])
    note = f"… {counted(node.left_out, 'more column')}" if node.left_out else ""
    return grid("", heads, rows, note)


def _foremost(seen: ColumnSeen) -> Candidate | None:
    """The best test of a column, be it one that cannot be asked."""
    if seen.best is not None or not seen.candidates:
        return seen.best
    return max(seen.candidates, key=_standing)


def _standing(one: Candidate) -> tuple[bool, float]:
    return not one.barred, -math.inf if one.score is None else one.score


def _place(node: NodeSeen, place: int) -> str:
    if place == node.chosen:
        return "best" if node.stopped else "chosen"
    if place == node.runner_up:
        return "next"
    return "cannot win" if node.columns[place].rejected else ""


def _branches(best: Candidate, found: Explanation, digits: int, brief: bool) -> list[list[Cell]]:
    """A line for each branch; of very many, the first."""
    lines: list[list[Cell]] = []
    told = edges(best.test, 6)
    parts = list(zip(told, best.branches, strict=True))
    most = MOST_BRANCHES if brief else len(parts)
    for leads, part in parts[:most]:
        cells = part_cells(part, found.schema, digits, found.impurity)
        lines.append([leads, which_cell(part), *cells])
    width = 1 + len(part_heads(found.schema, found.impurity))
    if len(parts) > most:
        more = counted(len(parts) - most, "more branch", "more branches")
        lines.append([f"… {more}", *[None] * width])
    if best.unknown is not None:
        cells = part_cells(best.unknown, found.schema, digits, found.impurity)
        lines.append(["unknown", which_cell(best.unknown), *cells])
    return lines


Values = Sequence[float | None]


def _figures(found: Explanation, columns: Sequence[ColumnSeen]) -> list[tuple[str, Values]]:
    """The figures of each column's best test that say something of their own."""
    best = [_foremost(seen) for seen in columns]
    gain = [None if b is None else b.gain for b in best]
    score = [seen.score for seen in columns]
    figures: list[tuple[str, Values]] = [
        ("remainder", [None if b is None else b.remainder for b in best]),
        ("gain", gain),
    ]
    if not _alike(score, gain):
        figures.append(("score" if found.by_choice else found.criterion, score))
    ratio = [_ratio(seen) for seen in columns]
    if found.by_choice:
        figures += [("split info", [_information(s) for s in columns]), ("gain ratio", ratio)]
    merit = [seen.merit for seen in columns]
    if not (_alike(merit, score) or (found.by_choice and _alike(merit, ratio))):
        figures.append((found.merit, merit))
    return figures


def _information(seen: ColumnSeen) -> float | None:
    best = _foremost(seen)
    if seen.split_information is not None:
        return seen.split_information
    return None if best is None else best.split_information


def _ratio(seen: ColumnSeen) -> float | None:
    """The gain ratio with which a column competed, or would have."""
    if seen.score is not None and seen.split_information:
        return seen.score / seen.split_information
    best = _foremost(seen)
    return None if best is None else best.gain_ratio


def _alike(one: Values, other: Values) -> bool:
    """Does one say nothing that the other does not?"""
    return all(
        a is None or (b is not None and abs(a - b) <= SAME * max(1.0, abs(b)))
        for a, b in zip(one, other, strict=True)
    )


def _candidates(found: Explanation, seen: ColumnSeen, digits: int, brief: bool) -> Grid:
    """All tests of a column, a line for each, its branches side by side."""
    tests = seen.candidates
    apart = digits_apart([cut for one in tests for cut in one.test.cuts])
    scored = not _alike([one.score for one in tests], [one.gain for one in tests])
    cut = all(one.test.cuts for one in tests)
    heads = [
        Head("cut" if cut else "test", cut and seen.column.is_numeric),
        Head("rows"),
        Head(_target_head(found, brief)),
        Head(found.impurity or "impurity"),
        Head("remainder", True),
        Head("gain", True),
        Head("score" if found.by_choice else found.criterion, True),
        Head("verdict"),
    ]
    rows: list[list[Cell]] = [
        [
            test_cell(one.test, apart),
            _side_by_side([Said(amount(p.weight, digits), p.weight) for p in one.branches]),
            _targets(one, found, digits) if heads[2].name else None,
            _side_by_side([_maybe(p.impurity, digits) for p in one.branches])
            if found.impurity
            else None,
            one.remainder,
            one.gain,
            one.score if scored else None,
            "best" if seen.best and one.test == seen.best.test else one.barred,
        ]
        for one in tests
    ]
    n = len(tests) + seen.left_out
    what = counted(n, "cut") if cut else counted(n, "test")
    note = f"… {seen.left_out:,} more" if seen.left_out else ""
    return grid(f"{name(seen.column.name)}: {what}", heads, rows, note)


def _target_head(found: Explanation, brief: bool) -> str:
    """What is told of the target in each branch; nothing of very many classes."""
    if found.schema.target.is_numeric:
        return "mean"
    classes = found.schema.classes
    if len(classes) > MOST_CLASSES:
        return "" if brief else "counts"
    return ", ".join(map(name, classes))


def _targets(one: Candidate, found: Explanation, digits: int) -> Said:
    if found.schema.target.is_numeric:
        return _side_by_side([_maybe(p.mean, digits) for p in one.branches])
    return _side_by_side([_amounts(p.counts, digits) for p in one.branches])


def _side_by_side(parts: list[Said]) -> Said:
    return Said(" | ".join(p.text for p in parts), [p.value for p in parts])


def _amounts(counts: Sequence[float], digits: int) -> Said:
    return Said(", ".join(amount(c, digits) for c in counts), list(counts))


def _maybe(value: float | None, digits: int) -> Said:
    return Said("-" if value is None else figure(value, digits), value)
