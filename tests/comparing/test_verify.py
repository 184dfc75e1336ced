"""A comparison is run again from its bundle: what holds, what does not, what cannot be checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from treekit.comparing import (
    Bootstrap,
    CrossValidation,
    Disturbing,
    FixedTest,
    HoldOut,
    LeaveOneOut,
    compare,
    contenders_of,
    read_bundle,
    verify,
    write_bundle,
)
from treekit.comparing.contenders import RecipeContender
from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.plan import cells, plan_of
from treekit.comparing.running import Here, run
from treekit.comparing.store import Outcome, opened
from treekit.comparing.verdict_wording import as_plain_verdict, lines_of_verdict
from treekit.errors import TreekitError

THREE = CrossValidation(3)
SHOP = "age,size,bought\n" + "".join(
    f"{20 + i},{'SML'[i % 3]},{'yes' if i % 4 else 'no'}\n" for i in range(24)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("shop.csv").write_text(SHOP)
    return tmp_path


def bundled(recipes: Any = ("id3",), data: Any = "tennis", how: Any = THREE, **more: Any) -> str:
    compare(recipes, data, resampling=how, bundle="b.zip", **more)
    return "b.zip"


def with_outcomes(change: Any) -> Any:
    """The bundle with its outcomes changed."""
    bundle = read_bundle(bundled())
    return evolve(bundle, outcomes=tuple(change(i, o) for i, o in enumerate(bundle.outcomes)))


@pytest.mark.parametrize(
    "how",
    [CrossValidation(3, 2), HoldOut(0.4, 2), LeaveOneOut(), Bootstrap(3), FixedTest()],
    ids=lambda how: type(how).__name__,
)
def test_the_figures_of_every_resampling_hold(how):
    verdict = verify(bundled(["id3", "c45"], "mammals", how))
    assert verdict.holds
    assert verdict.exactly
    assert verdict.rerun == verdict.cells == verdict.equal > 0
    assert (verdict.changed, verdict.turned, verdict.folds, verdict.versions) == ((), (), (), ())


@pytest.mark.parametrize(
    ("recipes", "data"),
    [
        (["cart", "sklearn:DecisionTreeClassifier", "sklearn:GaussianNB"], "sklearn:wine"),
        (["random_forest", "sklearn:ExtraTreeClassifier"], "tennis"),
        (["regression", "sklearn:DecisionTreeRegressor"], "sklearn:diabetes"),
    ],
)
def test_estimators_forests_and_numbers_hold(recipes, data):
    small = ["ensemble.trees=3"] if "random_forest" in recipes else []
    assert verify(bundled(recipes, data, set=small), sample=6).holds


def test_a_grid_holds():
    verdict = verify(bundled(["c45"], vary={"tree.impurity": ["entropy", "gini"]}))
    assert (verdict.holds, verdict.cells) == (True, 6)


def test_contenders_that_differ_by_name_alone_are_told_apart():
    (one,) = contenders_of(["id3"])
    plan = plan_of([one, evolve(one, name="twin")], data_sets(["tennis"]), THREE)
    with opened(None) as kept:
        write_bundle("b.zip", plan, run(plan, kept))
    verdict = verify("b.zip")
    assert (verdict.holds, verdict.rerun) == (True, 6)


@pytest.mark.parametrize("recipes", [["id3"], ["sklearn:DecisionTreeClassifier"]])
def test_learning_curves_hold(recipes):
    path = bundled(recipes, learn=[0.5, 1])
    assert verify(path).equal == 6
    assert read_bundle(path).contenders[0].name == f"{recipes[0]}, 0.5 of the rows"


def test_labels_with_noise_hold_and_are_learned_from():
    how = Disturbing(use=["label_noise"], shares=[0, 0.4])
    path = bundled(disturb=how, bundle_data=True)
    assert verify(path).equal == 6
    bundle = read_bundle(path)
    (clean, noisy) = bundle.data
    assert clean.learned is None
    assert (noisy.learned.y != noisy.table.y).any()
    with pytest.raises(TreekitError, match="does not hold the data of the comparison"):
        verify(evolve(bundle, data=(clean, evolve(noisy, learned=None))))


def test_a_changed_figure_is_found():
    def higher(i: int, outcome: Outcome) -> Outcome:
        accuracy = np.nextafter(outcome.metrics["accuracy"], 2)
        return evolve(outcome, metrics=outcome.metrics | {"accuracy": accuracy} if i == 1 else
                      outcome.metrics)  # fmt: skip

    bundle = with_outcomes(higher)
    verdict = verify(bundle)
    (found,) = verdict.changed
    assert (found.data, found.contender, found.repeat, found.fold) == ("tennis", "id3", 0, 1)
    assert found.metric == "accuracy"
    assert found.then == bundle.outcomes[1].metrics["accuracy"] > found.now
    assert (verdict.equal, verdict.differing, verdict.holds) == (2, 1, False)
    lines = lines_of_verdict(verdict)
    assert lines[-1] == "the figures do not hold"
    assert lines[-3].split() == ["tennis", "id3", "1", "2", "accuracy", repr(found.then),
                                 repr(found.now)]  # fmt: skip


@pytest.mark.parametrize(("off", "holds"), [(1e-13, True), (1e-9, False)])
def test_with_other_versions_the_last_digits_may_differ(off, holds):
    def nearly(i: int, outcome: Outcome) -> Outcome:
        metrics = {name: value * (1 + off) for name, value in outcome.metrics.items()}
        return evolve(outcome, metrics=metrics)

    bundle = with_outcomes(nearly)
    assert not verify(bundle).holds
    other = evolve(bundle, versions=dict(bundle.versions) | {"numpy": "1.0", "old": "2"})
    verdict = verify(other)
    assert (verdict.holds, verdict.exactly) == (holds, False)
    assert [(v.name, v.then) for v in verdict.versions] == [("numpy", "1.0"), ("old", "2")]
    lines = "\n".join(lines_of_verdict(verdict))
    assert f"versions: numpy 1.0, now {np.__version__}; old 2, now none" in lines


def test_seconds_are_not_compared_and_seeds_are():
    slower = with_outcomes(lambda i, o: evolve(o, metrics=o.metrics | {"fit_seconds": 99.0}))
    assert verify(slower).holds
    reseeded = with_outcomes(lambda i, o: evolve(o, seed=1 if i == 0 else o.seed))
    assert [c.metric for c in verify(reseeded).changed] == ["seed"]


def test_a_metric_more_or_less_is_told():
    def other(i: int, outcome: Outcome) -> Outcome:
        kept = {name: value for name, value in outcome.metrics.items() if name != "error"}
        return evolve(outcome, metrics=kept | {"beauty": float("nan")})

    verdict = verify(with_outcomes(other), sample=1)
    assert {(c.metric, c.then is None, c.now is None) for c in verdict.changed} == {
        ("error", True, False),
        ("beauty", False, True),
    }
    told = as_plain_verdict(verdict)
    assert {(c["metric"], c["then"]) for c in told["changed"]} == {
        ("error", None),
        ("beauty", "nan"),
    }


def test_what_is_unknown_then_and_now_is_equal():
    verdict = verify(bundled(["id3"], "tennis", LeaveOneOut()))
    assert any(np.isnan(v) for o in read_bundle("b.zip").outcomes for v in o.metrics.values())
    assert verdict.holds


def some_unknown() -> DataSet:
    """One row is unknown: what takes no unknown values fails wherever it is looked at."""
    (iris,) = data_sets(["sklearn:iris"])
    values = iris.table.cells[:, ::3].copy()
    values[0, 0] = np.nan
    table = evolve(iris.table.take(np.arange(0, 150, 3)), cells=values)
    return DataSet("iris", table)


def test_folds_that_failed_fail_again():
    bundled(["cart", "sklearn:LogisticRegression"], some_unknown(), bundle_data=True)
    assert [o.failure.partition(":")[0] for o in read_bundle("b.zip").outcomes].count(
        "ValueError"
    ) == 3
    assert verify("b.zip").holds


def test_failures_that_succeed_and_successes_that_fail_are_told():
    recovered = with_outcomes(
        lambda i, o: evolve(o, metrics={}, failure="ValueError: no luck") if i == 2 else o
    )
    verdict = verify(recovered)
    (turned,) = verdict.turned
    assert (turned.fold, turned.then, turned.now) == (2, "ValueError: no luck", "")
    assert (verdict.holds, verdict.differing, verdict.changed) == (False, 1, ())
    broken = verify(bundled(), backend=Broken())
    assert [(t.then, t.now) for t in broken.turned] == [("", "Error: broken")] * 3
    assert "successes that now fail    3" in "\n".join(lines_of_verdict(broken))


class Broken:
    """Fails everywhere, the last cell first."""

    def outcomes(self, plan, work):
        for outcome in Here().outcomes(plan, work[::-1]):
            yield evolve(outcome, metrics={}, failure="Error: broken")


class Noting:
    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def outcomes(self, plan, work):
        self.seen += [(cell.fold.repeat, cell.fold.number) for cell in work]
        yield from Here().outcomes(plan, work)


def test_a_sample_is_drawn_from_its_seed():
    bundled(how=CrossValidation(5, 4))
    drawn = []
    for seed in (0, 0, 1):
        noting = Noting()
        verdict = verify("b.zip", sample=4, seed=seed, backend=noting)
        assert (verdict.rerun, verdict.cells, verdict.holds) == (4, 20, True)
        assert lines_of_verdict(verdict)[-1] == "the figures hold (a sample of 4 of 20 cells)"
        assert noting.seen == sorted(set(noting.seen))
        drawn.append(noting.seen)
    assert drawn[0] == drawn[1] != drawn[2]
    assert verify("b.zip", sample=99).rerun == 20
    with pytest.raises(TreekitError, match="a sample has 1 cell at least, not 0"):
        verify("b.zip", sample=0)


@pytest.mark.parametrize("more", [{"jobs": 1}, {"jobs": 2}, {"backend": Here()}], ids=str)
def test_figures_hold_whoever_runs_them_again(more):
    verdict = verify(bundled(["id3", "sklearn:DecisionTreeClassifier"]), **more)
    assert (verdict.holds, verdict.exactly, verdict.equal) == (True, True, 6)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_changed_is_told_in_the_order_of_the_plan_whoever_runs_it_again(jobs):
    changed = with_outcomes(lambda i, o: evolve(o, metrics=o.metrics | {"accuracy": 2.0}))
    assert [one.fold for one in verify(changed, jobs=jobs).changed] == [0, 1, 2]


def test_progress_is_told():
    told: list[Any] = []
    verify(bundled(), progress=told.append)
    assert [(p.done, p.of) for p in told] == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_folds_that_the_seed_does_not_draw_are_told_apart():
    """Figures of folds that somebody picked are right, but they are not those of the seed."""
    plan = plan_of(contenders_of(["id3"]), data_sets(["tennis"]), THREE, 1)
    with opened(None) as kept:
        outcomes = run(plan, kept)
    write_bundle("b.zip", plan, outcomes)
    seeds = {c.fold.number: c.seed for c in cells(evolve(plan, seed=2))}
    picked = evolve(
        read_bundle("b.zip"),
        seed=2,
        outcomes=tuple(evolve(o, seed=seeds[o.fold]) for o in outcomes),
    )
    verdict = verify(picked)
    assert (verdict.changed, verdict.folds, verdict.holds) == ((), ("tennis",), False)
    told = "the seed draws others now, on tennis; the stored ones were used"
    assert f"folds: {told}" in lines_of_verdict(verdict)
    older = verify(evolve(picked, versions=dict(picked.versions) | {"numpy": "1.0"}))
    assert (older.folds, older.holds) == (("tennis",), True)


def test_a_file_is_found_where_it_was(folder):
    bundled(data="shop.csv", target="bought")
    assert verify("b.zip").where == {"shop": "shop.csv"}


def test_a_file_is_found_beside_the_bundle(folder, monkeypatch):
    bundled(data="shop.csv", target="bought")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert verify(folder / "b.zip").where == {"shop": str(folder / "shop.csv")}


def test_a_changed_file_is_named():
    bundled(data="shop.csv", target="bought")
    for old, new in (("20,", "21,"), ("S,", "XL,"), ("bought", "sold")):
        Path("shop.csv").write_text(SHOP.replace(old, new, 1))
        with pytest.raises(TreekitError, match=r"^shop: shop.csv does not hold the data of the co"):
            verify("b.zip")


def test_a_recipe_whose_parts_are_not_installed_cannot_be_checked():
    bundle = read_bundle(bundled())
    (one,) = bundle.contenders
    tree = dict(one.document["tree"]) | {"impurity": {"use": "beauty"}}
    other = RecipeContender("id3", dict(one.document) | {"tree": tree})
    with pytest.raises(TreekitError, match="there is no impurity 'beauty'"):
        verify(evolve(bundle, contenders=(other,)))
