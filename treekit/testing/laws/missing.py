"""Laws of missing-value handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from treekit.errors import DataError
from treekit.testing.expecting import expect, expect_all, expect_same
from treekit.testing.hosting import tasks
from treekit.testing.samples import random_family, sample_table
from treekit.tree import REFUSE, SPREAD, STAY


def accepts_tables_without_unknown_values(strategy: Any) -> None:
    """`check` has nothing against a table whose values are all known."""
    for task in tasks(strategy):
        try:
            strategy.check(sample_table(task))
        except Exception as error:
            raise AssertionError(f"a table without unknown values is refused: {error}") from error


def refuses_only_with_a_data_error(strategy: Any) -> None:
    """`check` raises a DataError that says something, or nothing."""
    for task in tasks(strategy):
        try:
            strategy.check(sample_table(task, unknown=True))
        except DataError as error:
            expect(str(error).strip(), "the DataError says nothing")
        except Exception as error:
            kind = type(error).__name__
            raise AssertionError(f"`check` raises {kind}, not a DataError: {error}") from error


def discount_is_between_zero_and_one(strategy: Any) -> None:
    """A score is multiplied by at most 1, at least 0, and 1 where every value is known."""
    total = np.array([0.5, 1.0, 7.0, 100.0])[:, None]
    known = total * np.array([0.0, 0.01, 0.5, 1.0])
    total = np.broadcast_to(total, known.shape)
    found = np.asarray(strategy.discount(known, total))
    expect(found.shape == known.shape, f"{known.shape} shares give {found.shape} discounts")
    inside = (found >= 0.0) & (found <= 1.0)
    expect_all(inside, "a discount is not between 0 and 1", found, known, total)
    expect_all(found[:, -1] == 1.0, "the discount is not 1 where all is known", found[:, -1])


def destination_exists(strategy: Any) -> None:
    """Unknown values go to a branch of their node, or SPREAD, STAY or REFUSE."""
    for n in (1, 40):
        owner, weight = random_family(n)
        found = np.asarray(strategy.destination(owner, weight, n))
        expect(found.shape == (n,), f"{n} nodes have {found.shape} destinations")
        expect(found.dtype.kind in "iu", f"destinations are {found.dtype}, not whole numbers")
        is_branch = (found >= 0) & (found < np.bincount(owner))
        fine = is_branch | np.isin(found, (SPREAD, STAY, REFUSE))
        expect_all(fine, "a destination is no branch of its node", found, np.bincount(owner))


def destination_of_a_node_is_its_own(strategy: Any) -> None:
    """Asked twice or alone, a node's destination is the same."""
    owner, weight = random_family()
    n = int(owner[-1]) + 1
    found = np.asarray(strategy.destination(owner, weight, n))
    for node in range(n):
        mine = owner == node
        alone = strategy.destination(np.zeros(int(mine.sum()), np.int64), weight[mine], 1)
        expect_same(alone[0], found[node], "a node's destination depends on other nodes")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a handler must keep."""
    if hasattr(strategy, "check"):
        yield accepts_tables_without_unknown_values
        yield refuses_only_with_a_data_error
    yield discount_is_between_zero_and_one
    yield destination_exists
    yield destination_of_a_node_is_its_own
