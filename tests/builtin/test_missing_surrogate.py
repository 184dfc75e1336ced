"""Surrogates, worked by hand.

    x  1 1 1 1 2 2 ? ?
    z  0 0 1 0 1 1 0 ?
    y  a a a b b b b b

The test is x <= 1.5: four rows go left, two go right. z <= 0.5 sends five of these six the same
way, so it agrees in 5/6 of them, of 4/6 that the left branch alone would give: (5 - 4) / (6 - 4).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from treekit_builtin import Multiway, Surrogate, Threshold

from treekit import CUTS, LEVELS, NOWHERE, STAY, DataError, Surrogates, Table

from .unknowns import UNKNOWN, learned, one_test, query, table_of

X = [1, 1, 1, 1, 2, 2, UNKNOWN, UNKNOWN]
Z = [0, 0, 1, 0, 1, 1, 0, UNKNOWN]
GAPS = table_of("aaabbbbb", x=X, z=Z)


def found(missing: Surrogate, table: Table) -> Surrogates:
    """The surrogates of a table's first test, which is on its first column."""
    tree = one_test(missing, table)
    assert tree.column[0] == 0
    assert tree.surrogates is not None
    return tree.surrogates


def columns(missing: Surrogate, table: Table) -> list[int]:
    return found(missing, table).column.tolist()


def test_a_surrogate_is_the_test_that_agrees_best() -> None:
    stand_in = found(Surrogate(), GAPS)
    assert stand_in.first.tolist() == [0, 1, 1, 1]
    assert (stand_in.column.tolist(), stand_in.kind.tolist()) == ([1], [CUTS])
    assert stand_in.operands.tolist() == [0.5]
    assert stand_in.flipped.tolist() == [False]
    assert stand_in.agreement.tolist() == pytest.approx([5 / 6])
    assert stand_in.adjusted.tolist() == pytest.approx([1 / 2])


# Row 7 has a z of 0; row 8 has none.
THEN: list[tuple[Any, int, list[list[float]]]] = [
    (Surrogate(), 0, [[6, 3, 3], [2, 0, 2]]),
    (Surrogate(then="stay"), STAY, [[5, 3, 2], [2, 0, 2]]),
    (Surrogate(then="stay_at_once"), STAY, [[4, 3, 1], [2, 0, 2]]),
    (Surrogate(keep=0), 0, [[6, 3, 3], [2, 0, 2]]),
    (Surrogate(keep=0, then="stay"), STAY, [[4, 3, 1], [2, 0, 2]]),
]


@pytest.mark.parametrize(("missing", "unknown", "children"), THEN, ids=str)
def test_rows_that_no_surrogate_knows_go_on_or_stay(
    missing: Any, unknown: int, children: list[list[float]]
) -> None:
    tree = one_test(missing, GAPS)
    assert tree.score[0] == pytest.approx(6 / 8 * 1 / 4)
    assert tree.unknown[0] == unknown
    assert tree.stats[1:].tolist() == children


# What is answered where x is unknown and z is 0, 1 or unknown.
ANSWERS: list[tuple[Any, list[list[float]]]] = [
    (Surrogate(), [[3 / 6, 3 / 6], [0, 1], [3 / 6, 3 / 6]]),
    (Surrogate(then="stay"), [[3 / 5, 2 / 5], [0, 1], [3 / 8, 5 / 8]]),
    (Surrogate(then="stay_at_once"), [[3 / 8, 5 / 8]] * 3),
    (Surrogate(keep=0), [[3 / 6, 3 / 6]] * 3),
]


@pytest.mark.parametrize(("missing", "shares"), ANSWERS, ids=str)
def test_a_query_is_sent_by_the_surrogate_that_knows(
    missing: Any, shares: list[list[float]]
) -> None:
    model = learned(missing, GAPS)
    for z, wanted in zip((0.0, 1.0, UNKNOWN), shares, strict=True):
        np.testing.assert_allclose(model.predict_proba(query(GAPS, UNKNOWN, z)), [wanted])


def test_surrogates_that_are_not_asked_are_kept_to_be_looked_at() -> None:
    stand_in = found(Surrogate(then="stay_at_once"), GAPS)
    assert (stand_in.asked, len(stand_in)) == (False, 1)


def test_a_surrogate_may_point_the_other_way() -> None:
    stand_in = found(Surrogate(), table_of("aaabbbbb", x=X, z=[-v for v in Z]))
    assert stand_in.operands.tolist() == [-0.5]
    assert stand_in.flipped.tolist() == [True]
    model = learned(Surrogate(), table_of("aaabbbbb", x=X, z=[-v for v in Z]))
    assert model.predict(query(GAPS, UNKNOWN, -1.0)).tolist() == ["b"]


def test_the_best_is_asked_first_and_of_equals_the_earlier_column() -> None:
    same = [0, 0, 0, 0, 1, 1, UNKNOWN, 1]
    table = table_of("aaaabbba", x=X, z=Z, u=same, v=Z)
    assert columns(Surrogate(), table) == [2, 1, 3]
    assert columns(Surrogate(keep=2), table) == [2, 1]
    # The last row, which z and v do not know, follows u; the one before it follows z.
    assert one_test(Surrogate(then="stay"), table).stats[1:].tolist() == [[5, 4, 1], [3, 1, 2]]


def test_a_surrogate_must_beat_the_greater_branch() -> None:
    # u sends everything but one row on each side to the left: four of six agree, as without it.
    table = table_of("aaabbbbb", x=X, u=[0, 0, 0, 1, 0, 1, 0, 0])
    assert columns(Surrogate(), table) == []


def test_a_surrogate_must_send_two_rows_each_way() -> None:
    # Cut apart from the rest, the last row of class b would agree in 5/6.
    table = table_of("aaabbbbb", x=X, u=[0, 0, 0, 0, 0, 1, 0, 1])
    assert columns(Surrogate(), table) == []


def test_agreement_is_a_share_of_all_rows_sent_or_of_those_known_in_both() -> None:
    # u knows 3 of the left rows and both of the right, and agrees with all five.
    table = table_of("aaaabbab", x=X, u=[0, 0, 0, UNKNOWN, 1, 1, 1, 1])
    of_all, of_both = (found(Surrogate(share_of=which), table) for which in ("all", "both"))
    assert of_all.agreement.tolist() == pytest.approx([5 / 6])
    assert of_all.adjusted.tolist() == pytest.approx([(5 / 6 - 4 / 6) / (1 - 4 / 6)])
    assert of_both.agreement.tolist() == [1.0]
    assert of_both.adjusted.tolist() == [1.0]


def test_weights_decide_what_agrees() -> None:
    heavy = GAPS.reweighted(np.array([1.0, 1, 3, 1, 1, 1, 1, 1]))
    # Row 3, which z sends the wrong way, outweighs what z is good for.
    assert columns(Surrogate(), heavy) == []
    light = GAPS.reweighted(np.array([1.0, 1, 0.5, 1, 1, 1, 1, 1]))
    stand_in = found(Surrogate(), light)
    assert stand_in.agreement.tolist() == pytest.approx([5 / 5.5])
    assert stand_in.adjusted.tolist() == pytest.approx([(5 - 3.5) / (5.5 - 3.5)])


def test_a_surrogate_on_levels_sends_each_where_most_of_it_goes() -> None:
    # l: three left, m: one left and two right; n is not seen where x is known.
    table = table_of("aaabbbbb", x=X, u="l l m l m m n ?")
    stand_in = found(Surrogate(), table)
    assert stand_in.kind.tolist() == [LEVELS]
    assert stand_in.operands.tolist() == [0, 1, NOWHERE]
    assert stand_in.agreement.tolist() == pytest.approx([5 / 6])
    # n and the unknown go to the greater branch.
    assert one_test(Surrogate(), table).rows.tolist() == [8, 6, 2]


def test_a_level_in_balance_goes_with_the_greater_branch() -> None:
    # m: one left, one right. The left branch is the greater one.
    table = table_of("aaaabbbab", x=[1, 1, 1, 1, 2, 2, 2, *X[6:]], u="l l l m m k k k l")
    assert found(Surrogate(), table).operands.tolist() == [1, 0, 0]


def test_rpart_wants_two_disagreeing_rows_of_a_surrogate_on_levels() -> None:
    one_wrong = table_of("aaabbbbb", x=X, u="l l m l m m l l")
    assert columns(Surrogate(), one_wrong) == [1]
    assert columns(Surrogate(as_rpart=True), one_wrong) == []
    x = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, UNKNOWN]
    two_wrong = table_of("aaaaabbbbbb", x=x, u="l l l l m m m m m l l")
    assert columns(Surrogate(as_rpart=True), two_wrong) == [1]


def test_rpart_cuts_a_surrogate_just_below_the_middle() -> None:
    (cut,) = found(Surrogate(as_rpart=True), GAPS).operands
    assert cut == np.nextafter(0.5, 0.0)


def test_the_cut_of_a_surrogate_lies_below_the_next_value_of_all_rows() -> None:
    # The row with z = 0.2 has no x: it cannot agree or disagree, but it lies beside the cut.
    table = table_of("aaabbbbb", x=X, z=[0, 0, 1, 0, 1, 1, 0.2, UNKNOWN])
    assert found(Surrogate(), table).operands.tolist() == [0.1]


def test_rpart_leaves_a_row_where_both_branches_are_equal() -> None:
    table = table_of("aabbab", x=[1, 1, 2, 2, UNKNOWN, UNKNOWN], u=[5, 5, 5, 5, 5, 5])
    assert one_test(Surrogate(), table).rows.tolist() == [6, 4, 2]
    tree = one_test(Surrogate(as_rpart=True), table)
    assert tree.rows.tolist() == [6, 2, 2]
    assert tree.unknown[0] == STAY


def test_rpart_counts_weight_in_training_and_rows_in_queries() -> None:
    weights = [1, 1, 1, 4, 4, 1]
    table = table_of("aaabbb", x=[1, 1, 1, 2, 2, UNKNOWN], u=[5] * 6, weights=weights)
    tree = one_test(Surrogate(as_rpart=True), table)
    assert tree.rows.tolist() == [6, 3, 3]
    assert tree.unknown[0] == STAY  # three rows each
    lighter = table.reweighted(np.array([1.0, 1, 1, 4, 4, 1])).take(np.arange(5))
    assert one_test(Surrogate(as_rpart=True), lighter).unknown[0] == 0


def test_rpart_without_surrogates_leaves_rows_in_training_and_not_in_queries() -> None:
    tree = one_test(Surrogate(as_rpart=True, keep=0), GAPS)
    assert tree.stats[1:].tolist() == [[4, 3, 1], [2, 0, 2]]
    assert tree.unknown[0] == 0


def test_rpart_drops_rows_without_any_known_value_unless_weights_are_given() -> None:
    assert one_test(Surrogate(), GAPS).rows[0] == 8
    assert one_test(Surrogate(as_rpart=True), GAPS).rows[0] == 7
    assert one_test(Surrogate(as_rpart=True), GAPS.reweighted(np.ones(8))).rows[0] == 8


def test_rpart_drops_no_row_if_that_leaves_none() -> None:
    with pytest.raises(DataError) as told:
        learned(Surrogate(as_rpart=True), table_of("ab", x=[UNKNOWN, UNKNOWN]))
    assert str(told.value) == (
        "small: no row has a known value, and rpart drops such rows;"
        " --set tree.missing.as_rpart=false"
    )


def test_a_test_with_more_branches_has_no_surrogates() -> None:
    table = table_of("aabbccab", u="l l m m n n ? ?", x=[1, 1, 2, 2, 3, 3, 1, 2])
    for missing in (Surrogate(), Surrogate(as_rpart=True)):
        several = {"nominal": Multiway(), "numeric": Threshold()}
        tree = one_test(missing, table.reweighted(np.ones(8)), splitter=several)
        assert tree.n_children[0] == 3
        assert tree.surrogates is not None
        assert len(tree.surrogates) == 0
    # Three equal branches: the first one, or rpart's rule for equals.
    assert one_test(Surrogate(), table, splitter=several).unknown[0] == 0
    assert one_test(Surrogate(as_rpart=True), table, splitter=several).unknown[0] == STAY


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"keep": -1}, "'keep' must be >= 0: -1"),
        ({"then": "left"}, "'then' must be in ('majority', 'stay', 'stay_at_once')"),
        ({"share_of": "none"}, "'share_of' must be in ('all', 'both')"),
    ],
)
def test_a_setting_that_means_nothing_is_an_error(setting: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match="must be") as told:
        Surrogate(**setting)
    assert said in str(told.value)
