"""A growth as data: what was weighed, what won, what stopped, and how much of it is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve, frozen

import treekit
from treekit.errors import DataError, ModelError
from treekit.explain import Candidate, Explanation, NodeSeen
from treekit.fitting import fit_table, grow_member
from treekit.model import Model
from treekit.offers import Forest
from treekit.table.record import Table

KINDS = {"day": "nominal"}


def explained(recipe: str, data: Any, *changes: str, **options: Any) -> Explanation:
    return treekit.fit(recipe, data, set=changes).explain(**options)


def column_of(node: NodeSeen, name: str) -> Any:
    return next(seen for seen in node.columns if seen.column.name == name)


def frame(n: int = 60, columns: int = 3, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(n, columns))
    made = pd.DataFrame(cells, columns=[f"x{i}" for i in range(columns)])
    made["y"] = np.where(cells[:, 0] + rng.normal(size=n) > 0, "a", "b")
    return made


def gappy(n: int = 80) -> pd.DataFrame:
    made = frame(n)
    made["town"] = np.resize(["york", "hull", "leeds", None], n)
    made.loc[made.index % 7 == 0, "x0"] = np.nan
    return made


def exclusive_or() -> pd.DataFrame:
    """Neither `a` nor `b` gains anything; the size gains a little, by chance."""
    a, b = np.arange(12) // 6, np.arange(12) // 3 % 2
    size = [3, 9, 7, 2, 8, 6, 1, 5, 11, 4, 12, 10]
    made = pd.DataFrame({"size": size, "a": a, "b": b})
    made["y"] = np.where(a == b, "same", "differ")
    return made


@pytest.mark.parametrize("splitter", ["random_cuts", "random_projections"])
@pytest.mark.parametrize("ensemble", ["single", "random_forest"])
def test_looking_on_draws_nothing_from_the_trees_own_chances(splitter: str, ensemble: str) -> None:
    planted: dict[str, Any] = {"use": ensemble}
    if ensemble != "single":
        planted |= {"trees": 2, "columns": 2}
    settings = {
        "tree.splitter": {"numeric": splitter},
        "tree.stop": ["pure", {"use": "max_depth", "depth": 4}],
        "ensemble": planted,
    }
    for seed in range(3):
        model = treekit.fit("lookahead", frame(40), target="y", set=settings, seed=seed)
        told = model.explain(tree=len(model.trees) - 1)
        tree = model.trees[-1]
        assert told.n_nodes == tree.n_nodes > 1


def test_a_tree_that_grows_otherwise_while_it_is_looked_on_is_not_explained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def disturbed(recipe: Any, table: Any, rng: Any, *watching: Any, **options: Any) -> Any:
        if watching:
            rng = np.random.default_rng(99)
        return grow_member(recipe, table, rng, *watching, **options)

    cuts = {"tree.splitter": {"numeric": "random_cuts"}}
    model = treekit.fit("lookahead", frame(), target="y", set=cuts)
    monkeypatch.setattr("treekit.explain.growing.grow_member", disturbed)
    with pytest.raises(ModelError, match="the tree grows otherwise while it is looked on"):
        model.explain()


@pytest.mark.parametrize("recipe", ["lookahead", "optimal"])
def test_a_test_chosen_for_what_follows_is_told_from_one_that_scores_best(recipe: str) -> None:
    model = treekit.fit(recipe, exclusive_or(), target="y", set={"tree.grower.depth": 2})
    told = model.explain()
    root = told.nodes[0]
    assert root.columns[root.chosen].column.name == "a"
    assert root.columns[root.runner_up].column.name == "size"
    assert (root.margin, root.tied) == (pytest.approx(-0.1), False)
    assert (
        "Best: a, gain 0.0000, for the grower looks further than one test; by itself size, 0.1000,"
        " is better."
    ) in str(told)


MODELS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "id3": ("id3", "tennis", {}),
    "c45": ("c45", gappy(), {"target": "y"}),
    "cart": ("cart", gappy(), {"target": "y", "set": ["tree.stop=pure"]}),
    "regression": ("regression", frame(40).assign(y=lambda d: d.x0 + d.x1), {"target": "y"}),
    "best_first": ("id3", frame(), {"target": "y", "set": ["tree.grower=best_first"]}),
    "twoing": ("cart", "vegetation", {"set": ["tree.criterion=twoing", "tree.stop=pure"]}),
    "weighted": ("cart", frame().assign(w=np.resize([0.0, 1.0, 2.5], 60)),
                 {"target": "y", "weights": "w"}),
}  # fmt: skip


@pytest.fixture(params=MODELS, ids=str)
def model(request: pytest.FixtureRequest) -> Model:
    recipe, data, options = MODELS[request.param]
    return treekit.fit(recipe, data, **options)


# --- laws ----------------------------------------------------------------------------------------


def test_every_node_that_was_grown_is_told(model: Model) -> None:
    found = model.explain(nodes=None)
    assert [node.number for node in found.nodes] == list(range(found.n_nodes))
    assert found.n_kept == model.trees[0].n_nodes


def test_a_node_that_was_split_leads_to_what_its_best_test_says(model: Model) -> None:
    found = model.explain(nodes=None, columns=None)
    for node in found.nodes:
        below = [other for other in found.nodes if other.parent == node.number]
        assert bool(below) == (not node.stopped)
        if below:
            best = node.columns[node.chosen].best
            asked = below[0].asked
            assert (asked.column, asked.operands) == (best.test.column, best.test.operands)
            known = [part.rows for part in best.branches]
            assert all(k <= n.here.rows for k, n in zip(known, below, strict=False))
            if best.unknown is None:
                assert known == [n.here.rows for n in below]


def test_the_score_of_the_winner_is_the_one_the_tree_keeps() -> None:
    model = treekit.fit("id3", "tennis")
    tree = model.trees[0]
    for node in model.explain().nodes:
        if not node.stopped:
            assert node.columns[node.chosen].score == tree.score[node.number]


def test_the_parts_of_a_test_add_up_to_the_node(model: Model) -> None:
    for node in model.explain().nodes:
        for seen in node.columns:
            for one in seen.candidates:
                parts = [*one.branches, *([one.unknown] if one.unknown else [])]
                assert sum(part.rows for part in parts) == node.here.rows
                assert sum(part.weight for part in parts) == pytest.approx(node.here.weight)
                if node.here.counts:
                    total = np.sum([part.counts for part in parts], axis=0)
                    assert total == pytest.approx(node.here.counts)


def test_no_test_that_may_be_asked_scores_above_the_best(model: Model) -> None:
    for node in model.explain(cuts=None).nodes:
        for seen in node.columns:
            scores = [one.score for one in seen.candidates if not one.barred and one.score]
            if seen.best is not None and scores:
                assert max(scores) <= seen.best.score + 1e-9


def test_gain_is_what_the_remainder_leaves_of_the_impurity() -> None:
    for node in explained("id3", "tennis").nodes:
        for seen in node.columns:
            for one in seen.candidates:
                left = sum(p.weight * p.impurity for p in one.branches) / node.here.weight
                assert one.remainder == pytest.approx(left)
                assert one.gain == pytest.approx(node.here.impurity - left)
                assert one.gain_ratio is None or one.gain_ratio == pytest.approx(
                    one.gain / one.split_information
                )


# --- who won -------------------------------------------------------------------------------------


def test_the_runner_up_and_the_margin() -> None:
    root = explained("id3", "tennis").node(0)
    names = [seen.column.name for seen in root.columns]
    assert (names[root.chosen], names[root.runner_up]) == ("outlook", "humidity")
    assert root.margin == pytest.approx(0.2467 - 0.1518, abs=1e-4)
    assert not root.tied


def test_a_tie_is_decided_by_the_order_of_the_columns() -> None:
    root = explained("cart", "cheat", "tree.stop=pure").node(0)
    names = [seen.column.name for seen in root.columns]
    assert (names[root.chosen], names[root.runner_up]) == ("marital_status", "taxable_income")
    assert (root.tied, root.margin) == (True, 0.0)


def test_a_column_alone_has_no_runner_up() -> None:
    node = explained("id3", "vegetation").node(3)
    assert node.columns[node.chosen].column.name == "stream"
    assert (node.runner_up, node.margin, node.tied) == (None, None, False)


# --- what cannot win -----------------------------------------------------------------------------


def test_a_column_that_was_asked_above_cannot_win() -> None:
    node = explained("id3", "tennis").node(1)
    seen = column_of(node, "outlook")
    assert (seen.rejected, seen.best, seen.merit) == ("asked above already", None, None)


def test_a_column_of_one_value_cannot_win_but_its_figures_are_told() -> None:
    seen = column_of(explained("id3", "vegetation").node(3), "slope")
    assert seen.rejected == "its rows have one known value at most"
    (only,) = seen.candidates
    assert (only.remainder, only.gain) == (1.0, 0.0)


def test_tests_whose_branches_hold_too_little_are_barred() -> None:
    model = treekit.fit("cart", "cheat", set=["tree.stop=[{use='min_rows', split=4, branch=3}]"])
    seen = column_of(model.explain().node(0), "taxable_income")
    rule = "fewer than two branches hold 3 rows"
    assert [one.test.cuts[0] for one in seen.candidates if one.barred == rule] == [
        65, 72.5, 122.5, 172.5,
    ]  # fmt: skip


def test_a_column_all_of_whose_tests_are_barred_cannot_win() -> None:
    model = treekit.fit("c45", "tennis", kinds=KINDS)
    seen = column_of(model.explain().node(0), "day")
    assert seen.rejected == "fewer than two branches weigh 2"
    assert seen.best is None


def test_a_gain_below_the_average_cannot_win_in_c45() -> None:
    root = explained("c45", "tennis").node(0)
    names = [seen.column.name for seen in root.columns]
    assert (names[root.chosen], names[root.runner_up]) == ("outlook", "humidity")
    assert root.margin == pytest.approx(0.1564 - 0.1518, abs=1e-4)
    barred = [seen.column.name for seen in root.columns if seen.rejected]
    assert barred == ["temp", "wind"]
    assert column_of(root, "temp").rejected == "its gain is below the average"


# --- why it stopped ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "node", "reason"),
    [
        ("tennis", 2, "all target values are the same"),
        ("vegetation", 6, "no rows reach it"),
    ],
)
def test_a_node_says_why_it_is_a_leaf(data: str, node: int, reason: str) -> None:
    found = explained("id3", data).node(node)
    assert (found.stopped, found.columns) == (reason, ())


def test_a_node_may_be_a_leaf_though_tests_were_weighed() -> None:
    root = explained("id3", "parity3", "tree.stop=min_gain").node(0)
    assert root.stopped == "no test scores more than 0"
    assert [seen.score for seen in root.columns] == [0, 0, 0]
    assert (root.chosen, root.runner_up, root.tied) == (0, 1, True)


# --- how much is told ----------------------------------------------------------------------------


def test_few_cuts_are_all_listed() -> None:
    seen = column_of(explained("cart", "cheat", "tree.stop=pure").node(0), "taxable_income")
    assert (len(seen.candidates), seen.left_out) == (9, 0)


@pytest.mark.parametrize(("cuts", "listed"), [(5, 5), (3, 3), (20, 5), (None, 59)])
def test_of_many_cuts_the_best_few_are_listed_and_the_rest_counted(
    cuts: int | None, listed: int
) -> None:
    model = treekit.fit("cart", frame(), target="y")
    root = model.explain(cuts=cuts).node(0)
    every = {one.test: one for one in column_of(model.explain(cuts=None).node(0), "x0").candidates}
    seen = column_of(root, "x0")
    assert (len(seen.candidates), len(seen.candidates) + seen.left_out) == (listed, 59)
    least = min(one.score for one in seen.candidates if not one.barred)
    told = {one.test for one in seen.candidates}
    assert all(o.barred or o.score <= least for t, o in every.items() if t not in told)
    assert seen.best in seen.candidates


def test_cuts_are_listed_in_ascending_order() -> None:
    model = treekit.fit("cart", frame(), target="y")
    cuts = [one.test.cuts[0] for one in column_of(model.explain().node(0), "x0").candidates]
    assert cuts == sorted(cuts)


def test_of_many_columns_the_best_are_told_in_their_order() -> None:
    model = treekit.fit("cart", frame(columns=30), target="y")
    root, whole = model.explain(columns=4).node(0), model.explain(columns=None).node(0)
    assert (len(root.columns), root.left_out) == (4, 26)
    best = sorted(whole.columns, key=lambda seen: -seen.merit)[:4]
    assert {seen.column.name for seen in root.columns} == {seen.column.name for seen in best}
    assert root.columns[root.chosen].column == whole.columns[whole.chosen].column


@pytest.mark.parametrize("nodes", [1, 4, 1000])
def test_no_more_nodes_are_told_than_asked_for(nodes: int) -> None:
    model = treekit.fit("id3", frame(), target="y")
    found = model.explain(nodes=nodes)
    assert [node.number for node in found.nodes] == list(range(min(nodes, found.n_nodes)))
    assert found.n_nodes == model.n_nodes


def test_no_deeper_nodes_are_told_than_asked_for() -> None:
    found = treekit.fit("id3", frame(), target="y").explain(depth=1)
    assert [node.depth for node in found.nodes] == [0, 1, 1]


@pytest.mark.parametrize("grower", ["level", "best_first"])
def test_nodes_can_be_picked_by_their_numbers(grower: str) -> None:
    model = treekit.fit("id3", frame(), target="y", set=[f"tree.grower={grower}"])
    whole = model.explain(nodes=None)
    inner = [node.number for node in whole.nodes if not node.stopped][-2:]
    assert model.explain(node=inner).nodes == tuple(whole.node(number) for number in inner)
    assert model.explain(node=inner[0]).nodes == (whole.node(inner[0]),)


def test_a_node_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModelError) as caught:
        explained("id3", "tennis", node=8)
    assert str(caught.value) == "there is no node 8: the grown tree has 8 nodes, counted from 0"


def test_asking_an_explanation_for_what_it_does_not_tell_is_an_error() -> None:
    with pytest.raises(ModelError, match="node 1 is not among those explained"):
        explained("id3", "tennis", depth=0).node(1)


@pytest.mark.parametrize(
    ("limit", "value", "least"), [("nodes", 0, 1), ("depth", -1, 0), ("cuts", 0, 1)]
)
def test_a_limit_is_a_whole_number(limit: str, value: int, least: int) -> None:
    with pytest.raises(ModelError) as caught:
        explained("id3", "tennis", **{limit: value})
    said = f"{limit} must be a whole number from {least}. Got {value} instead"
    assert str(caught.value) == said


def test_a_tree_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModelError) as caught:
        explained("id3", "tennis", tree=1)
    assert str(caught.value) == "there is no tree 2: the model has 1 tree"


# --- figures of other kinds ----------------------------------------------------------------------


def test_rows_with_unknown_values_stand_apart() -> None:
    model = treekit.fit("c45", gappy(), target="y")
    seen = column_of(model.explain().node(0), "town")
    (one,) = seen.candidates
    assert one.unknown.rows == 20
    assert one.test.groups == (("hull",), ("leeds",), ("york",))
    # C4.5: the gain of the known rows, by their share.
    assert one.score == pytest.approx(one.gain * 60 / 80)


def test_numbers_have_a_mean_and_a_variance() -> None:
    data = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [10.0, 12, 20, 22]})
    root = treekit.fit("regression", data, target="y", set=["tree.stop=pure"]).explain().node(0)
    assert (root.here.mean, root.here.variance, root.here.counts) == (16, 26, ())
    best: Candidate = root.columns[0].best
    assert best.test.cuts == (2.5,)
    assert [(p.mean, p.variance) for p in best.branches] == [(11, 1), (21, 1)]
    assert (best.remainder, best.gain) == pytest.approx((1, 25))


def test_without_an_impurity_there_is_only_the_score() -> None:
    found = explained("cart", "cheat", "tree.stop=pure", "tree.criterion=chi_squared")
    assert found.impurity == "gini"
    recipe = {"extends": "cart", "tree": {"criterion": "twoing"}}
    document = treekit.load_recipe(recipe).document
    bare = {**document, "tree": {k: v for k, v in document["tree"].items() if k != "impurity"}}
    root = treekit.fit(bare, "cheat", set=["tree.stop=no_columns"]).explain().node(0)
    best = root.columns[root.chosen].best
    assert (best.remainder, best.gain, best.gain_ratio, root.here.impurity) == (None,) * 4
    assert best.score > 0


def test_rows_are_named_in_small_nodes_only() -> None:
    found = explained("id3", "tennis")
    assert found.node(0).here.which is None
    assert found.node(1).here.which == (0, 1, 7, 8, 10)


def test_rows_kept_from_growth_leave_no_wrong_numbers() -> None:
    found = explained("id3", "tennis", "tree.pruner=reduced_error")
    assert found.node(0).here.rows == 9
    assert found.node(0).here.which is None


# --- where the data come from --------------------------------------------------------------------


def test_a_fitted_model_keeps_its_training_table_but_does_not_save_it(tmp_path: Path) -> None:
    model = treekit.fit("id3", "tennis")
    assert isinstance(model.learned_from, Table)
    model.save(tmp_path / "model.json")
    assert treekit.load(tmp_path / "model.json").learned_from is None


def test_a_loaded_model_asks_for_the_data(tmp_path: Path) -> None:
    treekit.fit("id3", "tennis").save(tmp_path / "model.json")
    with pytest.raises(ModelError) as caught:
        treekit.load(tmp_path / "model.json").explain()
    assert str(caught.value) == (
        "a saved model does not hold the rows it was learned from, and its growth cannot be"
        " explained without them; give the training data, as in model.explain(data), or ask for"
        " the path of a row"
    )


@pytest.mark.parametrize("name", MODELS)
def test_a_loaded_model_grows_again_on_its_data(name: str, tmp_path: Path) -> None:
    recipe, data, options = MODELS[name]
    model = treekit.fit(recipe, data, **options)
    model.save(tmp_path / "model.json")
    loaded = treekit.load(tmp_path / "model.json")
    assert loaded.explain(model.learned_from) == model.explain()


def test_data_that_grow_another_tree_are_refused() -> None:
    model = treekit.fit("id3", "tennis")
    table = model.learned_from
    with pytest.raises(ModelError) as caught:
        model.explain(table.take(np.arange(1, table.n_rows)))
    assert str(caught.value) == (
        "tennis: grown again on these data, the tree is another one; give the very rows and"
        " weights that the model was learned from"
    )


def test_data_without_the_target_are_refused() -> None:
    model = treekit.fit("id3", "tennis")
    unlabelled = treekit.load_dataset("tennis")
    bare = Table(unlabelled.schema, unlabelled.cells, source="bare")
    with pytest.raises(DataError) as caught:
        model.explain(bare)
    assert str(caught.value) == (
        "bare: there are no values of the target 'play', so these are not the training data"
    )


def test_data_of_other_columns_are_refused() -> None:
    with pytest.raises(DataError, match="these are not the training data"):
        treekit.fit("id3", "tennis").explain(treekit.load_dataset("vegetation"))


# --- ensembles -----------------------------------------------------------------------------------


@frozen
class Backwards:
    """Three trees of bootstrap samples, the last one grown first."""

    def plant(self, table: Table, grow: Any, rng: np.random.Generator) -> Forest:
        members = [
            grow(table.take(rng.integers(0, table.n_rows, table.n_rows)), rng) for _ in range(3)
        ]
        return Forest(tuple(reversed(members)), (0.2, 0.3, 0.5))


@frozen
class Altering:
    """One tree that is not the one that was grown."""

    def plant(self, table: Table, grow: Any, rng: np.random.Generator) -> Forest:
        member = grow(table, rng)
        return Forest((evolve(member, tree=evolve(member.tree)),), (1.0,))


@pytest.fixture
def fitted_with(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Model]:
    """Fits id3 with an ensemble that no plugin offers."""

    def fit(ensemble: Any) -> Model:
        recipe = evolve(treekit.load_recipe("id3"), ensemble=ensemble)
        monkeypatch.setattr("treekit.explain.growing.load_recipe", lambda _: recipe)
        return fit_table(recipe, treekit.load_dataset("tennis"))

    return fit


@pytest.mark.parametrize("tree", [0, 1, 2])
def test_each_tree_of_an_ensemble_can_be_explained(
    fitted_with: Callable[[Any], Model], tree: int
) -> None:
    model = fitted_with(Backwards())
    found = model.explain(tree=tree)
    assert (found.tree, found.n_trees, found.n_nodes) == (tree, 3, model.trees[tree].n_nodes)
    for node in found.nodes:
        assert node.here.counts == tuple(model.trees[tree].stats[node.number, 1:])
    assert str(found).startswith(f"How tree {tree + 1} of 3 grew on tennis\n")


def test_trees_that_are_not_as_they_were_grown_cannot_be_explained(
    fitted_with: Callable[[Any], Model],
) -> None:
    with pytest.raises(ModelError, match="the recipe's ensemble changes its trees"):
        fitted_with(Altering()).explain()
