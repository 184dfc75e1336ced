"""rpart 4.1.19: complexity tables, cross-validation, what is chosen by it, and importances.

Of every run without losses whose tree is rpart's (see `test_rpart`):
- CP, nsplit and rel error of the cptable;
- xerror and xstd, where rpart was given folds: default, cp = 0, and with priors;
- the row of the one-standard-error rule, and the tree that is left when the pruner chooses so;
- the trees that prune() left for several cp;
- variable.importance, which counts primary splits and surrogates.
"""

from __future__ import annotations

import numpy as np
import pytest

from treekit.fitting import fit_table
from treekit.recipe import load_recipe

from .comparing import differences
from .originals import (
    dataset_names,
    load_run,
    made_name,
    needs_originals,
    run_names,
    training_table,
)
from .rpart_runs import (
    RUNS,
    Key,
    Rows,
    by_rparts_folds,
    cut_back,
    found_table,
    has_cross_validation,
    model_of,
    pruned_at,
    recipe_for,
    rows_found,
    rows_of,
    rows_told,
    table_for,
    told,
)
from .test_rpart import compared, ours

pytestmark = [pytest.mark.golden, needs_originals]

TOLERANCE = 1e-6
CROSSED = [key for key in RUNS if has_cross_validation(*key)]
PRIORS = [
    (dataset, name)
    for dataset in dataset_names("rpart")
    for name in run_names("rpart", dataset)
    if name == "gini_prior"
]
ONE_SE = [key for key in RUNS if "one_se" in told(*key)]
PRUNED = [(*key, number) for key in RUNS for number in told(*key).get("pruned", {})]


def need_the_same_tree(key: Key) -> None:
    if compared(*key):
        pytest.skip("the trees differ in a tie")


def rows_that_differ(expected: Rows, found: Rows) -> list[int]:
    """Which rows differ in any figure, to a relative 1e-6; all, if the tables are not as long."""
    if expected.values.shape != found.values.shape:
        return list(range(max(len(expected), len(found))))
    near = np.isclose(found.values, expected.values, rtol=TOLERANCE, atol=1e-9)
    return [int(row) for row in np.flatnonzero(~near.all(axis=1))]


@pytest.mark.parametrize("key", RUNS, ids="-".join)
def test_complexities_splits_and_errors_are_those_of_the_cptable(key: Key) -> None:
    need_the_same_tree(key)
    expected, found = rows_told(*key), rows_found(found_table(*key))
    assert rows_that_differ(Rows(expected.values[:, :3]), Rows(found.values[:, :3])) == []


@pytest.mark.parametrize("key", CROSSED, ids="-".join)
def test_errors_of_cross_validation_are_rparts(key: Key) -> None:
    need_the_same_tree(key)
    assert rows_that_differ(rows_told(*key), rows_found(found_table(*key))) == []


@pytest.mark.parametrize("key", PRIORS, ids="-".join)
def test_trees_of_folds_have_the_priors_of_the_whole(key: Key) -> None:
    table = training_table(key[0])
    first, second, *empty = table.schema.classes
    priors = {first: 0.65, second: 0.35, **dict.fromkeys(empty, 0.0)}
    recipe = load_recipe("rpart", {"classes.priors": priors})
    found = rows_found(by_rparts_folds(table, recipe, True))
    assert rows_that_differ(rows_told(*key), found) == []


@pytest.mark.parametrize("key", ONE_SE, ids="-".join)
def test_the_rule_of_one_standard_error_chooses_rparts_row(key: Key) -> None:
    need_the_same_tree(key)
    expected, found = told(*key)["one_se"], found_table(*key)
    row = found.within_one_standard_error()
    assert found.splits[row] == expected["nsplit"]
    assert found.alpha[row] == pytest.approx(expected["cp"], rel=TOLERANCE, abs=1e-12)


@pytest.mark.parametrize("key", ONE_SE, ids="-".join)
def test_a_pruner_that_chooses_so_leaves_a_tree_of_as_many_splits(key: Key) -> None:
    need_the_same_tree(key)
    table = table_for(*key)
    chosen = {"tree.pruner.choose": "one_se", "tree.pruner.deal": "in_turn"}
    model = fit_table(recipe_for(table, key[1], **chosen), table)
    assert model.n_leaves - 1 == told(*key)["one_se"]["nsplit"]


@pytest.mark.parametrize(("dataset", "name", "number"), PRUNED)
def test_pruning_at_a_given_complexity_leaves_rparts_tree(
    dataset: str, name: str, number: str
) -> None:
    need_the_same_tree((dataset, name))
    recorded = told(dataset, name)["pruned"][number]
    nodes = np.atleast_1d(recorded["nodes"]).tolist()
    table, model = table_for(dataset, name), pruned_at(dataset, name, recorded["cp"])
    expected = cut_back(load_run("rpart", dataset, name).trees["tree"], nodes)
    assert list(differences(expected, ours(model, table, name))) == []
    # The last row says the cp that was asked for, not the one by which the tree was grown.
    rows = rows_of(recorded["cptable"]).values[:-1, :3]
    again = rows_found(found_table(dataset, name)).values[: len(rows), :3]
    assert rows_that_differ(Rows(rows), Rows(again)) == []


@pytest.mark.parametrize("key", RUNS, ids="-".join)
def test_importances_are_rparts(key: Key) -> None:
    need_the_same_tree(key)
    expected = told(*key)["variable_importance"] or {}
    found = model_of(*key).importances("surrogates")
    named = {made_name(name): worth for name, worth in found.items() if worth > 0.0}
    assert named == pytest.approx(expected, rel=TOLERANCE)
