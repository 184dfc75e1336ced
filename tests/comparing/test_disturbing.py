"""Disturbed data: how much is disturbed, where, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.disturbing import DISTURBANCES, Disturbing, disturbed, quantiles
from treekit.comparing.plan import plan_of
from treekit.comparing.resampling import HoldOut
from treekit.comparing.running import Here, run
from treekit.comparing.store import opened
from treekit.table.record import Column, Schema, Table

UNKNOWN = ("mcar", "mar", "mnar")


def of_numbers(n: int = 4_000, task: str = "classification") -> DataSet:
    rng = np.random.default_rng(0)
    y = rng.normal(size=n) if task == "regression" else rng.integers(0, 3, n).astype(float)
    target = (
        Column("y", "numeric") if task == "regression" else Column("y", "nominal", tuple("abc"))
    )
    columns = tuple(Column(f"x{i}", "numeric") for i in range(3))
    return DataSet("numbers", Table(Schema(columns, target), rng.normal(size=(3, n)), y))


def only(use: str, share: float, data: DataSet | None = None, seed: int = 0) -> DataSet:
    (found,) = disturbed([data or of_numbers()], Disturbing((use,), (share,)), seed)
    return found


@pytest.mark.parametrize("use", UNKNOWN)
@pytest.mark.parametrize("share", [0.1, 0.4])
def test_the_share_of_values_gets_unknown(use: str, share: float) -> None:
    assert np.isnan(only(use, share).table.cells).mean() == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("use", UNKNOWN)
def test_what_is_left_is_as_it_was(use: str) -> None:
    before, after = of_numbers().table, only(use, 0.3).table
    known = ~np.isnan(after.cells)
    np.testing.assert_array_equal(after.cells[known], before.cells[known])
    np.testing.assert_array_equal(after.y, before.y)


def test_at_random_the_next_column_decides() -> None:
    before, gone = of_numbers().table.cells, np.isnan(only("mar", 0.3).table.cells)
    for k in range(3):
        next_one = before[(k + 1) % 3]
        assert next_one[gone[k]].mean() > next_one[~gone[k]].mean() + 0.3
        assert abs(before[k][gone[k]].mean()) < 0.1


def test_not_at_random_the_value_itself_decides() -> None:
    before, gone = of_numbers().table.cells, np.isnan(only("mnar", 0.3).table.cells)
    for k in range(3):
        assert before[k][gone[k]].mean() > before[k][~gone[k]].mean() + 0.3


@pytest.mark.parametrize("use", UNKNOWN)
def test_a_greater_share_disturbs_what_a_smaller_one_does(use: str) -> None:
    less, more = (np.isnan(only(use, share).table.cells) for share in (0.1, 0.3))
    assert (more | ~less).all()


def test_labels_are_wrong_only_where_they_are_learned() -> None:
    before, after = of_numbers(), only("label_noise", 0.2)
    assert (after.to_learn.y != before.table.y).mean() == pytest.approx(0.2, abs=0.02)
    np.testing.assert_array_equal(after.table.y, before.table.y)
    np.testing.assert_array_equal(after.to_learn.cells, before.table.cells)


def test_numbers_get_noise_of_that_share_of_their_variance() -> None:
    data = of_numbers(task="regression")
    noise = only("label_noise", 0.25, data).to_learn.y - data.table.y
    assert noise.var() / data.table.y.var() == pytest.approx(0.25, rel=0.1)


@pytest.mark.parametrize("use", DISTURBANCES)
def test_the_seed_decides(use: str) -> None:
    one, again, other = (only(use, 0.3, seed=seed).digest for seed in (1, 1, 2))
    assert one == again != other
    assert one != of_numbers().digest


def test_every_data_set_is_there_with_every_disturbance_and_once_as_it_is() -> None:
    found = disturbed([of_numbers()], Disturbing(("mcar", "mnar"), (0, 0.1, 0.4)), 0)
    assert [data.name for data in found] == [
        "numbers",
        "numbers, mcar 10%",
        "numbers, mcar 40%",
        "numbers, mnar 10%",
        "numbers, mnar 40%",
    ]


def test_unknown_values_stand_in_the_middle() -> None:
    found = quantiles(np.array([3.0, np.nan, 1.0, 2.0, 2.0]))
    np.testing.assert_allclose(found, [0.875, 0.5, 0.125, 0.5, 0.5])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((("mcra",), (0.1,)), "'use' must be in .*got 'mcra'"),
        ((("mcar",), (0.7,)), "must be <= 0.5: 0.7"),
    ],
)
def test_what_cannot_be_done_is_told(given: tuple, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=message):
        Disturbing(*given)


def test_noise_in_all_labels_learned_leaves_true_labels_to_be_missed() -> None:
    from treekit.comparing import contenders_of

    (data,) = data_sets(["sklearn:iris"])
    wrong = evolve(data.table, target_values=(data.table.y + 1) % 3)
    plan = plan_of(contenders_of(["cart"]), [evolve(data, learned=wrong)], HoldOut())
    with opened(None) as store:
        (outcome,) = run(plan, store, Here())
    assert outcome.metrics["accuracy"] < 0.1
    assert outcome.metrics["training_error"] < 0.1
