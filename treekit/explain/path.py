"""One row's way through the trees of a model."""

from __future__ import annotations

from typing import Literal

import numpy as np

from treekit.combining import winners
from treekit.explain.parts import part_of, reason_at, test_at
from treekit.explain.record import Part, Test
from treekit.explain.row_record import Asked, End, Neighbour, Path, RowExplanation, Tried
from treekit.leaf_models import LeafModels, Neighbours, leaf_answers, nearest
from treekit.model import Model, normalised, row_answers
from treekit.route import branch_of, value_asked
from treekit.table.record import Column, Floats, Table
from treekit.tree import NOWHERE, SPREAD, STAY, Tree


def row_path(model: Model, table: Table, row: int, trees: int | None) -> RowExplanation:
    """How the model answers for one row of a table that is coded as the model codes."""
    alone = table.take(np.array([row]))
    # This also refuses a row that the model refuses.
    answer = row_answers(model, alone)
    paths = tuple(_path(model, alone, i) for i in range(len(model.trees))[:trees])
    if model.task == "regression":
        label = repr(float(answer[0, 0]))
    else:
        label = model.classes[int(winners(answer)[0])]
        answer = normalised(answer)
    return RowExplanation(
        row=row,
        source=table.source,
        schema=model.schema,
        paths=paths,
        n_trees=len(model.trees),
        answer=tuple(answer[0].tolist()),
        label=label,
        actual=_actual(alone),
    )


def _actual(table: Table) -> str:
    """What the table itself says of its only row."""
    if table.target_values is None or np.isnan(table.y[0]):
        return ""
    target = table.schema.target
    return repr(float(table.y[0])) if target.is_numeric else target.levels[int(table.y[0])]


def _path(model: Model, table: Table, number: int) -> Path:
    """The way of a table's only row through one tree, the first branch first."""
    tree, answers = model.trees[number], model.answers[number]
    of_classes = model.schema_of(number).task == "classification"
    asked: list[Asked] = []
    ends: list[tuple[int, float, str]] = []
    pending = [(0, 1.0)]
    while pending:
        node, share = pending.pop()
        if tree.is_leaf[node]:
            ends.append((node, share, reason_at(tree, node)))
            continue
        step = _ask(model, tree, node, share, table, of_classes)
        asked.append(step)
        pending += reversed(step.sent)
        if not step.sent:
            ends.append((node, share, ""))
    nodes = np.array([node for node, _, _ in ends], np.int64)
    leaf_models = model.leaf_models[number]
    if leaf_models is None:
        said = answers[nodes]
    else:
        said = leaf_answers(leaf_models, table, np.zeros(len(nodes), np.int64), nodes)
    shares = np.array([share for _, share, _ in ends])
    return Path(
        tree=number,
        schema=model.schema_of(number),
        weight=float(model.tree_weights[number]),
        asked=tuple(asked),
        ends=tuple(
            End(
                node,
                share,
                _here(tree, node, of_classes),
                tuple(answer),
                why,
                _nearest(leaf_models, table, node),
            )
            for (node, share, why), answer in zip(ends, said.tolist(), strict=True)
        ),
        answer=tuple((shares @ said).tolist()),
    )


def _nearest(models: LeafModels | None, table: Table, node: int) -> tuple[Neighbour, ...]:
    """The training rows that answer for a table's only row at a node, if such do."""
    if not isinstance(models, Neighbours):
        return ()
    found = nearest(models, table, 0, node)
    parts = (found.row, found.distance, found.weight, models.target[found.row])
    return tuple(Neighbour(*told) for told in zip(*(p.tolist() for p in parts), strict=True))


def _ask(
    model: Model, tree: Tree, node: int, share: float, table: Table, of_classes: bool
) -> Asked:
    """Ask a table's only row what a node asks, and find where it goes."""
    test = test_at(tree, node, model.schema)
    own = int(tree.column[node]), int(tree.kind[node]), tree.operands
    value = float(value_asked(table.cells, 0, *own, *tree.start[node : node + 2]))
    by: Literal["value", "surrogate", "unknown"] = "value"
    branch = _branch(test, value)
    tried: tuple[Tried, ...] = ()
    if branch is None:
        by, tried = "surrogate", _surrogates(model, tree, node, table)
        branch = tried[-1].branch if tried else None
    if branch is None:
        by, branch = "unknown", test.unknown if test.unknown >= 0 else None
    first = int(tree.first_child[node])
    if branch is not None:
        sent: tuple[tuple[int, float], ...] = ((first + branch, share),)
    else:
        sent = _spread(tree, node, share) if test.unknown == SPREAD else ()
    return Asked(
        node=node,
        share=share,
        here=_here(tree, node, of_classes),
        test=test,
        value=None if np.isnan(value) else value,
        branch=branch,
        by=by,
        surrogates=tried,
        sent=sent,
    )


def _spread(tree: Tree, node: int, share: float) -> tuple[tuple[int, float], ...]:
    """Every child that weighs anything, by its weight within the node."""
    whole = float(tree.weight[node])
    return tuple(
        (child, share * float(tree.weight[child]) / whole)
        for child in tree.children(node)
        if tree.weight[child] > 0
    )


def _branch(test: Test, value: float) -> int | None:
    found = branch_of(test.kind, np.array(test.operands), 0, len(test.operands), value)
    return None if found == NOWHERE else int(found)


def _surrogates(model: Model, tree: Tree, node: int, table: Table) -> tuple[Tried, ...]:
    """The surrogates asked in turn, up to the first whose value is known."""
    tried: list[Tried] = []
    stand_ins = tree.surrogates
    if stand_ins is None or not stand_ins.asked:
        return ()
    for j in range(int(stand_ins.first[node]), int(stand_ins.first[node + 1])):
        operands = stand_ins.operands[stand_ins.start[j] : stand_ins.start[j + 1]]
        column: Column = model.schema.columns[int(stand_ins.column[j])]
        test = Test(column, int(stand_ins.kind[j]), tuple(operands.tolist()), 2, STAY)
        value = float(table.cells[stand_ins.column[j], 0])
        branch = _branch(test, value)
        if branch is not None and stand_ins.flipped[j]:
            branch = 1 - branch
        known = None if np.isnan(value) else value
        tried.append(Tried(test, known, branch, float(stand_ins.agreement[j])))
        if branch is not None:
            break
    return tuple(tried)


def _here(tree: Tree, node: int, of_classes: bool) -> Part:
    stats: Floats = tree.stats[node]
    return part_of(stats, int(tree.rows[node]), tree.centre, of_classes)
