"""Importances: against scikit-learn, by hand, and by law."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from sklearn.datasets import load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treekit
from treekit.errors import DataError, TreekitError
from treekit.model import Model
from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, Surrogates

GROWN = {"tree.stop": ["pure", "min_gain", {"use": "max_depth", "depth": 3}], "tree.pruner": "none"}


def wine() -> Table:
    data = load_wine()
    columns = tuple(Column(name, "numeric") for name in data.feature_names)
    target = Column("class", "nominal", ("a", "b", "c"))
    return Table(Schema(columns, target), data.data.T.copy(), data.target.astype(float))


def diabetes() -> Table:
    data = load_diabetes()
    columns = tuple(Column(name, "numeric") for name in data.feature_names)
    return Table(Schema(columns, Column("y", "numeric")), data.data.T.copy(), data.target)


def stump() -> Model:
    """Four rows, by a column x that tells the class and a column z that nearly does."""
    schema = Schema(
        (Column("x", "numeric"), Column("z", "numeric"), Column("idle", "numeric")),
        Column("y", "nominal", ("no", "yes")),
    )
    cells = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    table = Table(schema, cells, np.array([0.0, 0.0, 1.0, 1.0]))
    return treekit.fit("cart", table, set={**GROWN, "tree.missing": "majority_branch"})


def with_stand_in(model: Model, adjusted: float) -> Model:
    """The same with a surrogate at the root, on the column z."""
    (tree,) = model.trees
    first = np.minimum(np.arange(tree.n_nodes + 1), 1)
    stand_in = Surrogates(
        first=first,
        column=np.array([1], np.int32),
        kind=np.array([CUTS], np.int8),
        start=np.array([0, 1]),
        operands=np.array([2.5]),
        flipped=np.array([False]),
        agreement=np.array([0.5 + adjusted / 2]),
        adjusted=np.array([adjusted]),
    )
    return evolve(model, trees=(evolve(tree, surrogates=stand_in),))


# No deeper: there, splits of equal gain leave it to chance which column is asked.
@pytest.mark.parametrize(("criterion", "depth"), [("gini", 3), ("entropy", 2)])
def test_classes_are_as_scikit_learns(criterion: str, depth: int) -> None:
    table = wine()
    stop = ["pure", "min_gain", {"use": "max_depth", "depth": depth}]
    settings = {**GROWN, "tree.stop": stop, "tree.impurity": criterion}
    model = treekit.fit("cart", table, set=settings)
    peer = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0)
    peer.fit(table.cells.T, table.y)
    assert list(model.importances().values()) == pytest.approx(peer.feature_importances_)


def test_numbers_are_as_scikit_learns() -> None:
    table = diabetes()
    peer = DecisionTreeRegressor(max_depth=3, random_state=0).fit(table.cells.T, table.y)
    model = treekit.fit("regression", table, set=GROWN)
    assert list(model.importances().values()) == pytest.approx(peer.feature_importances_)


def test_the_impurity_is_the_recipes_whatever_the_criterion() -> None:
    """Split by the gain ratio, what is counted is still by how much the entropy falls."""
    settings = {**GROWN, "tree.impurity": "entropy", "tree.criterion": "gain_ratio"}
    model = treekit.fit("cart", wine(), set=settings)
    (tree,) = model.trees
    p = tree.stats[:, 1:] / tree.stats[:, :1]
    entropy = -(p * np.log2(p, out=np.zeros_like(p), where=p > 0)).sum(axis=1) * tree.weight
    falls = np.zeros(13)
    for node in np.flatnonzero(~tree.is_leaf):
        falls[tree.column[node]] += entropy[node] - sum(entropy[c] for c in tree.children(node))
    assert list(model.importances().values()) == pytest.approx(falls / falls.sum())


def test_without_an_impurity_the_score_is_counted() -> None:
    model = stump()
    document = {**model.recipe, "tree": {**model.recipe["tree"], "criterion": {"use": "twoing"}}}
    document["tree"].pop("impurity")
    (tree,) = model.trees
    scored = evolve(model, recipe=document, trees=(evolve(tree, score=tree.score * 7),))
    assert scored.importances() == {"x": 1.0, "z": 0.0, "idle": 0.0}


def test_a_single_leaf_asks_no_column() -> None:
    model = treekit.fit("cart", wine(), set={"tree.stop": [{"use": "max_depth", "depth": 0}]})
    assert set(model.importances().values()) == {0.0}
    assert set(model.importances("surrogates").values()) == {0.0}


def test_a_test_is_worth_its_gain_by_weight() -> None:
    """Four rows, half of each class: Gini's index falls from a half to nothing."""
    assert stump().importances("surrogates") == {"x": 2.0, "z": 0.0, "idle": 0.0}


def test_a_surrogate_is_worth_its_share_of_that() -> None:
    """By z three of four rows agree, where the greater branch has two: halfway to all."""
    model = with_stand_in(stump(), adjusted=0.5)
    assert model.importances("surrogates") == {"x": 2.0, "z": 1.0, "idle": 0.0}
    assert model.importances("impurity") == {"x": 1.0, "z": 0.0, "idle": 0.0}


def test_trees_count_by_their_weights() -> None:
    one = stump()
    two = evolve(
        one,
        trees=one.trees * 2,
        answers=one.answers * 2,
        tree_weights=(0.5, 1.5),
        leaf_models=one.leaf_models * 2,
    )
    assert two.importances("surrogates") == {"x": 4.0, "z": 0.0, "idle": 0.0}
    assert two.importances("impurity") == {"x": 1.0, "z": 0.0, "idle": 0.0}


def test_shuffling_a_column_that_is_asked_about_costs_answers() -> None:
    table = wine()
    model = treekit.fit("cart", table, set=GROWN)
    found = model.importances("permutation", table)
    asked = {table.columns[c].name for c in model.trees[0].column if c >= 0}
    assert {name for name, worth in found.items() if worth != 0.0} <= asked
    assert max(found.values()) > 0.1


def test_every_column_of_a_sum_is_shuffled() -> None:
    x = np.random.default_rng(0).normal(size=(2, 80))
    schema = Schema(
        (Column("x", "numeric"), Column("z", "numeric")), Column("y", "nominal", ("no", "yes"))
    )
    table = Table(schema, x, (x.sum(axis=0) > 0.0).astype(float))
    stump = {
        "tree.stop": [{"use": "max_depth", "depth": 1}],
        "tree.pruner": "none",
        "tree.missing": "majority_branch",  # surrogates would name the other column
        "tree.splitter": {"numeric": {"use": "oblique_lda", "cuts": False}},
    }
    found = treekit.fit("cart", table, set=stump).importances("permutation", table)
    assert min(found.values()) > 0.1


def test_shuffles_come_from_the_seed() -> None:
    table = diabetes()
    model = treekit.fit("regression", table, set=GROWN)
    one, other, third = (model.importances("permutation", table, seed=s) for s in (1, 1, 2))
    assert one == other != third


def test_shuffling_is_by_weight() -> None:
    """Rows without weight may be answered as wrongly as they like."""
    table = wine()
    model = treekit.fit("cart", table, set=GROWN)
    (root, *_) = model.trees[0].column
    same = np.flatnonzero(table.cells[root] == table.cells[root, 0])
    weights = np.zeros(table.n_rows)
    weights[same[0]] = 1.0
    found = model.importances("permutation", table.reweighted(weights), repeats=3)
    assert set(found.values()) <= {0.0, 1 / 3, 2 / 3, 1.0}


@pytest.mark.parametrize(
    ("by", "data", "told"),
    [
        ("impurities", None, "there are no importances by 'impurities'; did you mean 'impurity'?"),
        ("permutation", None, "importances by permutation need data to count errors on"),
        ("impurity", wine, "importances by impurity are of the model alone, whatever the data"),
    ],
)
def test_what_cannot_be_told_is_refused(by: str, data: object, told: str) -> None:
    table = data() if callable(data) else None
    model = treekit.fit("cart", wine(), set=GROWN)
    with pytest.raises(TreekitError) as caught:
        model.importances(by, table)
    assert str(caught.value) == told


def test_errors_are_counted_on_rows_that_have_a_target() -> None:
    table = wine()
    model = treekit.fit("cart", table, set=GROWN)
    bare = Table(table.schema, table.cells, None)
    with pytest.raises(DataError, match="rows that all have a target value"):
        model.importances("permutation", bare)


def test_columns_that_nothing_looks_at_are_not_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    model = stump()
    asked = []
    predict = Model.answered

    def counting(self: Model, *args: object, **more: object) -> object:
        asked.append(1)
        return predict(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Model, "answered", counting)
    found = model.importances("permutation", model.learned_from, repeats=3)
    assert found["z"] == found["idle"] == 0.0
    assert len(asked) == 1 + 3  # as it is, and three shuffles of x


@pytest.mark.parametrize("trees", [1, 5])
def test_of_a_forest_impurity_importances_are_the_mean_of_its_trees_shares(trees: int) -> None:
    table = wine()
    model = treekit.fit("random_forest", table, set={"ensemble.trees": trees})
    each = [
        evolve(model, trees=(t,), answers=(a,), tree_weights=(1.0,), leaf_models=(None,))
        for t, a in zip(model.trees, model.answers, strict=True)
    ]
    mean = np.mean([list(one.importances().values()) for one in each], axis=0)
    assert list(model.importances().values()) == pytest.approx(mean)
    # scikit-learn's tree, grown on the same rows by their weight, where no column is drawn.
    whole = treekit.fit("bagging", table, set={"ensemble.trees": 1, "ensemble.rows": "all"})
    peer = DecisionTreeClassifier(random_state=0).fit(table.cells.T, table.y)
    assert sum(whole.importances().values()) == pytest.approx(peer.feature_importances_.sum())
