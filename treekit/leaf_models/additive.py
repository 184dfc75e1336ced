"""Answers that are sums over some of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from attrs import field, frozen

from treekit.classes import softmax
from treekit.compiling import SMALL, kernel
from treekit.table.record import Floats, Ints, Table
from treekit.tree import LEVELS, Int8s, Int32s, Int64s

Link = Literal["identity", "softmax"]
LINKS: Final[tuple[Link, ...]] = ("identity", "softmax")

POWERS: Final = 1
MOST_POWERS: Final = 3

# Sums and products stop here, so that no row is answered by infinity or by nothing.
LARGEST: Final = 1e308


@frozen(eq=False)
class Term:
    """What one column adds to each answer: `coefficients[..., A]`.

    kind    POWERS (numeric or ordinal): of 1, x - centre and its square, the last of them left out
            at will; LEVELS (nominal or ordinal): of each level
    centre  what is taken from x; 0 of LEVELS
    """

    column: int
    kind: int
    coefficients: Floats
    centre: float = 0.0


@frozen(eq=False)
class Additive:
    """For each node and each answer a constant, and what each of some columns adds to it.

    An unknown value adds nothing: it stands at the centre. The terms of node i are
    first[i] .. first[i + 1] - 1; nodes at which no row ends need none.

    link          "identity": the sums are the answers; "softmax": the shares are proportional to
                  their exponentials
    constant      [nodes, A]
    first         [nodes + 1]
    column        the column of each term
    kind          POWERS or LEVELS, as in `Term`
    centre        what is taken from a value before it is multiplied
    start         coefficients[start[j]:start[j + 1]] are term j's
    coefficients  [..., A]
    """

    link: Link
    constant: Floats
    first: Int64s
    column: Int32s
    kind: Int8s
    centre: Floats
    start: Int64s
    coefficients: Floats = field(repr=False)

    def terms(self, node: int) -> list[Term]:
        """The terms of a node."""
        return [
            Term(
                int(self.column[j]),
                int(self.kind[j]),
                self.coefficients[self.start[j] : self.start[j + 1]],
                float(self.centre[j]),
            )
            for j in range(int(self.first[node]), int(self.first[node + 1]))
        ]

    def key(self, node: int) -> bytes:
        """Nodes of the same key answer every row the same."""
        terms = slice(int(self.first[node]), int(self.first[node + 1]))
        starts = self.start[terms.start : terms.stop + 1]
        parts = (
            self.constant[node] + 0.0,
            self.column[terms],
            self.kind[terms],
            self.centre[terms] + 0.0,
            np.diff(starts),
            self.coefficients[starts[0] : starts[-1]] + 0.0,
        )
        return b"".join(part.tobytes() for part in parts)


def additive(link: Link, constant: Floats, terms: Sequence[Sequence[Term]]) -> Additive:
    """The constants [nodes, A] and the terms of each node as one record."""
    every = [term for of_node in terms for term in of_node]
    sizes = [len(term.coefficients) for term in every]
    parts = [np.empty((0, constant.shape[1])), *(term.coefficients for term in every)]
    return Additive(
        link=link,
        constant=np.asarray(constant, np.float64),
        first=np.cumsum([0, *map(len, terms)], dtype=np.int64),
        column=np.array([term.column for term in every], np.int32),
        kind=np.array([term.kind for term in every], np.int8),
        centre=np.array([term.centre for term in every], np.float64),
        start=np.cumsum([0, *sizes], dtype=np.int64),
        coefficients=np.concatenate(parts),
    )


def sums_for(models: Additive, table: Table, rows: Ints, nodes: Ints) -> Floats:
    """[ends, A]: what each of these rows is answered at the node that stands beside it."""
    sums = models.constant[nodes]
    steps = 1 + models.coefficients.size // len(models.constant)
    add = _add_terms.bound(len(rows) * steps > SMALL)
    with np.errstate(over="ignore"):
        add(
            table.cells, rows, nodes, models.first, models.column, models.kind, models.centre,
            models.start, models.coefficients, sums,
        )  # fmt: skip
        return sums if models.link == "identity" else softmax(sums)


@kernel
def _add_terms(  # type: ignore[no-untyped-def]
    cells, rows, nodes, first, column, kind, centre, start, coefficients, sums
):
    for end in range(rows.shape[0]):
        for term in range(first[nodes[end]], first[nodes[end] + 1]):
            value = cells[column[term], rows[end]]
            if value != value:
                continue
            if kind[term] == LEVELS:
                at = start[term] + int(value)
                for a in range(sums.shape[1]):
                    sums[end, a] = _within(sums[end, a] + coefficients[at, a])
                continue
            power = 1.0
            away = _within(value - centre[term])
            for at in range(start[term], start[term + 1]):
                for a in range(sums.shape[1]):
                    sums[end, a] = _within(sums[end, a] + _within(coefficients[at, a] * power))
                power = _within(power * away)


@kernel
def _within(value):  # type: ignore[no-untyped-def]
    return min(max(value, -LARGEST), LARGEST)
