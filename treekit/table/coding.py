"""From one raw column to float64 values and its schema; every wrong cell is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from treekit.errors import DataError, Problem, did_you_mean
from treekit.table.infer import (
    all_numbers,
    is_mark,
    is_numeric,
    known_labels,
    label_numbers,
    labels_of_numbers,
    marked_numbers,
    number_of,
    sorted_levels,
)
from treekit.table.raw import ColumnSpec, Labels, Numbers, RawColumn
from treekit.table.record import Bools, Column, Floats, Ints

SHOWN = 3
"""How many wrong values of one column are told; the rest are of the same sort."""


@frozen
class Context:
    """What coding needs to know beside the column: the marks, and places for messages."""

    source: str
    missing: tuple[str, ...]
    place: Callable[[int], str]
    unseen_is_unknown: bool = False

    def cell(self, row: int, column: str) -> str:
        return f"{self.source}, {self.place(row)}, column {column!r}"


@frozen(eq=False)
class Coded:
    """A column ready for a table."""

    column: Column
    values: Floats
    notes: tuple[str, ...] = ()


def coded(raw: RawColumn, spec: ColumnSpec, context: Context) -> Coded:
    """The column's values: numbers, or indices of levels; NaN is unknown."""
    kind = spec.kind
    if kind is None:
        kind = "numeric" if is_numeric(raw, context.missing) else "nominal"
    if kind == "numeric":
        return Coded(Column(spec.name, "numeric"), _numbers(raw, spec.name, context))
    assert kind != "ignore"
    labels = raw if isinstance(raw, Labels) else labels_of_numbers(raw.values)
    if spec.levels is not None:
        values, notes = _by_levels(labels, spec.name, spec.levels, context)
        return Coded(Column(spec.name, kind, spec.levels), values, notes)
    levels, values = _own_levels(labels, context.missing)
    if kind == "ordinal" and not all_numbers(levels):
        raise DataError(
            Problem(
                f"the order of its levels is not known: {_shortlist(levels)}",
                f"{context.source}, column {spec.name!r}",
                "list them in a schema file, or declare the column nominal",
            )
        )
    notes = _level_notes(labels, levels, spec, context)
    return Coded(Column(spec.name, kind, levels), values, notes)


def _numbers(raw: RawColumn, name: str, context: Context) -> Floats:
    if isinstance(raw, Numbers):
        values = raw.values
    else:
        by_label, wrong = label_numbers(raw.labels, context.missing)
        if wrong.any():
            _refuse(
                raw,
                np.flatnonzero(wrong),
                name,
                context,
                lambda label: (
                    f"{label!r} is not a number",
                    "mend it, add it to the missing marks, or declare the column nominal",
                ),
            )
        values = _taken(by_label, raw.codes)
    for mark in marked_numbers(context.missing):
        values = np.where(values == mark, np.nan, values)
    if isinstance(raw, Numbers) and raw.finite:
        return values
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise DataError(
            Problem(
                f"{values[row]} is not a finite number",
                context.cell(row, name),
                "mend it, or add it to the missing marks",
            )
        )
    return values


def _taken(by_label: Floats, codes: Ints) -> Floats:
    """Each row's value by its label; a code of -1 takes the NaN at the end."""
    taken: Floats = np.append(by_label, np.nan)[codes]
    return taken


def _own_levels(labels: Labels, missing: Sequence[str]) -> tuple[tuple[str, ...], Floats]:
    known = known_labels(labels.labels, missing)
    levels = sorted_levels(
        label for label, is_known in zip(labels.labels, known, strict=True) if is_known
    )
    index = {level: float(i) for i, level in enumerate(levels)}
    by_label = np.array([index.get(label, np.nan) for label in labels.labels], dtype=np.float64)
    by_label[~known] = np.nan
    return levels, _taken(by_label, labels.codes)


def _by_levels(
    labels: Labels, name: str, levels: tuple[str, ...], context: Context
) -> tuple[Floats, tuple[str, ...]]:
    """Values by the given levels. A mark that is listed as a level is a level."""
    index = {level: i for i, level in enumerate(levels)}
    by_label = np.full(len(labels.labels), np.nan)
    strange = np.zeros(len(labels.labels), dtype=bool)
    for i, label in enumerate(labels.labels):
        level = index.get(label)
        if level is None and labels.made:
            level = _alike(label, levels)
        if level is not None:
            by_label[i] = level
        else:
            strange[i] = not is_mark(label, context.missing)
    notes: tuple[str, ...] = ()
    if strange.any():
        if not context.unseen_is_unknown:
            _refuse(
                labels,
                np.flatnonzero(strange),
                name,
                context,
                lambda label: (
                    f"{label!r} is not one of the {len(levels)} levels",
                    did_you_mean(label, levels),
                ),
            )
        notes = _unseen(labels, strange, name)
    return _taken(by_label, labels.codes), notes


def _alike(label: str, levels: tuple[str, ...]) -> int | None:
    """The one level that a typed value can only mean: the same number, or another case."""
    number = number_of(label)
    alike = [
        i
        for i, level in enumerate(levels)
        if level.lower() == label.lower() or (number is not None and number_of(level) == number)
    ]
    return alike[0] if len(alike) == 1 else None


def _unseen(labels: Labels, strange: Bools, name: str) -> tuple[str, ...]:
    counts = np.bincount(labels.codes[labels.codes >= 0], minlength=len(labels.labels))
    seen = [i for i in np.flatnonzero(strange) if counts[i]]
    if not seen:
        return ()
    rows = int(sum(counts[i] for i in seen))
    listed = _shortlist([labels.labels[i] for i in seen])
    return (
        f"column {name!r}: {_count(rows, 'row')} with a level never seen in training "
        f"({listed}), taken as unknown",
    )


def _refuse(
    labels: Labels,
    wrong: Ints,
    name: str,
    context: Context,
    say: Callable[[str], tuple[str, str]],
) -> None:
    """Raise for wrong labels, the first ones in the order of their rows."""
    present, rows = np.unique(labels.codes, return_index=True)
    first = {int(code): int(row) for code, row in zip(present, rows, strict=True)}
    found = sorted((first[i], i) for i in map(int, wrong) if i in first)
    if not found:
        return
    problems = []
    for row, i in found[:SHOWN]:
        what, instead = say(labels.labels[i])
        problems.append(Problem(what, context.cell(row, name), instead))
    if len(found) > SHOWN:
        more = _count(len(found) - SHOWN, "more wrong value")
        problems.append(Problem(f"and {more}", f"{context.source}, column {name!r}"))
    raise DataError(*problems)


def _level_notes(
    labels: Labels, levels: tuple[str, ...], spec: ColumnSpec, context: Context
) -> tuple[str, ...]:
    """What a reader would not expect of inferred levels."""
    notes = []
    padded = [level for level in levels if level != level.strip()]
    if padded:
        notes.append(
            f"column {spec.name!r}: levels that begin or end with a blank ({_shortlist(padded)})"
        )
    if spec.kind is None and not labels.made:
        texts = [level for level in levels if number_of(level) is None]
        if 0 < len(texts) < len(levels) / 2:
            code = labels.labels.index(texts[0])
            row = int((labels.codes == code).argmax())
            notes.append(
                f"column {spec.name!r} is nominal, though most of its values are numbers: "
                f"{texts[0]!r} ({context.place(row)}) is not"
            )
    return tuple(notes)


def _shortlist(texts: Sequence[str]) -> str:
    return ", ".join(map(repr, texts[:5])) + (", ..." if len(texts) > 5 else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
