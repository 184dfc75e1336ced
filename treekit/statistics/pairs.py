"""Two contenders over several data sets: Wilcoxon's test, effect size, interval, and who won."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from treekit.statistics.adjusting import holm
from treekit.statistics.bayes import probabilities
from treekit.statistics.differences import differences
from treekit.statistics.ranks import nemenyi, ranked
from treekit.statistics.record import Pair
from treekit.table.record import Floats

EXACT: Final = 200
"""Up to so many data sets signs are counted out; beyond, the normal distribution is near enough."""


def pairs_of(
    names: Sequence[str],
    values: Floats,
    *,
    greater_is_better: bool,
    alpha: float,
    rope: float,
    weights: Floats | None,
) -> tuple[Pair, ...]:
    """Every two contenders by their paired means [data, contenders], two data sets or more.

    weights  drawn by `bayes.drawn_weights`; None: the Bayesian test is not asked
    """
    p_nemenyi = _nemenyi(values, greater_is_better)
    both = list(itertools.combinations(range(len(names)), 2))
    apart = [differences(values[:, i], values[:, j]) for i, j in both]
    p = [wilcoxon(each) for each in apart]
    found = []
    for (i, j), each, one, adjusted in zip(both, apart, p, holm(p), strict=True):
        gained = each if greater_is_better else -each
        low, high = t_interval(each, alpha)
        better, equal, worse = (
            (None, None, None) if weights is None else probabilities(gained, weights, rope)
        )
        pair = Pair(
            first=names[i],
            second=names[j],
            difference=float(each.mean()),
            low=low,
            high=high,
            p=one,
            holm=adjusted,
            nemenyi=None if p_nemenyi is None else float(p_nemenyi[i, j]),
            effect=rank_biserial(each),
            better=better,
            equal=equal,
            worse=worse,
            wins=int((gained > 0).sum()),
            ties=int((gained == 0).sum()),
            losses=int((gained < 0).sum()),
        )
        found.append(pair)
    return tuple(found)


def _nemenyi(values: Floats, greater_is_better: bool) -> Floats | None:
    n, k = values.shape
    return nemenyi(ranked(values, greater_is_better).mean(axis=0), n) if k > 2 else None


def wilcoxon(apart: Floats) -> float:
    """The p of Wilcoxon's signed-rank test, two-sided: are the differences symmetric about 0?

    No difference takes a rank but no side (Pratt 1959), which is as good as dealing its rank out
    to both sides evenly (Demsar 2006). Up to 200 are exact whatever the ties: every way to deal
    out the signs is counted.
    """
    if not apart.any():
        return 1.0
    if len(apart) > EXACT:
        from scipy import stats

        found = stats.wilcoxon(apart, zero_method="pratt", method="approx")
        return float(found.pvalue)
    signed = _signed_ranks(apart)
    ranks = np.rint(2 * np.abs(signed[signed != 0])).astype(int)  # ties share halves of a rank
    total = int(ranks.sum())
    above = int(np.rint(2 * signed[signed > 0].sum()))
    return min(1.0, 2 * float(_sums(ranks)[max(above, total - above) :].sum()))


def _sums(ranks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """[sum]: the probability of each sum, where every rank counts or not, by the toss of a coin."""
    found = np.zeros(int(ranks.sum()) + 1)
    found[0] = 1.0
    for rank in ranks:
        found[rank:] += found[:-rank].copy()
        found /= 2
    return found


def _signed_ranks(apart: Floats) -> Floats:
    """The ranks of the sizes, those of no difference counted in, with the signs."""
    from scipy.stats import rankdata

    return np.asarray(np.sign(apart) * rankdata(np.abs(apart)), np.float64)


def rank_biserial(apart: Floats) -> float:
    """The matched-pairs rank-biserial correlation (Kerby 2014).

    The share of the ranks in favour of the first less that in favour of the second: 1 where it is
    always greater, -1 where it is always less. The ranks of ties are in favour of neither.
    """
    n = len(apart)
    return float(_signed_ranks(apart).sum() / (n * (n + 1) / 2))


def t_interval(values: Floats, alpha: float) -> tuple[float, float]:
    """Student's interval of the mean, two values or more, as if the data sets were drawn at random.

    With few data sets it is wide, as it should be; a bootstrap's would be too narrow.
    """
    from scipy.special import stdtrit

    n = len(values)
    half = float(stdtrit(n - 1, 1 - alpha / 2) * values.std(ddof=1) / math.sqrt(n))
    mean = float(values.mean())
    return mean - half, mean + half


def smallest_p(n_data: int) -> float:
    """The smallest p that Wilcoxon's test can give: all differences on one side."""
    return min(1.0, 2.0 ** (1 - n_data))


def data_needed(n_pairs: int, alpha: float) -> int:
    """How many data sets it takes for Wilcoxon's test to reach alpha for one of so many pairs."""
    n = 1
    while n_pairs * smallest_p(n) >= alpha:
        n += 1
    return n
