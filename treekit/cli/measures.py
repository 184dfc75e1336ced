"""How often a model is wrong on a table, as data and in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from treekit.cli.output import counted

if TYPE_CHECKING:
    from treekit.model import Model
    from treekit.table.record import Table


def measured(model: Model, table: Table) -> dict[str, Any]:
    """The model's errors on the rows whose target is known, by weight, ready for JSON.

    Classification: rows, weight, wrong, error, confusion[actual][answered] in class order.
    Regression: rows, weight, mean_squared_error, mean_absolute_error, r_squared (None when the
    target does not vary).
    """
    from treekit.metrics import of_classes, of_numbers

    found = model.answered(table)
    facts: dict[str, Any] = {"rows": len(found.actual), "weight": found.weight}
    if table.task == "regression":
        return facts | {
            "mean_squared_error": known(of_numbers.mean_squared_error(found)) or 0.0,
            "mean_absolute_error": known(of_numbers.mean_absolute_error(found)) or 0.0,
            "r_squared": known(of_numbers.r_squared(found)),
        }
    return facts | {
        "wrong": of_classes.wrong(found),
        "error": known(of_classes.error(found)) or 0.0,
        "confusion": found.confusion.tolist(),
    }


def known(value: float) -> float | None:
    """A figure for JSON, which has no NaN."""
    return None if math.isnan(value) else value


def in_words(facts: dict[str, Any]) -> str:
    """One line: `3 of 14 rows wrong (21.4 %)`."""
    if "wrong" in facts:
        of = f"{facts['weight']:.6g} weight"
        if facts["weight"] == facts["rows"]:
            of = counted(facts["rows"], "row")
        counts = f"{facts['wrong']:.6g} of {of} wrong"
        return f"{counts} ({100 * facts['error']:.1f} %)"
    r_squared = facts["r_squared"]
    # What rounding leaves of a zero is shown as one, without a sign.
    explained = "" if r_squared is None else f", R squared {round(r_squared, 12) + 0.0:.4g}"
    return (
        f"mean squared error {facts['mean_squared_error']:.6g},"
        f" mean absolute error {facts['mean_absolute_error']:.6g}{explained}"
        f" ({counted(facts['rows'], 'row')})"
    )


def confusion_lines(confusion: list[list[float]], classes: tuple[str, ...]) -> list[str]:
    """A confusion table: a row for each actual class, a column for each answer."""
    cells = [[f"{value:.6g}" for value in row] for row in confusion]
    widths = [max(len(name), *(len(row[i]) for row in cells)) for i, name in enumerate(classes)]
    first = max(len("actual"), *map(len, classes))
    heads = [name.rjust(width) for name, width in zip(classes, widths, strict=True)]
    lines = ["  ".join(["actual".ljust(first), *heads]) + "   <- answered"]
    for name, row in zip(classes, cells, strict=True):
        body = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([name.ljust(first), *body]))
    return lines
