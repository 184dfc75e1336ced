"""The tests that a column might offer to a node, each with all its figures."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.engine import tests_of
from treekit.explain.parts import NodeCases, branch_numbers
from treekit.explain.record import Candidate, Test
from treekit.linear import linear_of, sum_column
from treekit.offers import Tests, first_best, split_information
from treekit.provided import Search
from treekit.table.record import Bools, Column, Floats, Ints
from treekit.tree import CUTS, LINEAR, NOWHERE

FEW = 5  # how many of too many tests are listed
LEAST_INFORMATION = 1e-9
PASSED_OVER = "not offered by the splitter"
NO_SUM = Column("a sum of columns", "numeric")


@frozen(eq=False)
class Weighed:
    """Many tests of one column in one node, as arrays: one entry per test."""

    tests: Tests
    stats: Floats  # [m, k, S], known values only
    rows: Ints  # [m, k]
    score: Floats  # the criterion's, NaN where it has none
    enough: Bools  # do the branches hold the stop rules' minimum?


@frozen(eq=False)
class Subject:
    """What tests ask about: a column, or a sum of several, and its value in each case of a node.

    `offered` is its best test, `tests` all that are weighed; of a sum they are cuts.
    """

    column: Column
    values: Floats
    offered: Tests
    tests: Tests


def subject_of(
    splitter: Any, search: Search, cases: NodeCases, column: int, offered: Tests
) -> Subject:
    """What a test asks about that stands under a column among the offers."""
    columns = cases.table.columns
    if offered.kind != LINEAR:
        tests = tests_of(splitter, search, column, offered)
        return Subject(columns[column], cases.values(column), offered, tests)
    operands = offered.operands[0, : offered.n_operands[0]]
    if len(operands) == 0:
        none = Tests(CUTS, np.empty((0, 1)), np.empty(0, np.int64))
        return Subject(NO_SUM, np.full(len(cases.rows), np.nan), none, none)
    along, cut = search.along(offered), Tests(CUTS, operands[None, :1], offered.n_branches)
    column_of_sum = sum_column(linear_of(operands), columns)
    return Subject(column_of_sum, along.table.cells[0], cut, tests_of(splitter, along, 0, cut))


def weigh(search: Search, cases: NodeCases, values: Floats, tests: Tests) -> Weighed:
    """The tests with the statistics of their branches and their scores."""
    many_cuts = tests.kind == CUTS and tests.operands.shape[1] == 1
    stats, rows = (_by_cut if many_cuts else _one_by_one)(cases, values, tests)
    score = np.asarray(search.score(stats[None])[0]) if len(stats) else np.empty(0)
    enough = np.asarray(search.enough(stats[..., 0], rows), dtype=bool)
    return Weighed(tests, stats, rows, score, enough)


def _by_cut(cases: NodeCases, values: Floats, tests: Tests) -> tuple[Floats, Ints]:
    """Both sides of each cut, from one sorted sum."""
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    sums = np.cumsum(cases.stats[order], axis=0)
    left = np.searchsorted(values[order], tests.operands[:, 0], side="right")
    nothing = np.zeros((1, cases.stats.shape[1]))
    sums = np.concatenate([nothing, sums])
    stats = np.stack([sums[left], sums[-1] - sums[left]], axis=1)
    if cases.classes:
        stats = np.maximum(stats, 0.0)
    return stats, np.stack([left, len(order) - left], axis=1)


def _one_by_one(cases: NodeCases, values: Floats, tests: Tests) -> tuple[Floats, Ints]:
    m, widest = len(tests.n_branches), int(tests.n_branches.max(initial=1))
    stats = np.zeros((m, widest, cases.stats.shape[1]))
    rows = np.zeros((m, widest), np.int64)
    for i in range(m):
        operands = tests.operands[i, : tests.n_operands[i]]
        branch = branch_numbers(tests.kind, operands, values)
        sent = branch != NOWHERE
        np.add.at(stats[i], branch[sent], cases.stats[sent])
        np.add.at(rows[i], branch[sent], 1)
    return stats, rows


def position_of(tests: Tests, offered: Tests) -> int | None:
    """Where the offered test stands among others; None: nowhere."""
    own = offered.operands[0, : offered.n_operands[0]]
    if tests.kind != offered.kind or tests.operands.shape[1] < len(own):
        return None
    alike = (tests.operands[:, : len(own)] == own).all(axis=1)
    alike &= tests.n_operands == len(own)
    found = np.flatnonzero(alike)
    return int(found[0]) if len(found) else None


def kept(weighed: Weighed, best: int | None, most: int | None) -> Ints:
    """Which tests are listed: all of them, or of too many the best few, in their order."""
    m = len(weighed.score)
    if most is None or m <= most:
        return np.arange(m)
    allowed = np.where(weighed.enough & ~np.isnan(weighed.score), weighed.score, -np.inf)
    order = np.argsort(-allowed, kind="stable")[: min(FEW, most)]
    if best is not None and best not in order:
        order = np.append(order[:-1], best)
    return np.sort(order)


def candidate(
    search: Search, cases: NodeCases, subject: Subject, weighed: Weighed, i: int, missing: Any
) -> Candidate:
    """One of the tests with all its figures."""
    tests = weighed.tests
    n_branches = int(tests.n_branches[i])
    operands = tests.operands[i, : tests.n_operands[i]]
    branch = branch_numbers(tests.kind, operands, subject.values)
    stats, rows = weighed.stats[i, :n_branches], weighed.rows[i, :n_branches]
    known, total = float(stats[:, 0].sum()), float(search.nodes.weight[0])
    lost = cases.part(branch == NOWHERE) if (branch == NOWHERE).any() else None
    info = float(split_information(stats[:, 0], np.array(lost.weight if lost else 0.0)))
    *left, before = cases.measured(np.concatenate([stats, stats.sum(axis=0)[None]]))
    remainder = gain = ratio = None
    if before is not None and known > 0:
        remainder = float((stats[:, 0] * np.array(left, np.float64)).sum() / known)
        gain = before - remainder
        if info > LEAST_INFORMATION:
            counted = gain if lost is None else gain * _discount(missing, known, total)
            ratio = counted / info
    score = float(weighed.score[i])
    return Candidate(
        test=Test(subject.column, tests.kind, tuple(operands.tolist()), n_branches),
        branches=tuple(
            cases.counted(stats[b], int(rows[b]), left[b], branch == b) for b in range(n_branches)
        ),
        unknown=lost,
        remainder=remainder,
        gain=gain,
        split_information=info,
        gain_ratio=ratio,
        score=score if np.isfinite(score) else None,
        barred="" if weighed.enough[i] else minimum_in_words(search),
    )


def _discount(missing: Any, known: float, total: float) -> float:
    return float(np.asarray(missing.discount(np.array([known]), np.array([total])))[0])


def minimum_in_words(search: Search) -> str:
    """The rule that a test's branches break when they hold too little."""
    if search.branch_rows > 1:
        return f"fewer than two branches hold {search.branch_rows:g} rows"
    if search.branch_weight > 0:
        return f"fewer than two branches weigh {search.branch_weight:g}"
    return "fewer than two branches hold any rows"


def passed_over(found: list[Candidate], best: Candidate) -> list[Candidate]:
    """Tests that score better than the one offered were barred by a rule of the splitter's."""
    return [
        evolve(one, barred=PASSED_OVER) if not one.barred and _beats(one, best) else one
        for one in found
    ]


def _beats(one: Candidate, best: Candidate) -> bool:
    if one.score is None or best.score is None or one is best:
        return False
    return int(first_best(np.array([best.score, one.score]))) == 1
