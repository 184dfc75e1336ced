"""One prediction as a sheet: a section for each tree that the row went through."""

from __future__ import annotations

from typing import Any

from treekit.explain import Asked, End, Path, RowExplanation
from treekit.report.branch import name, number
from treekit.report.explaining.tables import Cell, Grid, Head, Said, Section, Sheet, figure, grid
from treekit.report.explaining.wording import (
    condition_of,
    counted,
    part_cells,
    part_heads,
    value_cell,
)
from treekit.table.record import Schema
from treekit.tree import SPREAD

WHOLE = 1 - 1e-12
MOST_NEIGHBOURS = 20


def row_sheet(found: RowExplanation, digits: int) -> Sheet:
    """The whole explanation of one row."""
    schema = found.schema
    target = name(schema.target.name)
    title = f"Row {found.row + 1} of {found.source or 'the data'}"
    lines = [f"Answer: {target} = {_answer(found, digits)}"]
    if found.actual:
        actual = number(float(found.actual)) if schema.target.is_numeric else name(found.actual)
        lines.append(f"The data say: {target} = {actual}")
    if len(found.paths) < found.n_trees:
        lines.append(f"{len(found.paths)} of {counted(found.n_trees, 'tree')} are told here")
    facts: dict[str, Any] = {
        "row": found.row,
        "source": found.source,
        "target": schema.target.name,
        "answer": _answers(found.answer, schema),
        "label": found.answer[0] if schema.target.is_numeric else found.label,
        "actual": found.actual or None,
        "trees": found.n_trees,
    }
    sections = tuple(_path(path, found, digits) for path in found.paths)
    return Sheet(title, tuple(lines), sections, facts, digits)


def _answer(found: RowExplanation, digits: int) -> str:
    if found.schema.target.is_numeric:
        return number(found.answer[0])
    return f"{name(found.label)} ({_shares(found.answer, found.schema, digits)})"


def _answers(answer: tuple[float, ...], schema: Schema) -> Any:
    if schema.target.is_numeric:
        return answer[0]
    return dict(zip(schema.classes, answer, strict=True))


def _shares(answer: tuple[float, ...], schema: Schema, digits: int) -> str:
    """Class shares, of many classes only those that are not 0."""
    if schema.target.is_numeric:
        return number(answer[0])
    told = list(zip(schema.classes, answer, strict=True))
    if len(told) > 6:
        told = [pair for pair in told if pair[1] > 0]
    return ", ".join(f"{name(label)} {figure(share, digits)}" for label, share in told)


def _path(path: Path, found: RowExplanation, digits: int) -> Section:
    title = "Path"
    if found.n_trees > 1:
        title = f"Path through tree {path.tree + 1} of {found.n_trees}, weight {path.weight:.6g}"
    grids = [_questions(path, path.schema, digits)] if path.asked else []
    verdict = []
    if len(path.ends) == 1:
        end = path.ends[0]
        verdict.append(f"It ends at node {end.node}: {_shares(end.answer, path.schema, digits)}.")
        verdict += [f"Growth stopped there: {end.why}."] if end.why else []
    else:
        grids.append(_ends(path, path.schema, digits))
        verdict.append(f"Together, by share: {_shares(path.answer, path.schema, digits)}.")
    grids += [_nearest(end, path.schema) for end in path.ends if end.nearest]
    verdict += [
        f"Of the {len(end.nearest)} training rows that answer at node {end.node}, all at the"
        f" distance of the last share a place, the nearest {MOST_NEIGHBOURS} are told."
        for end in path.ends
        if len(end.nearest) > MOST_NEIGHBOURS
    ]
    facts = {
        "tree": path.tree,
        "weight": path.weight,
        "answer": _answers(path.answer, path.schema),
        "ends": [{"node": e.node, "share": e.share} for e in path.ends],
    }
    return Section(title, (), tuple(grids), tuple(verdict), facts)


def _questions(path: Path, schema: Schema, digits: int) -> Grid:
    """A line for each question put to the row, and one for each node where it ends."""
    heads = [
        Head("node", True),
        Head("share", True),
        *part_heads(schema),
        Head("asked"),
        Head("value"),
        Head("goes to"),
    ]
    lines: list[tuple[int, list[Cell]]] = []
    spread = any(step.share < WHOLE for step in path.asked) or len(path.ends) > 1
    for step in path.asked:
        cells: list[Cell] = [step.node, step.share if spread else None]
        cells += part_cells(step.here, schema, digits)
        column = step.test.column
        cells += [name(column.name), value_cell(column, step.value), _goes(step, digits)]
        lines.append((step.node, cells))
    if not spread:
        lines += [(end.node, _last(end, schema, digits)) for end in path.ends if end.why]
    return grid("", heads, [cells for _, cells in lines])


def _last(end: End, schema: Schema, digits: int) -> list[Cell]:
    here = part_cells(end.here, schema, digits)
    return [end.node, None, *here, None, None, "a leaf"]


def _goes(step: Asked, digits: int) -> Said:
    """Where a row went, and what decided it if its value did not."""
    sent = [{"node": node, "share": share} for node, share in step.sent]
    lost = "a level never seen here; " if step.by != "value" and step.value is not None else ""
    if step.branch is not None:
        decided = {
            "value": condition_of(step.test, step.branch),
            "surrogate": _surrogate(step),
            "unknown": "where unknown values go",
        }
        return Said(f"{lost}node {step.sent[0][0]}: {decided[step.by]}", sent)
    if step.test.unknown == SPREAD:
        shares = ", ".join(f"node {n} ({figure(share, digits)})" for n, share in step.sent)
        return Said(f"{lost}every branch by its weight: {shares}", sent)
    return Said(f"{lost}no further: the node answers", sent)


def _surrogate(step: Asked) -> str:
    """The surrogate that decided, and those asked before in vain."""
    if not step.surrogates:
        return ""
    *before, last = step.surrogates
    column = last.test.column
    words = f"by the surrogate {name(column.name)} = {value_cell(column, last.value).text}"
    words += f", which agrees in {last.agreement:.1%} of cases"
    unknown = ", ".join(name(tried.test.column.name) for tried in before)
    return f"{words} ({unknown}: unknown too)" if before else words


def _nearest(end: End, schema: Schema) -> Grid:
    """The training rows that answered at a node."""
    target = schema.target
    heads = [Head("row", True), Head("distance", True), Head("counts", True), Head(target.name)]
    rows: list[list[Cell]] = [
        [near.row + 1, near.distance, near.weight, value_cell(target, near.target)]
        for near in end.nearest[:MOST_NEIGHBOURS]
    ]
    return grid(f"Training rows that answer at node {end.node}", heads, rows)


def _ends(path: Path, schema: Schema, digits: int) -> Grid:
    answers = [Head("answer", True)]
    if not schema.target.is_numeric:
        few = len(schema.classes) <= 6
        answers = [Head(label, True) for label in schema.classes] if few else [Head("answer")]
    heads = [Head("node", True), Head("share", True), *answers, Head("growth stopped there")]
    rows: list[list[Cell]] = []
    for end in path.ends:
        said: list[Cell] = list(end.answer)
        if len(said) != len(answers):
            said = [Said(_shares(end.answer, schema, digits), list(end.answer))]
        rows.append([end.node, end.share, *said, end.why or "it could go no further"])
    return grid("Where it ends", heads, rows)
