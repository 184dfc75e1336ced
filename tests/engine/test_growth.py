"""Growth at the edges: deep trees, repeated runs, odd columns, peers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from attrs import frozen
from treekit_builtin import (
    Entropy,
    Gain,
    Gini,
    Level,
    Majority,
    MinRows,
    Multiway,
    NoPruning,
    Pure,
    Refuse,
    Subset,
    Threshold,
    Variance,
)

import treekit
from tests.engine.by_definition import statistics
from treekit import CUTS, Column, DataError, Floats, Recipe, Schema, Table, TreeParts, row_form
from treekit.engine import grow
from treekit.report import render

LEVELS_DEEP = 4_000  # well beyond what Python's recursion allows


@frozen
class EveryCutIsAsGood:
    """A criterion without preference, so that the lowest cut always wins."""

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        return 1.0


def parts(impurity: object = None, criterion: object = None, **others: object) -> TreeParts:
    given: dict[str, object] = {
        "impurity": impurity,
        "criterion": criterion or Gain(),
        "splitter": {"numeric": Threshold(), "nominal": Subset()},
        "stop": (Pure(),),
        "missing": Refuse(),
        "label": Majority(),
        "pruner": NoPruning(),
        "grower": Level(),
    }
    return TreeParts(**{**given, **others})  # type: ignore[arg-type]


def numeric_table(x: Floats, y: Floats, classes: tuple[str, ...] = ("a", "b")) -> Table:
    target = Column("y", "nominal", classes) if classes else Column("y", "numeric")
    columns = tuple(Column(f"x{i}", "numeric") for i in range(x.shape[1]))
    return Table(Schema(columns, target), np.ascontiguousarray(x.T), y)


def test_a_tree_of_any_depth_grows_prints_saves_and_loads(tmp_path: Path) -> None:
    n = LEVELS_DEEP + 1
    table = numeric_table(np.arange(n, dtype=float)[:, None], np.arange(n) % 2.0)
    recipe = Recipe(task="classification", tree=parts(criterion=EveryCutIsAsGood()))
    model = treekit.fit(recipe, table)
    assert model.depth == LEVELS_DEEP
    for form in ("text", "json", "dot", "mermaid", "rules"):
        assert len(render(model, form)) > n
    model.save(tmp_path / "deep.json")
    loaded = treekit.load(tmp_path / "deep.json")
    assert (loaded.predict(table) == model.predict(table)).all()
    assert json.loads((tmp_path / "deep.json").read_text())["format"] == "treekit model"


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    table = numeric_table(rng.normal(size=(300, 5)), rng.integers(0, 2, 300).astype(float))
    for name in ("one", "two"):
        treekit.fit("cart", table, set={"tree.pruner": "reduced_error"}, seed=7).save(
            tmp_path / name
        )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_neighbouring_floats_are_cut_apart() -> None:
    low = 1.0
    high = np.nextafter(low, 2.0)
    table = numeric_table(np.array([[low], [high]]), np.array([0.0, 1.0]))
    tree = grow(table, parts(Gini()), np.random.default_rng(0))
    assert tree.operands.tolist() == [low]
    assert tree.stats[1:].tolist() == [[1, 1, 0], [1, 0, 1]]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_branch_of_two_and_a_half_rows_is_one_of_three(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treekit.engine.growth.can_finish", lambda *_: False)
    rng = np.random.default_rng(0)
    table = numeric_table(rng.normal(size=(60, 1)), rng.integers(0, 2, 60).astype(float))
    two, half, three = (
        grow(table, parts(Gini(), stop=(Pure(), MinRows(branch=rows))), rng, compiled=compiled)
        for rows in (2, 2.5, 3)
    )
    assert half.operands.tolist() == three.operands.tolist() != two.operands.tolist()


def test_huge_values_do_not_overflow_the_midpoint() -> None:
    table = numeric_table(np.array([[1.5e308], [1.7e308]]), np.array([0.0, 1.0]))
    tree = grow(table, parts(Gini()), np.random.default_rng(0))
    assert tree.operands.tolist() == [1.6e308]


def test_a_target_far_from_zero_loses_no_digits() -> None:
    x = np.arange(40, dtype=float)[:, None]
    near = numeric_table(x, np.sin(np.arange(40)), ())
    far = numeric_table(x, np.sin(np.arange(40)) + 1e9, ())
    one, other = (grow(t, parts(Variance()), np.random.default_rng(0)) for t in (near, far))
    assert one.operands.tolist() == other.operands.tolist()


def test_a_constant_column_and_one_without_values_offer_nothing() -> None:
    x = np.column_stack([np.ones(6), np.full(6, np.nan), np.arange(6)])
    table = numeric_table(x, np.array([0, 0, 0, 1, 1, 1.0]))
    tree = grow(table, parts(Entropy(), missing=treekit_missing()), np.random.default_rng(0))
    assert tree.column.tolist() == [2, -1, -1]


@pytest.mark.parametrize("splitter", [Subset(), Subset(divisions="every"), Multiway()])
def test_a_column_with_one_level_offers_nothing(splitter: object) -> None:
    schema = Schema((Column("x", "nominal", ("only",)),), Column("y", "nominal", ("a", "b")))
    table = Table(schema, np.zeros((1, 4)), np.array([0, 0, 1, 1.0]))
    tree = grow(table, parts(Gini(), splitter={"nominal": splitter}), np.random.default_rng(0))
    assert tree.n_nodes == 1


def treekit_missing() -> object:
    from treekit_builtin import Fractional

    return Fractional()


def test_a_kind_without_a_splitter_is_an_error() -> None:
    table = treekit.load_dataset("tennis")
    with pytest.raises(DataError) as told:
        grow(table, parts(Gini(), splitter={"numeric": Threshold()}), np.random.default_rng(0))
    assert str(told.value) == (
        "tennis: column 'outlook' is nominal, and the recipe has no splitter for nominal columns;"
        " bind tree.splitter.nominal, or leave the column out"
    )


def test_no_rows_are_an_error() -> None:
    table = numeric_table(np.empty((0, 1)), np.empty(0))
    with pytest.raises(DataError, match="there are no rows to grow a tree on"):
        grow(table, parts(Gini()), np.random.default_rng(0))


@pytest.mark.parametrize("n_classes", [0, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_two_groups_of_levels_are_found(n_classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels, n = 6, 60
    values = rng.integers(0, levels, n).astype(float)
    classes = tuple("pqrs"[:n_classes])
    y = rng.integers(0, n_classes, n).astype(float) if n_classes else rng.normal(size=n)
    target = Column("y", "nominal", classes) if classes else Column("y", "numeric")
    schema = Schema((Column("x", "nominal", tuple("abcdef")),), target)
    table = Table(schema, values[None], y)
    impurity = Gini() if classes else Variance()
    rows, weights = np.arange(n), np.ones(n)
    whole = statistics(table, rows, weights)
    best = -np.inf
    for way in range(1, 1 << (levels - 1)):
        right = (way >> values.astype(int)) & 1 == 1
        branches = np.array([statistics(table, rows[m], weights[m]) for m in (~right, right)])
        if branches[:, 0].min() > 0:
            after = impurity.impurity(branches)
            best = max(best, float(impurity.impurity(whole) - branches[:, 0] @ after / whole[0]))
    tree = grow(table, parts(impurity), np.random.default_rng(0))
    assert tree.score[0] == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_scikit_learn_decreases_the_impurity_as_much(name: str, criterion: str) -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    trees = pytest.importorskip("sklearn.tree")
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    x = x.astype(np.float32).astype(float)  # scikit-learn keeps single precision
    peer = trees.DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0).fit(x, y)
    table = numeric_table(x, y.astype(float), tuple(str(c) for c in np.unique(y)))
    impurity = {"gini": Gini(), "entropy": Entropy()}[criterion]
    tree = grow(table, parts(impurity), np.random.default_rng(0))
    # Ties let the peer's tree differ from seed to seed, but not what its best test is worth.
    peer_root = peer.tree_
    left, right = peer_root.children_left[0], peer_root.children_right[0]
    share = peer_root.weighted_n_node_samples / peer_root.weighted_n_node_samples[0]
    after = share[left] * peer_root.impurity[left] + share[right] * peer_root.impurity[right]
    assert tree.kind[0] == CUTS
    assert tree.score[0] == pytest.approx(peer_root.impurity[0] - after, rel=1e-9)
