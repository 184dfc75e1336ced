"""The words that explanations share: rows, branches, tests, values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from treekit.explain import Part, Test
from treekit.report.branch import Branch, branches, condition, edge, name, number
from treekit.report.explaining.tables import Cell, Head, Said, amount, figure
from treekit.table.record import Column, Schema

MOST_CLASSES = 6  # more of them share one column of a table
LISTED_CLASSES = 4
WIDEST = 48


def short(words: str, widest: int = WIDEST) -> str:
    """Words that leave room for others on a line."""
    return words if len(words) <= widest else words[: widest - 2].rstrip(" ,") + " …"


def counted(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names in a row, not too many of them."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


# --- tests ---------------------------------------------------------------------------------------


def branches_of(test: Test) -> list[Branch]:
    return branches(test.kind, test.column, test.operands, test.n_branches, test.unknown)


def edges(test: Test, digits: int) -> list[Said]:
    """What leads to each branch: `<= 75`, `sunny`."""
    column = test.column
    return [
        Said(short(edge(column, branch, digits)) or "nothing", _branch_value(column, branch))
        for branch in branches_of(test)
    ]


def _branch_value(column: Column, branch: Branch) -> Any:
    if branch.unknown:
        return "unknown"
    if branch.levels is not None:
        return {"levels": [column.levels[level] for level in branch.levels]}
    ends = {"above": branch.low, "upto": branch.high}
    return {key: end for key, end in ends.items() if math.isfinite(end)}


def condition_of(test: Test, branch: int, digits: int = 6) -> str:
    """What leads to one branch: `humidity <= 75`."""
    return short(condition(test.column, branches_of(test)[branch], digits))


def test_cell(test: Test, digits: int) -> Said:
    """A whole test of a known column: its cuts, or its groups of levels."""
    if test.cuts and test.column.is_numeric:
        words = ", ".join(number(cut, digits) for cut in test.cuts)
        return Said(words, test.cuts[0] if len(test.cuts) == 1 else list(test.cuts))
    parts = edges(test, digits)
    return Said(short(" | ".join(p.text for p in parts)), [p.value for p in parts])


def value_cell(column: Column, value: float | None) -> Said:
    """A row's value."""
    if value is None:
        return Said("unknown", None)
    if column.is_numeric:
        return Said(number(value), value)
    level = column.levels[int(value)]
    return Said(short(name(level)), level)


# --- rows ----------------------------------------------------------------------------------------


def part_heads(schema: Schema, impurity: str = "") -> list[Head]:
    """The columns of a table that say what some rows are; `impurity` is what they are measured by.

    How far numbers scatter is told by their variance where the recipe has no measure.
    """
    last = [Head(impurity, True)] if impurity else []
    if schema.target.is_numeric:
        return [Head("rows", True), Head("mean", True), *(last or [Head("variance", True)])]
    if len(schema.classes) > MOST_CLASSES:
        return [Head("rows", True), Head("classes"), *last]
    return [Head("rows", True), *(Head(label, True) for label in schema.classes), *last]


def part_cells(part: Part, schema: Schema, digits: int, impurity: str = "") -> list[Cell]:
    """What stands in these columns."""
    rows = rows_cell(part, digits)
    last: list[Cell] = [part.impurity] if impurity else []
    if schema.target.is_numeric:
        return [rows, part.mean, *(last or [part.variance])]
    if len(schema.classes) > MOST_CLASSES:
        return [rows, Said(classes_in_words(part, schema, digits), list(part.counts)), *last]
    return [rows, *(Said(amount(c, digits), c) for c in part.counts), *last]


def rows_cell(part: Part, digits: int) -> Said:
    """How many rows; where they have weights, what they weigh."""
    return Said(amount(part.weight, digits), part.weight)


def classes_in_words(part: Part, schema: Schema, digits: int) -> str:
    """`yes 9, no 5`; of many classes the most frequent."""
    counts = list(zip(schema.classes, part.counts, strict=True))
    if len(counts) > MOST_CLASSES:
        counts = sorted((c for c in counts if c[1] > 0), key=lambda c: -c[1])
    more = len(counts) - LISTED_CLASSES if len(counts) > MOST_CLASSES else 0
    listed = counts[:LISTED_CLASSES] if more > 0 else counts
    words = ", ".join(f"{short(name(label), 24)} {amount(c, digits)}" for label, c in listed)
    return f"{words}, {more} more" if more > 0 else words


def part_in_words(part: Part, schema: Schema, impurity: str, digits: int) -> str:
    """`14 rows: yes 9, no 5; entropy 0.9403`."""
    words = counted(part.rows, "row")
    if abs(part.weight - part.rows) > 1e-9:
        words += f" that weigh {amount(part.weight, digits)}"
    if not schema.target.is_numeric:
        words += f": {classes_in_words(part, schema, digits)}"
    elif part.mean is not None:
        words += f": mean {figure(part.mean, digits)}"
    if part.impurity is not None:
        words += f"; {impurity} {figure(part.impurity, digits)}"
    elif part.variance is not None:
        words += f"; variance {figure(part.variance, digits)}"
    return words


def part_facts(part: Part, schema: Schema) -> dict[str, Any]:
    facts: dict[str, Any] = {"rows": part.rows, "weight": part.weight}
    if schema.target.is_numeric:
        facts |= {"mean": part.mean, "variance": part.variance}
    else:
        facts["counts"] = dict(zip(schema.classes, part.counts, strict=True))
    return facts | {"impurity": part.impurity}


def which_cell(part: Part) -> Cell:
    """The rows themselves, counted from 1, where they are few."""
    if part.which is None:
        return None
    rows = [row + 1 for row in part.which]
    return Said(", ".join(map(str, rows)) or "none", rows)
