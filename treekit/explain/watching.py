"""Looking on while a tree grows: what was weighed at each node, within limits.

Growth hands over many nodes at a time and forgets their rows afterwards, so every figure is taken
at once, and nothing is kept of nodes beyond the limits.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.explain.candidates import (
    NO_SUM,
    candidate,
    kept,
    minimum_in_words,
    passed_over,
    position_of,
    subject_of,
    weigh,
)
from treekit.explain.parts import NodeCases
from treekit.explain.record import ColumnSeen, Limits, Part
from treekit.offers import Decisions, Offers, Tests, first_best
from treekit.provided import Search, Step
from treekit.recipe import TreeParts
from treekit.table.record import Floats, Ints, Schema
from treekit.tree import LINEAR, Tree

ASKED_ABOVE = "asked above already"
NOT_DRAWN = "not among the columns drawn for this node"
ONE_VALUE = "its rows have one known value at most"
NO_DIRECTION = "no direction tells its rows apart"
DECLINED = "the splitter offers none of its tests"


@frozen
class Looked:
    """What was seen of one node while its test was chosen."""

    here: Part
    columns: tuple[ColumnSeen, ...]
    left_out: int
    chosen: int | None
    runner_up: int | None
    margin: float | None
    tied: bool


class Watching:
    """A `provided.Watch` that keeps what it saw of the nodes within limits.

    whole  how many rows the user's table has
    only   the nodes to keep, by the order of opening; all within the limits unless given
    """

    def __init__(
        self,
        parts: TreeParts,
        schema: Schema,
        whole: int,
        limits: Limits,
        only: Collection[int] | None = None,
    ) -> None:
        self.parts = parts
        self.schema = schema
        self.whole = whole
        self.limits = limits
        self.only = only
        self.seen: dict[int, Looked] = {}
        self.opened: Ints = np.empty(0, np.int64)
        self.tree: Tree | None = None
        self.decisions: list[Decisions] = []

    def looked(self, step: Step) -> None:
        merit = merit_of(self.parts.criterion, step.offers)
        barred = _barred(self.parts.criterion, step.offers)
        for i, number in enumerate(step.numbers.tolist()):
            if self._wanted(number, int(step.search.nodes.depth[i])):
                own = None if merit is None else merit[i]
                self.seen[number] = _look(step, i, self, own, barred[i])

    def finished(self, opened: Ints) -> None:
        self.opened = opened

    def grown(self, tree: Tree) -> None:
        self.tree = tree

    def tell(self, decisions: Decisions) -> None:
        self.decisions.append(decisions)

    def _wanted(self, number: int, depth: int) -> bool:
        if self.only is not None:
            return number in self.only
        limits = self.limits
        return (limits.depth is None or depth <= limits.depth) and (
            limits.nodes is None or len(self.seen) < limits.nodes
        )


def merit_of(criterion: Any, offers: Offers) -> Floats | None:
    """[nodes, columns]: what columns are compared by; None where the criterion does not tell."""
    if hasattr(criterion, "merit"):
        return np.asarray(criterion.merit(offers))
    return None if hasattr(criterion, "choose") else offers.score


def _barred(criterion: Any, offers: Offers) -> Any:
    """[nodes][columns]: the criterion's rule that keeps a column from winning, or nothing."""
    if hasattr(criterion, "rejected"):
        return criterion.rejected(offers)
    return [[""] * len(offers.columns)] * len(offers.score)


def _look(step: Step, i: int, watching: Watching, merit: Floats | None, barred: Any) -> Looked:
    """What was looked at for node i of a step."""
    search, offers, parts = step.search.at(i), step.offers, watching.parts
    cases = NodeCases.of(search, parts.impurity, watching.whole)
    score = offers.score[i]
    chosen = int(step.choice[i])
    runner_up, margin, tied = _contest(merit, chosen, float(np.abs(search.nodes.impurity[0])))
    listed = _listed(score if merit is None else merit, chosen, watching.limits.columns)
    columns = []
    for j in listed.tolist():
        column, test = int(offers.columns[j]), offers.tests[j]
        own = Tests(test.kind, test.operands[i : i + 1], test.n_branches[i : i + 1])
        if test.kind != LINEAR and (why := _not_asked(step, i, column)):
            nothing = ColumnSeen(
                search.table.columns[column], None, (), 0, 0, None, None, None, why
            )
            columns.append(nothing)
            continue
        seen = _column(search, cases, column, own, bool(np.isfinite(score[j])), watching)
        columns.append(
            evolve(
                seen,
                tries=int(offers.tries[i, j]),
                score=_finite(score[j]),
                split_information=_finite(offers.split_info[i, j]) if seen.best else None,
                merit=None if merit is None else _finite(merit[j]),
                rejected=seen.rejected or str(barred[j]),
            )
        )
    place = {j: at for at, j in enumerate(listed.tolist())}
    return Looked(
        here=cases.part(np.ones(len(cases.rows), dtype=bool)),
        columns=tuple(columns),
        left_out=len(offers.columns) - len(listed),
        chosen=place.get(chosen),
        runner_up=None if runner_up is None else place.get(runner_up),
        margin=margin,
        tied=tied,
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _not_asked(step: Step, i: int, column: int) -> str:
    """Why node i was not asked about a column; empty if it was."""
    if step.used[i, column]:
        return ASKED_ABOVE
    return "" if step.asked is None or step.asked[i, column] else NOT_DRAWN


def _contest(
    merit: Floats | None, chosen: int, scale: float
) -> tuple[int | None, float | None, bool]:
    """The next best column, by how much it lost, and whether only its place decided."""
    if merit is None or chosen < 0:
        return None, None, False
    others = merit.copy()
    others[chosen] = -np.inf
    runner_up = int(first_best(others, scale))
    if runner_up < 0:
        return None, None, False
    # As growth compares them: the first is taken unless the other is better by more than noise.
    pair = np.array([others[runner_up], merit[chosen]])
    tied = int(first_best(pair, scale)) == 0 and int(first_best(pair[::-1], scale)) == 0
    return runner_up, 0.0 if tied else float(merit[chosen] - others[runner_up]), tied


def _listed(merit: Floats, chosen: int, most: int | None) -> Ints:
    """The columns to list: all, or of too many the best ones; in the table's order."""
    if most is None or len(merit) <= most:
        return np.arange(len(merit))
    order = np.argsort(-merit, kind="stable")
    if chosen >= 0:
        order = np.concatenate([[chosen], order[order != chosen]])
    return np.sort(order[:most])


def _column(
    search: Search,
    cases: NodeCases,
    column: int,
    offered: Tests,
    offers_one: bool,
    watching: Watching,
) -> ColumnSeen:
    """The tests of one column, without what the competition made of it."""
    splitter = watching.parts.splitter[search.table.columns[column].kind]
    subject = subject_of(splitter, search, cases, column, offered)
    weighed = weigh(search, cases, subject.values, subject.tests)
    best = position_of(weighed.tests, subject.offered) if offers_one else None
    if best is None and offers_one:
        weighed = weigh(search, cases, subject.values, subject.offered)
        best = 0
    which = kept(weighed, best, watching.limits.cuts)
    missing = watching.parts.missing
    found = [candidate(search, cases, subject, weighed, i, missing) for i in which.tolist()]
    winner = None if best is None else found[which.tolist().index(best)]
    rejected = ""
    if winner is not None:
        found = passed_over(found, winner)
    elif subject.column is NO_SUM:
        rejected = NO_DIRECTION
    elif not (weighed.rows > 0).sum(axis=1, initial=0).max(initial=0) > 1:
        rejected = ONE_VALUE
    else:
        declined = str(getattr(splitter, "declines", "") or DECLINED)
        rejected = declined if weighed.enough.any() else minimum_in_words(search)
    left_out = len(weighed.score) - len(which)
    return ColumnSeen(subject.column, winner, tuple(found), left_out, 0, None, None, None, rejected)
