"""Which column is what: the words of schema, `kinds` and the source itself, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from treekit.errors import DataError, Problem, did_you_mean
from treekit.table.raw import ColumnSpec, Opened
from treekit.table.record import Kind, Schema, Task
from treekit.table.schema import KIND_WORDS, SchemaFile, schema_beside

_KIND_BY_TASK: dict[Task | None, Kind | None] = {
    "classification": "nominal",
    "regression": "numeric",
    None: None,
}


@frozen
class Plan:
    """The columns to read, in the order of the data, the target (None: there is none to read)
    and the weights' column.
    """

    columns: tuple[ColumnSpec, ...]
    target: ColumnSpec | None
    weights: str | None

    @property
    def read(self) -> dict[str, ColumnSpec]:
        """Every column whose values are needed."""
        specs = [*self.columns]
        if self.target is not None:
            specs.append(self.target)
        if self.weights is not None:
            specs.append(ColumnSpec(self.weights, "numeric"))
        return {spec.name: spec for spec in specs}


def refuse_bad_names(names: Sequence[str], source: str) -> None:
    """Raise for empty or duplicate column names, all of them at once."""
    problems = []
    for number, name in enumerate(names, 1):
        if not name.strip():
            instead = "name it"
            if number == len(names) > 1:
                instead = "name it, or take away the delimiter at the end of each line"
            elif number == 1 and len(names) > 1:
                instead = "name it; pandas writes no such column with to_csv(index=False)"
            problems.append(Problem(f"column {number} has no name", source, instead))
    places: dict[str, list[str]] = {}
    for number, name in enumerate(names, 1):
        places.setdefault(name, []).append(str(number))
    for name, at in places.items():
        if len(at) > 1 and name.strip():
            what = f"columns {', '.join(at)} are all named {name!r}"
            problems.append(Problem(what, source, "give each its own name"))
    if problems:
        raise DataError(*problems)


def plan_training(
    opened: Opened,
    target: str | None,
    schema: SchemaFile | None,
    kinds: Mapping[str, str],
    weights: str | None,
) -> Plan:
    """The plan for data to learn from. `kinds` goes before the schema, that before the source."""
    target = target or (schema and schema.target) or opened.own_target
    weights = weights or (schema and schema.weights) or None
    if target is None:
        remedy = f"name one of {_listed(opened.names)}"
        if schema is None and (beside := schema_beside(Path(opened.source))) is not None:
            remedy += f", or give schema={str(beside)!r}, which lies beside it"
        raise DataError(Problem("no target is named", opened.source, remedy))
    problems = _unknown_names(opened, target, schema, kinds, weights)
    if problems:
        raise DataError(*problems)
    specs = {name: _spec(name, opened, schema, kinds) for name in opened.names}
    if schema is not None and schema.others == "ignore":
        for name in set(opened.names).difference(schema.columns, kinds, (target, weights)):
            specs[name] = ColumnSpec(name, "ignore")
    if schema is not None and target == schema.target and specs[target].kind is None:
        specs[target] = evolve(specs[target], kind=_KIND_BY_TASK[schema.task])
    if specs[target].kind == "ignore":
        raise DataError(Problem(f"the target {target!r} is ignored", opened.source))
    columns = tuple(
        spec
        for name, spec in specs.items()
        if name not in (target, weights) and spec.kind != "ignore"
    )
    if not columns:
        raise DataError(Problem("there is no column besides the target", opened.source))
    return Plan(columns, specs[target], weights)


def plan_prediction(opened: Opened, schema: Schema, weights: str | None) -> Plan:
    """The plan for data to predict: the model's columns, in the model's order."""
    there = set(opened.names)
    problems = [
        Problem(
            f"there is no column {column.name!r}, which the model uses",
            opened.source,
            did_you_mean(column.name, opened.names),
        )
        for column in schema.columns
        if column.name not in there
    ]
    if weights is not None and weights not in opened.names:
        problems.append(_no_column("weights", weights, opened))
    if problems:
        raise DataError(*problems)
    target = schema.target if schema.target.name in opened.names else None
    return Plan(
        tuple(ColumnSpec(c.name, c.kind, c.levels) for c in schema.columns),
        None if target is None else ColumnSpec(target.name, target.kind, target.levels),
        weights,
    )


def _spec(
    name: str, opened: Opened, schema: SchemaFile | None, kinds: Mapping[str, str]
) -> ColumnSpec:
    spec = opened.declared.get(name, ColumnSpec(name))
    if schema is not None and name in schema.columns:
        said = schema.columns[name]
        spec = ColumnSpec(name, said.kind, said.levels or spec.levels)
    if name in kinds:
        spec = evolve(spec, kind=KIND_WORDS[kinds[name]])
    return spec


def _unknown_names(
    opened: Opened,
    target: str,
    schema: SchemaFile | None,
    kinds: Mapping[str, str],
    weights: str | None,
) -> list[Problem]:
    problems = []
    if target not in opened.names:
        problems.append(_no_column("target", target, opened))
    if weights is not None and weights not in opened.names:
        problems.append(_no_column("weights", weights, opened))
    if weights == target:
        problems.append(Problem(f"{target!r} is both target and weights", opened.source))
    for name, kind in kinds.items():
        if name not in opened.names:
            problems.append(_no_column("kinds", name, opened))
        if not isinstance(kind, str) or kind not in KIND_WORDS:
            remedy = did_you_mean(str(kind), ("numeric", "nominal", "ordinal", "ignore"))
            problems.append(Problem(f"unknown kind {kind!r} for column {name!r}", "kinds", remedy))
    if schema is not None:
        problems += _schema_mismatch(opened, schema, {target, weights, *kinds})
    return problems


def _schema_mismatch(opened: Opened, schema: SchemaFile, free: set[str | None]) -> list[Problem]:
    there = set(opened.names)
    problems = [
        Problem(
            f"the schema's column {name!r} is not in {opened.source}",
            schema.source,
            did_you_mean(name, opened.names),
        )
        for name, spec in schema.columns.items()
        if name not in there and spec.kind != "ignore"
    ]
    extra = [name for name in opened.names if name not in schema.columns and name not in free]
    if extra and schema.others == "error":
        problems.append(
            Problem(
                f"the schema does not know {_columns(extra)} of {opened.source}",
                schema.source,
                "describe it, with the kind 'ignore' to leave it out, or set others = \"infer\"",
            )
        )
    return problems


def _no_column(role: str, name: str, opened: Opened) -> Problem:
    return Problem(
        f"{role}: there is no column {name!r}", opened.source, did_you_mean(name, opened.names)
    )


def _columns(names: Sequence[str]) -> str:
    return f"column {names[0]!r}" if len(names) == 1 else f"columns {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
