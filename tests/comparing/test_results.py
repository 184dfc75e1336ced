"""Contenders are ranked by the same folds, even where some of them failed."""

from __future__ import annotations

import math

import pytest

from treekit.comparing import Outcome, Results
from treekit.comparing.results import as_plain
from treekit.comparing.wording import PAIRED, lines_of, rounded
from treekit.errors import TreekitError

F = None  # a fold that failed

# By its own folds a is better than b on d; by the folds that both finished it is worse.
ACCURACIES = {
    "d": {"a": (0.5, 0.6, F, 0.95), "b": (0.6, 0.7, 0.1, F)},
    "e": {"a": (0.9, 0.9, 0.9, 0.9), "b": (0.8, 0.8, 0.8, 0.8)},
}


def results(accuracies: dict[str, dict[str, tuple[float | None, ...]]]) -> Results:
    outcomes = [
        Outcome("", data, name, 0, fold, 0, *_came_of(value))
        for data, by_name in accuracies.items()
        for name, values in by_name.items()
        for fold, value in enumerate(values)
    ]
    names = tuple(dict.fromkeys(name for by_name in accuracies.values() for name in by_name))
    return Results(tuple(outcomes), tuple(accuracies), names, "classification")


def _came_of(value: float | None) -> tuple[dict[str, float], str]:
    return ({}, "ValueError: no luck") if value is None else ({"accuracy": value}, "")


def test_means_are_over_the_folds_that_a_contender_finished():
    means = results(ACCURACIES).means("accuracy")
    assert means.loc["d"].tolist() == pytest.approx([2.05 / 3, 1.4 / 3])


def test_ranks_and_differences_are_over_the_folds_that_all_finished():
    found = results(ACCURACIES)
    assert found.paired_means("accuracy").loc["d"].tolist() == pytest.approx([0.55, 0.65])
    assert found.ranks("accuracy").loc["d"].tolist() == [2.0, 1.0]
    assert found.differences("accuracy", "a").loc["d"].tolist() == pytest.approx([0.0, 0.1])
    assert found.mean_ranks("accuracy").tolist() == [1.5, 1.5]


def test_who_finished_nothing_of_a_data_set_does_not_keep_the_others_from_being_ranked():
    found = results({"d": {"a": (0.5, 0.6), "b": (F, F), "c": (0.4, 0.5)}})
    ranks = found.ranks("accuracy").loc["d"]
    assert ranks[["a", "c"]].tolist() == [1.0, 2.0]
    assert math.isnan(ranks["b"])


def test_mean_ranks_are_over_the_data_sets_on_which_all_are_ranked():
    e = ACCURACIES["e"]
    found = results({"d": {"a": (0.1, 0.1), "b": (F, F)}, "e": e, "f": e})
    assert found.ranks("accuracy").loc["d", "a"] == 1.0
    assert found.mean_ranks("accuracy").tolist() == [1.0, 2.0]
    swapped = results({"d": {"a": (0.1, F), "b": (F, F)}, "e": {"a": e["b"], "b": e["a"]}})
    assert swapped.mean_ranks("accuracy").tolist() == [2.0, 1.0]


def test_folds_that_no_two_share_rank_nobody():
    found = results({"d": {"a": (0.5, F), "b": (F, 0.6)}})
    assert found.ranks("accuracy").isna().all(axis=None)


def test_failed_folds_are_told_beside_the_mean():
    lines = lines_of(results(ACCURACIES), "accuracy")
    assert lines[3].split(maxsplit=1) == [
        "d",
        "0.6833 +- 0.24 (1 of 4 failed)  0.4667 +- 0.32 (1 of 4 failed)",
    ]
    assert "failed" not in lines[4]
    assert lines[-1] == PAIRED


def test_nothing_is_said_of_failures_where_there_are_none():
    assert "fail" not in "".join(lines_of(results({"e": ACCURACIES["e"]}), "accuracy"))


def test_a_contender_without_a_figure_is_told_from_one_that_failed():
    found = results({"d": {"a": (F, F), "b": (0.5, 0.6)}})
    outcomes = [Outcome("", "d", "c", 0, fold, 0, {"leaves": 2.0}) for fold in range(2)]
    more = Results((*found.outcomes, *outcomes), ("d",), ("a", "b", "c"), "classification")
    assert lines_of(more, "accuracy")[3].split() == ["d", "failed", "0.55", "+-", "0.071", "-"]
    assert lines_of(more, "accuracy", against="b")[3].split() == ["d", "failed", "+0", "-"]


def test_json_counts_the_failed_folds():
    assert as_plain(results(ACCURACIES), ["accuracy"])["failed"] == {
        "d": {"a": 1, "b": 1},
        "e": {"a": 0, "b": 0},
    }


def test_differences_are_from_somebody_who_takes_part():
    with pytest.raises(TreekitError, match="'x' takes no part"):
        results(ACCURACIES).differences("accuracy", "x")


def test_the_last_bits_of_a_mean_rank_nobody():
    found = results({"d": {"a": (0.1, 0.2, 0.3), "b": (0.3, 0.2, 0.1)}})
    means = found.paired_means("accuracy").loc["d"]
    assert means["a"] != means["b"]
    assert found.ranks("accuracy").loc["d"].tolist() == [1.5, 1.5]


@pytest.mark.parametrize(
    ("value", "digits", "told"),
    [
        (2701.3, 4, "2701"), (14583.0, 4, "14580"), (251.0, 2, "250"), (0.02149, 2, "0.021"),
        (0.5, 4, "0.5"), (-0.00004, 2, "-4e-05"), (0.0, 2, "0"), (float("inf"), 4, "inf"),
    ],
)  # fmt: skip
def test_great_figures_are_written_out(value, digits, told):
    assert rounded(value, digits) == told
    if value >= 0:
        assert rounded(value, digits, "+") == f"+{told}"
