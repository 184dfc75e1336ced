"""rpart 4.1.19 with priors and with a loss matrix: the recipe `cart` with a [classes] table.

Nothing is owed here ("not checked"), yet the trees are the same: the same rows in the same nodes
by the same tests, with the same answer, risk, complexity and class shares. rpart's risk is the
expected loss under the priors; its loss matrix has a row for each actual class. The shares are
those under the priors, whatever the losses.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from treekit_builtin.pruners import complexities

import treekit
from treekit.classes import ClassTerms, altered, answer_costs
from treekit.engine import grow
from treekit.fitting import class_terms
from treekit.model import Model, winners
from treekit.recipe import Recipe, load_recipe
from treekit.route import ends
from treekit.table.record import Floats, Table
from treekit.tree import Tree, rebuilt

from .comparing import Ours, by_rows, differences, rows_of_nodes
from .conftest import Verdict
from .originals import (
    Node,
    Run,
    dataset_names,
    has_gaps,
    load_run,
    needs_originals,
    run_names,
    training_table,
)
from .rpart_runs import told

pytestmark = [pytest.mark.golden, needs_originals]

RUNS = [
    (dataset, name)
    for dataset in dataset_names("rpart")
    for name in run_names("rpart", dataset)
    if name in ("gini_prior", "gini_loss")
]
WITHOUT_GAPS = [(dataset, name) for dataset, name in RUNS if not has_gaps(dataset)]

SURROGATES = "rpart rates surrogates by the rows alone; here priors and costs count, as in the book"
EXPLAINED = {("c45-crx", "gini_loss"): SURROGATES, ("heart-c", "gini_loss"): SURROGATES}


def recipe_of(name: str, table: Table) -> Recipe:
    """`cart` with the priors c(0.65, 0.35), or with the losses L[1, 2] = 3 and L[2, 1] = 1."""
    first, second, *without_rows = table.schema.classes
    said: dict[str, Any] = {
        "gini_prior": {"priors": {first: 0.65, second: 0.35, **dict.fromkeys(without_rows, 0.0)}},
        "gini_loss": {"costs": {first: {second: 3.0}, second: {first: 1.0}}},
    }[name]
    missing = {"use": "surrogate", "as_rpart": True}
    return load_recipe("cart", set={"classes": said, "tree.missing": missing})


def original(dataset: str, name: str) -> Run:
    """The run of rpart, with the further figures of its frame."""
    run = told(dataset, name)
    frame = run["frame"]
    if frame["node"] == 1:  # a tree of one node was written without lists
        frame = {key: [value] for key, value in frame.items() if key != "yval2"}
        figures = {"n": frame["n"][0], "risk": frame["dev"][0], "answer": frame["yval"][0]}
        leaf = Node(None, None, figures, rows=frozenset(range(len(run["train_node"]))))
        return Run("rpart", dataset, name, run["agreement"], {"tree": leaf}, {})
    place = {number: i for i, number in enumerate(frame["node"])}

    def with_more(node: Node, number: int) -> Node:
        figures = {**node.figures, "shares": frame["yval2"][place[number]][3:5]}
        if node.children:
            figures["complexity"] = frame["complexity"][place[number]]
        below = [with_more(child, 2 * number + i) for i, child in enumerate(node.children)]
        return evolve(node, figures=figures, children=tuple(below))

    loaded = load_run("rpart", dataset, name)
    return evolve(loaded, trees={"tree": with_more(loaded.trees["tree"], 1)})


def risks(tree: Tree, terms: ClassTerms) -> Floats:
    return np.asarray(answer_costs(tree.stats, terms.unit_costs).min(axis=1))


def ours(model: Model, terms: ClassTerms, table: Table) -> Ours:
    (tree,), (answers,) = model.trees, model.answers
    risk = risks(tree, terms)
    complexity = complexities(tree, risk)
    weights = tree.stats[:, 1:3] / terms.emphasis[:2]
    return Ours(
        tree=tree,
        schema=model.schema,
        figures={
            "n": lambda node: tree.rows[node],
            "risk": lambda node: risk[node],
            # rpart counts classes from 1.
            "answer": lambda node: winners(answers)[node] + 1,
            "complexity": lambda node: complexity[node],
            "shares": lambda node: weights[node] / weights[node].sum(),
        },
        align=by_rows(tree, rows_of_nodes(tree, table)),
        cut_tolerance=1e-8,
        figure_tolerance=1e-8,
        slack=1e-9 * risk[0],
    )


@pytest.mark.parametrize(("dataset", "name"), RUNS)
def test_cart_takes_priors_and_losses_as_rpart_did(
    dataset: str, name: str, verdict: Verdict
) -> None:
    table, run = training_table(dataset), original(dataset, name)
    recipe = recipe_of(name, table)
    model = treekit.fit(recipe, table)
    found = list(differences(run.trees["tree"], ours(model, class_terms(recipe, table), table)))
    reason = EXPLAINED.get((dataset, name), "")
    verdict(run, False, found, reason)
    assert bool(found) == bool(reason), found


def held_out_errors(dataset: str, name: str, alphas: list[float]) -> Floats:
    """The errors of rpart's cross-validation, by folds of the table that was altered once.

    An error in a fold is charged by the loss matrix turned over, as rpart does it (its first
    figure with L[1, 2] = 3, where all answer the first class, is 3).
    """
    table = training_table(dataset)
    recipe = recipe_of(name, table)
    terms = class_terms(recipe, table)
    whole, costs = altered(table, terms), terms.unit_costs
    charged = 1.0 - np.eye(2) if terms.costs is None else terms.costs.T
    root_risk = risks(grow(whole, recipe.tree, np.random.default_rng(0)), terms)[0]
    fold = np.resize(np.arange(10), table.n_rows)
    errors = np.zeros(len(alphas))
    for held in range(10):
        training, rest = whole.take(fold != held), whole.take(fold == held)
        tree = grow(training, recipe.tree, np.random.default_rng(0))
        risk = risks(tree, terms)
        own = complexities(tree, risk) * risk[0] / root_risk * table.n_rows / training.n_rows
        for i, alpha in enumerate(alphas):
            kept = rebuilt(tree, np.arange(tree.n_nodes), own <= alpha, "")
            answer = answer_costs(kept.stats, costs).argmin(axis=1)
            at = ends(kept, rest)
            actual = rest.y[at.row].astype(np.int64)
            weight = rest.weights[at.row] / terms.emphasis[actual]
            errors[i] += weight @ charged[actual, answer[at.node]]
    return errors / root_risk


@pytest.mark.parametrize(
    ("dataset", "name"), [run for run in WITHOUT_GAPS if told(*run)["size"] > 1]
)
def test_trees_of_folds_keep_the_priors_of_the_whole(dataset: str, name: str) -> None:
    rows = told(dataset, name)["cptable"]["rows"]
    points = [row[0] for row in rows]
    alphas = [10 * points[0], *(math.sqrt(a * b) for a, b in pairwise(points))]
    expected = [row[3] for row in rows]
    np.testing.assert_allclose(held_out_errors(dataset, name, alphas), expected, rtol=1e-8)
