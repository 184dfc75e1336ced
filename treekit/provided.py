"""What the framework provides to strategies: views of the nodes under way, and how trees are had.

Each protocol is implemented once, by the engine or beside it; strategies see only these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
from attrs import frozen

from treekit.offers import Cuts, Histogram, Member, Nodes, Offers, Tests
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import Tree

T = TypeVar("T")


class Search(Protocol):
    """What a splitter may ask of the open nodes. The engine provides it."""

    @property
    def nodes(self) -> Nodes: ...
    @property
    def table(self) -> Table: ...
    @property
    def branch_rows(self) -> float: ...
    @property
    def branch_weight(self) -> float: ...
    @property
    def rng(self) -> np.random.Generator: ...

    def may_ask(self, columns: Ints) -> Bools:
        """[n, c]: may a node be asked about a column? Not where an ensemble drew others for it.

        Of single columns the engine sees to it; who offers sums of columns must.
        """

    def cases_of(self, node: int) -> tuple[Ints, Floats]:
        """The table's rows that reached one of the nodes, and their weights there."""

    def span(self, columns: Ints) -> Floats:
        """[n, c, 2]: the least and the greatest known value of ordered columns; NaN: none."""

    def known_weight(self, columns: Ints) -> Floats:
        """[n, c]: the weight of the rows whose value is known."""

    def cuts(
        self,
        columns: Ints,
        margin: Floats | None = None,
        gap: float = 0.0,
        boundaries_only: bool = False,
        only_best: bool = False,
    ) -> Cuts:
        """The best cut of each of these ordered columns in each node, by the recipe's criterion.

        Each side must hold the stop rules' branch minimum and weigh at least `margin[n, c]`;
        neighbours no further apart than `gap`, in single precision, are not cut apart. With
        `boundaries_only`, cuts inside a run of one class are passed over whatever the impurity.
        With `only_best`, a column that cannot score as much as another of the node's may be told
        with a cut that is not its best, and no column with how many were tried: say so if the
        scores are offered as they are.
        """

    def divided(self, column: int, tests: Tests) -> Histogram:
        """The statistics of each branch of a column's test in each node, known values only.

        Branches that a node's test does not have are empty.
        """

    def along(self, tests: Tests) -> Search:
        """The same nodes, with a table of one numeric column: the sum that each node's LINEAR test
        asks for, whatever its threshold.

        So the cuts of that column, number 0, are scored as those of any other.
        """

    @property
    def compiled(self) -> bool:
        """Is there so much to do that kernels should be compiled?"""

    def histogram(self, column: int) -> Histogram:
        """The statistics of each level of a nominal or ordinal column in each node."""

    def histograms(self, columns: Ints) -> Histogram:
        """Those of several columns at once; levels that a column does not have are empty."""

    def typical(self, column: int, by_class: bool = False) -> Floats:
        """[n, 1]: the mean of a numeric column in each node, or the most common level of another.

        `by_class` adds that of each class, [n, 1 + classes]. NaN where no value is known.
        """

    def score(self, branches: Floats) -> Floats:
        """[n, ...]: the score of splitting each node into `branches[n, ..., k, S]`."""

    def at(self, node: int | Ints) -> Search:
        """The same search for one of the nodes, or for several, each as often as it is named."""

    def enough(self, weight: Floats, rows: Floats | Ints) -> Bools:
        """[...]: do at least two of the branches `[..., k]` hold the branch minimum?"""

    def offer_cuts(
        self, columns: Ints, cuts: Cuts, at: Callable[[Ints, Floats, Floats], Floats]
    ) -> Offers:
        """Offers of binary tests `value <= at(columns, low, high)`.

        `at` places cuts between neighbours, each of its column; it is asked about those chosen.
        """

    def offer_tests(
        self,
        column: int,
        tests: Tests,
        score: Floats,
        weights: Floats | Callable[[], Floats],
        tries: Ints | None = None,
    ) -> Offers:
        """Offers of one column.

        `score[n]` is -inf where there is no offer; `weights[n, k]` is what each branch weighs, or
        answers with it when it is asked for;
        `tries[n]` how many tests were weighed to find it (1 each unless given).
        """

    def offer_groups(
        self,
        column: int,
        groups: Floats,
        n_branches: Ints,
        score: Floats,
        weights: Floats | Callable[[], Floats],
        tries: Ints | None = None,
    ) -> Offers:
        """Offers of one column whose level l goes to branch `groups[n, l]`, or NOWHERE."""


@frozen(eq=False)
class Step:
    """What was looked at to choose the tests of some nodes, for those who watch growth.

    numbers  of the nodes, in the order in which they were opened (`Watch.finished` tells more)
    search   which can be asked again about these nodes
    offers   of every column to every node, as the criterion saw them
    used     [nodes, columns of the table]: columns that may not be asked about again
    choice   the position in `offers.columns`, or -1: none
    reason   why a node is a leaf after all; empty where it is split
    asked    [nodes, columns of the table]: the columns that were drawn for each node; None: all
             were asked. Where these offer nothing, a further step draws from the others
    """

    numbers: Ints
    search: Search
    offers: Offers
    used: Bools
    choice: Ints
    reason: tuple[str, ...]
    asked: Bools | None = None


class Division(Protocol):
    """How some nodes were divided in two, for who looks for surrogates. The engine provides it."""

    @property
    def table(self) -> Table: ...

    @property
    def column(self) -> Ints:
        """[n]: the column that each node's own test asks about; of several, the first."""

    @property
    def sent(self) -> Floats:
        """[n, 2]: the weight that the test sends to each branch."""

    @property
    def branches(self) -> Floats:
        """[n, 2, S]: the statistics of each branch, known values only."""

    @property
    def compiled(self) -> bool:
        """Is there so much to do that kernels should be compiled?"""

    def cuts(self, columns: Ints, branch_rows: int) -> tuple[Floats, Floats, Floats]:
        """The cut of each ordered column that agrees best with each node's test.

        Agreement is the weight that both send the same way, whichever side of the cut is called
        which; of equals the lowest cut is told. Answers with the values on both sides of it [n, c]
        and the weight by its side and the branch of the node's test [n, c, 2, 2]. NaN and 0: no
        cut that leaves `branch_rows` on each side agrees on more than if all the rows went to the
        greater branch. The value above may be that of any row of the node, the others count those
        that the node's test sends somewhere.
        """

    def levels(self, columns: Ints) -> tuple[Floats, Ints]:
        """[n, c, levels, 2]: the weight of each level of nominal columns by the branch of the
        node's test, and the number of rows; as many levels as the widest column has.
        """


class Outlook(Protocol):
    """Nodes that may be split, to look further than their best tests. The engine provides it.

    Nothing that is tried changes the tree under way.
    """

    def __len__(self) -> int: ...

    @property
    def numbers(self) -> Ints:
        """[n]: the nodes' numbers in the growth; -1 of those that are only imagined."""

    @property
    def search(self) -> Search:
        """Of these nodes: their statistics, their rows and weights, the branch minimum."""

    def best(self) -> Floats:
        """[n]: the score of each node's best test; -inf: it has none that the stop rules let be."""

    @property
    def columns(self) -> int | None:
        """How many columns are drawn for each node, as `Grow` has it; None: all are asked about."""

    def tests(self, node: int) -> list[tuple[int, Tests]]:
        """The tests that the recipe's splitters may ask of a node: of each column, many as one.

        Where columns are drawn, only theirs: a node has the same ones however often it is asked.
        """

    def tried(self, node: int, column: int, tests: Tests) -> Tried:
        """What these tests of a column would make of a node, each for itself.

        Rows whose value is unknown go where the missing-value handler sends them. Memory is taken
        for a copy of the node for each of the tests.
        """


@frozen(eq=False)
class Tried:
    """What m tests would make of a node.

    score  [m]: the criterion's score, -inf where the branches do not hold the branch minimum
    below  the children that might be split further, of all the tests
    owner  of each of those: the test
    """

    score: Floats
    owner: Ints
    below: Outlook


class Growth(Protocol):
    """A tree under way. The engine provides it to a grower.

    There are three ways to grow, which may be mixed: whole levels, one of the `prospects` at a
    time, and `outlooks` for a grower that chooses a node's test itself.
    """

    @property
    def open_nodes(self) -> int:
        """How many nodes may still be split."""

    def split_level(self) -> None:
        """Split or close every open node; their children are the next open nodes."""

    def split_all(self) -> None:
        """Split or close every open node, and their children, until none is open.

        In whichever order is quickest: the tree is the one that levels give.
        """

    def prospects(self) -> tuple[Ints, Floats, Floats]:
        """Of the nodes opened since it was last asked that have a test to be split by: numbers,
        scores and weights. The others are closed.
        """

    def split(self, number: int) -> None:
        """Split one of the prospects or outlooks by its best test, or close it if it has none."""

    def outlooks(self) -> Sequence[Outlook]:
        """The nodes opened since it was last asked for which a test may be looked for, each alone.

        The others are closed.
        """

    def split_by(self, number: int, column: int, test: Tests, worth: float | None = None) -> Ints:
        """Split one of the prospects or outlooks by this one test; the children's numbers.

        The branches must hold the stop rules' minimum. `worth` is what the rules that look at a
        best test are to take for its score, as a test's own does not tell what is gained further
        down; they may close the node, which then has no children. None: those rules are not asked.
        """

    def tell(self, facts: Mapping[str, float]) -> None:
        """Tell what is to be known of the tree, by name. It becomes a part of the model."""

    def close(self, reason: str) -> None:
        """Close every open node, for this reason."""


class Watch(Protocol):
    """Who looks on while a tree grows."""

    def looked(self, step: Step) -> None:
        """Tests were chosen for some nodes."""

    def finished(self, opened: Ints) -> None:
        """Growth is over: node i of the tree was the `opened[i]`-th to be opened."""

    def grown(self, tree: Tree) -> None:
        """The tree as it was grown, before pruning."""


class Grow(Protocol):
    """How an ensemble gets its trees. The framework provides it."""

    def __call__(
        self, table: Table, rng: np.random.Generator, columns: int | None = None
    ) -> Member:
        """A tree grown on these rows, pruned and labelled as the recipe says.

        With `columns`, every node chooses from so many columns only, drawn for it at random from
        those that may be asked about there. Where none of them offers a test, as many others are
        drawn, until one does or none is left.
        """

    def each(
        self, work: Callable[[np.random.Generator], T], n: int, rng: np.random.Generator
    ) -> Iterator[T]:
        """What `work` makes of each of n generators, in as many threads as the user allows.

        They come in order, each as soon as it is made, and are the same whatever the number of
        threads. Progress is told. Tables that the threads share should be ranked before.
        """

    def told(self, done: int, of: int) -> None:
        """Tell progress: so many of the rounds are done."""

    @property
    def weights(self) -> Floats:
        """[rows]: what each row of the table to `plant` on weighs where answers are judged.

        These are the weights as they are given. Those of the table itself are for growth: they
        also stand for what the recipe says of the classes.
        """
