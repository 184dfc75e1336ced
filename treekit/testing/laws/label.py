"""Laws of leaf labelers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np

from treekit import model_file
from treekit.errors import ModelError
from treekit.leaf_models import LeafModels, leaf_answers
from treekit.model import Model, parts_of, row_answers
from treekit.table.record import Floats, Ints, Table
from treekit.testing.expecting import expect, expect_all, expect_same, expect_same_fields
from treekit.testing.hosting import grown, host, tasks
from treekit.testing.samples import sample_tables
from treekit.tree import STAY, Tree


def answers_for_every_node(strategy: Any) -> None:
    """[nodes, classes] or [nodes, 1], all finite; empty nodes are answered too."""
    for task, table, tree in _trees(strategy):
        found = _answers(strategy, tree, table)
        wide = len(table.schema.classes) if task == "classification" else 1
        shape = (tree.n_nodes, wide)
        expect(found.shape == shape, f"the answers have the shape {found.shape}, not {shape}")
        expect_all(np.isfinite(found).all(axis=1), "an answer is not finite", found, tree.stats)


def shares_sum_to_one(strategy: Any) -> None:
    """A node's class shares are 0 or more and sum to 1."""
    for task, table, tree in _trees(strategy):
        if task == "classification":
            found = _answers(strategy, tree, table)
            expect_all((found >= 0.0).all(axis=1), "a share is negative", found, tree.stats)
            sums = found.sum(axis=1)
            expect_same(sums, np.ones(len(sums)), "shares do not sum to 1", found, tree.stats)


def is_deterministic(strategy: Any) -> None:
    """Asked twice, it answers the same."""
    for _, table, tree in _trees(strategy):
        again = _answers(strategy, tree, table)
        expect_same(again, _answers(strategy, tree, table), "asked again, it answers otherwise")


def leaves_the_tree_alone(strategy: Any) -> None:
    """The tree is not written to."""
    for _, table, tree in _trees(strategy):
        stats = tree.stats.copy()
        _answers(strategy, tree, table)
        expect_same(tree.stats, stats, "the tree's statistics were written to")


def models_answer_every_row(strategy: Any) -> None:
    """Whatever the row, known or not, every node at which rows end answers with finite numbers."""
    for task, table, tree in _trees(strategy):
        wide = len(table.schema.classes) if task == "classification" else 1
        for rows in (table, *_far_rows(table)):
            found = _where_rows_end(_models(strategy, tree, table), tree, rows)
            shape = (len(_ends(tree)) * rows.n_rows, wide)
            expect(found.shape == shape, f"the answers have the shape {found.shape}, not {shape}")
            expect_all(np.isfinite(found).all(axis=1), "a row's answer is not finite", found)


def models_give_shares(strategy: Any) -> None:
    """A row's class shares are 0 or more and sum to 1."""
    for task, table, tree in _trees(strategy):
        if task == "classification":
            found = _where_rows_end(_models(strategy, tree, table), tree, table)
            expect_all((found >= 0.0).all(axis=1), "a row's share is negative", found)
            sums = found.sum(axis=1)
            expect_same(sums, np.ones(len(sums)), "a row's shares do not sum to 1", found)


def models_need_no_plugin(strategy: Any) -> None:
    """The model is data: saved and loaded, it answers the same."""
    for _, table, tree in _trees(strategy):
        models = _models(strategy, tree, table)
        answers = _answers(strategy, tree, table)
        model = Model(table.schema, (tree,), (answers,), (1.0,), leaf_models=(models,))
        try:
            back = Model(**model_file.parse("".join(model_file.document(parts_of(model)))))
        except ModelError as error:
            raise AssertionError(f"the models cannot be saved: {error}") from error
        same = "saved and loaded, the model answers otherwise"
        expect_same(row_answers(back, table), row_answers(model, table), same)


def models_are_deterministic(strategy: Any) -> None:
    """Asked twice, it gives the same models."""
    for _, table, tree in _trees(strategy):
        one, other = (_models(strategy, tree, table) for _ in range(2))
        expect(type(one) is type(other), "asked again, it gives models of another kind")
        expect_same_fields(one, other, "asked again, it gives other models")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a labeler must keep."""
    yield answers_for_every_node
    if "classification" in tasks(strategy):
        yield shares_sum_to_one
    yield is_deterministic
    yield leaves_the_tree_alone
    if hasattr(strategy, "models"):
        yield models_answer_every_row
        if "classification" in tasks(strategy):
            yield models_give_shares
        yield models_need_no_plugin
        yield models_are_deterministic


def _trees(strategy: Any) -> Iterator[tuple[str, Table, Tree]]:
    """Trees with empty branches among them: a split on a nominal column has one for each level."""
    for task in tasks(strategy):
        for table in sample_tables(task):
            yield task, table, grown(table, host(task).tree)


def _answers(strategy: Any, tree: Tree, table: Table) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(strategy.answers(tree, table))


def _models(strategy: Any, tree: Tree, table: Table) -> LeafModels:
    with np.errstate(all="ignore"):
        found: LeafModels = strategy.models(tree, table, tree)
    return found


def _where_rows_end(models: LeafModels, tree: Tree, table: Table) -> Floats:
    """[such nodes * rows, A]: what every node at which rows may end would answer every row."""
    nodes = np.repeat(_ends(tree), table.n_rows)
    rows = np.tile(np.arange(table.n_rows), len(_ends(tree)))
    return leaf_answers(models, table, rows, nodes)


def _ends(tree: Tree) -> Ints:
    """The nodes at which rows may end."""
    return np.flatnonzero(tree.is_leaf | (tree.unknown == STAY))


def _far_rows(table: Table) -> Iterator[Table]:
    """Rows of which nothing is known, and rows far from all that was seen."""
    numeric = np.array([column.is_numeric for column in table.columns])[:, None]
    yield attrs.evolve(table, cells=np.full_like(table.cells, np.nan))
    for far in (-1e300, 1e300):
        yield attrs.evolve(table, cells=np.where(numeric, far, table.cells))
