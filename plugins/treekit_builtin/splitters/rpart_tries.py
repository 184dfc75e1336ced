"""What rpart's `class` tries in the open nodes: weights on the left, added up in rpart's order."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import Floats, Ints, Search, kernel

SUBSETS = 1 << 18  # that are laid out at a time, if a node alone has no more


@frozen(eq=False)
class Reached:
    """The rows of some nodes, end to end: node n's are those from start[n] to start[n + 1].

    `y` is their class, `altered` their weight by the altered prior of that. `head` and `following`
    lead from a row of the table to the places where it stands, as it may have reached several
    nodes; -1 is the end.
    """

    start: Ints
    rows: Ints
    weights: Floats
    y: Ints
    altered: Floats
    head: Ints
    following: Ints

    @staticmethod
    def of(search: Search, prior: Floats) -> Reached:
        cases = [search.cases_of(i) for i in range(len(search.nodes))]
        rows = np.concatenate([np.empty(0, np.int64), *(rows for rows, _ in cases)])
        head, following = np.full(search.table.n_rows, -1), np.empty_like(rows)
        _chain.bound(search.compiled)(rows, head, following)
        weights = np.concatenate([np.empty(0), *(weights for _, weights in cases)])
        y = search.table.y[rows].astype(np.int64)
        return Reached(
            np.cumsum([0, *(len(rows) for rows, _ in cases)]),
            rows,
            weights,
            y,
            weights * prior[y],
            head,
            following,
        )

    @property
    def node(self) -> Ints:
        """[rows]: which node each has reached."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def part(self, begin: int, end: int) -> Reached:
        """Some of the nodes, to be walked in the order of the table."""
        here = slice(self.start[begin], self.start[end])
        none = np.empty(0, np.int64)
        return Reached(
            self.start[begin : end + 1] - self.start[begin],
            self.rows[here],
            self.weights[here],
            self.y[here],
            self.altered[here],
            none,
            none,
        )


@frozen(eq=False)
class Tries:
    """Candidates of some nodes, node n's from bounds[n] to bounds[n + 1].

    left    [K, m]: the weight on the left by class
    rows    [m]: the rows there
    lower   [m]: the altered weight there, added up row by row or level by level
    upper   [m]: that on the right, taken away from `whole` in the same order
    total   [n, K]: the weight by class of the rows whose value is known
    known   [n]: how many these are
    whole   [n]: their altered weight
    """

    bounds: Ints
    left: Floats
    rows: Ints
    lower: Floats
    upper: Floats
    total: Floats
    known: Ints
    whole: Floats

    @property
    def owner(self) -> Ints:
        """[m]: whose candidates they are."""
        return np.repeat(np.arange(len(self.known)), np.diff(self.bounds))

    @staticmethod
    def room(n: int, m: int, classes: int) -> Tries:
        return Tries(
            np.zeros(n + 1, np.int64),
            np.empty((classes, m)),
            np.empty(m, np.int64),
            np.empty(m),
            np.empty(m),
            np.zeros((n, classes)),
            np.zeros(n, np.int64),
            np.zeros(n),
        )

    def filled(self) -> Tries:
        """Without the room that was left over."""
        m = self.bounds[-1]
        return Tries(
            self.bounds,
            self.left[:, :m],
            self.rows[:m],
            self.lower[:m],
            self.upper[:m],
            self.total,
            self.known,
            self.whole,
        )

    @property
    def candidates(self) -> tuple[Floats | Ints, ...]:
        return self.bounds, self.left, self.rows, self.lower, self.upper


def cuts(search: Search, reached: Reached, column: int, prior: Floats) -> tuple[Tries, Floats]:
    """Every cut between neighbouring values, the lowest first, and those neighbours [2, m]."""
    n = len(reached.start) - 1
    in_order, end = np.empty_like(reached.rows), np.empty(n, np.int64)
    _deal.bound(search.compiled)(
        search.table.ascending(column), reached.head, reached.following, reached.node,
        reached.start, in_order, end,
    )  # fmt: skip
    tries = Tries.room(n, len(in_order), len(prior))
    between = np.empty((2, len(in_order)))
    _lay_out_cuts.bound(search.compiled)(
        reached.start, in_order, end, search.table.cells[column, reached.rows], reached.weights,
        reached.y, reached.altered, tries.total, tries.known, tries.whole, between,
        *tries.candidates,
    )  # fmt: skip
    tries = tries.filled()
    return tries, between[:, : len(tries.rows)]


def groups(search: Search, reached: Reached, column: int, prior: Floats) -> tuple[Tries, Ints]:
    """Divisions of the levels, and the place of each level among those of its node [n, L]; -1: it
    is not there.

    With two classes the levels are in order of the first one's share, and a division is a part of
    that order; else every one is tried, by rpart's Gray code.
    """
    n, levels, two = len(reached.start) - 1, len(search.table.columns[column].levels), is_two(prior)
    stats, altered = np.zeros((n, levels, len(prior))), np.zeros((n, levels))
    rows, total, whole = np.zeros((n, levels), np.int64), np.zeros((n, len(prior))), np.zeros(n)
    _count_levels.bound(search.compiled)(
        reached.start, search.table.cells[column, reached.rows], reached.weights, reached.y,
        reached.altered, stats, altered, rows, total, whole,
    )  # fmt: skip
    key = np.where(rows > 0, 0.0, np.inf)
    if two:
        np.divide(prior[0] * stats[..., 0], altered, out=key, where=rows > 0)
    order = np.argsort(key, axis=1, kind="stable")
    present = (rows > 0).sum(axis=1)
    steps = np.maximum(present - 1, 0) if two else n_subsets(present)
    moved, sign = _in_parts(steps.max()) if two else _by_gray_code(steps.max())
    tries = Tries.room(n, int(steps.sum()), len(prior))
    tries.total[:], tries.whole[:], tries.known[:] = total, whole, rows.sum(axis=1)
    _lay_out_groups.bound(search.compiled)(
        steps, moved, sign, order, stats, altered, rows, whole, *tries.candidates
    )
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(levels)[None], axis=1)
    return tries, np.where(rows > 0, place, -1)


def is_two(prior: Floats) -> bool:
    """Are there two classes, so that an order of the levels will do?"""
    return len(prior) == 2


def n_subsets(present: Ints) -> Ints:
    """How many divisions of so many levels into two groups there are."""
    return np.asarray((1 << np.maximum(present - 1, 0)) - 1)


def _in_parts(n: int) -> tuple[Ints, Ints]:
    """The place of the level that moves at each step, and whether to the left (1): one more."""
    return np.arange(n), np.ones(n, np.int64)


def _by_gray_code(n: int) -> tuple[Ints, Ints]:
    """The same, so that every division comes up; -1: the level moves back."""
    code = np.arange(1, n + 1)
    moved = np.log2(code & -code).astype(np.int64)
    return moved, 2 * (((code ^ (code >> 1)) >> moved) & 1) - 1


def branches(two: bool, at: Ints, place: Ints) -> Floats:
    """[n, L]: the branch, 0 or 1, of levels at these places in the at[n]-th division."""
    if two:
        return np.asarray(place > at[:, None], float)
    code = (at + 1)[:, None]
    return np.asarray(1.0 - (((code ^ (code >> 1)) >> np.maximum(place, 0)) & 1))


@kernel
def _chain(rows, head, following):  # type: ignore[no-untyped-def]
    """Link the places where each row stands."""
    for i in range(rows.shape[0]):
        following[i] = head[rows[i]]
        head[rows[i]] = i


@kernel
def _deal(ascending, head, following, node, start, in_order, end):  # type: ignore[no-untyped-def]
    """Deal the places of rows in ascending order to their nodes; where those of each end."""
    for n in range(end.shape[0]):
        end[n] = start[n]
    for k in range(ascending.shape[0]):
        i = head[ascending[k]]
        while i >= 0:
            in_order[end[node[i]]] = i
            end[node[i]] += 1
            i = following[i]


@kernel
def _lay_out_cuts(  # type: ignore[no-untyped-def]
    start, in_order, end, values, weights, y, altered, total, known, whole, between,
    bounds, left, rows, lower, upper,
):  # fmt: skip
    """Write the cuts of each node, whose known places are in_order[start:end]."""
    filled = 0
    sums = np.empty(left.shape[0])
    for n in range(known.shape[0]):
        known[n] = end[n] - start[n]
        for i in range(start[n], start[n + 1]):
            if not np.isnan(values[i]):
                total[n, y[i]] += weights[i]
        below = above = 0.0
        for k in range(start[n], end[n]):
            above += altered[in_order[k]]
        whole[n] = above
        sums[:] = 0.0
        for k in range(start[n], end[n] - 1):
            i, following = in_order[k], in_order[k + 1]
            below, above = below + altered[i], above - altered[i]
            sums[y[i]] += weights[i]
            if values[i] != values[following]:
                between[0, filled], between[1, filled] = values[i], values[following]
                rows[filled], lower[filled], upper[filled] = k + 1 - start[n], below, above
                for c in range(sums.shape[0]):
                    left[c, filled] = sums[c]
                filled += 1
        bounds[n + 1] = filled


@kernel
def _count_levels(  # type: ignore[no-untyped-def]
    start, values, weights, y, altered, stats, altered_stats, rows, total, whole
):
    """The weight by level and class, altered and not, and the rows; in the order of the table."""
    for n in range(whole.shape[0]):
        all_of_it = 0.0
        for i in range(start[n], start[n + 1]):
            if not np.isnan(values[i]):
                level = int(values[i])
                stats[n, level, y[i]] += weights[i]
                total[n, y[i]] += weights[i]
                altered_stats[n, level] += altered[i]
                rows[n, level] += 1
                all_of_it += altered[i]
        whole[n] = all_of_it


@kernel
def _lay_out_groups(  # type: ignore[no-untyped-def]
    steps, moved, sign, order, stats, altered, n_rows, whole, bounds, left, rows, lower, upper
):
    """Write the divisions of each node's levels, each a step from the one before."""
    filled = 0
    sums = np.empty(stats.shape[2])
    for n in range(steps.shape[0]):
        sums[:] = 0.0
        count, below, above = 0, 0.0, whole[n]
        for step in range(steps[n]):
            level = order[n, moved[step]]
            count += sign[step] * n_rows[n, level]
            below, above = (
                below + sign[step] * altered[n, level],
                above - sign[step] * altered[n, level],
            )
            for c in range(sums.shape[0]):
                sums[c] += sign[step] * stats[n, level, c]
                left[c, filled] = sums[c]
            rows[filled], lower[filled], upper[filled] = count, below, above
            filled += 1
        bounds[n + 1] = filled
