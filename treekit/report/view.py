"""One tree of a model as the reports look at it: plain lists, labels and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from attrs import evolve, frozen

from treekit.combining import winners
from treekit.graph import Graph
from treekit.leaf_models import LeafModels
from treekit.linear import linear_of, sum_column
from treekit.model import Model
from treekit.report import leaf_model
from treekit.report.branch import Branch, branches, condition, digits_apart, edge, name, number
from treekit.report.formula import MOST_NAMES
from treekit.table.record import Column, Floats, Schema
from treekit.tree import CUTS, LINEAR, Tree

TINY = 1e-9


@frozen(eq=False)
class View:
    """A tree, its answers, and the schema that gives them names.

    The lists are the tree's arrays: walking node by node is much quicker over lists. Of a `graph`
    only the nodes are shown that it has, and its children are theirs.
    """

    schema: Schema
    tree: Tree
    answers: Floats
    title: str
    kind: list[int]
    column_of: list[int]
    first_child: list[int]
    n_children: list[int]
    start: list[int]
    operands: list[float]
    unknown: list[int]
    weight: list[float]
    leaf_models: LeafModels | None = None
    graph: Graph | None = None

    @property
    def is_regression(self) -> bool:
        return self.schema.task == "regression"

    @cached_property
    def class_of(self) -> list[int]:
        """Classification: the label of each node."""
        return list(winners(self.answers).tolist())

    @cached_property
    def errors(self) -> list[float]:
        """Classification: the weight at each node that is not of its label."""
        right = np.take_along_axis(self.tree.stats[:, 1:], winners(self.answers)[:, None], axis=1)
        return list(np.maximum(self.tree.weight - right[:, 0], 0.0).tolist())

    @cached_property
    def mean(self) -> list[float]:
        """Regression: the mean of y at each node, NaN where it is empty."""
        return list((self._moment(1) + self.tree.centre).tolist())

    @cached_property
    def variance(self) -> list[float]:
        """Regression: the population variance of y at each node."""
        with np.errstate(over="ignore", invalid="ignore"):
            spread = self._moment(2) - self._moment(1) ** 2
        return list(np.where(self.tree.weight > 0, np.maximum(spread, 0.0), 0.0).tolist())

    def _moment(self, slot: int) -> Floats:
        weight = self.tree.weight
        nothing = np.full(len(weight), np.nan)
        return np.asarray(
            np.divide(self.tree.stats[:, slot], weight, out=nothing, where=weight > 0)
        )

    @cached_property
    def digits(self) -> dict[int, int]:
        """How many digits the cuts of each subject are shown with."""
        cuts: dict[int, set[float]] = {}
        for node, kind in enumerate(self.kind):
            if kind in (CUTS, LINEAR):
                cuts.setdefault(self.subject_of[node], set()).update(self.test_operands(node))
        return {column: digits_apart(list(found)) for column, found in cuts.items()}

    @cached_property
    def plain_weights(self) -> bool:
        """One decimal is enough for the weights; not when they are shares of a small whole."""
        weight = self.tree.weight
        return bool(weight[0] >= 10 or (weight == np.round(weight)).all())

    @property
    def nodes(self) -> Sequence[int]:
        """Those that are shown, parents first."""
        return range(len(self.kind)) if self.graph is None else self.graph.node.tolist()

    def position(self, node: int) -> int:
        """What a node is called: its place among those that are shown."""
        return node if self.graph is None else int(self.graph.stands_for[node])

    def children(self, node: int) -> Sequence[int]:
        if self.graph is not None:
            shown = self.graph.children_of(self.position(node))
            return list(self.graph.node[shown].tolist())
        first = self.first_child[node]
        return range(first, first + self.n_children[node])

    @cached_property
    def subjects(self) -> tuple[Column, ...]:
        """What tests ask about: the columns, then every sum of several, named by its formula."""
        return (*self.schema.columns, *self._sums)

    @cached_property
    def subject_of(self) -> list[int]:
        """The number of each node's subject; -1 at a leaf."""
        found = list(self.column_of)
        first = len(self.schema.columns)
        for node in np.flatnonzero(self.tree.kind == LINEAR).tolist():
            found[node] = first + self._sums[self._sum(node)]
        return found

    @cached_property
    def _sums(self) -> dict[Column, int]:
        nodes = np.flatnonzero(self.tree.kind == LINEAR).tolist()
        return {column: i for i, column in enumerate(dict.fromkeys(map(self._sum, nodes)))}

    def _sum(self, node: int) -> Column:
        return sum_column(linear_of(self.tree.test_operands(node)), self.schema.columns)

    def column(self, node: int) -> Column:
        return self.subjects[self.subject_of[node]]

    def test_operands(self, node: int) -> list[float]:
        """The cuts of a node's subject, or the branch of each level."""
        end = self.start[node] + 1 if self.kind[node] == LINEAR else self.start[node + 1]
        return self.operands[self.start[node] : end]

    def branches(self, node: int) -> list[Branch]:
        kind = CUTS if self.kind[node] == LINEAR else self.kind[node]
        where = self.n_children[node], self.unknown[node]
        return branches(kind, self.column(node), self.test_operands(node), *where)

    def conditions(self, node: int) -> list[str]:
        column, digits = self.column(node), self.digits.get(self.subject_of[node], 6)
        return [condition(column, branch, digits) for branch in self.branches(node)]

    def edges(self, node: int) -> list[str]:
        column, digits = self.column(node), self.digits.get(self.subject_of[node], 6)
        return [edge(column, branch, digits) for branch in self.branches(node)]

    def label(self, node: int) -> str:
        if self.is_regression:
            return number(float(self.answers[node, 0]))
        return name(self.schema.classes[self.class_of[node]])

    def answer(self, node: int) -> str:
        """The label; where a model of numbers answers, the model."""
        if self.leaf_models is None or not self.is_regression:
            return self.label(node)
        return leaf_model.answer(self.leaf_models, node, self.schema)

    def brief(self, node: int) -> str:
        """The same cut short: the label, and what a model looks at."""
        words = "" if self.leaf_models is None else self.basis(node, MOST_NAMES)
        return f"{self.label(node)} {words}" if words else self.answer(node)

    def basis(self, node: int, most: int | None = None) -> str:
        """What a leaf's model looks at; nothing where it answers every row the same."""
        if self.leaf_models is None:
            return ""
        return leaf_model.basis(self.leaf_models, node, self.schema, most)

    def evidence(self, node: int) -> str:
        """What stands behind a label: (weight/errors), or the number of cases and their spread."""
        weight = self.weight_words(self.weight[node])
        if not self.is_regression:
            errors = self.errors[node]
            wrong = errors > TINY * self.weight[node]
            return f"({weight}/{self.weight_words(errors)})" if wrong else f"({weight})"
        words = f"n {weight}, variance {number(self.variance[node], 4)}"
        mean = number(self.mean[node])
        if self.weight[node] > 0 and mean != self.answer(node):
            words = f"mean {mean}, {words}"
        return f"({words})"

    def weight_words(self, weight: float) -> str:
        return f"{weight:.1f}" if self.plain_weights else f"{weight:.3g}"

    def reason(self, node: int) -> str:
        index = int(self.tree.reason[node])
        return self.tree.reasons[index] if 0 <= index < len(self.tree.reasons) else ""


def title(model: Model, tree: int) -> str:
    words = f"Tree {tree + 1} of {len(model.trees)}, weight {number(model.tree_weights[tree])}"
    return f"{words}, {model.schema_of(tree).target.name}" if model.outputs else words


def views(model: Model, only: int | None = None) -> Iterator[View]:
    """The trees of a model in turn, or `only` one of them; a title only where there are several."""
    for i in range(len(model.trees)) if only is None else [only]:
        words = title(model, i) if len(model.trees) > 1 else ""
        yield _view(
            model.schema_of(i), model.trees[i], model.answers[i], words, model.leaf_models[i]
        )


def view_of(graph: Graph) -> View:
    """A decision graph: nodes are those of its tree, with what all that they stand for weigh."""
    stats = graph.tree.stats.copy()
    stats[graph.node] = graph.stats
    tree = evolve(graph.tree, stats=stats)
    return _view(graph.schema, tree, graph.answers, "", graph.leaf_models, graph)


def _view(
    schema: Schema,
    tree: Tree,
    answers: Floats,
    title: str,
    leaf_models: LeafModels | None,
    graph: Graph | None = None,
) -> View:
    return View(
        schema,
        tree,
        answers,
        title,
        kind=tree.kind.tolist(),
        column_of=tree.column.tolist(),
        first_child=tree.first_child.tolist(),
        n_children=tree.n_children.tolist(),
        start=tree.start.tolist(),
        operands=tree.operands.tolist(),
        unknown=tree.unknown.tolist(),
        weight=tree.weight.tolist(),
        leaf_models=leaf_models,
        graph=graph,
    )
