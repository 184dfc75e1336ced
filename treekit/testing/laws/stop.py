"""Laws of stop rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np

from treekit.offers import Nodes
from treekit.table.record import Bools, Floats
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
    for nodes, score in _batches(strategy):
        for name, mask in _asked(strategy, nodes, score):
            expect(
                mask.shape == (len(nodes),), f"`{name}` gives {mask.shape} for {len(nodes)} nodes"
            )
            expect(mask.dtype == np.bool_, f"`{name}` gives {mask.dtype}, not true or false")


def is_deterministic(strategy: Any) -> None:
    """Asked twice, it answers the same."""
    for nodes, score in _batches(strategy):
        again = dict(_asked(strategy, nodes, score))
        for name, mask in _asked(strategy, nodes, score):
            expect_same(again[name], mask, f"`{name}` answers otherwise when asked again")


def nodes_are_asked_as_if_alone(strategy: Any) -> None:
    """What is said of a node does not depend on the nodes beside it."""
    for nodes, score in _batches(strategy):
        for name, mask in _asked(strategy, nodes, score):
            alone = [
                dict(_asked(strategy, nodes.only(slice(i, i + 1)), score[i : i + 1]))[name][0]
                for i in range(len(nodes))
            ]
            expect_same(mask, alone, f"`{name}` of a node depends on other nodes", nodes.stats)


def leaves_its_input_alone(strategy: Any) -> None:
    """The nodes are not written to."""
    for (nodes, score), (fresh, _) in zip(_batches(strategy), _batches(strategy), strict=True):
        list(_asked(strategy, nodes, score))
        for field in attrs.fields(Nodes):
            written = f"`{field.name}` was written to"
            expect_same(getattr(nodes, field.name), getattr(fresh, field.name), written)


def branch_minimum_is_a_number(strategy: Any) -> None:
    """`branch_rows` and `branch_weight` are finite numbers, 0 or more."""
    for name in ("branch_rows", "branch_weight"):
        value = getattr(strategy, name, 0)
        number = isinstance(value, int | float) and math.isfinite(value) and value >= 0
        expect(number, f"`{name}` is {value!r}, not a number of 0 or more")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a stop rule must keep."""
    yield says_why_in_words
    if hasattr(strategy, "before") or hasattr(strategy, "after"):
        yield marks_each_node
        yield is_deterministic
        yield nodes_are_asked_as_if_alone
        yield leaves_its_input_alone
    if hasattr(strategy, "branch_rows") or hasattr(strategy, "branch_weight"):
        yield branch_minimum_is_a_number


def _batches(strategy: Any) -> Iterator[tuple[Nodes, Floats]]:
    for task in tasks(strategy):
        nodes = random_nodes(task)
        score = np.random.default_rng(0).normal(scale=0.1, size=len(nodes))
        score[::7] = -np.inf
        score[1::7] = 0.0
        yield nodes, score


def _asked(strategy: Any, nodes: Nodes, score: Floats) -> Iterator[tuple[str, Bools]]:
    if hasattr(strategy, "before"):
        yield "before", np.asarray(strategy.before(nodes))
    if hasattr(strategy, "after"):
        yield "after", np.asarray(strategy.after(nodes, score))
