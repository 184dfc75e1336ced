"""The Model: trees, what they answer, and everything that is needed to ask them again."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from attrs import Factory, field, frozen

from treekit import __version__, model_file
from treekit.answering import Members, for_each_row, of_each_node
from treekit.combining import Combination, schema_of_tree, winners
from treekit.errors import DataError, ModelError, Problem, did_you_mean
from treekit.graph import By, Graph, merged
from treekit.leaf_models import LeafModels
from treekit.metrics import Answered, measured
from treekit.narrow import total
from treekit.offers import Rule
from treekit.table.record import Column, Floats, Schema, Table
from treekit.tree import Tree

if TYPE_CHECKING:
    from treekit.explain import Explanation, RowExplanation


@frozen(eq=False, repr=False)
class Model:
    """What a recipe learned from a table.

    schema        the columns it was grown on, and its target
    trees         one, or the members of an ensemble
    answers       per tree [nodes, A]: class shares, or one number
    tree_weights  what each tree's answer counts
    recipe        the resolved recipe, as plain data
    versions      of treekit, python, numpy and every plugin distribution that had a part in it
    seed          of everything random in its growth
    leaf_models   per tree: what its leaves answer where that depends on the row, or None
    rule, base, outputs   how the trees' answers become one: `treekit.combining.Combination`
    facts         what the ensemble, or the grower of a single tree, tells of the whole, by name:
                  the out-of-bag error, say
    learned_from  the training table, while it is at hand; it is not saved
    judged_by     rows given for pruning, if any were; they are not saved either
    """

    schema: Schema
    trees: tuple[Tree, ...]
    answers: tuple[Floats, ...]
    tree_weights: tuple[float, ...]
    recipe: dict[str, Any] = field(factory=dict)
    versions: dict[str, str] = field(factory=dict)
    seed: int = 0
    leaf_models: tuple[LeafModels | None, ...] = field(
        default=Factory(lambda model: (None,) * len(model.trees), takes_self=True)
    )
    rule: Rule = "sum"
    base: tuple[float, ...] = ()
    outputs: tuple[int, ...] = ()
    facts: dict[str, float] = field(factory=dict)
    learned_from: Table | None = None
    judged_by: Table | None = None

    @property
    def combination(self) -> Combination:
        return Combination(self.tree_weights, self.rule, self.base, self.outputs)

    @property
    def members(self) -> Members:
        """Its trees, as they answer together."""
        width = 1 if self.task == "regression" else len(self.classes)
        return Members(self.trees, self.answers, self.leaf_models, self.combination, width)

    def schema_of(self, tree: int) -> Schema:
        """What a tree predicts, from which columns: of boosted classes the score of one class."""
        return schema_of_tree(self.schema, self.outputs, tree)

    @property
    def task(self) -> str:
        return self.schema.task

    @property
    def classes(self) -> tuple[str, ...]:
        return self.schema.classes

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.schema.columns

    @property
    def n_nodes(self) -> int:
        return sum(tree.n_nodes for tree in self.trees)

    @property
    def n_leaves(self) -> int:
        return sum(tree.n_leaves for tree in self.trees)

    @property
    def depth(self) -> int:
        return max(tree.depth for tree in self.trees)

    def predict(self, data: Any, *, threads: int | None = None) -> npt.NDArray[Any]:
        """Each row's class name (object array) or number (float64).

        `data` is a Table, a DataFrame, a path or a built-in data set's name. Among equal classes
        the first one is taken. In as many `threads` as are worth it, no more than given: the
        answers are the same.
        """
        table = table_for(self.schema, data, lent=True)
        return for_each_row(self.members, table, self._named, self._named_nodes, threads)

    def predict_proba(self, data: Any, *, threads: int | None = None) -> Floats:
        """[rows, classes]: each row's class probabilities, which sum to 1; `threads` as above."""
        if self.task == "regression":
            raise ModelError(
                Problem(
                    f"the model predicts a number, {self.schema.target.name!r},"
                    " and has no class probabilities",
                    instead="ask for predict",
                )
            )
        table = table_for(self.schema, data, lent=True)
        return for_each_row(self.members, table, normalised, threads=threads)

    def _named(self, answers: Floats) -> npt.NDArray[Any]:
        """What `predict` makes of answers."""
        if self.task == "regression":
            return answers[:, 0]
        return np.array(self.classes, dtype=object).take(winners(answers))

    @cached_property
    def _named_nodes(self) -> npt.NDArray[Any] | None:
        """What it makes of each node's, kept, where rows that end there have no other."""
        return of_each_node(self.members, self._named)

    def explain(
        self,
        data: Any = None,
        *,
        validation: Any = None,
        tree: int = 0,
        node: int | Sequence[int] | None = None,
        nodes: int | None = 50,
        depth: int | None = None,
        cuts: int | None = 20,
        columns: int | None = 25,
    ) -> Explanation:
        """How a tree of the model grew, and what pruning made of it.

        The model's recipe is run again, with its seed, on the data it was learned from: those of
        the fit, unless `data` (and `validation`, if the fit had any) give them again. `tree` is
        counted from 0; `node` picks nodes by their numbers before pruning. The rest are limits,
        None being none: how many `nodes`, how deep, of how many `cuts` a column's are all listed,
        and how many `columns` of a node.
        """
        from treekit.explain import Limits, explained

        limits = Limits(nodes=nodes, depth=depth, cuts=cuts, columns=columns)
        return explained(self, data, validation, limits, tree, node)

    def explain_row(self, data: Any, row: int, *, trees: int | None = 3) -> RowExplanation:
        """How the model answers for one row of the data, counted from 0: its path, node by node.

        Of an ensemble the paths through the first `trees` are told; None: through all.
        """
        from treekit.explain import explained_row

        return explained_row(self, data, row, trees)

    def importances(
        self, by: str = "impurity", data: Any = None, *, repeats: int = 5, seed: int = 0
    ) -> dict[str, float]:
        """How much each column has to do with the answers, by its name.

        by       "impurity": by how much its tests lower the impurity, in shares that sum to 1;
                 "surrogates": what its tests are worth, also as stand-ins for other tests (rpart);
                 "permutation": by how much the error on `data` grows when its values are shuffled
        repeats  how many shuffles the last takes the mean of; `seed` is theirs
        """
        from treekit.importances import importances

        table = None if data is None else table_for(self.schema, data)
        return importances(self, by, table, repeats, seed)

    def answered(self, data: Any) -> Answered:
        """What it answers for the rows whose target is known, beside what that is: for metrics.

        `data` as in `predict`; they must hold the target.
        """
        table = data if isinstance(data, Table) else table_for(self.schema, data)
        actual = true_values(self.schema, table)
        known = ~np.isnan(actual)
        answers = row_answers(self, table)[known]
        weights = table.weights[known]
        if self.task == "regression":
            return Answered(actual[known], answers[:, 0], weights)
        said = winners(answers).astype(np.float64)
        return Answered(actual[known], said, weights, len(self.classes), normalised(answers))

    def metrics(self, data: Any = None, names: Iterable[str] | None = None) -> dict[str, float]:
        """How large the model is and, on data, how good its answers are: metrics by name.

        `names` are some of `treekit.metric_names()`; None: all that can be told. Without data, or
        without a target in them, that is the model's size; a path length is then of the rows that
        it was grown on. Data are what `predict` takes; rows whose target is unknown are left out
        where answers are judged. NaN is what cannot be told of these rows.
        """
        if data is None:
            return measured(self, names)
        table = data if isinstance(data, Table) else table_for(self.schema, data)
        has_target = (
            table.target_values is not None and table.schema.target.name == self.schema.target.name
        )
        answered = partial(self.answered, table) if has_target else None
        return measured(self, names, table_for(self.schema, table), answered)

    def graph(self, tree: int = 0, by: By = "answers") -> Graph:
        """A tree of the model, counted from 0, with its equal subtrees merged: a decision graph.

        by  "answers": rows keep their class shares or their number; "labels": they keep their
            class, and leaves of one class are one. `treekit.graph.merged` says more.
        """
        check_tree_number(self, tree)
        models = self.leaf_models[tree]
        return merged(self.schema_of(tree), self.trees[tree], self.answers[tree], models, by)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, whole or not at all."""
        model_file.write(parts_of(self), path)

    def __str__(self) -> str:
        from treekit.report import overview, render

        told = render(self, "text") if len(self.trees) == 1 else overview(self)
        return told.rstrip("\n")

    def __repr__(self) -> str:
        what = "a number" if self.task == "regression" else f"one of {len(self.classes)} classes"
        return (
            f"<Model: {counted(len(self.trees), 'tree')}, {counted(self.n_nodes, 'node')},"
            f" {counted(self.n_leaves, 'leaf', 'leaves')}, depth {self.depth};"
            f" predicts {self.schema.target.name!r}, {what},"
            f" from {counted(len(self.columns), 'column')}>"
        )


def counted(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def check_tree_number(model: Model, tree: int) -> None:
    """A tree of the model, counted from 0; people are told of it counted from 1."""
    if not 0 <= tree < len(model.trees):
        many = counted(len(model.trees), "tree")
        raise ModelError(Problem(f"there is no tree {tree + 1}: the model has {many}"))


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a file that `save` wrote. Loading runs no code and needs no plugin."""
    return Model(**model_file.read(path))


def parts_of(model: Model) -> model_file.Parts:
    """What a model file holds of a model."""
    return {
        "schema": model.schema,
        "trees": model.trees,
        "answers": model.answers,
        "tree_weights": model.tree_weights,
        "recipe": model.recipe,
        "versions": model.versions,
        "seed": model.seed,
        "leaf_models": model.leaf_models,
        "rule": model.rule,
        "base": model.base,
        "outputs": model.outputs,
        "facts": model.facts,
    }


def row_answers(
    model: Model, data: Any, threads: int | None = None, compiled: bool = False
) -> Floats:
    """[rows, A]: each row's answer, of all trees together; `for_each_row` tells of the others."""
    table = table_for(model.schema, data, lent=True)
    said = for_each_row(model.members, table, lambda answers: answers, None, threads, compiled)
    return np.asarray(said, np.float64)


def normalised(answers: Floats) -> Floats:
    """Rows that sum to 1. A row of no weight at all, which no tree answered, says nothing."""
    sums = total(answers)[:, None]
    nothing = np.full_like(answers, 1.0 / answers.shape[1])
    return np.asarray(np.divide(answers, sums, out=nothing, where=sums > 0))


def table_for(schema: Schema, data: Any, lent: bool = False) -> Table:
    """The data as a table of the model's columns, levels coded as the model codes them.

    `lent` as in `read_like`: the table is not kept.
    """
    if not isinstance(data, Table):
        from treekit.datasets import built_in, dataset_path
        from treekit.table import read_like

        named = built_in(data) if isinstance(data, str) else None
        return read_like(dataset_path(*named) if named else data, schema, lent=lent)
    if data.columns == schema.columns:
        return data
    here = {column.name: i for i, column in enumerate(data.columns)}
    cells = np.empty((len(schema.columns), data.n_rows))
    for i, column in enumerate(schema.columns):
        if column.name not in here:
            raise DataError(
                Problem(
                    f"there is no column {column.name!r}, which the model was grown on",
                    data.source,
                    did_you_mean(column.name, here),
                )
            )
        at = here[column.name]
        cells[i] = _recoded(data.columns[at], data.cells[at], column, data.source)
    return Table(schema, cells, None, data.given_weights, data.source)


def true_values(schema: Schema, table: Table) -> Floats:
    """The target of each row as the model codes it; NaN where it is unknown."""
    target, found = schema.target, table.schema.target
    if table.target_values is None or found.name != target.name:
        what = f"there is no target column {target.name!r} to compare answers with"
        raise DataError(Problem(what, table.source))
    values = _recoded(found, table.target_values, target, table.source)
    lost = np.isnan(values) & ~np.isnan(table.target_values)
    if lost.any():
        which = ", ".join(map(repr, sorted({*found.levels} - {*target.levels})))
        what = f"column {target.name!r} has classes that the model does not know: {which}"
        raise DataError(Problem(what, table.source))
    return values


def _recoded(found: Column, values: Floats, wanted: Column, source: str) -> Floats:
    if found.is_numeric != wanted.is_numeric:
        raise DataError(
            Problem(
                f"column {wanted.name!r} is {found.kind}, but the model was grown on"
                f" {wanted.kind} values",
                source,
            )
        )
    if found.is_numeric or found.levels == wanted.levels:
        return values
    code = {level: float(i) for i, level in enumerate(wanted.levels)}
    # The last entry is for the unknown values; a level the model never saw is unknown to it.
    codes = np.array([*(code.get(level, np.nan) for level in found.levels), np.nan])
    index = np.where(np.isnan(values), len(found.levels), values).astype(np.int64)
    return np.asarray(codes[index])


def versions_used(distributions: Iterable[str] = ()) -> dict[str, str]:
    """The versions that a model records: treekit, python, numpy and these distributions."""
    always = {
        "treekit": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    return {name: _version(name) for name in distributions} | always


@cache  # reading it takes longer than a small fit
def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"
