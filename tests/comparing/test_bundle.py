"""A bundle holds all of a comparison, always in the same bytes."""

from __future__ import annotations

import numpy as np
import pytest

from treekit.comparing import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    HoldOut,
    LeaveOneOut,
    Plan,
    read_bundle,
    write_bundle,
)
from treekit.comparing.data import DataSet
from treekit.comparing.packed_folds import packed, unpacked
from treekit.comparing.plan import folds_of
from treekit.comparing.resampling import Fold
from treekit.comparing.store import Outcome
from treekit.errors import TreekitError

from .bundles import compared


@pytest.mark.parametrize("with_data", [False, True])
def test_what_is_written_is_read(tmp_path, with_data):
    plan, outcomes = compared()
    write_bundle(tmp_path / "b.zip", plan, outcomes, with_data, title="mine")
    found = read_bundle(tmp_path / "b.zip")
    assert (found.title, found.seed, found.resampling) == ("mine", 5, CrossValidation(3))
    assert [(c.name, c.document) for c in found.contenders] == [
        (c.name, c.document) for c in plan.contenders
    ]
    assert [(d.name, d.digest, d.n_rows) for d in found.data] == [
        (d.name, d.digest, d.table.n_rows) for d in plan.data
    ]
    assert [d.origin for d in found.data] == [d.origin for d in plan.data]
    assert {"treekit", "numpy", "python", "scikit-learn", "numba"} <= set(found.versions)
    for now, then in zip(found.outcomes, outcomes, strict=True):
        assert str(now.metrics) == str(then.metrics)  # a NaN is not equal to itself
        assert (now.seed, now.contender, now.fold) == (then.seed, then.contender, then.fold)
    for now, then in zip(found.data, plan.data, strict=True):
        assert (now.table is not None) is with_data
        if now.table is not None:
            assert DataSet(now.name, now.table, now.n_test).digest == then.digest


def test_the_same_comparison_is_the_same_bytes(small, tmp_path):
    for name in "ab":
        write_bundle(tmp_path / name, *small, with_data=True)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_anybody_can_look_inside(path):
    held = np.load(path)
    assert held["folds/1"].shape == (1, 14)
    assert held["data/1/cells"].shape == (4, 14)


@pytest.mark.parametrize(
    "how",
    [
        CrossValidation(3, 2),
        HoldOut(0.3, 4),
        LeaveOneOut(),
        Bootstrap(5),
        FixedTest(),
    ],
    ids=lambda how: type(how).__name__,
)
def test_the_folds_of_every_resampling_are_kept(tmp_path, how):
    plan, outcomes = compared(("mammals",), ("id3",), how)
    write_bundle(tmp_path / "b.zip", plan, outcomes)
    found = read_bundle(tmp_path / "b.zip")
    assert found.resampling == how
    for now, then in zip(unpacked(found.data[0].folds), folds_of(plan, plan.data[0]), strict=True):
        assert (now.repeat, now.number, now.digest) == (then.repeat, then.number, then.digest)


def test_folds_may_leave_rows_out_of_both_sides():
    rows = np.arange(6)
    folds = [Fold(0, k, (rows % 3 == k) * 300, rows % 3 == (k + 1) % 3) for k in range(3)]
    kept = packed(folds)
    assert not kept.dealt
    assert [fold.digest for fold in unpacked(kept)] == [fold.digest for fold in folds]


def test_ten_times_ten_folds_of_many_rows_take_little_room():
    rng = np.random.default_rng(0)
    folds = []
    for repeat in range(10):
        dealt = rng.permutation(20_000) % 10
        folds += [Fold(repeat, k, (dealt != k).astype(np.int64), dealt == k) for k in range(10)]
    kept = packed(folds)
    assert (kept.dealt, kept.codes.nbytes) == (True, 200_000)
    assert [f.digest for f in unpacked(kept)] == [f.digest for f in folds]


def test_failures_are_kept_with_their_error(small, tmp_path):
    plan, outcomes = small
    lines = 'ValueError: no "luck",\ud800 today'
    first = outcomes[0]
    failed = Outcome("", first.data, first.contender, 0, first.fold, first.seed, {}, lines)
    write_bundle(tmp_path / "b.zip", plan, [failed, *outcomes[1:]])
    found = read_bundle(tmp_path / "b.zip").outcomes[0]
    assert (found.metrics, found.failure) == ({}, 'ValueError: no "luck",\\ud800 today')


def test_figures_of_all_sizes_are_kept_exactly(small, tmp_path):
    plan, outcomes = small
    figures = {"a": 0.1 + 0.2, "b": 5e-324, "c": float("inf"), "d": 1e300, "e": -0.0}
    first = outcomes[0]
    odd = Outcome("", first.data, first.contender, 0, first.fold, first.seed, figures)
    write_bundle(tmp_path / "b.zip", plan, [odd, *outcomes[1:]])
    found = read_bundle(tmp_path / "b.zip").outcomes
    assert found[0].metrics == figures
    assert str(found[0].metrics["e"]) == "-0.0"
    assert "a" not in found[1].metrics


class MyWay(HoldOut):
    pass


class Somebody:
    name, varied, document, versions = "somebody", {}, {}, {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"resampling": MyWay()}, "MyWay is none of the resamplings"),
        ({"contenders": (Somebody(),)}, "'somebody' is neither a recipe nor an estimator"),
    ],
)
def test_what_cannot_be_written_is_told(small, tmp_path, change, said):
    plan, outcomes = small
    parts = {"contenders": plan.contenders, "resampling": plan.resampling} | change
    other = Plan(data=plan.data, seed=5, **parts)
    with pytest.raises(TreekitError, match=said):
        write_bundle(tmp_path / "b.zip", other, outcomes)
    assert not (tmp_path / "b.zip").exists()


def test_outcomes_that_are_not_all_of_the_plan_are_not_written(small, tmp_path):
    plan, outcomes = small
    with pytest.raises(TreekitError, match=r"results.csv: must have 6 rows.*has 5"):
        write_bundle(tmp_path / "b.zip", plan, outcomes[1:])
    with pytest.raises(TreekitError, match="row 1: must be that of tennis, id3"):
        write_bundle(tmp_path / "b.zip", plan, outcomes[::-1])
