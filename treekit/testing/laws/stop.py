"""Laws of stop rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np

from treekit.offers import Found, Nodes
from treekit.table.record import Bools
from treekit.testing.expecting import expect, expect_same
from treekit.testing.hosting import tasks
from treekit.testing.samples import random_nodes


def says_why_in_words(strategy: Any) -> None:
    """`reason` is a line of text, for people."""
    reason = strategy.reason
    expect(isinstance(reason, str), f"the reason is {type(reason).__name__}, not text")
    expect(reason.strip() and "\n" not in reason, f"the reason {reason!r} is not a line of text")


def marks_each_node(strategy: Any) -> None:
    """`before` and `after` answer true or false for each node."""
    for nodes, found in _batches(strategy):
        for name, mask in _asked(strategy, nodes, found):
            expect(
                mask.shape == (len(nodes),), f"`{name}` gives {mask.shape} for {len(nodes)} nodes"
            )
            expect(mask.dtype == np.bool_, f"`{name}` gives {mask.dtype}, not true or false")


def is_deterministic(strategy: Any) -> None:
    """Asked twice, it answers the same."""
    for nodes, found in _batches(strategy):
        again = dict(_asked(strategy, nodes, found))
        for name, mask in _asked(strategy, nodes, found):
            expect_same(again[name], mask, f"`{name}` answers otherwise when asked again")


def nodes_are_asked_as_if_alone(strategy: Any) -> None:
    """What is said of a node does not depend on the nodes beside it."""
    for nodes, found in _batches(strategy):
        for name, mask in _asked(strategy, nodes, found):
            alone = [
                dict(_asked(strategy, nodes.only(slice(i, i + 1)), _one(found, i)))[name][0]
                for i in range(len(nodes))
            ]
            expect_same(mask, alone, f"`{name}` of a node depends on other nodes", nodes.stats)


def leaves_its_input_alone(strategy: Any) -> None:
    """The nodes are not written to."""
    for (nodes, found), (fresh, _) in zip(_batches(strategy), _batches(strategy), strict=True):
        list(_asked(strategy, nodes, found))
        for field in attrs.fields(Nodes):
            written = f"`{field.name}` was written to"
            expect_same(getattr(nodes, field.name), getattr(fresh, field.name), written)


def limits_are_numbers(strategy: Any) -> None:
    """`branch_rows`, `branch_weight` and `most_leaves` are finite numbers, 0 or more."""
    for name in ("branch_rows", "branch_weight", "most_leaves"):
        value = getattr(strategy, name, 0)
        number = isinstance(value, int | float) and math.isfinite(value) and value >= 0
        expect(number, f"`{name}` is {value!r}, not a number of 0 or more")


def what_is_told_beforehand_is_what_before_says(strategy: Any) -> None:
    """`before` makes a leaf of what `node_rows` and the other bounds make one of."""
    for nodes, _ in _batches(strategy):
        told = nodes.rows < getattr(strategy, "node_rows", 0)
        told |= nodes.weight < getattr(strategy, "node_weight", 0.0)
        told |= nodes.depth >= getattr(strategy, "deepest", math.inf)
        told |= nodes.pure & bool(getattr(strategy, "stops_pure", False))
        untrue = told & ~np.asarray(strategy.before(nodes))
        expect(not untrue.any(), "a node that its bounds make a leaf is none by `before`")


BEFOREHAND = ("node_rows", "node_weight", "deepest", "stops_pure")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a stop rule must keep."""
    yield says_why_in_words
    if hasattr(strategy, "before") or hasattr(strategy, "after"):
        yield marks_each_node
        yield is_deterministic
        yield nodes_are_asked_as_if_alone
        yield leaves_its_input_alone
    if any(hasattr(strategy, n) for n in ("branch_rows", "branch_weight", "most_leaves")):
        yield limits_are_numbers
    if any(hasattr(strategy, name) for name in BEFOREHAND):
        yield what_is_told_beforehand_is_what_before_says


def _batches(strategy: Any) -> Iterator[tuple[Nodes, Found]]:
    for task in tasks(strategy):
        nodes = random_nodes(task)
        rng = np.random.default_rng(0)
        score = rng.normal(scale=0.1, size=len(nodes))
        score[::7] = -np.inf
        score[1::7] = 0.0
        share = rng.dirichlet(np.ones(3), size=(len(nodes), nodes.stats.shape[1])).swapaxes(1, 2)
        if task == "regression":
            share[:] = share[:, :, :1]
        branches = nodes.stats[:, None, :] * share
        if task == "classification":
            branches[..., 0] = branches[..., 1:].sum(axis=-1)
        tries = rng.integers(1, 9, size=len(nodes))
        yield nodes, Found(score, tries, lambda branches=branches: branches)  # type: ignore[misc]


def _one(found: Found, i: int) -> Found:
    """What was found for one node."""
    one = slice(i, i + 1)
    return Found(found.score[one], found.tries[one], lambda: found.branches[one])


def _asked(strategy: Any, nodes: Nodes, found: Found) -> Iterator[tuple[str, Bools]]:
    if hasattr(strategy, "before"):
        yield "before", np.asarray(strategy.before(nodes))
    if hasattr(strategy, "after"):
        yield "after", np.asarray(strategy.after(nodes, found))
