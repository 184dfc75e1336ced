"""How unknown values count in a score, where the handler counts them at all.

By value: the handler names a value that stands for an unknown one (`typical`), and the unknown
rows are counted where it goes. By branch: the handler says in which ways they may join the
branches (`join`), and the way that scores best is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from treekit.compiling import kernel
from treekit.engine.scan import impurity, score
from treekit.engine.scoring import Scoring
from treekit.offers import Histogram, Tests, first_best
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import CUTS, LINEAR

# What is left of the difference of two sums, below this share of them, is rounding.
NOISE = 1e-12


def counts_unknown(missing: Any) -> bool:
    """Does the handler count the unknown rows in a score?"""
    return hasattr(missing, "typical") or hasattr(missing, "join")


def toward_width(missing: Any, table: Table) -> int:
    """How many branches are told for a node's unknown values: one, or one more for each class."""
    by_class = hasattr(missing, "typical") and table.task == "classification"
    return 1 + len(table.schema.classes) if by_class else 1


def without(whole: Floats, known: Floats, of_classes: bool) -> Floats:
    """The statistics that the known ones leave of the whole, [..., S]; nothing if it is noise."""
    rest = whole - known
    if of_classes:
        rest = np.maximum(rest, 0.0)  # a class weight left below zero by rounding
    some = rest[..., :1] > NOISE * whole[..., :1]
    return np.asarray(np.where(some, rest, 0.0))


@kernel
def add_unknown(branches, unknown, branch):  # type: ignore[no-untyped-def]
    """Add the unknown [m, S] to `branch` of each of the branches [m, k, S]; -1: to none.

    `branch` is [m, 1], or [m, 1 + classes] with a branch for the unknown of each class.
    """
    for i in range(branch.shape[0]):
        if branch.shape[1] == 1:
            if branch[i, 0] >= 0:
                for s in range(unknown.shape[1]):
                    branches[i, branch[i, 0], s] += unknown[i, s]
        else:
            for s in range(1, unknown.shape[1]):
                if branch[i, s] >= 0:
                    branches[i, branch[i, s], 0] += unknown[i, s]
                    branches[i, branch[i, s], s] += unknown[i, s]


@kernel
def typical_sides(held, places, offset, mine, lower, upper, typical, out):  # type: ignore[no-untyped-def]
    """out[i, g]: the side of candidate i's cut on which typical[node and column, g] lies."""
    for i in range(mine.shape[0]):
        at = offset[mine[i] % offset.shape[0]]
        below, above = held[places[at + lower[i]]], held[places[at + upper[i]]]
        middle = below / 2 + above / 2
        for g in range(typical.shape[1]):
            out[i, g] = 1 if typical[mine[i], g] > middle else 0


@frozen(eq=False)
class Ways:
    """The ways of a handler with `join`, scored: the best score, and the branches of that way."""

    score: Floats
    branches: Floats


def unknown_sides(unknown: Floats, above: Bools) -> Floats:
    """[..., 2]: the weight of the unknown [..., S] on each side of a cut.

    `above` is [..., 1], or [..., 1 + classes] with a side for the unknown of each class.
    """
    groups = slice(0, 1) if above.shape[-1] == 1 else slice(1, None)
    weight = unknown[..., groups]
    upper = np.where(above[..., groups], weight, 0.0).sum(axis=-1)
    return np.stack([weight.sum(axis=-1) - upper, upper], axis=-1)


@kernel
def score_ways(ways, whole, before, impurity_parameters, score_parameters, out):  # type: ignore[no-untyped-def]
    """The best score of each candidate i over its `ways[w, k, S, i]`, the formulas compiled in."""
    n_ways, n_branches, size, n = ways.shape
    branches = np.empty((n_branches, size))
    after = np.empty(n_branches)
    parent = np.empty(size)
    for i in range(n):
        out[i] = -np.inf
        for s in range(size):
            parent[s] = whole[s, i]
        for way in range(n_ways):
            for b in range(n_branches):
                for s in range(size):
                    branches[b, s] = ways[way, b, s, i]
                after[b] = impurity(branches[b], impurity_parameters)
            value = score(parent, branches, before[i], after, score_parameters)
            if value > out[i]:
                out[i] = value


def best_scores(
    scoring: Scoring, ways: Floats, whole: Floats, before: Floats, compiled: bool
) -> Floats:
    """[m]: the best score of each candidate's ways [m, ways, k, S]; of the whole [S, m]."""
    if not scoring.is_fused:
        parent = np.broadcast_to(whole.T[:, None], (*ways.shape[:2], len(whole)))
        each = scoring.score(parent, ways, np.repeat(before[:, None], ways.shape[1], 1), compiled)
        return np.asarray(np.where(np.isnan(each), -np.inf, each).max(axis=1))
    best = np.empty(len(ways))
    by_plane = np.ascontiguousarray(ways.transpose(1, 2, 3, 0))
    score_ways.bound(compiled, scoring.formulas)(by_plane, whole, before, *scoring.parameters, best)
    return best


def best_way(
    missing: Any, scoring: Scoring, branches: Floats, unknown: Floats, compiled: bool
) -> Ways:
    """Of [..., k, S] known and [..., S] unknown: the way of joining them that scores best."""
    ways = np.asarray(missing.join(branches, unknown))
    whole = np.broadcast_to(ways[..., :1, :, :].sum(axis=-2), (*ways.shape[:-2], ways.shape[-1]))
    before = scoring.impurity_of(whole, compiled)
    score = scoring.score(whole, ways, before, compiled)
    best = np.maximum(first_best(np.where(np.isnan(score), -np.inf, score)), 0)
    return Ways(
        np.take_along_axis(score, best[..., None], axis=-1)[..., 0],
        np.take_along_axis(ways, best[..., None, None, None], axis=-3)[..., 0, :, :],
    )


def joined_branch(branches: Floats, joined: Floats) -> Ints:
    """[...]: the branch that the unknown rows joined; k: they are a branch of their own."""
    k = branches.shape[-2]
    before = np.zeros(joined.shape[:-1])
    before[..., :k] = branches[..., 0]
    return np.asarray((joined[..., 0] - before).argmax(axis=-1))


def filled(seen: Histogram, unknown: Histogram, level: Ints, compiled: bool) -> Histogram:
    """The histogram with the unknown rows counted at `level` [n, 1] or [n, 1 + classes].

    `unknown` has their statistics [n, 1, S], and rows [n, 1 or classes].
    """
    stats = seen.stats.copy()
    add_unknown.bound(compiled)(stats, unknown.stats[:, 0], level)
    rows = seen.rows.copy()
    each = np.arange(len(rows))
    for group in range(unknown.rows.shape[1]):
        at = level[:, 0 if level.shape[1] == 1 else 1 + group]
        np.add.at(rows, (each, np.maximum(at, 0)), np.where(at >= 0, unknown.rows[:, group], 0))
    return Histogram(stats, rows)


def branch_taken(tests: Tests, some: Ints, value: Floats) -> Ints:
    """[m, D]: the branch that each value takes in the test of each of `some` nodes; -1: none."""
    operands = tests.of(some)
    unknown = np.isnan(value)
    if tests.kind == LINEAR:
        return np.where(unknown, -1, value > operands[:, :1])
    if tests.kind == CUTS:
        held = np.arange(operands.shape[1]) < tests.n_operands[some][:, None]
        above = (value[:, :, None] > operands[:, None, :]) & held[:, None, :]
        return np.where(unknown, -1, above.sum(axis=-1))
    level = np.where(unknown, 0.0, value).astype(np.int64)
    return np.where(unknown, -1.0, np.take_along_axis(operands, level, axis=1)).astype(np.int64)
