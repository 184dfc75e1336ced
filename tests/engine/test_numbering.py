"""Cases are numbered anew node by node; codes that nobody else has need of stay in their place."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from treekit.engine.cases import Cases, first_cases
from treekit.engine.sample import sample_of
from treekit.engine.scan import HALF, LOW
from treekit.engine.sending import carry
from treekit.fitting import fit_table
from treekit.recipe import load_recipe
from treekit.testing import sample_table
from treekit.threads import using


@pytest.fixture
def cases() -> Cases:
    sample = sample_of(sample_table("classification", rows=90))
    return first_cases(sample, np.zeros(len(sample.codes), dtype=bool), False, False)


def listed(cases: Cases, order: np.ndarray) -> Cases:
    return evolve(cases, words=order.astype(np.uint64)[None].copy())


def test_the_codes_of_a_table_are_left_as_they_are(cases: Cases) -> None:
    before = cases.codes.copy()
    order = np.random.default_rng(0).permutation(90)
    found = listed(cases, order).numbered()
    np.testing.assert_array_equal(cases.codes, before)
    np.testing.assert_array_equal(found.codes, before[:, order])
    assert found.alone
    assert not np.shares_memory(found.codes, cases.codes)


@pytest.mark.parametrize(("n", "in_place"), [(90, True), (40, True), (7, False)])
def test_codes_of_ones_own_are_written_over(cases: Cases, n: int, in_place: bool) -> None:
    own = listed(cases, np.arange(90)).numbered()
    before = own.codes.copy()
    order = np.random.default_rng(n).permutation(90)[:n]
    found = listed(own, order).numbered()
    np.testing.assert_array_equal(found.codes[:, :n], before[:, order])
    np.testing.assert_array_equal(found.rows, order)
    np.testing.assert_array_equal(found.order, np.arange(n))
    assert found.codes.flags.c_contiguous
    assert np.shares_memory(found.codes, own.codes) == in_place


def test_shared_codes_are_copied(cases: Cases) -> None:
    own = listed(cases, np.arange(90)).numbered()
    before = own.codes.copy()
    order = np.random.default_rng(1).permutation(90)
    found = listed(evolve(own, alone=False), order).numbered()
    np.testing.assert_array_equal(own.codes, before)
    np.testing.assert_array_equal(found.codes, before[:, order])


def test_codes_of_rows_that_were_spread_lie_column_by_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    carried = []

    def watched(cases: Cases, *rest: Any) -> tuple[Cases, np.ndarray]:
        below, start = carry(cases, *rest)
        carried.append((len(below.rows) > len(cases), below.codes.flags.c_contiguous))
        return below, start

    monkeypatch.setattr("treekit.engine.opening.carry", watched)
    fit_table(load_recipe("c45"), sample_table("classification", rows=90, unknown=True))
    assert {*carried} >= {(True, True)}
    assert all(in_columns for _, in_columns in carried)


def test_threads_write_the_same(cases: Cases) -> None:
    order = np.random.default_rng(2).permutation(90)[:60]
    alone, together = (listed(cases, np.arange(90)).numbered() for _ in range(2))
    wanted = listed(alone, order).numbered()
    with using(3):
        found = listed(together, order).numbered()
    for name in ("order", "rows", "targets", "weights"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))
    np.testing.assert_array_equal(found.codes[:, :60], wanted.codes[:, :60])


def test_carried_columns_keep_their_order() -> None:
    sample = sample_of(sample_table("classification", rows=90))
    cases = first_cases(sample, np.ones(len(sample.codes), dtype=bool), False, False)
    words = cases.words.copy()
    words[0] = order = np.random.default_rng(3).permutation(90)
    found = evolve(cases, words=words.copy()).numbered()
    np.testing.assert_array_equal(found.order, np.arange(90))
    np.testing.assert_array_equal(found.words[1:] >> HALF, words[1:] >> HALF)
    np.testing.assert_array_equal(order[found.words[1:] & LOW], words[1:] & LOW)


def test_levels_take_turns_in_two_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = []

    def watched(cases: Cases, *rest: Any) -> tuple[Cases, np.ndarray]:
        below, start = carry(cases, *rest)
        levels.append(below)
        return below, start

    monkeypatch.setattr("treekit.engine.opening.carry", watched)
    monkeypatch.setattr("treekit.engine.growth.can_finish", lambda *_: False)
    fit_table(load_recipe("cart"), sample_table("classification", rows=90))
    assert len(levels) > 3
    for before, below in pairwise(levels):
        assert below.spare is before.room
        assert below.room is before.spare


def test_cases_that_others_need_are_not_written_over(cases: Cases) -> None:
    alone = evolve(cases, alone=True, spare=np.empty(90, np.uint64))
    assert len(alone.shared.spare) == 0
    assert not alone.shared.alone
    assert len(alone.only(cases.order[:5]).spare) == 0
