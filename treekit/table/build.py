"""From raw columns and a plan to a Table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treekit.errors import DataError, Problem
from treekit.table.coding import Coded, Context, coded
from treekit.table.plan import Plan
from treekit.table.raw import Opened
from treekit.table.record import Bools, Column, Floats, Schema, Table


def training_table(
    opened: Opened, plan: Plan, missing: Sequence[str], drop_missing_target: bool
) -> Table:
    """The table to learn from: a known target in every row, at least one row."""
    context = Context(opened.source, tuple(missing), opened.place)
    columns, target, weights = _coded(opened, plan, context)
    assert target is not None
    if not len(target.values):
        raise DataError(Problem("there are no rows", opened.source))
    notes = [note for column in (*columns, target) for note in column.notes]
    unknown = np.isnan(target.values)
    kept = None
    if unknown.any():
        if not drop_missing_target or unknown.all():
            raise _missing_target(unknown, target.column.name, context)
        kept = np.flatnonzero(~unknown)
        notes.append(
            f"{int(unknown.sum())} of {len(unknown)} rows left out: "
            f"their target {target.column.name!r} is unknown"
        )
    cells = _stacked(columns, len(unknown))
    table = Table(
        Schema(tuple(c.column for c in columns), target.column),
        cells,
        target.values,
        weights,
        opened.source,
    )
    if kept is not None:
        table = table.take(kept)
    if weights is not None and not table.weights.any():
        raise DataError(
            Problem("all the weights are 0", f"{opened.source}, column {plan.weights!r}")
        )
    notes += _constant_notes(table)
    return Table(
        table.schema, table.cells, table.y, table.given_weights, table.source, tuple(notes)
    )


def prediction_table(
    opened: Opened, plan: Plan, schema: Schema, missing: Sequence[str], lent: bool
) -> Table:
    """The table to predict: unseen levels are unknown, and so is a target that is not given.

    `lent`: its cells may be the source's own memory.
    """
    context = Context(opened.source, tuple(missing), opened.place, unseen_is_unknown=True)
    columns, target, weights = _coded(opened, plan, context)
    notes = [note for column in columns for note in column.notes]
    n_rows = len(columns[0].values) if columns else 0
    target_values = None if target is None else target.values
    if target_values is not None:
        unknown = int(np.isnan(target_values).sum())
        if n_rows and unknown == n_rows:
            target_values = None
        elif unknown:
            notes.append(f"the target is unknown in {unknown} of {n_rows} rows")
    cells = _as_they_lie(columns, n_rows) if lent and columns else None
    if cells is None:
        cells = _stacked(columns, n_rows)
    return Table(schema, cells, target_values, weights, opened.source, tuple(notes))


def _coded(
    opened: Opened, plan: Plan, context: Context
) -> tuple[list[Coded], Coded | None, Floats | None]:
    """All columns coded; the problems of all of them are told at once."""
    raw = opened.load({name: spec.ask for name, spec in plan.read.items()}, context.missing)
    problems: list[Problem] = []
    done: dict[str, Coded] = {}
    columns = {spec.name for spec in plan.columns}
    strict = Context(context.source, context.missing, context.place)
    for name, spec in plan.read.items():
        try:
            done[name] = coded(raw[name], spec, context if name in columns else strict)
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(*problems)
    target = None if plan.target is None else done[plan.target.name]
    weights = None if plan.weights is None else _weights(done[plan.weights], context)
    return [done[spec.name] for spec in plan.columns], target, weights


def _weights(column: Coded, context: Context) -> Floats:
    for wrong, what in (
        (np.isnan(column.values), "a weight is missing"),
        (column.values < 0, "a weight is negative"),
    ):
        if wrong.any():
            place = context.cell(int(wrong.argmax()), column.column.name)
            raise DataError(Problem(what, place, "a weight must be a number, 0 or more"))
    return np.ascontiguousarray(column.values)


def _stacked(columns: Sequence[Coded], n_rows: int) -> Floats:
    cells = np.empty((len(columns), n_rows), dtype=np.float64)
    for i, column in enumerate(columns):
        cells[i] = column.values
    return cells


def _as_they_lie(columns: Sequence[Coded], n_rows: int) -> Floats | None:
    """[columns, rows], not to be written to, if the columns lie in memory as one such matrix."""
    values = [column.values for column in columns]
    first, shape = values[0], (len(values), n_rows)
    begins = [array.__array_interface__["data"][0] for array in values]
    step = begins[1] - begins[0] if len(begins) > 1 else first.nbytes
    places = range(begins[0], begins[0] + step * len(begins), step) if step > 0 else ()
    if begins != [*places] or any(
        array.base is not first.base or array.strides != first.strides for array in values
    ):
        return None
    matrix = np.lib.stride_tricks.as_strided(first, shape, (step, *first.strides), writeable=False)
    return matrix if matrix.flags.forc else None


def _missing_target(unknown: Bools, name: str, context: Context) -> DataError:
    rows = np.flatnonzero(unknown)
    places = [context.place(int(row)) for row in rows[:5]]
    listed = ", ".join(places) + (", ..." if len(rows) > 5 else "")
    what = f"the target {name!r} is unknown in {len(rows)} of {len(unknown)} rows ({listed})"
    if len(rows) == len(unknown):
        return DataError(Problem(f"the target {name!r} is unknown in every row", context.source))
    return DataError(
        Problem(what, context.source, "mend them, or leave them out with drop_missing_target")
    )


def _constant_notes(table: Table) -> list[str]:
    """Columns, or a target, that cannot tell rows apart."""
    notes = []
    for column, values in zip(table.columns, table.cells, strict=True):
        value = _only_value(values)
        if value is None:
            continue
        if np.isnan(value):
            notes.append(f"column {column.name!r} has no known value")
        else:
            notes.append(f"column {column.name!r} has one value only: {_text(column, value)}")
    value = _only_value(table.y)
    if value is not None:
        noun = "value" if table.schema.target.is_numeric else "class"
        target = table.schema.target
        notes.append(f"the target {target.name!r} has one {noun} only: {_text(target, value)}")
    return notes


def _only_value(values: Floats) -> float | None:
    """The one known value of a column (NaN: there is none), or None if there are more."""
    for part in (values[:100], values):
        known = part[~np.isnan(part)]
        if len(known) and (known != known[0]).any():
            return None
    return float(known[0]) if len(known) else float("nan")


def _text(column: Column, value: float) -> str:
    return f"{value:g}" if column.is_numeric else repr(column.levels[int(value)])
