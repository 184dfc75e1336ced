"""Metrics of the model itself: sizes, path lengths and description lengths."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

import treekit
from treekit.datasets import load_dataset
from treekit.errors import DataError, TreekitError
from treekit.linear import asked_columns
from treekit.metrics import METRICS
from treekit.metrics.of_models import expected_path_length
from treekit.metrics.of_training import description_length, description_length_of_numbers
from treekit.model import Model
from treekit.route import ends
from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, LEAF, NOWHERE, SPREAD, STAY, Tree

from ..builtin.naive import random_table, random_tree
from ..model.with_extras import lines

SIZES = ("trees", "nodes", "leaves", "depth", "graph_nodes", "path_length", "description_length")


def tennis() -> Model:
    return treekit.fit("id3", load_dataset("tennis"))


def test_the_size_of_the_tennis_tree() -> None:
    """Ten of fourteen days are asked twice, the overcast ones once; 4 columns, 2 classes."""
    assert tennis().metrics() == pytest.approx(
        {
            "trees": 1,
            "nodes": 8,
            "leaves": 5,
            "depth": 2,
            "graph_nodes": 5,
            "path_length": 24 / 14,
            "description_length": 3 * math.log2(4) + 5 * 1,
        }
    )


def test_of_many_trees_sizes_add_up_and_path_lengths_are_averaged() -> None:
    small = treekit.fit("stump", load_dataset("tennis"))
    large = tennis()
    both = evolve(
        large,
        trees=(*small.trees, *large.trees),
        answers=(*small.answers, *large.answers),
        tree_weights=(0.9, 0.1),
        leaf_models=(None, None),
    )
    one, other, found = small.metrics("tennis"), large.metrics("tennis"), both.metrics("tennis")
    for name in ("trees", "nodes", "leaves", "graph_nodes", "description_length"):
        assert found[name] == pytest.approx(one[name] + other[name])
    assert found["depth"] == 2.0
    assert found["path_length"] == pytest.approx((one["path_length"] + other["path_length"]) / 2)


def asked(tree: Tree, node: int, table: Table, row: int) -> tuple[float, float]:
    """The tests that a row is asked from here on by share, and the share that arrives somewhere."""
    if tree.kind[node] == LEAF:
        return 0.0, 1.0
    value = table.cells[tree.column[node], row]
    operands = tree.test_operands(node)
    branch = NOWHERE
    if not np.isnan(value):
        cut = tree.kind[node] == CUTS
        branch = int((value > operands).sum()) if cut else int(operands[int(value)])
    if branch == NOWHERE:
        branch = int(tree.unknown[node])
    if branch == STAY:
        return 1.0, 1.0
    children = tree.children(node)
    shares = {children[branch]: 1.0}
    if branch == SPREAD:
        shares = {c: tree.weight[c] / tree.weight[node] for c in children}
    tests = arrived = 0.0
    for child, share in shares.items():
        further, arriving = asked(tree, child, table, row)
        tests += share * (further + arriving)
        arrived += share * arriving
    return tests, arrived


@pytest.mark.parametrize("seed", range(12))
def test_the_path_length_is_that_of_a_walk(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 50, missing=0.2, weighted=seed % 2 == 0)
    tree = random_tree(rng, table, unknowns=[(SPREAD, STAY, 0), (SPREAD,), (STAY, 1)][seed % 3])
    walks = [asked(tree, 0, table, row) for row in range(table.n_rows)]
    tests = sum(w * t for w, (t, _) in zip(table.weights, walks, strict=True))
    arrived = sum(w * a for w, (_, a) in zip(table.weights, walks, strict=True))
    assert expected_path_length(tree, table) == pytest.approx(tests / arrived)


@pytest.mark.parametrize("seed", range(8))
def test_without_data_the_path_length_is_of_the_training_rows(seed: int) -> None:
    """Where no value is unknown, both ways to count are the same."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.0, weighted=seed % 2 == 0)
    tree = random_tree(rng, table, unknowns=(SPREAD, STAY))
    assert expected_path_length(tree) == pytest.approx(expected_path_length(tree, table))


def test_a_single_leaf_asks_nothing() -> None:
    table = load_dataset("tennis").take(np.arange(2))
    model = treekit.fit("id3", table)
    assert model.metrics()["path_length"] == model.metrics(table)["path_length"] == 0.0


def test_no_rows_have_no_path_length() -> None:
    empty = load_dataset("tennis").take(np.zeros(14, dtype=bool))
    assert math.isnan(tennis().metrics(empty)["path_length"])


def test_the_description_length_is_that_of_the_tree() -> None:
    table = load_dataset("mammals")
    model = treekit.fit("stump", table)
    told = model.metrics(names=["description_length"])["description_length"]
    assert told == description_length(model.trees[0], table.n_columns)
    errors = int((model.predict(table) != labels(table)).sum())
    assert told == pytest.approx(math.log2(3) + 2 + errors * math.log2(10))


def labels(table: Table) -> object:
    return np.array(table.schema.classes, dtype=object)[table.y.astype(int)]


def stepped(spread: float) -> tuple[Table, Model]:
    """Eight rows about 0 and eight about 10, each `spread` from there, in a tree of one test."""
    y = np.repeat([0.0, 10.0], 8) + np.tile([-spread, spread], 8)
    x = np.repeat([0.0, 1.0], 8)
    columns = tuple(Column(name, "numeric") for name in "xuvw")
    table = Table(Schema(columns, Column("y", "numeric")), np.stack([x, x, x, x]), y)
    return table, treekit.fit("stump_regression", table)


@pytest.mark.parametrize("spread", [0.0, 0.5, 2.0])
def test_the_description_length_of_numbers(spread: float) -> None:
    """Four columns, 16 rows: 2 bits for the test, 2 for each of two means and the variance."""
    table, model = stepped(spread)
    assert model.n_nodes == 3
    step = 0.01 * float(table.y.std())
    left = spread**2 + step**2 / 12
    expected = 2 + 3 * 2 + 16 / 2 * math.log2(2 * math.pi * math.e * left / step**2)
    assert model.metrics()["description_length"] == pytest.approx(expected)


def test_a_sum_of_numbers_names_each_of_its_columns() -> None:
    """Four columns: a sum of two of them takes 2 bits more than one of them."""
    table, one = stepped(0.5)
    sums = {
        "tree.splitter": {"numeric": {"use": "oblique_least_squares", "most": 2, "cuts": False}}
    }
    two = treekit.fit("stump_regression", table, set=sums)
    assert [np.bincount(asked_columns(m.trees[0]).node)[0] for m in (one, two)] == [1, 2]
    bits = [m.metrics()["description_length"] for m in (one, two)]
    assert bits[1] - bits[0] == pytest.approx(2.0)


def test_the_unit_of_the_numbers_does_not_matter() -> None:
    table, model = stepped(1.0)
    inches = treekit.fit("stump_regression", evolve(table, target_values=table.y / 2.54 + 7))
    name = "description_length"
    assert inches.metrics()[name] == pytest.approx(model.metrics()[name])


def test_a_number_that_never_varies_needs_no_bits_but_the_trees() -> None:
    table, _ = stepped(0.0)
    model = treekit.fit("regression", evolve(table, target_values=np.full(16, 3.0)))
    assert model.metrics()["description_length"] == pytest.approx(0.5 * 2 * 4)


@pytest.mark.parametrize("seed", range(4))
def test_rows_that_stay_at_a_node_are_told_from_its_mean(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.3, regression=True)
    tree = random_tree(rng, table, unknowns=(STAY,))
    means = tree.stats[:, 1] / np.maximum(tree.weight, 1e-300)
    found = ends(tree, table)
    left = float(((table.y[found.row] - means[found.node]) ** 2).sum()) / 60
    whole = float(table.y.var())
    bits = (tree.n_nodes - tree.n_leaves) * 2 + 0.5 * (tree.n_leaves + 1) * math.log2(60)
    bits += 30 * math.log2(2 * math.pi * math.e * (left / whole + 1e-4 / 12) / 1e-4)
    assert description_length_of_numbers(tree, 4) == pytest.approx(bits)


def test_metrics_are_those_of_the_task() -> None:
    table, model = stepped(1.0)
    assert "rmse" in model.metrics(table)
    assert "accuracy" not in model.metrics(table)


def test_trees_of_scores_are_described_as_numbers() -> None:
    """Boosted classes: the trees answer with numbers, the model with classes."""
    table, tree = stepped(1.0)
    model = evolve(
        tree,
        schema=Schema(table.columns, Column("c", "nominal", ("a", "b"))),
        trees=tree.trees * 2,
        answers=tree.answers * 2,
        tree_weights=(1.0, 1.0),
        leaf_models=(None, None),
        rule="softmax",
        outputs=(0, 1),
    )
    name = "description_length"
    assert model.metrics()[name] == pytest.approx(2 * tree.metrics()[name])


def test_leaves_with_models_are_not_described() -> None:
    assert math.isnan(lines().metrics()["description_length"])


# --- how metrics are asked for -------------------------------------------------------------------


def test_without_data_only_the_size_is_told() -> None:
    assert tuple(tennis().metrics()) == SIZES


def test_without_a_target_only_the_size_is_told() -> None:
    frame = pd.DataFrame(
        {"outlook": ["overcast"], "temp": ["hot"], "humidity": ["high"], "wind": "weak"}
    )
    found = tennis().metrics(frame)
    assert tuple(found) == SIZES
    assert found["path_length"] == 1.0


def test_on_data_all_metrics_of_the_task_are_told() -> None:
    found = tennis().metrics("tennis")
    assert tuple(found) == tuple(m.name for m in METRICS if "classification" in m.tasks)
    assert found["accuracy"] == found["auc"] == 1.0


def test_metrics_are_told_in_the_order_they_are_asked_for_and_once() -> None:
    assert list(tennis().metrics("tennis", ["nodes", "error", "nodes"])) == ["nodes", "error"]


def test_rows_whose_target_is_unknown_are_not_judged() -> None:
    table = load_dataset("tennis")
    y = table.y.copy()
    y[3:] = np.nan
    found = tennis().answered(evolve(table, target_values=y))
    assert found.actual.tolist() == table.y[:3].tolist()


def test_classes_in_another_order_are_the_same_classes() -> None:
    table = load_dataset("tennis")
    turned = table.aiming_at(Column("play", "nominal", ("maybe", "no", "yes")), 2.0 - table.y)
    assert tennis().metrics(turned)["accuracy"] == 1.0


def test_a_class_that_the_model_does_not_know_is_named() -> None:
    table = load_dataset("tennis")
    strange = table.aiming_at(Column("play", "nominal", ("maybe", "yes")), table.y)
    with pytest.raises(DataError) as caught:
        tennis().metrics(strange)
    assert str(caught.value) == (
        "tennis: column 'play' has classes that the model does not know: 'maybe'"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "the metric 'auc' needs rows whose target is known; give data that hold it"),
        (
            load_dataset("tennis").aiming_at(Column("other", "numeric"), np.zeros(14)),
            "tennis: the metric 'auc' needs rows whose target is known; there is no 'play' here",
        ),
    ],
)
def test_answers_are_judged_on_data_that_hold_the_target(data: object, message: str) -> None:
    with pytest.raises(TreekitError) as caught:
        tennis().metrics(data, ["nodes", "auc"])
    assert str(caught.value) == message


def test_weights_count() -> None:
    table = load_dataset("mammals", part="test")
    weights = np.arange(10.0)
    model = treekit.fit("id3", load_dataset("mammals"))
    wrong = model.predict(table) != labels(table)
    assert model.metrics(table.reweighted(weights))["error"] == weights[wrong].sum() / 45


def test_the_page_tells_every_metric_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (\w+) \|", page, re.M)
    assert rows == [(m.name, "greater" if m.greater else "smaller", m.needs) for m in METRICS]
