"""Which plots a comparison has, each with a name for its file and words for its reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from treekit.comparing.results import Results
from treekit.reporting.about import About
from treekit.reporting.plots.folds import FEW, folds_figure
from treekit.reporting.plots.learning import learning_figure
from treekit.reporting.plots.ranks import ranks_figure
from treekit.reporting.plots.size import LEAVES, size_figure, size_means
from treekit.reporting.plots.wins import wins_figure
from treekit.reporting.tables import metrics_shown
from treekit.statistics.choosing import rejected
from treekit.statistics.record import Analysis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: Final = ("critical-difference", "folds", "size", "wins", "learning")
"""The kinds of plots there are."""


@frozen(eq=False)
class Plot:
    """A plot that can be drawn: of one kind, of one metric, with what it shows in words."""

    kind: str
    metric: str
    title: str
    caption: str
    draw: Callable[[], Figure] = field(repr=False)

    @property
    def name(self) -> str:
        """What its file is called, without the ending."""
        return f"{self.metric}-{self.kind}"


def plots_of(results: Results, analyses: Sequence[Analysis], about: About) -> tuple[Plot, ...]:
    """Every plot that these results have something to show in, metric by metric."""
    by_metric = {analysis.metric: analysis for analysis in analyses}
    found: list[Plot] = []
    for metric in metrics_shown(results, analyses):
        found += _of_metric(results, metric, by_metric.get(metric), about)
    return tuple(found)


def _of_metric(
    results: Results, metric: str, analysis: Analysis | None, about: About
) -> list[Plot]:
    several = len(results.contenders) > 1
    found = []
    if analysis is not None and sum(r == r for r in analysis.mean_ranks.values()) > 1:
        found.append(
            Plot(
                KINDS[0],
                metric,
                "Mean ranks",
                _ranks_words(analysis),
                partial(ranks_figure, analysis),
            )
        )
    words = (
        "The box holds the middle half of the folds, the line in it is their median. Each dot is a"
        f" fold; of more than {FEW}, one beyond the whiskers."
    )
    found.append(
        Plot(KINDS[1], metric, "Fold by fold", words, partial(folds_figure, results, metric))
    )
    if metric != LEAVES and _has_sizes(results, metric):
        words = "Better trees are smaller and answer better. Along the dashed line none is both."
        draw = partial(size_figure, results, metric)
        found.append(Plot(KINDS[2], metric, "Against the size of the tree", words, draw))
    if several and len(results.data) > 1:
        words = (
            "The number of data sets on which the contender of the row has the better mean. Ties"
            " count for neither."
        )
        found.append(
            Plot(KINDS[3], metric, "Who beats whom", words, partial(wins_figure, results, metric))
        )
    if about.curves:
        words = "The band is one standard deviation over the folds to either side of the mean."
        draw = partial(learning_figure, results, metric, about.curves)
        found.append(Plot(KINDS[4], metric, "Learning curves", words, draw))
    return found


def _has_sizes(results: Results, metric: str) -> bool:
    """Has somebody both a size and the metric, on data on which all who have them do?"""
    return LEAVES in results.metrics and not size_means(results, metric).empty


def _ranks_words(analysis: Analysis) -> str:
    words = "The mean rank over the data sets; 1 is the best, at the right."
    if analysis.critical_difference is None:
        return words
    words += (
        " Contenders that a bar joins lie no further apart than the critical difference"
        f" (Nemenyi's test, alpha {analysis.alpha:g})."
    )
    if analysis.friedman is not None and not rejected(analysis):
        words += " Friedman's test finds no differences at all, so a missing bar shows none either."
    return words
