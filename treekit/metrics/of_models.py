"""Metrics of the model itself, whatever it answers.

Of many trees: how many nodes, leaves and bits they have in all; the depth of the deepest; the mean
of their path lengths.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from attrs import frozen

from treekit.graph import Graph
from treekit.leaf_models import LeafModels
from treekit.metrics.of_training import description_length, description_length_of_numbers
from treekit.route import ends
from treekit.table.record import Schema, Table
from treekit.tree import Tree


class Measurable(Protocol):
    """What is asked of a model."""

    @property
    def schema(self) -> Schema: ...
    @property
    def trees(self) -> tuple[Tree, ...]: ...
    @property
    def leaf_models(self) -> tuple[LeafModels | None, ...]: ...
    def graph(self, tree: int = 0) -> Graph: ...
    def schema_of(self, tree: int) -> Schema: ...


@frozen(eq=False)
class Sized:
    """A model, and the rows that it is asked about; None: those that it was grown on."""

    model: Measurable
    table: Table | None = None


def trees(found: Sized) -> float:
    """How many trees."""
    return float(len(found.model.trees))


def nodes(found: Sized) -> float:
    """How many nodes, leaves included, in all trees."""
    return float(sum(tree.n_nodes for tree in found.model.trees))


def leaves(found: Sized) -> float:
    """How many leaves in all trees."""
    return float(sum(tree.n_leaves for tree in found.model.trees))


def depth(found: Sized) -> float:
    """How many tests lie on the longest path of any tree."""
    return float(max(tree.depth for tree in found.model.trees))


def graph_nodes(found: Sized) -> float:
    """How many nodes are left in all trees when the equal subtrees of each are merged."""
    model = found.model
    return float(sum(model.graph(i).n_nodes for i in range(len(model.trees))))


def path_length(found: Sized) -> float:
    """How many tests a row is asked in a tree, on average: the mean over the trees."""
    return float(np.mean([expected_path_length(tree, found.table) for tree in found.model.trees]))


def model_description_length(found: Sized) -> float:
    """The bits of all trees and of what they get wrong in training; NaN where leaves have models.

    Each tree is described for itself, by the rows that it was grown on and what it predicts.
    """
    model = found.model
    if any(models is not None for models in model.leaf_models):
        return float("nan")
    n_columns = len(model.schema.columns)
    return sum(
        description_length(tree, n_columns)
        if model.schema_of(i).task == "classification"
        else description_length_of_numbers(tree, n_columns)
        for i, tree in enumerate(model.trees)
    )


def expected_path_length(tree: Tree, table: Table | None = None) -> float:
    """The mean number of tests that a row is asked, by weight, a row that is shared out by share.

    Of a table's rows; without one, of the rows that the tree was grown on. A test whose value is
    unknown is asked, too; its surrogates are not counted. NaN: there are no rows, or only rows of
    no weight.
    """
    if table is None:
        asked = float(tree.weight[~tree.is_leaf].sum())
        total = float(tree.weight[0])
    else:
        found = ends(tree, table)
        counts = found.share * table.weights[found.row]
        asked = float(counts @ (tree.depth_of + ~tree.is_leaf)[found.node])
        total = float(counts.sum())
    return asked / total if total > 0 else float("nan")
