"""How far class counts [..., k, S] of branches are from those of independent branches."""

from __future__ import annotations

import numpy as np

from treekit import Floats

NOISE = 1e-12  # what rounding leaves of a weight


def chi_squared_of(branches: Floats) -> Floats:
    """[...]: Pearson's chi-squared of classes and branches."""
    seen, expected = branches[..., 1:], _expected(branches)
    each = (seen - expected) ** 2 / np.where(expected > 0.0, expected, 1.0)
    return np.asarray(each.sum(axis=(-2, -1)))


def g_of(branches: Floats) -> Floats:
    """[...]: the likelihood ratio G of classes and branches."""
    seen, expected = branches[..., 1:], _expected(branches)
    ratio = np.divide(seen, expected, out=np.ones_like(expected), where=seen * expected > 0.0)
    return np.asarray(np.maximum(2.0 * (seen * np.log(ratio)).sum(axis=(-2, -1)), 0.0))


def freedom_of(branches: Floats) -> Floats:
    """[...]: the degrees of freedom, by the classes and branches that hold rows."""
    seen = branches[..., 1:]
    noise = NOISE * seen.sum(axis=(-2, -1))[..., None]
    n_branches = (seen.sum(axis=-1) > noise).sum(axis=-1)
    n_classes = (seen.sum(axis=-2) > noise).sum(axis=-1)
    freedom = np.maximum(n_branches - 1, 0) * np.maximum(n_classes - 1, 0)
    return np.asarray(freedom.astype(np.float64))


def _expected(branches: Floats) -> Floats:
    """[..., k, classes]: the class weights of the branches, were they independent."""
    seen = branches[..., 1:]
    by_branch = seen.sum(axis=-1, keepdims=True)
    by_class = seen.sum(axis=-2, keepdims=True)
    total = by_class.sum(axis=-1, keepdims=True)
    return np.asarray(by_branch * (by_class / np.where(total > 0.0, total, 1.0)))
