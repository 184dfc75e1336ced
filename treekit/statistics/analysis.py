"""The analysis of a metric: the test that fits the comparison, and all that goes with it."""

from __future__ import annotations

from attrs import evolve

from treekit.comparing.results import Results, greater_is_better
from treekit.errors import Problem, TreekitError
from treekit.statistics.bayes import N_DRAWS, drawn_weights
from treekit.statistics.choosing import cautions_of, chosen_test
from treekit.statistics.counting import Counted, counted, paired_folds
from treekit.statistics.pairs import pairs_of
from treekit.statistics.ranks import critical_difference, friedman, groups_of, ranked
from treekit.statistics.record import Analysis, Pair
from treekit.statistics.resampled import PairedFolds, pairs_on, unfit


def analysed(
    results: Results,
    metric: str,
    *,
    alpha: float = 0.05,
    rope: float = 0.01,
    seed: int = 0,
    n_draws: int = N_DRAWS,
    n_metrics: int = 1,
) -> Analysis:
    """What the outcomes of a metric allow one to conclude, and what not.

    alpha      the chance of a false rejection that is put up with; intervals are of 1 - alpha
    rope       the region of practical equivalence: differences from -rope to rope, in the metric's
               unit, are of no account in practice
    seed       of the Bayesian test's draws
    n_draws    how many of them; 0: that test is not asked
    n_metrics  how many metrics are looked at: with more than one that is told
    """
    check_level(alpha)
    if not rope >= 0:
        raise TreekitError(Problem(f"rope is {rope:g}", instead="give 0 or more"))
    found = counted(results, metric)
    folds = [paired_folds(results, metric, data, found.contenders) for data in found.each]
    analysis = _ranked(_bare(found, folds, metric, alpha, rope), found)
    if len(found.data) > 1 and len(found.contenders) > 1:
        analysis = evolve(analysis, pairs=_pairs(analysis, found, seed, n_draws))
    reasons = {one.data: reason for one in folds if (reason := unfit(one))}
    test, why = chosen_test(analysis, reasons)
    analysis = evolve(analysis, test=test, why=why)
    return evolve(analysis, cautions=cautions_of(analysis, results, found, reasons, n_metrics))


def check_level(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise TreekitError(Problem(f"alpha is {alpha:g}", instead="give more than 0, less than 1"))


def _bare(
    found: Counted, folds: list[PairedFolds], metric: str, alpha: float, rope: float
) -> Analysis:
    """Without anything over several data sets."""
    return Analysis(
        metric=metric,
        greater_is_better=greater_is_better(metric),
        alpha=alpha,
        rope=rope,
        contenders=found.contenders,
        data=found.data,
        left_out=found.left_out,
        test="",
        why="",
        cautions=(),
        mean_ranks={},
        friedman=None,
        critical_difference=None,
        groups=(),
        pairs=(),
        on_data=tuple(pair for one in folds for pair in pairs_on(one, alpha)),
    )


def _ranked(analysis: Analysis, found: Counted) -> Analysis:
    """With mean ranks, and all that goes by them."""
    n, k = found.means.shape
    if n < 2 or k < 2:
        return analysis
    ranks = ranked(found.means, analysis.greater_is_better)
    means = ranks.mean(axis=0)
    by_name = {name: float(rank) for name, rank in zip(found.contenders, means, strict=True)}
    analysis = evolve(analysis, mean_ranks=by_name)
    if k < 3:
        return analysis
    apart = critical_difference(k, n, analysis.alpha)
    return evolve(
        analysis,
        friedman=friedman(ranks),
        critical_difference=apart,
        groups=groups_of(by_name, apart),
    )


def _pairs(analysis: Analysis, found: Counted, seed: int, n_draws: int) -> tuple[Pair, ...]:
    return pairs_of(
        found.contenders,
        found.means,
        greater_is_better=analysis.greater_is_better,
        alpha=analysis.alpha,
        rope=analysis.rope,
        weights=drawn_weights(len(found.data), n_draws, seed) if n_draws else None,
    )
