"""A leaf's model in words and as data.

As words, of a number: `40.1 - 0.0054*weight + {origin: usa 0, japan 2.1}`. In a POWERS term the
centre is multiplied out, but not of a square. An ordinal column counts by the place of its level.
"""

from __future__ import annotations

from typing import Any

from treekit.leaf_models import Additive, Term
from treekit.report.branch import name, number
from treekit.table.record import Column, Schema
from treekit.tree import LEVELS

DIGITS = 4
MOST_NAMES = 3


def formula(models: Additive, node: int, schema: Schema) -> str:
    """The sum that a node answers with, of a model of numbers."""
    constant = float(models.constant[node, 0])
    words = ""
    for term in models.terms(node):
        column = schema.columns[term.column]
        if term.kind == LEVELS:
            words += f" + {_levels(term, column)}"
            continue
        subject = name(column.name) if column.is_numeric else f"place of {name(column.name)}"
        least, *powers = (float(c) for c in term.coefficients[:, 0])
        constant += least
        if len(powers) == 1:
            constant -= powers[0] * term.centre
            words += _signed(powers[0], subject)
        elif powers:
            away = f"({subject}{_signed(-term.centre)})"
            words += _signed(powers[0], away) + _signed(powers[1], f"{away}^2")
    return number(constant, DIGITS) + words


def _signed(value: float, factor: str = "") -> str:
    sign = "-" if value < 0 else "+"
    return f" {sign} {number(abs(value), DIGITS)}{'*' if factor else ''}{factor}"


def _levels(term: Term, column: Column) -> str:
    told = zip(column.levels, term.coefficients[:, 0], strict=True)
    return (
        f"{{{name(column.name)}: "
        + ", ".join(f"{name(level)} {number(float(value), DIGITS)}" for level, value in told)
        + "}"
    )


def basis(models: Additive, node: int, schema: Schema, most: int | None = None) -> str:
    """The columns that a node's model looks at: `by weight, age and 2 more`; nothing if none."""
    names = [name(schema.columns[term.column].name) for term in models.terms(node)]
    if most is not None and len(names) > most:
        names[most:] = [f"{len(names) - most} more"]
        return f"by {', '.join(names[:-1])} and {names[-1]}"
    return f"by {', '.join(names)}" if names else ""


def data_of(models: Additive, node: int, schema: Schema) -> dict[str, Any]:
    """The model of a node for other programs; of classes, a list of numbers for each number."""

    def plain(values: Any) -> Any:
        return values.tolist() if len(values) > 1 else float(values[0])

    terms: list[dict[str, Any]] = []
    for term in models.terms(node):
        column = schema.columns[term.column]
        said = [plain(row) for row in term.coefficients]
        if term.kind == LEVELS:
            told = dict(zip(column.levels, said, strict=True))
            terms.append({"column": column.name, "levels": told})
        else:
            terms.append({"column": column.name, "centre": term.centre, "coefficients": said})
    return {"link": models.link, "constant": plain(models.constant[node]), "terms": terms}
