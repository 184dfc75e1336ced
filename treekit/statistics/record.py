"""What is concluded from a comparison, as records: tests, intervals, and their limits in words."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen
class Friedman:
    """Do the contenders' ranks over several data sets differ at all?

    Friedman's statistic, and F after Iman and Davenport 1980, which is less conservative; it is
    infinite where all data sets rank alike. `p` is that of F.
    """

    n_data: int
    n_contenders: int
    chi_squared: float
    p_chi_squared: float
    f: float
    degrees: tuple[int, int]
    p: float


@frozen
class Pair:
    """Two contenders over all data sets; differences are those of `first` less `second`.

    difference  the mean of the data sets' paired means, with Student's interval over the data sets
                from `low` to `high`, of confidence 1 - alpha
    p           Wilcoxon's signed-rank test; `holm`: adjusted for all pairs. None: it says nothing
    nemenyi     p by Nemenyi's test of mean ranks; None: there are two contenders
    effect      the matched-pairs rank-biserial correlation (Kerby 2014), 1: first always greater
    better, equal, worse
                the probabilities that `first` is better in practice, that both are equal within
                the region of practical equivalence, that `second` is better; None: not asked
    wins, ties, losses
                the data sets on which `first` is the better, neither, `second`, by paired means
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float | None
    holm: float | None
    nemenyi: float | None
    effect: float
    better: float | None
    equal: float | None
    worse: float | None
    wins: int
    ties: int
    losses: int


@frozen
class PairOnData:
    """Two contenders on one data set: the corrected resampled t-test of Nadeau and Bengio 2003.

    difference  the mean over the folds of `first` less `second`, with its interval
    t           infinite where all folds differ alike: then there is no spread to go by, and
                neither an interval nor a p
    holm        p adjusted for all pairs on this data set
    """

    data: str
    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    t: float
    degrees: int
    p: float | None
    holm: float | None


@frozen(eq=False)
class Analysis:
    """What the outcomes of one metric allow one to conclude.

    contenders   those with a figure on some data set
    data         the data sets that count; `left_out` says why others do not
    test, why    what decides, and why that; `cautions`: what may not be concluded from it
    mean_ranks   of each contender, 1 is the best; empty with one data set
    friedman     None with fewer than three contenders, or one data set
    critical_difference, groups
                 Nemenyi's, and the largest groups of two or more contenders, best first, whose mean
                 ranks lie no further apart. None and empty where `friedman` is None; of no weight
                 where it does not reject
    pairs        every two contenders over all data sets, in the order of `contenders`; empty with
                 one data set
    on_data      every two contenders on each data set to whose folds the test applies
    """

    metric: str
    greater_is_better: bool
    alpha: float
    rope: float
    contenders: tuple[str, ...]
    data: tuple[str, ...]
    left_out: Mapping[str, str]
    test: str
    why: str
    cautions: tuple[str, ...]
    mean_ranks: Mapping[str, float]
    friedman: Friedman | None
    critical_difference: float | None
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]
    on_data: tuple[PairOnData, ...]


@frozen
class Effect:
    """What it makes of a metric to write one word instead of another at a path of the recipe.

    difference  the metric at `first` less that at `second`, all other paths alike: the mean over
                such pairs of contenders, then over the data sets
    low, high   its bootstrap interval over the data sets; None: there is one data set
    n_pairs     of contenders, on each data set
    """

    metric: str
    path: str
    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    n_pairs: int


@frozen(eq=False)
class Explained:
    """The variance of a metric within data sets, in shares that sum to 1.

    always   of each path: its main effect, alike on all data sets
    by_data  of each path: what it does on some data sets otherwise than on others
    rest     interactions: what a path does depends on another path
    """

    metric: str
    always: Mapping[str, float]
    by_data: Mapping[str, float]
    rest: float


@frozen(eq=False)
class Ablation:
    """How much of the differences between variants is due to each path of the recipe.

    paths      each path that is varied, and its words
    explained  by metric; only of a full grid, and of metrics that differ at all
    """

    metrics: tuple[str, ...]
    alpha: float
    paths: Mapping[str, tuple[str, ...]]
    contenders: tuple[str, ...]
    data: tuple[str, ...]
    left_out: Mapping[str, str]
    effects: tuple[Effect, ...]
    explained: Mapping[str, Explained]
    cautions: tuple[str, ...]
