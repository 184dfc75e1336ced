"""What the kernels of subtrees keep where, by name.

Memory for one subtree: words[buffer, slot, i] are the cases in the order of a column, in slot 0 as
they come, with their classes in the high half; a node's lie in one buffer, its children's in the
other. `flags[case, value]` of ordered columns that are counted, `side`, `y` and `weights` are by
case. `stack` holds the open nodes. Of columns, `marks[k]` holds what MARKS names. Of nodes,
`facts[node]` holds what FACTS names, and `figures[node]` the score of the test, the impurity, and
the statistics. stood[node, j] and stood_figures[node, j] tell of the tests that stand in for its
own.

slot[k] is the slot of an ordered column k; of a counted one, -1 less the place of its first value
among the counts, which tell of all but its greatest. A level of a nominal column is such a value,
and so is being known where a column has unknown values: tallies[case, q] is the place among the
counts that a case adds to, of the column whose tally that is; the known cases of a nominal column
are those of its levels. What is unknown adds to the last place, at which nobody looks.
"""

from __future__ import annotations

from typing import Final

FLUSHED = 1024  # candidates: when there are more they are scored
GATHERED = 1024  # cuts of a column that are gathered at a time

WEIGHTED = 0
"""A slot: do the cases have weights of their own?"""

MIXED = 0
"""A slot: are columns nominal, values unknown, or columns compared by more than their scores?"""

ASKING = 0
"""A slot: do nodes look themselves at the few columns that are drawn for them, of two classes, in
bins (`subtrees.asking`)? Nothing is handed on then but the cases."""

# What a node is: it has a test; a bound makes it a leaf; or it has no test.
SPLIT, STOPPED, UNTOLD = 0, 1, 2

FACTS = ("column", "below", "above", "tries", "child", "depth", "rows", "why", "stand_ins")
COLUMN, BELOW, ABOVE, TRIES, CHILD, DEPTH, ROWS, WHY, STAND_INS = range(len(FACTS))
SCORE, IMPURITY, STATS = 0, 1, 2

# How many cuts were tried, where the best one is, whether all values of an ordered column differ,
# where its candidates end, its place in the order in which columns are drawn, and what gathering
# cuts goes on with.
MARKS = ("tried", "place", "once", "last", "drawn", "undrawn", "opened", "opened_with")
TRIED, PLACE, ONCE, LAST, DRAWN, UNDRAWN, OPENED, OPENED_WITH = range(len(MARKS))

TRAITS = ("known_at", "tally", "level_row", "every")
"""Of a column: where among the counts its known cases are (-1: all are known), the tally of its
levels, or of its known cases if it is ordered, its row among the table's levels (-1: it is
ordered), and up to how many levels every division is tried. Nominal columns have the first tallies.
"""
KNOWN_AT, TALLY, LEVEL_ROW, EVERY = range(len(TRAITS))

STOOD = ("column", "below", "above", "flipped")
"""Of a test that stands in for a node's own: of levels, the last two are not told."""
STOOD_COLUMN, STOOD_BELOW, STOOD_ABOVE, STOOD_FLIPPED = range(len(STOOD))
AGREEMENT, ADJUSTED = range(2)

LIMITS = (
    "branch_rows",
    "node_rows",
    "deepest",
    "stops_pure",
    "skips",
    "few",
    "class_bits",
    "by_merit",
    "keep",
)
"""Whole numbers: what each branch must hold; fewer rows, or a depth of as much, make a node a leaf,
and so does purity; are cuts inside a run of one class passed over; columns drawn for a node; bits
of a code that hold the class; are columns compared by their merit; how many tests stand in for a
node's own."""
BRANCH_ROWS, NODE_ROWS, DEEPEST, STOPS_PURE, SKIPS, FEW, CLASS_BITS, BY_MERIT, KEEP = range(9)

WEIGHTS = ("branch_weight", "node_weight", "floor", "centre", "in_vain")
"""The same of weights; as Scoring and Sample have them; and what a node must get wrong so that it
is not divided in vain."""
BRANCH_WEIGHT, NODE_WEIGHT, FLOOR, CENTRE, IN_VAIN = range(len(WEIGHTS))

UNKNOWN = 2  # a side: the value is unknown, and where the case goes is not decided

BEGIN, END, NODE, BUFFER = range(4)
STACKED: Final = 4
