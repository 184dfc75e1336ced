"""How unknown values count in a score, and where they go: one table, worked by hand.

    x  1 1 1 1 2 2 ? ?
    y  a a a b b b b b

Gini's index is 15/32 of all rows and 1/2 of the six whose x is known. The cut 1.5 sends [a 3, b 1]
(3/8) to the left and [b 2] (0) to the right, which gains 1/2 - 4/6 * 3/8 = 1/4 of the known rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from treekit_builtin import (
    DefaultDirection,
    DropRows,
    Fractional,
    GainRatio,
    MajorityBranch,
    Multiway,
    OwnBranch,
    Refuse,
    StopAtNode,
    Surrogate,
    Threshold,
    Typical,
)

from treekit import REFUSE, SPREAD, STAY, DataError, Ints, Offers, Table

from .unknowns import UNKNOWN, learned, one_test, query, table_of

GAPS = table_of("aaabbbbb", x=[1, 1, 1, 1, 2, 2, UNKNOWN, UNKNOWN])
LEVELS = table_of("aaabbbbb", x="l l l l m m ? ?")

SPLITTERS = {"numeric": Threshold(), "nominal": Multiway()}

# handler; score; where unknown values go in queries; statistics of the children
WORKED: list[tuple[Any, float, int, list[list[float]]]] = [
    (MajorityBranch(), 6 / 8 * 1 / 4, 0, [[6, 3, 3], [2, 0, 2]]),
    (Surrogate(), 6 / 8 * 1 / 4, 0, [[6, 3, 3], [2, 0, 2]]),
    (Fractional(), 6 / 8 * 1 / 4, SPREAD, [[16 / 3, 3, 7 / 3], [8 / 3, 0, 8 / 3]]),
    (StopAtNode(), 6 / 8 * 1 / 4, STAY, [[4, 3, 1], [2, 0, 2]]),
    (Surrogate(then="stay"), 6 / 8 * 1 / 4, STAY, [[4, 3, 1], [2, 0, 2]]),
    (Surrogate(then="stay_at_once"), 6 / 8 * 1 / 4, STAY, [[4, 3, 1], [2, 0, 2]]),
    (DropRows(), 1 / 4, 0, [[4, 3, 1], [2, 0, 2]]),
    # 15/32 - 4/8 * 3/8: only the left branch is impure.
    (OwnBranch(), 9 / 32, 2, [[4, 3, 1], [2, 0, 2], [2, 0, 2]]),
    (DefaultDirection(), 9 / 32, 1, [[4, 3, 1], [4, 0, 4]]),
    # The mean of x is 4/3, on the left: 15/32 - 6/8 * 1/2.
    (Typical("node"), 3 / 32, 0, [[6, 3, 3], [2, 0, 2]]),
    # Of class b it is 5/3, on the right; but a query has no class.
    (Typical("class"), 9 / 32, 0, [[4, 3, 1], [4, 0, 4]]),
]


@pytest.mark.parametrize(("missing", "score", "unknown", "children"), WORKED, ids=str)
def test_unknown_numbers_count_and_go_where_the_handler_says(
    missing: Any, score: float, unknown: int, children: list[list[float]]
) -> None:
    tree = one_test(missing, GAPS)
    assert tree.test_operands(0).tolist() == [1.5]
    assert tree.score[0] == pytest.approx(score)
    assert tree.unknown[0] == unknown
    np.testing.assert_allclose(tree.stats[1:], children)


LEVELS_WORKED = [
    # Level l is the most common one, in the node and in the table.
    (Typical("table"), 3 / 32, 0, [[6, 3, 3], [2, 0, 2]]),
    *(entry for entry in WORKED if entry[0] != Typical("class")),
    # Of class b it is level m.
    (Typical("class"), 9 / 32, 0, [[4, 3, 1], [4, 0, 4]]),
]


@pytest.mark.parametrize(("missing", "score", "unknown", "children"), LEVELS_WORKED, ids=str)
def test_unknown_levels_count_and_go_where_the_handler_says(
    missing: Any, score: float, unknown: int, children: list[list[float]]
) -> None:
    tree = one_test(missing, LEVELS, splitter={"nominal": Multiway()})
    assert tree.test_operands(0).tolist() == [0, 1]
    assert tree.score[0] == pytest.approx(score)
    assert tree.unknown[0] == unknown
    np.testing.assert_allclose(tree.stats[1:], children)


def test_the_typical_value_of_the_table_is_a_value_to_cut_beside() -> None:
    tree = one_test(Typical("table"), GAPS)
    assert tree.test_operands(0).tolist() == pytest.approx([(1 + 4 / 3) / 2])
    assert tree.score[0] == pytest.approx(9 / 32)
    assert tree.stats.tolist() == [[8, 3, 5], [4, 3, 1], [4, 0, 4]]
    assert tree.unknown[0] == 1


ANSWERS: list[tuple[Any, list[float]]] = [
    (MajorityBranch(), [3 / 6, 3 / 6]),
    (Surrogate(), [3 / 6, 3 / 6]),
    (Fractional(), [3 / 8, 5 / 8]),
    (StopAtNode(), [3 / 8, 5 / 8]),
    (Surrogate(then="stay"), [3 / 8, 5 / 8]),
    (DropRows(), [3 / 4, 1 / 4]),
    (OwnBranch(), [0, 1]),
    (DefaultDirection(), [0, 1]),
    (Typical("table"), [0, 1]),
    (Typical("node"), [3 / 6, 3 / 6]),
    (Typical("class"), [3 / 4, 1 / 4]),
]


@pytest.mark.parametrize(("missing", "shares"), ANSWERS, ids=str)
def test_a_query_whose_value_is_unknown_is_answered(missing: Any, shares: list[float]) -> None:
    answered = learned(missing, GAPS).predict_proba(query(GAPS, UNKNOWN))
    np.testing.assert_allclose(answered, [shares])


WHOLE = table_of("aaabbb", x=[1, 1, 1, 1, 2, 2])

# Where no unknown value was seen in training: the answer to a query with one.
UNSEEN: list[tuple[Any, list[float]]] = [
    *((m, [3 / 4, 1 / 4]) for m in (MajorityBranch(), OwnBranch(), DefaultDirection())),
    *((m, [3 / 4, 1 / 4]) for m in (DropRows(), Surrogate(), Surrogate(as_rpart=True))),
    *((Typical(within), [3 / 4, 1 / 4]) for within in ("table", "node", "class")),
    *((m, [3 / 6, 3 / 6]) for m in (Fractional(), StopAtNode(), Surrogate(then="stay"))),
]


@pytest.mark.parametrize(("missing", "shares"), UNSEEN, ids=str)
def test_a_query_may_be_unknown_where_no_training_row_was(
    missing: Any, shares: list[float]
) -> None:
    model = learned(missing, WHOLE)
    assert model.trees[0].n_children[0] == 2
    np.testing.assert_allclose(model.predict_proba(query(WHOLE, UNKNOWN)), [shares])


def test_refuse_accepts_no_unknown_value_to_learn_from() -> None:
    table = table_of("ab" * 3, x=[1, UNKNOWN, 2, 1, UNKNOWN, 2], z="l m l ? m l", w=[1, 2] * 3)
    with pytest.raises(DataError) as told:
        learned(Refuse(), table)
    instead = "fill them in, leave the column out, or --set tree.missing=fractional"
    assert [str(problem) for problem in told.value.problems] == [
        "small: column 'x' has 2 unknown values (first in row 2, counted from 1), and this recipe"
        f" refuses them; {instead}",
        "small: column 'z' has 1 unknown value (first in row 4, counted from 1), and this recipe"
        f" refuses them; {instead}",
    ]


def test_refuse_accepts_no_unknown_value_in_a_query() -> None:
    model = learned(Refuse(), WHOLE)
    assert model.trees[0].unknown[0] == REFUSE
    with pytest.raises(DataError) as told:
        model.predict(query(WHOLE, UNKNOWN))
    assert str(told.value) == (
        "a query: row 1 (counted from 1) has no known value in column 'x', and the model was grown"
        " to refuse unknown values; fill the value in, or grow the model with another `missing`"
        " strategy"
    )


def test_rows_are_dropped_whichever_of_their_values_is_unknown() -> None:
    table = table_of("aabb", x=[1, 1, 2, 2], z=[5, UNKNOWN, 5, 5])
    assert one_test(DropRows(), table).stats.tolist() == [[3, 1, 2], [1, 1, 0], [2, 0, 2]]


def test_rows_are_not_dropped_if_that_leaves_none() -> None:
    table = table_of("ab", x=[1, UNKNOWN], z=[UNKNOWN, 2])
    with pytest.raises(DataError) as told:
        learned(DropRows(), table)
    assert str(told.value) == (
        "small: every row has an unknown value, so that dropping these leaves none; leave out the"
        " columns that are mostly unknown, or --set tree.missing=fractional"
    )


def test_a_number_to_predict_has_no_typical_value_of_a_class() -> None:
    table = table_of([1.0, 2.0], x=[1, UNKNOWN])
    with pytest.raises(DataError) as told:
        learned(Typical("class"), table)
    assert str(told.value) == (
        "small: the target 'y' is a number, so that no row has a class whose typical value could be"
        ' taken; --set tree.missing.within=node (or "table")'
    )


def test_of_a_class_without_a_known_value_the_nodes_own_is_typical() -> None:
    # The mean of all known x is 2, that of class a is 2, and class b has none.
    table = table_of("aaabb", x=[1, 1, 4, UNKNOWN, UNKNOWN])
    tree = one_test(Typical("class"), table)
    assert tree.test_operands(0).tolist() == [2.5]
    assert tree.stats[1:].tolist() == [[4, 2, 2], [1, 1, 0]]
    # 12/25 - 4/5 * 1/2
    assert tree.score[0] == pytest.approx(0.08)


def test_filling_in_a_mean_makes_no_new_value_of_a_constant_column() -> None:
    tenth = 0.1
    assert np.mean([tenth] * 3) != tenth
    table = table_of("aaab", x=[tenth, tenth, tenth, UNKNOWN])
    assert one_test(Typical("table"), table).n_nodes == 1


def test_the_first_of_equally_good_directions_is_kept() -> None:
    # The unknown row is as good on either side.
    table = table_of("aabba", x=[1, 1, 2, 2, UNKNOWN], weights=[1, 1, 1, 1, 1e-3])
    flipped = table_of("aabbb", x=[1, 1, 2, 2, UNKNOWN], weights=[1, 1, 1, 1, 1e-3])
    assert one_test(DefaultDirection(), table).unknown[0] == 0
    assert one_test(DefaultDirection(), flipped).unknown[0] == 1
    alike = table_of("abcc", x=[1, 2, UNKNOWN, UNKNOWN])
    assert one_test(DefaultDirection(), alike).unknown[0] == 0


def test_an_empty_branch_is_no_direction() -> None:
    # Level n has no rows: multiway keeps a branch for it, to which nothing is sent.
    table = table_of("aabbc", x="l l m m ?")
    wider = table_of("aabbcc", x="l l m m ? n").take(np.arange(5))
    assert one_test(DefaultDirection(), table).n_children[0] == 2
    tree = one_test(DefaultDirection(), wider, splitter={"nominal": Multiway()})
    assert tree.n_children[0] == 3
    assert tree.rows.tolist() == [5, 3, 2, 0]


def test_an_own_branch_follows_the_branches_that_a_test_has_for_levels_without_rows() -> None:
    wider = table_of("aabbcc", x="l l m m ? n").take(np.arange(5))
    tree = one_test(OwnBranch(), wider, splitter={"nominal": Multiway()})
    assert tree.rows.tolist() == [5, 2, 2, 0, 1]
    assert tree.unknown[0] == 3


def test_weights_count_the_unknown_rows() -> None:
    # Twice the weight of the unknown rows: a 3, b 7 in all, 2/5 of them unknown.
    table = GAPS.reweighted(np.array([1.0] * 6 + [2.0] * 2))
    assert one_test(MajorityBranch(), table).score[0] == pytest.approx(6 / 10 * 1 / 4)
    assert one_test(Fractional(), table).stats[1].tolist() == pytest.approx(
        [6 + 2 / 3, 3, 3 + 2 / 3]
    )
    # 21/50 - 4/10 * 3/8
    assert one_test(OwnBranch(), table).score[0] == pytest.approx(0.27)


def test_numbers_are_predicted_with_the_unknown_rows_in_their_branch() -> None:
    # Means: 0 on the left, 6 on the right, 3 of the unknown; 2 of all rows.
    table = table_of([0, 0, 0, 6, 3, 3], x=[1, 1, 1, 2, UNKNOWN, UNKNOWN])
    own = learned(OwnBranch(), table)
    assert own.predict(query(table, UNKNOWN)).tolist() == [3]
    # The variance is 30/6 = 5, and within the branches it is 0.
    assert own.trees[0].score[0] == pytest.approx(5.0)
    # On the right the unknown make 6 3 3, whose squares about 4 are 6; on the left they make 7.2.
    assert learned(DefaultDirection(), table).predict(query(table, UNKNOWN)).tolist() == [4]
    assert one_test(DefaultDirection(), table).score[0] == pytest.approx(5 - 6 / 6)


@pytest.mark.parametrize("table", [GAPS, LEVELS], ids=["numbers", "levels"])
@pytest.mark.parametrize(
    ("missing", "sides"),
    [
        (Typical("node"), [6, 2, 0]),
        (Typical("class"), [4, 4, 0]),
        (OwnBranch(), [4, 2, 2]),
        (Fractional(), [4, 2, 2]),
    ],
    ids=str,
)
def test_the_split_information_is_that_of_the_branches_and_of_what_is_in_none(
    missing: Any, sides: list[float], table: Table
) -> None:
    # Alone, a column's gain ratio is its gain over the split information.
    seen: list[Offers] = []

    class Noting(GainRatio):
        def choose(self, offers: Offers) -> Ints:
            seen.append(offers)
            return super().choose(offers)

    one_test(missing, table, criterion=Noting(), splitter=SPLITTERS)
    share = np.array([w for w in sides if w]) / 8
    assert seen[0].split_info[0, 0] == pytest.approx(-(share * np.log2(share)).sum())


def test_a_column_without_any_known_value_is_not_asked_about() -> None:
    table = table_of("aabb", x=[UNKNOWN] * 4, z=[1, 1, 2, 2])
    for missing in (OwnBranch(), DefaultDirection(), Typical("node"), Typical("class")):
        assert one_test(missing, table).column.tolist() == [1, -1, -1]
        assert one_test(missing, table_of("aabb", x=[UNKNOWN] * 4)).n_nodes == 1
