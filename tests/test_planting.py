"""Many trees grow in threads, with progress, and are the same whatever the number of threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import treekit
from treekit.errors import TreekitError
from treekit.planting import Means, Planter
from treekit.threads import GivenUp, go_on, in_order


def planter(threads: int, told: list[tuple[int, int]] | None = None) -> Planter:
    progress = (lambda done, of: None) if told is None else lambda *at: told.append(at)
    return Planter(lambda table, rng, columns: None, np.ones(0), Means(threads, progress))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_each_tree_has_numbers_of_its_own(threads):
    drawn = list(planter(threads).each(lambda rng: int(rng.integers(1 << 40)), 20, rng()))
    assert drawn == list(planter(1).each(lambda rng: int(rng.integers(1 << 40)), 20, rng()))
    assert len(set(drawn)) == 20


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_is_told_up_to_the_end(threads):
    told: list[tuple[int, int]] = []
    list(planter(threads, told).each(lambda rng: None, 7, rng()))
    assert told[-1] == (7, 7)
    assert told == sorted(told)


def test_several_threads_are_at_work():
    meeting = threading.Barrier(2, timeout=60)
    assert list(planter(2).each(lambda rng: meeting.wait() >= 0, 2, rng())) == [True, True]


def test_a_tree_that_fails_ends_the_work_and_tells_its_error():
    begun = []

    def work(rng):
        begun.append(1)
        raise ValueError("no luck")

    with pytest.raises(ValueError, match="no luck"):
        list(planter(2).each(work, 1000, rng()))
    assert len(begun) < 1000


def test_what_is_not_taken_is_not_made_far_ahead():
    begun = []
    trees = planter(2).each(lambda rng: begun.append(1), 1000, rng())
    next(trees)
    trees.close()
    assert len(begun) < 20


def test_work_that_is_given_up_ends_where_it_goes_on():
    ended = threading.Event()
    begun = threading.Event()

    def work(first):
        if first:
            begun.wait(60)
            raise ValueError("no luck")
        try:
            begun.set()
            while True:
                go_on()
        except GivenUp:
            ended.set()
            raise

    with pytest.raises(ValueError, match="no luck"):
        list(in_order(work, [True, False], 2))
    assert ended.is_set()


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "two"])
def test_threads_are_counted_from_one(threads):
    with pytest.raises(TreekitError, match="threads must be a whole number from 1"):
        treekit.fit("id3", treekit.load_dataset("tennis"), threads=threads)


def rng() -> np.random.Generator:
    return np.random.default_rng(3)
