"""The right test is chosen, and what may not be concluded is said where it applies, only there."""

from __future__ import annotations

import json

import numpy as np
import pytest
from attrs import evolve

from tests.statistics.demsar import NAMES, TABLE
from tests.statistics.making import figures_of, of_means, results
from treekit.comparing import Outcome, Results
from treekit.errors import TreekitError
from treekit.statistics import analysed, as_plain, lines_of, verdict
from treekit.statistics.choosing import told_apart

DEMSAR = analysed(of_means(TABLE, NAMES, "auc"), "auc")
F = None  # a fold that failed


def said(analysis, words):
    return any(words in caution for caution in analysis.cautions)


def test_three_or_more_contenders_are_tested_at_once_first():
    assert DEMSAR.test.startswith("Friedman's test with the F of Iman and Davenport; if it rejects")
    assert "There are 4 contenders and 14 data sets." in DEMSAR.why
    assert [round(rank, 3) for rank in DEMSAR.mean_ranks.values()] == [3.143, 2.0, 2.893, 1.964]
    assert round(DEMSAR.critical_difference, 2) == 1.25
    assert DEMSAR.friedman.p < 0.05
    assert DEMSAR.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)
    assert len(DEMSAR.pairs) == 6
    assert verdict(DEMSAR).startswith("The contenders differ (F(3, 39) = 4.")


def test_two_contenders_on_several_data_sets_are_tested_by_wilcoxon():
    found = analysed(of_means(TABLE[:, :2], NAMES[:2], "auc"), "auc")
    assert found.test == "Wilcoxon's signed-rank test"
    assert found.friedman is None
    assert found.critical_difference is None
    assert found.groups == ()
    assert set(found.mean_ranks) == set(NAMES[:2])
    assert verdict(found).startswith("C4.5+m is better than C4.5 (p = 0.0")


def test_one_data_set_has_the_corrected_t_test_and_no_ranks():
    found = analysed(results(figures_of(1, "abc", 3)), "accuracy")
    assert found.test == "the corrected resampled t-test of every pair with Holm's adjustment"
    assert (found.mean_ranks, found.pairs, found.friedman) == ({}, (), None)
    assert len(found.on_data) == 3
    assert said(found, "folds are not independent")
    assert not said(found, "random sample")


@pytest.mark.parametrize(
    ("sizes", "folds", "why"),
    [((90, 10), 1, "a single fold"), ((9, 1), 5, "leaving one row out"), ((0, 0), 5, "not known")],
)
def test_one_data_set_without_a_test_is_told(sizes, folds, why):
    found = analysed(results(figures_of(1, "ab", 0, folds), sizes=sizes), "accuracy")
    assert found.test == "none"
    assert why in found.why
    assert verdict(found) == "Nothing can be tested."


def test_too_few_data_sets_for_wilcoxon_are_told():
    few, enough = (analysed(results(figures_of(n, "ab", 1)), "accuracy") for n in (5, 6))
    words = "With 5 data sets the smallest p that Wilcoxon's test can give is 0.0625: it cannot get"
    assert said(few, words)
    assert said(few, "That takes 6 data sets.")
    assert not said(enough, "cannot get below")


def test_where_friedman_does_not_reject_no_pair_counts():
    table = np.random.default_rng(0).normal(0.7, 0.01, (12, 4))
    found = analysed(of_means(table, "abcd"), "accuracy")
    assert found.friedman.p >= 0.05
    assert said(found, "Friedman's test does not reject")
    assert verdict(found).startswith("No difference between the contenders is found (F(3, 33)")
    assert not any("Nemenyi's critical difference at" in line for line in lines_of(found))


def test_a_difference_that_is_the_same_on_all_folds_is_not_taken_for_proven():
    found = analysed(results({"d": {"a": (0.5, 0.75), "b": (0.25, 0.5)}}), "accuracy")
    assert verdict(found) == "Nothing can be tested."
    assert told_apart(found) == ()
    assert said(found, "On d some difference is the same on all folds.")
    assert lines_of(found)
    as_plain(found)


def test_of_many_pairs_that_differ_the_clearest_are_named():
    table = np.arange(5) / 10 + np.random.default_rng(0).normal(0, 0.001, (30, 5))
    found = analysed(of_means(table, "abcde"), "accuracy")
    told = verdict(found)
    assert "10 of 10 pairs differ at 0.05; the clearest: " in told
    assert told.count(" is better than ") == 5
    assert len(told_apart(found)) == 10


def test_no_pair_is_told_apart_where_friedman_does_not_reject():
    pairs = tuple(evolve(pair, holm=0.001) for pair in DEMSAR.pairs)
    found = evolve(DEMSAR, pairs=pairs, friedman=evolve(DEMSAR.friedman, p=0.2))
    assert len(told_apart(evolve(found, friedman=DEMSAR.friedman))) == 6
    assert told_apart(found) == ()


def test_less_is_better_turns_ranks_wins_and_better_round_but_no_difference():
    table = np.column_stack([np.full(8, 0.2), np.full(8, 0.3) + np.arange(8) / 100])
    up, down = (analysed(of_means(table, "ab", m), m) for m in ("accuracy", "error"))
    assert up.mean_ranks == {"a": 2.0, "b": 1.0}
    assert down.mean_ranks == {"a": 1.0, "b": 2.0}
    for found, wins in ((up, 0), (down, 8)):
        (pair,) = found.pairs
        assert (pair.wins, pair.losses) == (wins, 8 - wins)
        assert pair.difference < 0
        assert (pair.better > 0.9) == (wins == 8)
    assert "b is better than a" in verdict(up)
    assert "a is better than b" in verdict(down)


def test_data_sets_without_a_figure_of_everybody_are_left_out_with_the_reason():
    figures = figures_of(7, "ab", 2, folds=2)
    figures |= {
        "no a": {"a": (F, F), "b": (0.5, 0.6)},
        "none": {"a": (F, F), "b": (F, F)},
        "crossed": {"a": (0.5, F), "b": (F, 0.6)},
        "half": {"a": (0.5, F), "b": (0.4, 0.6)},
    }
    found = analysed(results(figures), "accuracy")
    assert found.left_out == {
        "no a": "a finished no fold",
        "none": "a and b: each finished no fold",
        "crossed": "there is no fold that all contenders finished",
    }
    assert "half" in found.data
    assert said(found, "did not finish count for nobody")
    assert said(found, "no test on the single data sets half: a single fold")
    assert "- no a: a finished no fold" in lines_of(found)


def test_a_contender_without_any_figure_takes_no_part():
    found = of_means(TABLE[:, :2], "ab", "leaves")
    more = tuple(Outcome("", d, "c", 0, 0, 0, {"accuracy": 0.5}) for d in found.data)
    both = Results((*found.outcomes, *more), found.data, ("a", "b", "c"), "classification")
    analysis = analysed(both, "leaves")
    assert analysis.contenders == ("a", "b")
    assert len(analysis.data) == 14
    assert said(analysis, "Without any figure, and so without a part here: c.")


def test_nobody_to_compare_and_nothing_in_common_are_no_errors():
    assert analysed(results(figures_of(3, "a", 0)), "accuracy").test == "none"
    apart = {"d": {"a": (0.5, F), "b": (F, 0.6)}, "e": {"a": (0.5, F), "b": (F, 0.6)}}
    found = analysed(results(apart), "accuracy")
    assert (found.test, found.data) == ("none", ())
    assert lines_of(found)[0] == "accuracy (greater is better): 2 contenders on 0 data sets"


@pytest.mark.parametrize(
    ("metric", "n_metrics", "words"),
    [
        ("fit_seconds", 1, "Seconds are of this machine"),
        ("training_error", 1, "on the rows that were learned from"),
        ("leaves", 1, "data sets with great figures weigh most"),
        ("leaves", 1, "Equal in practice means within 0.01 in the unit of leaves"),
        ("accuracy", 3, "3 metrics are looked at"),
    ],
)
def test_cautions_are_said_only_where_they_apply(metric, n_metrics, words):
    found = analysed(of_means(TABLE, NAMES, metric), metric, n_metrics=n_metrics, n_draws=100)
    assert said(found, words)
    assert not said(DEMSAR, words)


def test_the_bayesian_test_may_be_left_out_and_is_seeded():
    made = of_means(TABLE, NAMES, "auc")
    assert all(pair.better is None for pair in analysed(made, "auc", n_draws=0).pairs)
    once, again, other = (analysed(made, "auc", n_draws=500, seed=s).pairs for s in (1, 1, 2))
    assert once == again != other


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"alpha": 1.0}, {"rope": -0.1}])
def test_levels_that_make_no_sense_are_told(wrong):
    with pytest.raises(TreekitError, match=next(iter(wrong))):
        analysed(of_means(TABLE, NAMES), "accuracy", **wrong)


def test_a_metric_that_was_not_measured_is_told():
    with pytest.raises(TreekitError, match="'auk' was not measured"):
        analysed(of_means(TABLE, NAMES, "auc"), "auk")


def test_lines_hold_the_ranks_the_pairs_and_the_cautions():
    lines = lines_of(DEMSAR)
    assert lines[0] == "auc (greater is better): 4 contenders on 14 data sets"
    assert ["C4.5+m+cf", "1.964", "*"] in [line.split() for line in lines]
    assert "Nemenyi's critical difference at 0.05 is 1.254: those of a group lie no further" in (
        "\n".join(lines)
    )
    assert any(line.startswith("C4.5 - C4.5+m ") for line in lines)
    assert lines[-len(DEMSAR.cautions) - 1] == "Cautions:"


def test_plain_data_are_json_without_infinities():
    table = np.tile([0.1, 0.2, 0.3], (4, 1))
    found = analysed(of_means(table, "abc"), "accuracy")
    assert found.friedman.f == float("inf")
    plain = as_plain(found)
    told = json.loads(json.dumps(plain, allow_nan=False))
    assert told == plain
    assert told["friedman"]["f"] is None
    assert told["mean_ranks"] == {"a": 3.0, "b": 2.0, "c": 1.0}
    assert told["pairs"][0]["first"] == "a"


def with_copies(found: Results, copies: int) -> Results:
    """Every so many data sets are one and disturbed copies of it."""
    names = found.data
    of = {name: names[i - i % copies] for i, name in enumerate(names) if i % copies}
    return evolve(found, copies=of)


def test_disturbed_copies_of_a_data_set_count_once_by_their_mean() -> None:
    table = np.random.default_rng(0).uniform(0.6, 0.9, (24, 3))
    once = analysed(of_means(table.reshape(8, 3, 3).mean(axis=1), "abc"), "accuracy")
    found = analysed(with_copies(of_means(table, "abc"), 3), "accuracy")
    assert found.data == ("d0", "d3", "d6", "d9", "d12", "d15", "d18", "d21")
    assert found.friedman == once.friedman
    assert [pair.p for pair in found.pairs] == [pair.p for pair in once.pairs]
    assert any("no further data" in caution for caution in found.cautions)
    assert {pair.data for pair in found.on_data} == {f"d{i}" for i in range(24)}


def test_one_data_set_and_its_copies_allow_no_test() -> None:
    found = analysed(with_copies(results(figures_of(3, "ab", 1)), 3), "accuracy")
    assert verdict(found) == "Nothing can be tested."
    assert "disturbed copies" in found.why
    assert any(line.startswith("d2 ") for line in lines_of(found))
