"""How often a model is wrong on a table, as data and in words."""

from __future__ import annotations

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
    import numpy as np

    known = ~np.isnan(table.y)
    answers = np.asarray(model.predict(table))[known]
    actual, weights = table.y[known], table.weights[known]
    total = float(weights.sum())
    facts: dict[str, Any] = {"rows": int(known.sum()), "weight": total}
    if table.task == "regression":
        errors = answers.astype(float) - actual
        squares = float(weights @ errors**2)
        mean = float(weights @ actual) / total if total else 0.0
        spread = float(weights @ (actual - mean) ** 2)
        return facts | {
            "mean_squared_error": squares / total if total else 0.0,
            "mean_absolute_error": float(weights @ np.abs(errors)) / total if total else 0.0,
            "r_squared": 1 - squares / spread if spread > 0 else None,
        }
    classes = model.schema.classes
    code = {label: i for i, label in enumerate(classes)}
    answered = np.array([code[str(label)] for label in answers], dtype=np.int64)
    confusion = np.zeros((len(classes), len(classes)))
    np.add.at(confusion, (actual.astype(np.int64), answered), weights)
    wrong = total - float(np.trace(confusion))
    return facts | {
        "wrong": wrong,
        "error": wrong / total if total else 0.0,
        "confusion": confusion.tolist(),
    }


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
