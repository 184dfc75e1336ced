"""C4.5's pruning, slow and recursive, straight from its rules: for comparison only."""

from __future__ import annotations

import math

import numpy as np

from treekit.table.record import Table
from treekit.tree import LEVELS, NOWHERE, REFUSE, SPREAD

from .naive import Branching, Cases, dealt, statistics

TABLE = {0.0: 4.0, 0.001: 3.09, 0.005: 2.58, 0.01: 2.33, 0.05: 1.65, 0.10: 1.28, 0.20: 0.84}
TABLE |= {0.40: 0.25, 1.00: 0.0}


def deviate(confidence: float) -> float:
    marks = sorted(TABLE)
    above = next(i for i, mark in enumerate(marks) if mark >= confidence and i > 0)
    low, high = marks[above - 1], marks[above]
    part = (confidence - low) / (high - low)
    return TABLE[low] + part * (TABLE[high] - TABLE[low])


def extra(n: float, e: float, confidence: float) -> float:
    if n == 0:
        return 0.0
    if e < 1e-6:
        return n * (1 - confidence ** (1 / n))
    if e < 0.9999:
        none = extra(n, 0, confidence)
        return none + e * (extra(n, 1, confidence) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    c = deviate(confidence) ** 2
    p = (e + 0.5 + c / 2 + math.sqrt(c * ((e + 0.5) * (1 - (e + 0.5) / n) + c / 4))) / (n + c)
    return n * p - e


def leaf_estimate(stats: list[float], confidence: float) -> float:
    errors = stats[0] - max(stats[1:])
    return errors + extra(stats[0], errors, confidence)


def stay_estimate(stats: list[float], staying: list[float], confidence: float) -> float:
    errors = staying[0] - staying[1 + int(np.argmax(stats[1:]))]
    return errors + extra(staying[0], errors, confidence)


def prune(
    node: Branching, table: Table, cases: Cases, confidence: float, raising: bool, update: bool
) -> float:
    """Prune a subtree with these cases (or only estimate it), and return its estimate."""
    stats = statistics(table, cases)
    leaf = leaf_estimate(stats, confidence)
    if update:
        node.stats, node.cases = stats, cases
    if not node.children:
        return leaf
    groups, lost = dealt(node, len(node.children), table, cases)
    tree = stay_estimate(stats, statistics(table, lost), confidence) if lost else 0.0
    if lost and node.unknown == REFUSE and not update:
        tree = math.inf
    largest = None
    for i, (child, group) in enumerate(zip(node.children, groups, strict=True)):
        if group:
            tree += prune(child, table, group, confidence, raising, update)
            if largest is None or weight(group) >= weight(groups[largest]) - 1e-9:
                largest = i
    if not update:
        return tree
    branch = math.inf
    if raising and largest is not None:
        branch = prune(node.children[largest], table, cases, confidence, raising, False)
    if leaf <= branch + 0.1 and leaf <= tree + 0.1:
        node.become_leaf()
        return leaf
    if largest is not None and branch <= tree + 0.1:
        node.become(node.children[largest])
        return prune(node, table, cases, confidence, raising, True)
    return tree


def forget_impossible(node: Branching, possible: dict[int, set[int]] | None = None) -> None:
    """Rule 5.6: only `possible` levels of a column may lead to a test's last branch."""
    possible = possible or {}
    taught = node.operands
    if node.kind == LEVELS and node.column in possible:
        last = len(node.children) - 1
        node.operands = tuple(
            NOWHERE if to == last and level not in possible[node.column] else to
            for level, to in enumerate(taught)
        )
        if last not in node.operands and last > 1 and node.unknown != last:
            node.children.pop()
    for i, child in enumerate(node.children):
        below = dict(possible)
        if node.kind == LEVELS:
            below[node.column] = {level for level, to in enumerate(node.operands) if to == i}
            if node.unknown in (SPREAD, i):
                below[node.column] |= {level for level, to in enumerate(taught) if to == NOWHERE}
        forget_impossible(child, below)


def weight(cases: Cases) -> float:
    return sum(w for _, w in cases)
