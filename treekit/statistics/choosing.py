"""Which test is the right one and why, and what may not be concluded from it, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from treekit.comparing.results import Results
from treekit.comparing.running import SECONDS
from treekit.statistics.counting import COUNTED_ONCE, Counted
from treekit.statistics.pairs import data_needed, smallest_p
from treekit.statistics.record import Analysis, Pair, PairOnData

NO_TEST: Final = "none"

SHARES: Final = frozenset(
    ("accuracy", "error", "balanced_accuracy", "macro_f1", "brier", "auc", "auc_pairs", "r2")
)
"""Metrics whose unit is 1 on any data: a difference of 0.01 is the same wherever it is found."""


def chosen_test(analysis: Analysis, unfit: Mapping[str, str]) -> tuple[str, str]:
    """The test that decides, and why that one. `unfit`: why folds of data sets allow no t-test."""
    n, k = len(analysis.data), len(analysis.contenders)
    if k < 2:
        return NO_TEST, "There are no two contenders to compare."
    if n == 0:
        return NO_TEST, "There is no data set on which all contenders have a figure."
    if n == 1:
        return _on_one(analysis, unfit)
    if k == 2:
        why = (
            f"There are two contenders and {n} data sets. It goes by the ranks of the differences, "
            "so that they need not be normal and no single data set decides (Demsar 2006)."
        )
        return "Wilcoxon's signed-rank test", why
    why = (
        f"There are {k} contenders and {n} data sets. All are tested at once before any two are, "
        "so that no pair is picked out by chance (Demsar 2006). Nemenyi's critical difference is "
        "for a look: mean ranks depend on who else takes part, which Wilcoxon's test of a pair "
        "does not (Benavoli, Corani and Mangili 2016)."
    )
    return (
        "Friedman's test with the F of Iman and Davenport; if it rejects, Wilcoxon's signed-rank "
        "test of every pair with Holm's adjustment"
    ), why


def _on_one(analysis: Analysis, unfit: Mapping[str, str]) -> tuple[str, str]:
    (data,) = analysis.data
    if len({pair.data for pair in analysis.on_data}) > 1:
        return NO_TEST, (
            f"There is one data set, {data}, and disturbed copies of it, which are no further data."
        )
    if data in unfit:
        return NO_TEST, f"There is one data set, and {unfit[data]}."
    why = (
        f"There is one data set, {data}, so there are no ranks over data sets. Its folds share the "
        "rows that are learned from, which a plain t-test overlooks (Nadeau and Bengio 2003)."
    )
    each = " of every pair with Holm's adjustment" if len(analysis.contenders) > 2 else ""
    return f"the corrected resampled t-test{each}", why


def told_apart(analysis: Analysis) -> tuple[Pair | PairOnData, ...]:
    """The pairs that the test that decides tells apart: none where Friedman's does not reject."""
    if analysis.friedman is not None and not analysis.friedman.p < analysis.alpha:
        return ()
    pairs: tuple[Pair | PairOnData, ...] = analysis.pairs or analysis.on_data
    return tuple(pair for pair in pairs if pair.holm is not None and pair.holm < analysis.alpha)


def rejected(analysis: Analysis) -> bool | None:
    """Does the test that decides find a difference at all? None: there is none to ask."""
    if analysis.friedman is not None:
        return analysis.friedman.p < analysis.alpha
    asked = any(pair.holm is not None for pair in analysis.pairs or analysis.on_data)
    return bool(told_apart(analysis)) if asked else None


def cautions_of(
    analysis: Analysis,
    results: Results,
    found: Counted,
    unfit: Mapping[str, str],
    n_metrics: int = 1,
) -> tuple[str, ...]:
    """What may not be concluded: only what applies here."""
    if analysis.test == NO_TEST:
        return tuple(_of_the_data(results, found))
    return (
        *_of_the_test(analysis),
        *_of_single_data(analysis, unfit),
        *_of_the_metric(analysis, n_metrics),
        *_of_the_data(results, found),
    )


def _of_the_test(analysis: Analysis) -> Iterator[str]:
    n, m = len(analysis.data), len(analysis.pairs)
    if m and m * smallest_p(n) >= analysis.alpha:
        after = f", {min(1.0, m * smallest_p(n)):.3g} after Holm for {m} pairs" if m > 1 else ""
        yield (
            f"With {n} data sets the smallest p that Wilcoxon's test can give is "
            f"{smallest_p(n):.3g}{after}: it cannot get below {analysis.alpha:g}, whatever the "
            f"differences. That takes {data_needed(m, analysis.alpha)} data sets."
        )
    if analysis.friedman is not None and not rejected(analysis):
        yield (
            "Friedman's test does not reject, so neither single pairs nor the critical difference "
            "show a difference, however small their p."
        )
    adjusted = [pair.holm for pair in analysis.pairs or analysis.on_data]
    if any(p is not None and p >= analysis.alpha for p in adjusted):
        yield (
            "A difference that is not found is not equality: see how wide the interval is"
            + (", and the probability of being equal in practice." if _asked(analysis) else ".")
        )
    if n > 1:
        yield (
            "The data sets are no random sample of all there are: what is found holds for data "
            "like these."
        )


def _asked(analysis: Analysis) -> bool:
    return any(pair.equal is not None for pair in analysis.pairs)


def _of_single_data(analysis: Analysis, unfit: Mapping[str, str]) -> Iterator[str]:
    if len(analysis.data) == 1:
        yield (
            "The folds are not independent. The correction allows for that by a rule of thumb, and "
            "nothing is said of any other data."
        )
    elif analysis.on_data:
        yield (
            "The tests on single data sets are adjusted for the pairs of each, not for looking at "
            "several data sets."
        )
    for reason in dict.fromkeys(unfit.values()):
        names = ", ".join(data for data in unfit if unfit[data] == reason)
        yield f"There is no test on the single data sets {names}: {reason}."
    constant = dict.fromkeys(pair.data for pair in analysis.on_data if abs(pair.t) == float("inf"))
    if constant:
        yield (
            f"On {', '.join(constant)} some difference is the same on all folds. The t-test has no "
            "spread to go by there, and says nothing of it."
        )


def _of_the_metric(analysis: Analysis, n_metrics: int) -> Iterator[str]:
    metric = analysis.metric
    if metric in SECONDS:
        yield "Seconds are of this machine and of what else it did at the time."
    if metric.startswith("training_"):
        yield "This is measured on the rows that were learned from: it says nothing of new ones."
    if metric.removeprefix("training_") not in SHARES:
        if len(analysis.data) > 1:
            yield (
                f"Mean differences are in the unit of {metric}: data sets with great figures weigh "
                "most. Ranks, wins and losses are free of that."
            )
        if _asked(analysis):
            yield (
                f"Equal in practice means within {analysis.rope:g} in the unit of {metric}: is "
                "that what makes no difference to you?"
            )
    if n_metrics > 1:
        yield (
            f"{n_metrics} metrics are looked at, and nothing is adjusted for that: say beforehand "
            "which one decides."
        )


def _of_the_data(results: Results, found: Counted) -> Iterator[str]:
    if found.absent:
        yield f"Without any figure, and so without a part here: {', '.join(found.absent)}."
    if found.each != found.data:
        yield COUNTED_ONCE
    if any(outcome.data in found.each for outcome in results.failed):
        yield (
            "Folds that some contender did not finish count for nobody. If those are the hard "
            "ones, the figures flatter."
        )
