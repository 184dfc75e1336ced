"""Gain and split information as C4.5 reckons them: in single precision.

C4.5 keeps every figure in 32 bits. Where tests are all but equally good, its rounding chooses; so
whoever wants the same tree has to round at the same steps. That costs as much as a second look at
every test, and only matters where tests are close: only those are reckoned so.
"""

from __future__ import annotations

import math

import numpy as np
from attrs import evolve

from treekit import CUTS, SMALL, Bools, Floats, Nodes, Offers, Search, kernel

CLOSE = 1e-5  # what rounding to 32 bits may add to a gain, generously
NOISE = 1e-9  # a smaller share of a node's weight is what rounding to 64 bits left
LN2 = math.log(2.0)


def reckoned_singly(offers: Offers, search: Search, close: Bools) -> Offers:
    """The same offers, with the gain and split information of the `close` ones as C4.5 has them.

    Gains that are not of entropy in bits, which is all that C4.5 knows, stay as they are.
    """
    if not close.any() or not _measured_in_bits(search.nodes):
        return offers
    score, split_info = offers.score.copy(), offers.split_info.copy()
    reckon = _reckon.bound(search.table.cells.size > SMALL)
    for j in np.flatnonzero(close.any(axis=0)):
        here, tests = np.flatnonzero(close[:, j]), offers.tests[j]
        branches = search.divided(int(offers.columns[j]), tests).stats
        gain, info = np.empty(len(here)), np.empty(len(here))
        reckon(branches[here], search.nodes.stats[here], tests.kind == CUTS, gain, info)
        # A splitter may charge for the choice of a cut (Quinlan 1996); C4.5 rounds that too.
        tries = np.maximum(offers.tries[here, j], 1)
        charge = _rounded(np.log2(tries) / search.nodes.weight[here])
        charged = np.abs(gain - charge - score[here, j]) < np.abs(gain - score[here, j])
        gain = _rounded(gain - np.where(charged, charge, 0.0))
        # Levels that were set aside count in some ways and not in others: leave such tests alone.
        same = np.abs(gain - score[here, j]) <= CLOSE
        same &= np.abs(info - split_info[here, j]) <= CLOSE
        score[here[same], j], split_info[here[same], j] = gain[same], info[same]
    return evolve(offers, score=score, split_info=split_info)


def _rounded(values: Floats) -> Floats:
    return values.astype(np.float32).astype(np.float64)


def _measured_in_bits(nodes: Nodes) -> bool:
    share = nodes.stats[:, 1:] / nodes.stats[:, :1]
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return bool(np.allclose(-(share * logs).sum(axis=1), nodes.impurity, rtol=1e-6, atol=1e-6))


@kernel
def _single(value):  # type: ignore[no-untyped-def]
    return np.float64(np.float32(value))


@kernel
def _information(total, inner):  # type: ignore[no-untyped-def]
    """C4.5's total information: what is left of n log n when the sum of its parts' is taken."""
    return _single(total * (math.log(total) / LN2) - inner) if total > 0.0 else 0.0


@kernel
def _reckon(branches, nodes, is_cut, gain, info):  # type: ignore[no-untyped-def]
    """gain[n] and info[n] of splitting `nodes` [n, S] into `branches` [n, k, S]."""
    n_branches, size = branches.shape[1], branches.shape[2]
    for n in range(branches.shape[0]):
        items = _single(nodes[n, 0])
        unknown = nodes[n, 0]
        for k in range(n_branches):
            unknown -= branches[n, k, 0]
        unknown = _single(unknown) if unknown > NOISE * nodes[n, 0] else 0.0
        known = _single(items - unknown)

        left = 0.0
        outer = _single(unknown * (math.log(unknown) / LN2)) if unknown > 0.0 else 0.0
        all_items = unknown
        for k in range(n_branches):
            inner = weight = 0.0
            for s in range(1, size):
                part = _single(branches[n, k, s])
                if part > 0.0:
                    inner = _single(inner + part * (math.log(part) / LN2))
                    weight = _single(weight + part)
            if weight > 0.0:
                left = _single(left + _information(weight, inner))
                outer = _single(outer + weight * (math.log(weight) / LN2))
                all_items = _single(all_items + weight)
        info[n] = _single(_information(all_items, outer) / items)

        inner = weight = 0.0
        for s in range(1, size):
            part = 0.0
            for k in range(n_branches):
                part = _single(part + _single(branches[n, k, s]))
            if part > 0.0:
                inner += part * (math.log(part) / LN2)
                weight = _single(weight + part)
                # Of cuts, C4.5 keeps this sum too in 32 bits.
                if is_cut:
                    inner = _single(inner)
        if weight <= 0.0 or known <= 0.0:
            gain[n] = 0.0
            continue
        if is_cut:
            before = _single(_information(weight, inner) / known)
            share = _single(1.0 - _single(1.0 - _single(known / items)))
        else:
            before = _single((known * (math.log(known) / LN2) - inner) / known)
            share = _single(1.0 - _single(unknown / items))
        gain[n] = _single(share * _single(before - _single(left / known)))
