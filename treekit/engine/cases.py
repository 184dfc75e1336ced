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
    room = np.empty((1 + len(which)) * rows, np.uint64)
    words = laid_out(room, 1 + len(which), rows)
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


def laid_out(room: Words, n_lists: int, width: int) -> Words:
    """Lists of words, end to end, in this memory."""
    return room[: n_lists * width].reshape(n_lists, width)
