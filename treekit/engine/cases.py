"""The cases of the open nodes: rows with weights, node by node."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from treekit.engine import partition, scan
from treekit.engine.sample import Sample, Targets
from treekit.table.ranking import Codes
from treekit.table.record import Bools, Floats, Ints
from treekit.threads import at_hand, in_order
from treekit.tree import SPREAD, Int32s

RENUMBER_EVERY = 2  # levels, where every column is asked about
RENUMBER_EVERY_IF_FEW = 5  # levels, where nodes draw a few
SMALL_COPY = 8  # a copy of so small a part of the cases' codes takes little memory

Words = npt.NDArray[np.uint64]

NO_WORDS: Words = np.empty(0, np.uint64)


@frozen(eq=False)
class Cases:
    """Case i is `rows[i]` of the table with `weights[i]` and `targets[i]`.

    `words[0]` lists the cases node by node. The k-th ordered column is carried or loose. If it is
    carried, `words[carried[k]]` lists the cases in its order within each node, as `scan` has
    words. If it is loose (carried[k] is 0), codes[loose[k], i] is the code of case i, as
    `Rankings` has it, and cases are put in order where that is needed; what codes have behind the
    last case is nothing. Not `packed`, the classes that the codes hold are not the targets.

    With `alone` nobody else needs these cases, and once their children have them, what they lie in
    may be written over. `room` is what the words lie in, `spare` what those of their parents did.

    A single weight stands for all cases, and no `rows` mean that cases are rows: what need not be
    fetched costs no time. `age` is the number of levels since cases were last numbered,
    which they are every few levels.
    """

    sample: Sample
    words: Words
    codes: Codes
    rows: Ints
    weights: Floats
    targets: Targets
    carried: Ints
    packed: bool = True
    compiled: bool = False
    age: int = 0
    renumber_every: int = RENUMBER_EVERY
    alone: bool = False
    room: Words = NO_WORDS
    spare: Words = NO_WORDS

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def order(self) -> Words:
        """The cases, node by node."""
        order: Words = self.words[0]
        return order

    @property
    def loose(self) -> Ints:
        """[k]: each ordered column's row in the codes; -1: it is carried."""
        is_loose = self.carried == 0
        row = np.arange(len(is_loose)) if self.has_all_codes else np.cumsum(is_loose) - 1
        return np.where(is_loose, row, -1)

    @property
    def has_all_codes(self) -> bool:
        """Are there codes of every column, carried or not?"""
        return len(self.codes) == len(self.carried)

    @property
    def class_bits(self) -> np.uint64:
        return np.uint64(self.sample.ranked.class_bits)

    @property
    def weigh_one(self) -> bool:
        """Does every case weigh 1, so that counting adds up weights?"""
        return len(self.weights) == 1 and bool(self.weights[0] == 1.0)

    @property
    def shared(self) -> Cases:
        """The same cases, of which others will have need."""
        return evolve(self, alone=False, spare=NO_WORDS)

    def rows_of(self, cases: Words) -> Ints:
        """The table's rows of these cases."""
        return self.rows.take(places(cases)) if len(self.rows) else cases.astype(np.int64)

    def weights_of(self, cases: Words) -> Floats:
        """The weights of these cases: one for all, or one each."""
        return self.weights.take(places(cases)) if len(self.weights) > 1 else self.weights

    def known_ends(self, ranked: Ints, start: Ints, stops: Ints) -> Ints:
        """[n, c]: where the unknown values begin in the rows of words of carried columns."""
        ends = np.empty(stops.shape, np.int64)
        scan.known_ends.bound(self.compiled)(
            self.words, self.class_bits, self.carried[ranked], self.sample.n_distinct[ranked],
            start, stops, ends,
        )  # fmt: skip
        return ends

    def only(self, cases: Words) -> Cases:
        """Just these cases, numbered in this order, every column loose."""
        rows = self.rows_of(cases)
        return evolve(
            self,
            words=np.arange(len(cases), dtype=np.uint64)[None],
            codes=self.codes.take(cases, axis=1)
            if self.has_all_codes
            else self.sample.codes.take(rows, axis=1),
            rows=rows,
            weights=self.weights_of(cases),
            targets=self.targets[cases],
            carried=np.zeros_like(self.carried),
            age=0,
        ).shared

    def numbered(self) -> Cases:
        """The same cases, numbered node by node.

        What is fetched of a node's cases then lies close together; those of closed nodes are gone.
        """
        order, loose = self.order, self.loose
        held = loose[loose >= 0]
        # A copy of the codes is most of what growth holds, so they stay where they are; a small
        # one takes little, and what it leaves is given back.
        is_own = self.alone and self.codes is not self.sample.codes
        in_place = is_own and SMALL_COPY * len(order) > self.codes.shape[1]
        room = self.codes if in_place else np.empty((len(held), len(order)), np.uint32)
        _take(self.codes, held, order, room)
        numbered = evolve(
            self,
            codes=room,
            rows=self.rows_of(order),
            weights=self.weights_of(order),
            targets=self.targets.take(places(order)),
            age=0,
            alone=True,
        )
        number = np.empty(len(self) if len(self.words) > 1 else 0, np.uint64)
        partition.renumber.bound(self.compiled)(self.words, number)
        return numbered


def places(cases: Words) -> Ints:
    """Cases as numbers by which NumPy takes at once: others it would copy first."""
    return cases.view(np.int64)


def _take(codes: Codes, columns: Ints, cases: Words, room: Codes) -> None:
    """Write the codes of these cases to the begin of the rows of `room`, maybe their own."""
    threads, at = at_hand(), places(cases)
    # Memory that each column asked for anew would each time be cleared by the system.
    spare = [np.empty(len(at), np.uint32) for _ in range(threads)]

    def write(to: int) -> None:
        mine = spare.pop()
        # No case is outside; where NumPy must look for such, it makes a copy.
        room[to, : len(at)] = codes[columns[to]].take(at, out=mine, mode="clip")
        spare.append(mine)

    for _ in in_order(write, range(len(columns)), threads):
        pass


def first_cases(sample: Sample, carried: Bools, few: bool, compiled: bool) -> Cases:
    """All rows, before any split; `carried` says which of the ordered columns are.

    `few`: a node is asked about few of the columns.
    """
    rows, which = sample.table.n_rows, np.flatnonzero(carried)
    room = np.empty((1 + len(which)) * rows + 1, np.uint64)
    words = _laid_out(room, 1 + len(which), rows)
    words[0] = np.arange(rows)
    put_in_order = partition.put_in_order.bound(compiled)
    for row, k in enumerate(which, 1):
        n_codes = int(sample.n_distinct[k] + 1) << sample.ranked.class_bits
        put_in_order(sample.codes[k], np.zeros(n_codes + 1, np.int64), words[row])
    row_of = np.zeros(len(sample.codes), np.int64)
    row_of[which] = 1 + np.arange(len(which))
    return Cases(
        sample,
        words,
        sample.codes,
        np.empty(0, np.int64),
        np.ones(1) if sample.table.given_weights is None else sample.table.weights.copy(),
        sample.targets,
        row_of,
        compiled=compiled,
        renumber_every=RENUMBER_EVERY_IF_FEW if few else RENUMBER_EVERY,
        alone=True,
        room=room,
    )


def _laid_out(room: Words, n_lists: int, width: int) -> Words:
    """Lists of words, end to end, in this memory, and a word more."""
    return room[: n_lists * width].reshape(n_lists, width)


@frozen(eq=False)
class Splits:
    """The tests of some nodes: one entry per node, `operands` flat, `first_child` from 0."""

    start: Ints
    stop: Ints
    kind: Ints
    column: Ints
    operands: Floats
    operand_start: Ints
    first_child: Ints
    n_children: Ints

    @property
    def owner(self) -> Ints:
        """Of each child: the node."""
        return np.repeat(np.arange(len(self.start)), self.n_children)


@frozen(eq=False)
class Taken:
    """The branch each case takes; the known weight of each child; cases that go nowhere."""

    branch: npt.NDArray[np.signedinteger]
    known_weight: Floats
    lost: Ints


@frozen(eq=False)
class Settled:
    """Every case's child: the children's statistics and rows, and the cases, spread ones added.

    `extra[i]` is where the further cases of a spread case i begin. In a `whole` node every case
    goes to one child.
    """

    stats: Floats
    count: Ints
    rows: Ints
    weights: Floats
    targets: Targets
    extra: Ints
    whole: Bools


def take_branches(cases: Cases, splits: Splits) -> Taken:
    """Route every case of the split nodes by its value."""
    taken = Taken(
        # The branch of every case is fetched at random: the smaller, the more of them are at hand.
        np.empty(len(cases), np.int8 if splits.n_children.max() < 100 else np.int32),
        np.zeros(int(splits.n_children.sum())),
        np.zeros(len(splits.start), np.int64),
    )
    sample = cases.sample
    partition.take_branches.bound(cases.compiled)(
        cases.words, cases.codes, cases.class_bits, cases.carried, cases.loose, sample.code_row,
        *sample.values.arguments, sample.offset, sample.n_distinct, splits.start, splits.stop,
        splits.kind, splits.column, splits.operands, splits.operand_start, splits.first_child,
        sample.table.cells, cases.rows, cases.weights, np.empty(len(splits.operands)),
        taken.branch, taken.known_weight, taken.lost,
    )  # fmt: skip
    return taken


def settle(cases: Cases, splits: Splits, taken: Taken, destination: Int32s) -> Settled:
    """Decide every case's child, the unknown ones going to `destination` [n, 1 or 1 + classes]."""
    spreads = destination[:, 0] == SPREAD
    n_children = int(splits.n_children.sum())
    heavy = np.add.reduceat(taken.known_weight > 0, splits.first_child, dtype=np.int64)
    copies = np.where(spreads, np.maximum(heavy - 1, 0) * taken.lost, 0)
    if (spreads & (taken.lost > 0)).any():
        cases = _spreadable(cases, int(copies.sum()))
    settled = Settled(
        stats=np.zeros((n_children, cases.sample.n_stats)),
        count=np.zeros(n_children, np.int64),
        rows=cases.rows,
        weights=cases.weights,
        targets=cases.targets,
        extra=np.empty(len(taken.branch), np.int64),
        whole=(taken.lost == 0) | (destination >= 0).all(axis=1),
    )
    partition.settle.bound(cases.compiled)(
        cases.order, splits.start, splits.stop, splits.first_child, splits.n_children,
        destination, taken.known_weight, settled.rows, settled.weights, settled.targets,
        taken.branch, settled.extra, settled.stats, settled.count,
    )  # fmt: skip
    return settled


def carry(
    cases: Cases, splits: Splits, taken: Taken, settled: Settled, is_open: Bools
) -> tuple[Cases, Ints]:
    """The cases of the open children, and where each child's begin."""
    sizes = np.where(is_open, settled.count, 0)
    stop = np.cumsum(sizes)
    start = stop - sizes
    width = int(stop[-1])
    size = len(cases.words) * width + 1
    # Memory that was used before need not be cleared by the system.
    room = cases.spare if len(cases.spare) >= size else np.empty(size, np.uint64)
    partition.scatter.bound(cases.compiled)(
        cases.words, splits.start, splits.stop, splits.first_child, splits.n_children,
        taken.known_weight, settled.whole, taken.branch, settled.extra,
        np.where(is_open, start, -1), width, room[:size],
    )  # fmt: skip
    codes = cases.codes
    if len(settled.targets) > len(cases):
        # An index would lay the columns out across, and kernels be compiled for that too.
        codes = cases.sample.codes[cases.carried == 0].take(settled.rows, axis=1)
    below = evolve(
        cases,
        words=_laid_out(room, len(cases.words), width),
        codes=codes,
        rows=settled.rows,
        weights=settled.weights,
        targets=settled.targets,
        age=cases.age + 1,
        room=room,
        spare=cases.room if cases.alone else NO_WORDS,
    )
    return below.numbered() if below.age >= cases.renumber_every else below, start


def _spreadable(cases: Cases, further: int) -> Cases:
    """The same cases, each with a row and a weight of its own, and room for further ones."""
    n = len(cases)
    rows = cases.rows if len(cases.rows) else np.arange(n, dtype=np.int64)
    return evolve(
        cases,
        rows=np.resize(rows, n + further),
        weights=np.resize(cases.weights, n + further),
        targets=np.resize(cases.targets, n + further),
    )
