"""A grower that looks further than the next test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import evolve, field, frozen, validators

from treekit import Floats, Growth, Outlook, Tests, first_best

CELLS = 1 << 21  # how many values are copied at a time to try tests


@frozen
class Lookahead:
    """The test whose subtree of `depth` levels gains most (Norton 1989; Murthy and Salzberg 1995).

    A subtree gains the sum of its tests' scores, each times its node's weight: with the criterion
    `gain` that is by how much the impurity of all its leaves together is less than the node's. The
    last level is chosen as the greedy tree would choose it; above it every test that the splitters
    may ask is tried. Of equals the test that gains most itself is taken, then the earlier column
    and the lower cut. Then the children look ahead anew. Stop rules that look at a best test's
    score see what its subtree gains.

    A level more costs as many times as much as there are tests: a node of n rows and c numeric
    columns has up to n c of them, so that its test takes time in (n c)^depth.

    depth: how many levels are looked at; 1 is the greedy tree.
    """

    depth: int = field(default=2, validator=validators.ge(1))

    def grow(self, growth: Growth) -> None:
        while growth.open_nodes:
            for outlook in growth.outlooks():
                found = _best(outlook, 0, self.depth) if self.depth > 1 else None
                number = int(outlook.numbers[0])
                if found is None:
                    growth.split(number)
                else:
                    worth = found.gain / float(outlook.search.nodes.weight[0])
                    growth.split_by(number, found.column, found.test, worth)


@frozen(eq=False)
class _Best:
    """A node's test, and what its best subtree gains."""

    gain: float
    column: int
    test: Tests


def _best(outlook: Outlook, node: int, depth: int) -> _Best | None:
    """The test of a node whose subtree of more than one level gains most; None: there is none."""
    nodes = outlook.search.nodes
    weight = float(nodes.weight[node])
    cells = int(nodes.rows[node]) * outlook.search.table.n_columns
    own, further, asked = [np.empty(0)], [np.empty(0)], []
    for column, tests in outlook.tests(node):
        for some in _parts(tests, max(CELLS // cells, 1)):
            tried = outlook.tried(node, column, some)
            own.append(weight * tried.score)
            below = _gains(tried.below, depth - 1)
            total = np.bincount(tried.owner, below, len(tried.score))
            further.append(np.asarray(total, np.float64))
            asked += [(column, some, i) for i in range(len(tried.score))]
    gains, scale = np.concatenate(own), weight * float(np.abs(nodes.impurity[node]))
    everyone = gains + np.concatenate(further)
    equal = everyone >= everyone.max(initial=-np.inf) - 1e-12 * scale
    best = int(first_best(np.where(equal, gains, -np.inf), scale))
    if best < 0:
        return None
    column, some, i = asked[best]
    return _Best(float(everyone[best]), column, _only(some, slice(i, i + 1)))


def _gains(outlook: Outlook, depth: int) -> Floats:
    """[n]: what the best subtree of each node gains."""
    if len(outlook) == 0:
        return np.empty(0)
    if depth == 1:
        score = outlook.best()
        return np.where(score > -np.inf, score, 0.0) * outlook.search.nodes.weight
    found = [_best(outlook, node, depth) for node in range(len(outlook))]
    return np.array([0.0 if one is None else one.gain for one in found])


def _parts(tests: Tests, size: int) -> Iterator[Tests]:
    """The tests, no more than so many at a time."""
    for first in range(0, len(tests.n_branches), size):
        yield _only(tests, slice(first, first + size))


def _only(tests: Tests, some: slice) -> Tests:
    return evolve(tests, operands=tests.operands[some], n_branches=tests.n_branches[some])
