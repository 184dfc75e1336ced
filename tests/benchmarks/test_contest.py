"""A contest: a program whose answers are not what they must be is told, not timed silently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from benchmarks.contest import SINGLE, held
from benchmarks.timing import Clocked, Timing, interleaved

from .toys import CLASSES, NUMBERS, contest, saying, work

WRONG = np.array([0.0, 1.0, 0.0, 0.0])


def test_a_peer_with_the_same_answers_has_a_ratio() -> None:
    ours, peer = held(contest(saying(CLASSES)), 2)
    assert (ours.program, ours.ratio, ours.answers) == ("treekit", 1.0, "error 0.0000")
    assert (peer.answers, peer.fails) == ("the same", False)
    assert peer.ratio is not None


def test_a_peer_whose_answers_differ_is_told_and_has_no_ratio() -> None:
    _, peer = held(contest(saying(WRONG)), 2)
    assert peer.fails
    assert peer.ratio is None
    assert peer.answers == "DIFFERS: 1 of 4 differ; error 0.2500"


def test_too_few_answers_are_a_failure() -> None:
    _, peer = held(contest(saying(CLASSES[:3])), 1)
    assert peer.answers.startswith("FAILED")
    assert peer.ratio is None


@pytest.mark.parametrize(("tolerance", "fails"), [(0.2, True), (0.25, False)])
def test_a_peer_that_must_be_as_good_may_differ_by_the_tolerance(
    tolerance: float, fails: bool
) -> None:
    _, peer = held(contest(saying(WRONG, must="as good"), tolerance=tolerance), 1)
    assert peer.fails is fails
    assert (peer.ratio is None) is fails


def test_being_better_than_the_tolerance_allows_is_a_difference_too() -> None:
    toy = contest(saying(CLASSES, must="as good"), tolerance=0.2)
    worse = evolve(toy, contenders=[saying(WRONG, "treekit"), *toy.contenders[1:]])
    assert held(worse, 1)[1].fails


def test_a_peer_that_may_answer_anything_is_told_how_it_differs() -> None:
    _, peer = held(contest(saying(WRONG, must="anything")), 1)
    assert not peer.fails
    assert peer.answers == "1 of 4 differ; error 0.2500"


def test_classes_are_compared_by_name_or_by_number() -> None:
    names = np.array(["no", "yes", "yes", "no"], dtype=object)
    assert held(contest(saying(names)), 1)[1].answers == "the same"
    assert held(contest(saying(names[::-1] == "no")), 1)[1].fails


@pytest.mark.parametrize(("rounding", "said"), [(SINGLE, "the same"), (1e-9, "DIFFERS")])
def test_numbers_in_single_precision_are_the_same_where_that_is_said(
    rounding: float, said: str
) -> None:
    single = (NUMBERS / 3).astype(np.float32)
    peer = saying(single, rounding=rounding)
    row = held(contest(peer, of=work(NUMBERS / 3, n_classes=0)), 1)[1]
    assert row.answers.startswith(said)


def test_what_is_only_read_is_compared_closely() -> None:
    toy = evolve(contest(saying(CLASSES * (1 + 1e-7))), work=None)
    assert held(toy, 1)[1].fails


def test_a_peer_that_fails_has_a_row_that_says_so_and_the_others_go_on() -> None:
    def broken() -> Any:
        raise ValueError("no such thing")

    failing = evolve(saying(CLASSES, "broken"), run=broken)
    _, row, other = held(contest(failing, saying(CLASSES)), 2)
    assert row.answers == "FAILED: ValueError: no such thing"
    assert np.isnan(row.value)
    assert row.ratio is None
    assert other.answers == "the same"


def test_a_peer_that_fails_once_has_failed() -> None:
    results = iter([CLASSES])

    def once() -> Any:
        return next(results)

    _, row = held(contest(evolve(saying(CLASSES), run=once)), 2)
    assert row.answers.startswith("FAILED: StopIteration")


def test_a_peer_that_cannot_answer_has_failed_too() -> None:
    def broken(result: Any) -> Any:
        raise ValueError("no answers")

    _, row = held(contest(evolve(saying(CLASSES), ask=broken)), 1)
    assert row.answers == "FAILED: ValueError: no answers"


def test_a_failure_of_treekit_is_not_survived() -> None:
    def broken() -> Any:
        raise ValueError("ours")

    toy = contest(saying(CLASSES))
    ours, peer = toy.contenders
    with pytest.raises(ValueError, match="ours"):
        held(evolve(toy, contenders=[evolve(ours, run=broken), peer]), 1)


def test_contenders_take_turns() -> None:
    order = []
    interleaved({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3


def test_a_program_in_a_process_of_its_own_tells_its_own_time() -> None:
    found = interleaved({"R": lambda: Clocked(12.5, "model")}, 2)["R"]
    assert found == Timing((12.5, 12.5), "model")
    assert found.least == 12.5


def test_what_takes_long_is_not_repeated() -> None:
    found = interleaved(
        {"slow": lambda: Clocked(3.0, 0), "quick": lambda: Clocked(1.0, 0)}, 5, patience=2.0
    )
    assert found["slow"].seconds == (3.0,)
    assert found["quick"].seconds == (1.0, 1.0, 1.0)


def test_the_least_and_the_spread() -> None:
    timing = Timing((2.0, 1.0, 1.5), None)
    assert (timing.least, timing.spread) == (1.0, 1.0)
    assert Timing((2.0,), None).spread is None
