"""Contenders are tested on the same folds, nothing is computed twice, and nothing is lost."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from sklearn.neighbors import KNeighborsClassifier

import treekit
from treekit.comparing import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    HoldOut,
    LeaveOneOut,
    compare,
)
from treekit.comparing.contenders import RecipeContender, recipe_contenders
from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.estimators import estimator_contender
from treekit.comparing.plan import cells, plan_of
from treekit.comparing.running import Here, outcome_of, run
from treekit.comparing.store import opened
from treekit.errors import DataError, TreekitError

FIVE = CrossValidation(5)


def accuracy_by_hand(recipe: str, data: str) -> list[float]:
    """Fit and test on the folds one by one, with nothing of `compare` but the folds."""
    (one,) = data_sets([data])
    plan = plan_of(recipe_contenders([recipe]), [one], FIVE, 7)
    found = []
    for cell in cells(plan):
        model = treekit.fit(recipe, one.table.take(cell.fold.copies > 0), seed=cell.seed)
        test = one.table.take(cell.fold.tested)
        classes = np.array(test.schema.classes, object)
        found.append(float((model.predict(test) == classes[test.y.astype(int)]).mean()))
    return found


@pytest.mark.parametrize("recipe", ["id3", "c45"])
def test_each_fold_s_figures_are_those_of_a_fit_on_that_fold(recipe):
    results = compare([recipe], "tennis", resampling=FIVE, seed=7)
    assert results.frame["accuracy"].tolist() == pytest.approx(accuracy_by_hand(recipe, "tennis"))


def test_all_contenders_see_the_same_folds_and_seeds():
    results = compare(["id3", "c45"], ["tennis", "mammals"], resampling=FIVE)
    seen = results.frame.groupby("contender")[["data", "repeat", "fold", "seed"]]
    first, second = (group.to_numpy().tolist() for _, group in seen)
    assert first == second


def test_a_grid_is_every_combination():
    vary = {"tree.impurity": ["entropy", "gini"], "tree.pruner.confidence": [0.1, 0.5]}
    names = [contender.name for contender in recipe_contenders(["c45"], vary)]
    assert names == [
        "c45 [entropy, 0.1]", "c45 [entropy, 0.5]", "c45 [gini, 0.1]", "c45 [gini, 0.5]",
    ]  # fmt: skip
    assert len({str(c.document) for c in recipe_contenders(["c45"], vary)}) == 4


def test_what_the_results_file_holds_is_not_computed_again(tmp_path):
    kept, counted = tmp_path / "r.sqlite", Counting()
    first = compare(["id3", "c45"], "tennis", resampling=FIVE, store=kept, backend=counted)
    again = compare(["id3", "c45"], "tennis", resampling=FIVE, store=kept, backend=counted)
    more = compare(["id3", "cart", "c45"], "tennis", resampling=FIVE, store=kept, backend=counted)
    assert counted.sizes == [10, 0, 5]
    assert first.frame.equals(again.frame)
    assert more.means("accuracy")[["id3", "c45"]].equals(first.means("accuracy"))


def test_a_changed_recipe_or_table_computes_only_what_it_touches(tmp_path):
    counted = Counting()
    options: dict[str, Any] = {"resampling": FIVE, "store": tmp_path / "r", "backend": counted}
    table = treekit.load_dataset("tennis")
    compare(["id3", "c45"], [table, "mammals"], **options)
    compare(["id3", "c45"], [table, "mammals"], set=["tree.impurity=gini"], **options)
    cells = table.cells.copy()
    cells[0, 0] = 1.0
    compare(["id3", "c45"], [evolve(table, cells=cells), "mammals"], **options)
    compare(["id3", "c45"], [table, "mammals"], seed=1, **options)
    assert counted.sizes == [20, 20, 10, 20]


def test_an_interrupt_loses_only_the_fold_under_way(tmp_path):
    plan = plan_of(recipe_contenders(["id3"]), data_sets(["tennis"]), FIVE)
    with pytest.raises(KeyboardInterrupt), opened(tmp_path / "r") as kept:
        run(plan, kept, Interrupted(after=3))
    counted = Counting()
    with opened(tmp_path / "r") as kept:
        outcomes = run(plan, kept, counted)
    assert counted.sizes == [2]
    assert len(outcomes) == 5


def test_a_fold_that_fails_is_told_and_the_rest_goes_on():
    plan = plan_of([Failing("id3", recipe_contenders(["id3"])[0].document)], tennis(), FIVE)
    with opened(None) as kept:
        outcomes = run(plan, kept)
    assert [bool(o.failure) for o in outcomes] == [False, True, False, True, False]
    assert outcomes[1].failure == "ValueError: no luck today"


def test_what_failed_is_tried_again(tmp_path):
    counted = Counting()
    plan = plan_of([Failing("id3", recipe_contenders(["id3"])[0].document)], tennis(), FIVE)
    for _ in range(2):
        with opened(tmp_path / "r") as kept:
            run(plan, kept, counted)
    assert counted.sizes == [5, 2]


def test_progress_counts_what_is_done_known_and_failed(tmp_path):
    told: list[Any] = []
    plan = plan_of([Failing("id3", recipe_contenders(["id3"])[0].document)], tennis(), FIVE)
    for _ in range(2):
        with opened(tmp_path / "r") as kept:
            run(plan, kept, told=told.append)
    assert [(p.done, p.failed, p.known, p.of) for p in (told[5], told[6])] == [
        (5, 2, 0, 5),
        (3, 0, 3, 5),
    ]


def test_ranks_go_by_what_is_better():
    results = compare(["id3", "stump"], ["tennis", "mammals"], resampling=FIVE)
    leaves = results.ranks("leaves")
    assert leaves["stump"].tolist() == [1.0, 1.0]
    best = results.means("accuracy").idxmax(axis=1)
    ranks = results.ranks("accuracy")
    assert all(ranks.loc[name, best[name]] < 2 for name in results.data)


def test_an_estimator_of_scikit_learn_takes_part():
    results = compare(["sklearn:DecisionTreeClassifier", "id3"], "sklearn:iris", resampling=FIVE)
    means = results.means("accuracy").loc["iris"]
    assert means.min() > 0.85


# One takes weights, one does not.
ESTIMATORS = ("sklearn:DecisionTreeClassifier", "sklearn:KNeighborsClassifier")


@pytest.mark.parametrize(
    ("how", "n_folds"),
    [
        (CrossValidation(3, 2), 6),
        (HoldOut(0.3, 4), 4),
        (LeaveOneOut(), 60),
        (Bootstrap(5), 5),
        (FixedTest(), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_recipes_and_estimators_learn_from_every_resampling(how, n_folds):
    results = compare(["cart", *ESTIMATORS], some_iris(n_test=15), resampling=how)
    assert not results.failed
    assert len(results.frame) == n_folds * 3
    assert results.means("accuracy").min(axis=None) > 0.8


def test_an_estimator_without_weights_gets_a_row_as_often_as_it_was_drawn():
    table = some_iris().table
    copies = np.arange(table.n_rows) % 3
    drawn = table.take(copies > 0).reweighted(copies[copies > 0].astype(float))
    contender = estimator_contender("sklearn:KNeighborsClassifier", {"n_neighbors": 4})
    peer = KNeighborsClassifier(4).fit(np.repeat(table.cells.T, copies, 0), table.y.repeat(copies))
    found = contender.learn(drawn, 0).answers(table)
    assert found.tolist() == peer.predict_proba(table.cells.T).tolist()


@pytest.mark.parametrize("how", [FIVE, Bootstrap(2)])
def test_an_estimator_without_weights_is_not_given_weighted_data(how):
    data = some_iris()
    weighted = evolve(data, table=data.table.reweighted(np.full(60, 2.0)))
    with pytest.raises(TreekitError, match="KNeighborsClassifier takes no weights"):
        compare(["cart", *ESTIMATORS], weighted, resampling=how)
    assert not compare(["cart", ESTIMATORS[0]], weighted, resampling=how).failed


SHALLOW = ("tree.grower.depth=1",)


def with_unknown(rows: slice) -> DataSet:
    """The last 15 of the rows are a test file's."""
    data = some_iris(n_test=15)
    cells = data.table.cells.copy()
    cells[0, rows] = np.nan
    return evolve(data, table=evolve(data.table, cells=cells))


def test_what_may_not_be_learned_from_may_stand_in_rows_that_are_only_tested():
    data = with_unknown(slice(-3, None))
    results = compare(["optimal"], data, set=SHALLOW, resampling=FixedTest())
    assert not results.failed


@pytest.mark.parametrize(
    ("how", "rows"),
    [(FixedTest(), slice(0, 1)), (FIVE, slice(-1, None)), (FIVE, slice(0, 1))],
)
def test_what_may_not_be_learned_from_is_told_before_any_work(how, rows):
    with pytest.raises(TreekitError, match="has unknown values, and the grower `optimal`"):
        compare(["optimal"], with_unknown(rows), set=SHALLOW, resampling=how)


@pytest.mark.parametrize("reading", [{"target": "x"}, {"kinds": {"x": "nominal"}}])
def test_data_that_are_read_already_take_no_options_of_reading(reading):
    (option,) = reading
    iris = some_iris()
    for data in (iris, iris.table, "sklearn:iris"):
        with pytest.raises(DataError, match=f"so {option} cannot be said"):
            compare(["cart"], data, resampling=FIVE, **reading)


@pytest.mark.parametrize(
    ("recipes", "data", "said"),
    [
        (["id3", "regression"], ["tennis"], "recipe 'regression' predicts a number"),
        (["id3", "id3"], ["tennis"], "'id3' takes part twice"),
        ([], ["tennis"], "there is nobody to compare"),
        (["id3"], [], "there are no data to compare on"),
        (["id3"], ["tenis"], "did you mean 'tennis'"),
        (["id3"], ["sklearn:irs"], "did you mean 'iris'"),
        (["sklearn:DecisionTreeClasifier"], ["tennis"], "did you mean 'DecisionTreeClassifier'"),
        (["sklearn:DecisionTreeRegressor"], ["tennis"], "predicts a number, but the target is"),
        (["id3"], ["nothing/*.csv"], "there is no data file that this matches"),
    ],
)
def test_what_cannot_be_compared_is_told_before_any_work(recipes, data, said):
    with pytest.raises(TreekitError, match=said):
        compare(recipes, data, resampling=FIVE)


def test_what_is_no_results_file_is_refused(tmp_path):
    path = tmp_path / "r.sqlite"
    path.write_bytes(b"something else entirely, and long enough to be read" * 50)
    with pytest.raises(TreekitError, match="no results file"):
        compare(["id3"], "tennis", resampling=FIVE, store=path)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    with pytest.raises(TreekitError, match="no results file of this treekit"):
        compare(["id3"], "tennis", resampling=FIVE, store=other)


def test_a_folder_s_files_are_its_data_sets_with_schemas_and_without_test_files(tmp_path):
    for name in ("a", "b.test.c"):
        (tmp_path / f"{name}.csv").write_text("x,y\n1,u\n2,v\n")
        (tmp_path / f"{name}.schema.toml").write_text('target = "y"\nothers = "infer"\n')
    (tmp_path / "a.test.csv").write_text("x,y\n3,u\n")
    (tmp_path / "notes.txt").write_text("nothing")
    found = data_sets([tmp_path])
    assert [(d.name, d.table.n_rows) for d in found] == [("a", 2), ("b.test.c", 2)]
    tested = data_sets([tmp_path / "a.csv"], with_tests=True)
    assert [(d.table.n_rows, d.n_test) for d in tested] == [(3, 1)]


class Counting:
    """Works here, and notes how much there was to do."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def outcomes(self, plan, work):
        self.sizes.append(len(work))
        yield from Here().outcomes(plan, work)


@frozen
class Interrupted:
    after: int

    def outcomes(self, plan, work):
        for cell in work[: self.after]:
            yield outcome_of(plan, cell)
        raise KeyboardInterrupt


class Failing(RecipeContender):
    """Has no luck with every other fold."""

    def learn(self, table, seed):
        tests = {f.seed: f.fold.number for f in cells(plan_of([self], tennis(), FIVE))}
        if tests[seed] % 2:
            raise ValueError("no luck\ntoday")
        return super().learn(table, seed)


def tennis() -> list[DataSet]:
    return data_sets(["tennis"])


def some_iris(n_test: int = 0) -> DataSet:
    """60 rows, the classes mixed."""
    (iris,) = data_sets(["sklearn:iris"])
    rows = np.random.default_rng(0).permutation(iris.table.n_rows)[:60]
    return DataSet("iris", iris.table.take(rows), n_test)
