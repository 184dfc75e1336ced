"""Tests of several columns are saved and loaded; damaged ones are refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from treekit.linear import asked_columns, linear_of
from treekit.model import load

from .by_hand import oblique, table_of
from .test_model_file_errors import complaint, content_of


def test_a_model_with_sums_comes_back_the_same(tmp_path: Any) -> None:
    model = oblique()
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert np.array_equal(again.trees[0].operands, model.trees[0].operands)
    assert again.trees[0].kind.tolist() == model.trees[0].kind.tolist()
    rows = table_of(
        model.schema,
        (20, 21, "york", "low"),  # exactly the cut: 30.5
        (20, 22, "york", "low"),
        (20, 10, "hull", "high"),
        (0, None, "hull", "high"),  # unknown in a column of the root's sum
        (10, 8, "york", None),  # unknown in the sum below
    )
    shares = model.predict_proba(rows)
    assert shares == pytest.approx(
        np.array([[0.25, 0.75], [1, 0], [1, 0], [0, 1], [2 / 6 + 4 / 6 * 0.25, 4 / 6 * 0.75]])
    )
    assert np.array_equal(again.predict_proba(rows), shares)


def test_the_columns_that_tests_ask_about_and_their_shares() -> None:
    asked = asked_columns(oblique().trees[0])
    assert sorted(zip(asked.node, asked.column, asked.share, strict=True)) == [
        (0, 0, 0.6),
        (0, 1, 0.4),
        (1, 1, pytest.approx(4 / 6.5)),
        (1, 3, pytest.approx(2.5 / 6.5)),
        (2, 0, 1.0),
    ]


def test_where_no_column_spreads_all_have_the_same_share() -> None:
    tree = oblique().trees[0]
    tree.operands[[3, 6]] = 0.0
    asked = asked_columns(tree)
    assert asked.share[asked.node == 0].tolist() == [0.5, 0.5]


def test_operands_and_the_test_they_keep() -> None:
    operands = np.array([30.5, 0.0, 1.0, 3.0, 1.0, 0.5, 4.0])
    test = linear_of(operands)
    assert (test.threshold, test.columns.tolist()) == (30.5, [0, 1])
    assert np.array_equal(test.operands, operands)


# where in the operands of the first test, what is put there, what is said
CHANGES = [
    (1, 4, "operands[1]: must be the number of one of the 4 columns, got 4"),
    (1, -1, "operands[1]: must be the number of one of the 4 columns, got -1"),
    (1, 0.5, "operands[1]: must be the number of one of the 4 columns, got 0.5"),
    (4, 1e300, "operands[4]: must be the number of one of the 4 columns, got 1e+300"),
    (4, 2, "operands[4]: a sum cannot be asked of the nominal column 'town'"),
    (4, 0, "operands[4]: column 'walk' stands in the sum again"),
    (1, 3, "operands[1]: must be 0, the column of the node, got 3"),
    (2, 0, "operands[2]: the coefficient of column 'walk' must not be 0"),
    (6, -1, "operands[6]: a spread must not be negative, got -1"),
    (0, None, "operands[0]: "),
]


@pytest.mark.parametrize(("at", "value", "said"), CHANGES)
def test_operands_that_are_no_sum_are_refused(
    at: int, value: float, said: str, tmp_path: Any
) -> None:
    content = content_of("oblique", tmp_path)
    content["trees"][0]["operands"][at] = value
    assert said in complaint(tmp_path, json.dumps(content))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (
            [6, 7, 1],
            "operand_count[0]: a sum must have 1 number and 3 for each of its columns, got 6",
        ),
        (
            [1, 7, 1],
            "operand_count[0]: a sum must have 1 number and 3 for each of its columns, got 1",
        ),
        ([7, 7, 2], "operand_count[2]: cuts must be fewer than the branches of the node, got 2"),
        ([7, 10, 1], "operands: must have 18 entries, as operand_count tells, has 15"),
    ],
)
def test_counts_that_do_not_fit_are_refused(counts: list[int], said: str, tmp_path: Any) -> None:
    content = content_of("oblique", tmp_path)
    content["trees"][0]["operand_count"] = counts
    assert said in complaint(tmp_path, json.dumps(content))


def test_a_sum_cannot_be_the_test_of_a_nominal_column(tmp_path: Any) -> None:
    content = content_of("oblique", tmp_path)
    content["trees"][0]["column"][0] = 2
    said = "kind[0]: a test of a sum cannot be asked of the nominal column 'town'"
    assert said in complaint(tmp_path, json.dumps(content))
