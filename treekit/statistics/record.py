"""What is concluded from a comparison, as records: tests, intervals, and their limits in words."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen
class Friedman:
    """Do the contenders' ranks over several data sets differ at all?

    Friedman's statistic, and F after Iman and Davenport 1980, which is less conservative.
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

    difference  the mean of the data sets' paired means, with its interval from `low` to `high`
    p           Wilcoxon's signed-rank test; `holm`: adjusted for all pairs. None: it says nothing
    nemenyi     p by Nemenyi's test of mean ranks; None: there are two contenders
    effect      the matched-pairs rank-biserial correlation (Kerby 2014), 1: first always greater
    better, equal, worse
                the probabilities that `first` is better in practice, that both are equal within
                the region of practical equivalence, that `second` is better; None: not asked
    wins, ties, losses
                of data sets, by paired means
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
    """Two contenders on one data set: the corrected resampled t-test of Nadeau and Bengio 2003."""

    data: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    t: float
    degrees: int
    p: float
    holm: float


@frozen(eq=False)
class Analysis:
    """What the outcomes of one metric allow one to conclude.

    data         the data sets that count; `left_out` says why others do not
    test, why    what decides, and why that; `cautions`: what may not be concluded from it
    mean_ranks   of each contender, 1 is the best
    critical_difference, groups
                 Nemenyi's, and the largest groups of contenders, best first, whose mean ranks lie
                 no further apart. None and empty where there are no ranks to compare
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
