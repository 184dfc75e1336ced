"""Where unknown cases are counted, and where they go, if the handler says so itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treekit.engine import joining
from treekit.engine.blocks import Placing
from treekit.offers import Offers
from treekit.table.record import Floats, Ints
from treekit.tree import LINEAR

if TYPE_CHECKING:
    from treekit.engine.search import NodeSearch


def placing(search: NodeSearch, columns: Ints, known: Floats) -> Placing | None:
    """How cuts are scored where the handler counts the unknown rows; None: it does not."""
    missing = search.missing
    gappy = bool(search.table.has_unknown[columns].any())
    if not (gappy and joining.counts_unknown(missing)):
        return None
    whole = np.repeat(search.nodes.stats[:, None], len(columns), axis=1)
    unknown = search.unknown(whole, known)
    if hasattr(missing, "join"):
        return Placing(unknown, lambda mine, lower, upper, *counted: missing.join(*counted))
    typical = np.stack([missing.typical(search, int(c)) for c in columns], axis=1)
    typical = typical.reshape(-1, typical.shape[2])
    sample = search.cases.sample
    offset = sample.offset[sample.code_row[columns]]

    def ways(mine: Ints, lower: Ints, upper: Ints, branches: Floats, unknown: Floats) -> Floats:
        side = np.empty((len(mine), typical.shape[1]), np.int64)
        joining.typical_sides.bound(search.compiled)(
            *sample.values.arguments, offset, mine, lower, upper, typical, side
        )
        joined = branches.copy(order="K")
        joining.add_unknown.bound(search.compiled)(joined, unknown, side)
        return joined[:, None]

    return Placing(unknown, ways, typical)


def toward(search: NodeSearch, offers: Offers, choice: Ints) -> Ints:
    """[n, D]: the branch of the chosen test for unknown values; -1: the handler is asked.

    D is 1, or 1 + classes where it depends on the class; the first is for queries.
    """
    found = np.full((len(choice), joining.toward_width(search.missing, search.table)), -1)
    if not joining.counts_unknown(search.missing):
        return found
    for j in np.unique(choice[choice >= 0]):
        here, column = np.flatnonzero(choice == j), int(offers.columns[j])
        tests = offers.tests[j]
        asked = search
        if tests.kind == LINEAR:
            asked, column = search.along(tests), 0
        if hasattr(search.missing, "typical"):
            value = np.asarray(search.missing.typical(asked, column))[here]
            found[here] = joining.branch_taken(tests, here, value)
        elif hasattr(search.missing, "join") and asked.table.has_unknown[column]:
            branches = search.divided(column, tests).stats[here]
            rest = search.unknown(search.nodes.stats[here], branches.sum(axis=1))
            ways = joining.best_way(search.missing, search.scoring, branches, rest, search.compiled)
            joined = joining.joined_branch(branches, ways.branches)
            joined = np.minimum(joined, tests.n_branches[here])
            found[here, 0] = np.where(rest[:, 0] > 0, joined, -1)
    return found
