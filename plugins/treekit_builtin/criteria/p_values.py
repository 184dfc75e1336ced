"""The chance of a statistic at least so great, as a logarithm, which never underflows."""

from __future__ import annotations

import math

import numpy as np

from treekit import Floats, Ints

TINY = 1e-280  # below this a p-value loses digits
TERMS = 200  # of a continued fraction


def log_chi_squared(statistic: Floats, freedom: Floats) -> Floats:
    """Log of the chance that chi-squared is at least `statistic`.

    Without freedom nothing can be told, and the chance is 1. Where it is too small for a number,
    the continued fraction of the incomplete gamma function is used (Abramowitz and Stegun 6.5.31).
    """
    from scipy.special import chdtrc, gammaln

    told = freedom > 0.0
    chance = np.where(told, chdtrc(np.where(told, freedom, 1.0), statistic), 1.0)
    log = np.array(np.log(np.maximum(chance, TINY)))
    tail = chance < TINY
    if tail.any():
        a, x = np.broadcast_arrays(freedom / 2.0, statistic / 2.0)
        log[tail] = _log_upper_gamma(a[tail], x[tail]) - gammaln(a[tail])
    return np.asarray(log)


def log_f(unexplained: Floats, between: Floats, within: Floats) -> Floats:
    """Log of the chance that Fisher's F leaves at most this share of the squares within.

    `between` and `within` are the degrees of freedom; the statistic is
    (1 - unexplained) / between over unexplained / within. Without freedom nothing can be told,
    and the chance is 1. Where it is too small for a number, the continued fraction of the
    incomplete beta function is used (Abramowitz and Stegun 26.5.8).
    """
    from scipy.special import betainc, betaln

    told = (between > 0.0) & (within > 0.0)
    a, b = np.where(told, within, 1.0) / 2.0, np.where(told, between, 1.0) / 2.0
    x = np.where(told, unexplained, 1.0)
    chance = betainc(a, b, x)
    log = np.array(np.log(np.maximum(chance, TINY)))
    tail = chance < TINY
    if tail.any():
        a, b, x = (np.broadcast_to(part, log.shape)[tail] for part in (a, b, x))
        log[tail] = _log_lower_beta(a, b, x) - betaln(a, b)
    return np.asarray(log)


def log_adjusted(log_p: Floats, tests: Floats | Ints) -> Floats:
    """Log of 1 - (1 - p)^tests: the chance that the least of so many p-values is p or less."""
    chance = np.minimum(np.exp(log_p), 1.0)
    with np.errstate(divide="ignore"):
        whole = np.log(-np.expm1(tests * np.log1p(-chance)))
        # A chance that is next to nothing adds up.
        return np.asarray(np.where(chance < 1e-18, log_p + np.log(tests), whole))


def minus_log10(log_p: Floats) -> Floats:
    """What p-values are scored by: 2 is one in a hundred."""
    return np.asarray(-log_p / math.log(10.0) + 0.0)


def _log_upper_gamma(a: Floats, x: Floats) -> Floats:
    """Log of the upper incomplete gamma function of a at x, for x far above a."""
    fraction = np.zeros_like(x)
    for n in range(TERMS, 0, -1):
        fraction = n * (n - a) / (x + 2 * n + 1 - a - fraction)
    return np.asarray(a * np.log(x) - x - np.log(x + 1 - a - fraction))


def _log_lower_beta(a: Floats, b: Floats, x: Floats) -> Floats:
    """Log of the lower incomplete beta function of a and b at x, for x far below a / (a + b)."""
    fraction = np.ones_like(x)
    for n in range(TERMS, 0, -1):
        m = n // 2
        if n % 2:
            part = -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            part = m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m))
        fraction = 1.0 + part * x / fraction
    return np.asarray(a * np.log(x) + b * np.log1p(-x) - np.log(a) - np.log(fraction))
