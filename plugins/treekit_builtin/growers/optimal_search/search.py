"""The tree of least cost of any depth: branch and bound over first tests, two levels at the bottom.

Costs are errors, and what leaves cost. A search answers with the best tree that costs less than a
goal, and with what every tree costs at least; when time is up, with what was found until then.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from math import inf

import numpy as np
from attrs import frozen

from treekit import SMALL, Int64s, Ints

from .intervals import Cuts, bounds_at, find_cuts, open_cuts
from .points import HALF, ROW, Points, RowsAndTests, points_of
from .sides import Scratch, divide, one_test
from .two_levels import two_levels

BUDGET = 1 << 24  # words visited between two looks at the clock
REMEMBERED = 1 << 17  # how many answers are kept


@frozen(eq=False)
class Plan:
    """A tree: rows of the problem with codes[family] <= code go left. Family -1 is a leaf."""

    cost: float
    family: int = -1
    code: int = -1
    left: Plan | None = None
    right: Plan | None = None


@frozen(eq=False)
class Answer:
    """About some points: the best tree below the goal, or None; what every tree costs at least.

    `relaxed` is the same of trees that need not hold the branch minimum.
    """

    plan: Plan | None
    lower: float
    relaxed: float

    @property
    def cost(self) -> float:
        return inf if self.plan is None else self.plan.cost


@frozen(eq=False)
class Outcome:
    """The best tree found, its cost, what every tree costs at least, and whether that is proved."""

    plan: Plan
    cost: float
    lower: float
    proven: bool


@frozen(eq=False)
class Part:
    """Some points, their words in some families, and the families' numbers in the problem."""

    which: Ints
    words: Int64s
    family: Ints

    @property
    def divisible(self) -> Part:
        """The same points in the families that tell them apart."""
        if len(self.which) == 0:
            return Part(self.which, self.words[:0], self.family[:0])
        apart = self.words[:, 0] >> HALF != self.words[:, -1] >> HALF
        return Part(self.which, self.words[apart], self.family[apart])


def best_tree(problem: RowsAndTests, depth: int, expired: Callable[[], bool]) -> Outcome:
    """The tree of least cost of no more than this depth, as far as it is found in time.

    `expired` is asked now and then. Without it ever being so, the outcome is the same each time.
    """
    points = points_of(problem)
    search = Search(points, expired)
    everyone = Part(np.arange(len(points.target)), points.words, points.family)
    answer = search.solve(everyone, depth, inf)
    plan = answer.plan or search.leaf(everyone)
    # Each of the searches within may be wrong by a rounding error.
    proven = plan.cost - answer.lower <= points.rounding * 2 ** (depth + 1)
    lower = plan.cost if proven else answer.lower
    return Outcome(plan, plan.cost + points.offset, lower + points.offset, proven)


class Search:
    """A search under way: what was answered already, and how much was done."""

    def __init__(self, points: Points, expired: Callable[[], bool]) -> None:
        self.points = points
        self.expired = expired
        self.given = points.given
        n, k = len(points.target), points.n_classes
        self.scratch = Scratch(
            np.zeros((n, 2)), np.zeros(n, np.int64), np.zeros(2 * k), np.zeros((2, n)),
            np.zeros(n, bool),
        )  # fmt: skip
        self.answered: dict[tuple[int, bytes], Answer] = {}
        self.visited = 0
        self.over = False

    @property
    def compiled(self) -> bool:
        return self.visited > SMALL

    def out_of_time(self) -> bool:
        self.over = self.over or self.expired()
        return self.over

    def solve(self, part: Part, depth: int, goal: float) -> Answer:
        """The best tree for some points that costs less than the goal."""
        leaf, floor = self.leaf(part), self.floor(part)
        part = part.divisible
        if depth == 0 or len(part.family) == 0 or leaf.cost <= floor + self.points.rounding:
            return Answer(leaf if leaf.cost < goal else None, leaf.cost, leaf.cost)
        if floor >= goal:
            return Answer(None, floor, floor)
        if depth == 1:
            return self._one_level(part, leaf, goal)
        key = (depth, self._key(part))
        known = self.answered.get(key)
        if known is not None and (known.plan is not None or known.lower >= goal):
            return known if known.cost < goal else Answer(None, known.lower, known.relaxed)
        found = (self._two_levels if depth == 2 else self._deeper)(part, depth, leaf, goal)
        if not self.over and len(self.answered) < REMEMBERED:
            self.answered[key] = found
        return found

    def leaf(self, part: Part) -> Plan:
        points, which = self.points, part.which
        weight = np.bincount(points.target[which], points.weight[which], points.n_classes)
        return Plan(float(weight.sum() - weight.max()) + points.leaf_cost)

    def floor(self, part: Part) -> float:
        """What every tree costs at least, at a glance."""
        return float(self.points.loss[part.which].sum()) + self.points.leaf_cost

    def _key(self, part: Part) -> bytes:
        held = np.zeros(len(self.points.target), bool)
        held[part.which] = True
        return np.packbits(held).tobytes()

    def _one_level(self, part: Part, leaf: Plan, goal: float) -> Answer:
        costs, at = self._one_test(part)
        plan = leaf
        if costs[2] < leaf.cost - self.points.rounding:
            left, right = self._divided(part, *at)
            plan = _plan(costs[2], part, at, self.leaf(left), self.leaf(right))
        lower, relaxed = min(leaf.cost, costs[2]), min(leaf.cost, costs[1])
        return Answer(plan if plan.cost < goal else None, lower, relaxed)

    def _one_test(self, part: Part) -> tuple[list[float], tuple[int, int]]:
        """As a leaf, with one test, with one that holds the branch minimum; and that test."""
        costs, at = np.empty(3), np.zeros(2, np.int64)
        counts = (np.empty(self.points.n_classes), np.empty(self.points.n_classes))
        one_test.bound(self.compiled)(part.words, self.given, counts, costs, at)
        self.visited += part.words.size
        return costs.tolist(), (int(at[0]), int(at[1]))

    def _divided(self, part: Part, family: int, end: int) -> tuple[Part, Part]:
        words = part.words
        left = np.empty((len(words), end), np.int64)
        right = np.empty((len(words), words.shape[1] - end), np.int64)
        divide.bound(self.compiled)(words, family, end, self.scratch.goes_left, left, right)
        self.visited += words.size
        ids = words[family] & ROW
        return Part(ids[:end], left, part.family), Part(ids[end:], right, part.family)

    def _cuts(self, part: Part) -> Cuts:
        n_families, n = part.words.shape
        shape = (n_families, n + 1)
        cuts = Cuts(
            np.empty(shape, np.int64), np.empty(shape), np.empty(shape),
            np.empty((n_families, 3), np.int64),
        )  # fmt: skip
        find_cuts.bound(self.compiled)(part.words, self.given, cuts)
        self.visited += part.words.size
        return cuts

    def _two_levels(self, part: Part, depth: int, leaf: Plan, goal: float) -> Answer:
        rounding = self.points.rounding
        costs_of_one, _ = self._one_test(part)
        whole = min(leaf.cost, costs_of_one[1])
        cuts = self._cuts(part)
        n_families, n = part.words.shape
        between = np.empty((n_families + n + 1, 3), np.int64)
        known = np.empty((len(between), 4))
        # The first family is looked at first.
        between[:n_families, 0] = np.arange(n_families)[::-1]
        between[:n_families, 1] = 0
        between[:n_families, 2] = cuts.limits[::-1, 0] + 1
        known[:n_families] = (0.0, whole, whole, 0.0)
        place = np.array([n_families, -1, -1])
        start = min(goal, leaf.cost - rounding)
        costs = np.array([start, inf, inf, inf, rounding])
        while place[0] > 0:
            if self.out_of_time():
                floor = self.floor(part)
                costs[2], costs[3] = floor, floor
                break
            two_levels.bound(self.compiled)(
                part.words, self.given, self.scratch, cuts, between, known, place, costs,
                BUDGET if self.compiled else SMALL,
            )  # fmt: skip
            self.visited += part.words.size
        plan = leaf
        if place[1] >= 0:
            at = int(place[1]), int(cuts.ends[place[1], place[2]])
            left, right = (self.solve(side, 1, inf).plan for side in self._divided(part, *at))
            plan = _plan(float(costs[1]), part, at, left, right)
        lower, relaxed = min(leaf.cost, float(costs[2])), min(leaf.cost, float(costs[3]))
        return Answer(plan if plan.cost < goal else None, lower, relaxed)

    def _deeper(self, part: Part, depth: int, leaf: Plan, goal: float) -> Answer:
        """Of the cuts between known cuts those that may be best are looked at first."""
        rounding = self.points.rounding
        shallow = self.solve(part, depth - 1, goal)
        best = shallow.plan
        goal = min(goal, shallow.cost - rounding)
        lower = relaxed = leaf.cost
        ends, passed, lost, limits = self._cuts(part)
        waiting: list[tuple[float, int, int, int, tuple[float, ...]]] = []
        ends_known = (0.0, shallow.relaxed, shallow.relaxed, 0.0)
        for family in range(len(part.family)):
            heappush(waiting, (0.0, family, 0, int(limits[family, 0]) + 1, ends_known))
        while waiting:
            bound, family, a, b, known = heappop(waiting)
            of_family = passed[family], lost[family]
            cut, least_open, least_closed, least_barred = open_cuts.bound(self.compiled)(
                a, b, np.array(known), *of_family, limits[family], goal
            )
            if self.out_of_time():
                least = min([bound, *(entry[0] for entry in waiting)])
                lower, relaxed = min(lower, least), min(relaxed, least)
                break
            lower = min(lower, least_closed)
            relaxed = min(relaxed, least_closed, least_barred)
            if cut == 0:
                continue
            if least_open > bound:
                # The others may be better by now.
                heappush(waiting, (least_open, family, a, b, known))
                continue
            end = int(ends[family, cut])
            at_least = bounds_at.bound(self.compiled)(cut, a, b, np.array(known), *of_family)
            found, sides = self._tried(part, depth, family, end, at_least, goal)
            lower = min(lower, found.lower)
            relaxed = min(relaxed, sum(sides))
            if found.plan is not None:
                best, goal = found.plan, found.plan.cost - rounding
            bound = min(least_open, sum(sides))
            if a + 1 < cut:
                heappush(waiting, (bound, family, a, cut, (*known[:2], *sides)))
            if cut + 1 < b:
                heappush(waiting, (bound, family, cut, b, (*sides, *known[2:])))
        return Answer(best, lower, relaxed)

    def _tried(
        self,
        part: Part,
        depth: int,
        family: int,
        end: int,
        at_least: tuple[float, float],
        goal: float,
    ) -> tuple[Answer, tuple[float, float]]:
        """The best tree with this first test, and what its two sides cost at least."""
        parts = self._divided(part, family, end)
        left = self.solve(parts[0], depth - 1, goal - at_least[1])
        relaxed = max(at_least[0], left.relaxed)
        if left.plan is None:
            lower = max(at_least[0], left.lower) + at_least[1]
            return Answer(None, lower, lower), (relaxed, at_least[1])
        right = self.solve(parts[1], depth - 1, goal - left.cost)
        sides = relaxed, max(at_least[1], right.relaxed)
        plan = None
        if right.plan is not None:
            cost = left.cost + right.cost
            plan = _plan(cost, part, (family, end), left.plan, right.plan)
        return Answer(plan, left.lower + right.lower, sum(sides)), sides


def _plan(
    cost: float, part: Part, at: tuple[int, int], left: Plan | None, right: Plan | None
) -> Plan:
    """A first test and what follows on its sides."""
    family, end = at
    code = int(part.words[family, end - 1] >> HALF)
    return Plan(cost, int(part.family[family]), code, left, right)
