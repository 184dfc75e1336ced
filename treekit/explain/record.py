"""How a tree grew and what pruning made of it, as data."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from attrs import Attribute, field, frozen

from treekit.errors import ModelError, Problem
from treekit.table.record import Column, Schema
from treekit.tree import CUTS, STAY


def _at_least(least: int) -> Any:
    def check(_: Any, attribute: Attribute[int | None], value: int | None) -> None:
        if value is not None and (isinstance(value, bool) or value < least):
            what = f"{attribute.name} must be a whole number from {least}. Got {value!r} instead"
            raise ModelError(Problem(what))

    return check


@frozen
class Limits:
    """How much of a growth is explained; None: all of it. What is left out is counted.

    nodes    how many nodes
    depth    how deep a node may lie
    cuts     of a column with more tests than this only the best FEW are kept
    columns  of a table with more columns than this only as many are kept in each node
    """

    nodes: int | None = field(default=50, validator=_at_least(1))
    depth: int | None = field(default=None, validator=_at_least(0))
    cuts: int | None = field(default=20, validator=_at_least(1))
    columns: int | None = field(default=25, validator=_at_least(1))


@frozen
class Test:
    """A question about a column, its operands as a Tree keeps them.

    One about several columns is told as a cut of their sum, a numeric column named by its formula.
    `unknown` is where unknown values go, as a Tree says it; a test that was not chosen does not
    know (STAY).
    """

    __test__ = False  # no test of pytest's

    column: Column
    kind: int
    operands: tuple[float, ...]
    n_branches: int
    unknown: int = STAY

    @property
    def cuts(self) -> tuple[float, ...]:
        """The numbers at which an ordered column is cut; none of a test by levels."""
        return self.operands if self.kind == CUTS else ()

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The levels that take each branch; none of a test by cuts."""
        if self.kind == CUTS:
            return ()
        taking: list[list[str]] = [[] for _ in range(self.n_branches)]
        for level, branch in zip(self.column.levels, self.operands, strict=True):
            if branch >= 0:
                taking[int(branch)].append(level)
        return tuple(map(tuple, taking))


@frozen
class Part:
    """Some rows: those of a node or a branch, or those whose value is unknown.

    rows      how many, whatever their weights
    weight    what they weigh
    counts    the weight of each class; empty where a number is predicted
    mean      of the target; None where classes are predicted, or there is nothing
    variance  of the target (the population's); None where classes are predicted
    impurity  by the recipe's measure; None where it has none
    which     the rows themselves, counted from 0; None where they are many
    """

    rows: int
    weight: float
    counts: tuple[float, ...]
    mean: float | None
    variance: float | None
    impurity: float | None
    which: tuple[int, ...] | None = None


@frozen
class Candidate:
    """A test that might be asked, and what it would do.

    branches           what each branch holds, known values only
    unknown            the rows whose value is unknown; None: there are none
    remainder          the impurity that is left, by the weight of the branches
    gain               the impurity of the known rows less the remainder
    split_information  entropy of the branch weights in bits, the unknown being a branch
    gain_ratio         the gain by the split information; None where there is none to speak of
    score              the criterion's
    barred             why it cannot be asked; empty if it can
    """

    test: Test
    branches: tuple[Part, ...]
    unknown: Part | None
    remainder: float | None
    gain: float | None
    split_information: float
    gain_ratio: float | None
    score: float | None
    barred: str = ""


@frozen
class ColumnSeen:
    """What a column offered to a node.

    best               its best test; None: it offered none
    candidates         its tests in their order, or the best few of them
    left_out           how many tests are not listed
    tries              how many tests were weighed
    score              with which it competed, after charges and corrections
    split_information  of its best test, as the criterion saw it
    merit              what the columns were compared by; None: it could not win, or is not told
    rejected           the rule by which it could not win; empty if it could
    """

    column: Column
    best: Candidate | None
    candidates: tuple[Candidate, ...]
    left_out: int
    tries: int
    score: float | None
    split_information: float | None
    merit: float | None
    rejected: str


@frozen
class NodeSeen:
    """A node of the tree as it was grown.

    number     in the grown tree, level by level
    parent     the number of the node above, -1 at the root
    asked      the parent's test, and `branch` which of its branches leads here
    here       its rows
    columns    what was looked at, in the table's order; none if growth stopped before
    left_out   how many columns are not listed
    chosen     the position in `columns` of the best test, whether or not it was asked
    runner_up  the position of the next best; None: there is none, or the rule is not told
    margin     by how much the best beats it; below 0 where the grower looks further than one test
    tied       only the order of the columns told them apart
    stopped    why it is a leaf; empty if it was split
    """

    number: int
    parent: int
    asked: Test | None
    branch: int
    depth: int
    here: Part
    columns: tuple[ColumnSeen, ...]
    left_out: int
    chosen: int | None
    runner_up: int | None
    margin: float | None
    tied: bool
    stopped: str


@frozen
class Judgement:
    """What a pruner decided about a node of the grown tree.

    as_tree   the estimate with the subtree kept
    as_leaf   the estimate with a leaf in its place
    raised    the estimate with its heaviest branch in its place; None: not looked at
    cut       was it cut back?
    replaced  did its heaviest branch take its place?
    measure   what is estimated
    """

    node: int
    as_tree: float
    as_leaf: float
    raised: float | None
    cut: bool
    replaced: bool
    measure: str


@frozen
class Explanation:
    """How a tree grew and what pruning made of it.

    recipe      the recipe's name or summary; `source` where the data came from
    impurity    the name of the recipe's measure, or empty; `criterion` of its score
    merit       what the columns were compared by, in words
    by_choice   the criterion chooses among the columns by more than their scores
    tree        which of the model's trees, counted from 0, of `n_trees`
    nodes       those explained, in the order of their numbers, of `n_nodes` that were grown
    judgements  what the pruner told of, of `n_judgements`
    n_kept      how many nodes are left after pruning
    """

    recipe: str
    source: str
    rows: int
    schema: Schema
    impurity: str
    criterion: str
    merit: str
    by_choice: bool
    tree: int
    n_trees: int
    nodes: tuple[NodeSeen, ...]
    n_nodes: int
    judgements: tuple[Judgement, ...]
    n_judgements: int
    n_kept: int

    @cached_property
    def _by_number(self) -> dict[int, NodeSeen]:
        return {node.number: node for node in self.nodes}

    def node(self, number: int) -> NodeSeen:
        """The node of this number."""
        if number not in self._by_number:
            raise ModelError(Problem(f"node {number} is not among those explained"))
        return self._by_number[number]

    def render(self, format: str = "text", digits: int = 4) -> str:  # noqa: A002
        """As text, Markdown, LaTeX or JSON; see `treekit.report.explaining`."""
        from treekit.report.explaining import render

        return render(self, format, digits)

    def __str__(self) -> str:
        return self.render().rstrip("\n")
