"""A table is answered by blocks of rows, in threads: each row as if it were alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treekit import answering
from treekit.answering import for_each_row
from treekit.combining import winners
from treekit.errors import DataError, TreekitError
from treekit.model import Model, normalised, row_answers
from treekit.table.record import Table

from .any_model import models, tables
from .by_hand import cut, leaf, model_of, schema_of, table_of


def answered(model: Model, table: Table) -> Any:
    """The answers, or why there are none."""
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            return row_answers(model, table)
        except DataError:
            return None


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of three rows, compiled, in two threads, however little there is to do."""
    monkeypatch.setattr(answering, "AT_ONCE", 3)
    monkeypatch.setattr(answering, "SMALL", -1)
    monkeypatch.setattr(answering, "WORTH", 1)
    monkeypatch.setattr(answering, "checked_threads", lambda _: 2)


@pytest.mark.usefixtures("in_blocks")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(models(), st.data())
def test_rows_are_answered_as_if_each_were_alone(model: Model, data: Any) -> None:
    table = data.draw(tables(model.schema))
    table = table.take(np.arange(2 * table.n_rows) % max(1, table.n_rows))
    together = answered(model, table)
    alone = [answered(model, table.take(np.array([row]))) for row in range(table.n_rows)]
    if together is None:
        assert any(answer is None for answer in alone)
    else:
        width = 1 if model.task == "regression" else len(model.classes)
        expected = np.concatenate([np.empty((0, width)), *alone])
        np.testing.assert_array_equal(together, expected)


SCHEMA = schema_of("y: no yes maybe", a="", b="")
TREE = cut("a", 0, leaf(3, 1, 0), cut("b", 0, leaf(0, 2, 2), leaf(1, 0, 4)))
KNOWN = [(a, b) for a in (-1, 1) for b in (-1, 1)]
NAMES = ["no", "no", "yes", "maybe"]


@pytest.mark.parametrize("rows", [0, 1, 3, 4, 20])
@pytest.mark.usefixtures("in_blocks")
def test_blocks_are_joined_in_their_order(rows: int) -> None:
    model = model_of(SCHEMA, TREE)
    table = table_of(SCHEMA, *(KNOWN * 5)[:rows])
    assert model.predict(table).tolist() == (NAMES * 5)[:rows]
    assert model.predict_proba(table).shape == (rows, 3)


@pytest.mark.usefixtures("in_blocks")
def test_a_block_with_a_row_that_is_spread_is_answered_row_by_row() -> None:
    model = model_of(SCHEMA, TREE)
    table = table_of(SCHEMA, *KNOWN, (None, 1), *KNOWN)
    shares = model.predict_proba(table)
    np.testing.assert_array_equal(shares[:4], shares[5:])
    assert shares[4].tolist() == pytest.approx([3 / 13 + 9 / 65, 1 / 13, 36 / 65])


def test_what_is_made_of_a_row_does_not_depend_on_how_many_there_are() -> None:
    # Twenty rows and more than the tree has nodes: its nodes are answered; one row: the row is.
    model = model_of(SCHEMA, TREE)
    many = table_of(SCHEMA, *KNOWN * 5)
    for then in (winners, normalised, lambda answers: answers[:, 0]):
        together = for_each_row(model.members, many, then)
        alone = [for_each_row(model.members, many.take(np.array([i])), then) for i in range(20)]
        np.testing.assert_array_equal(together, np.concatenate(alone))


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "SMALL", -1)
    monkeypatch.setattr(answering, "WORTH", 1)
    model, table = model_of(SCHEMA, TREE), table_of(SCHEMA, *KNOWN * 5)
    for threads in (None, 1, 3, 50):
        assert model.predict(table, threads=threads).tolist() == NAMES * 5
        assert model.predict_proba(table, threads=threads).shape == (20, 3)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
def test_a_number_of_threads_is_a_whole_number_from_one(threads: Any) -> None:
    model, table = model_of(SCHEMA, TREE), table_of(SCHEMA, *KNOWN)
    with pytest.raises(TreekitError, match="threads must be a whole number from 1"):
        model.predict(table, threads=threads)


def test_what_is_answered_may_be_changed_by_whoever_asked() -> None:
    model, table = model_of(SCHEMA, TREE), table_of(SCHEMA, *KNOWN)
    model.predict(table)[:] = "other"
    model.predict_proba(table)[:] = 7.0
    assert model.predict(table).tolist() == NAMES
    assert model.predict_proba(table).sum(axis=1).tolist() == [1.0] * 4
