"""What a recipe says of the classes: from the leaves of its [classes] table to the record."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

from treekit.classes import BALANCED, EQUAL, NO_WEIGHTS, SAMPLE, Classes, said
from treekit.errors import Problem, did_you_mean
from treekit.recipe.draft import Leaf
from treekit.recipe.source import Keys
from treekit.recipe.whole import Where

CLASSES = "classes"
TERMS = ("weights", "priors", "costs")

# What a sum of decimal shares may miss 1 by.
_SHARE_NOISE = 1e-6


def classes_of(leaves: Mapping[Keys, Leaf]) -> Classes:
    """The record of what the leaves say, right or wrong."""
    document: dict[str, Any] = {}
    for (_, *path, last), leaf in leaves.items():
        table = document
        for key in path:
            table = table.setdefault(key, {})
        table[last] = leaf.value
    return Classes(**document)


def merged_leaves(under: Mapping[Keys, Leaf], over: Mapping[Keys, Leaf]) -> dict[Keys, Leaf]:
    """`over` laid upon `under`, key by key; a word replaces a table, and a table a word."""
    kept = {
        path: leaf
        for path, leaf in under.items()
        if not any(_one_holds_the_other(path, other) for other in over)
    }
    return {**kept, **over}


def _one_holds_the_other(path: Keys, other: Keys) -> bool:
    shared = min(len(path), len(other))
    return path[:shared] == other[:shared]


def class_problems(classes: Classes, task: str | None, label: Any, where: Where) -> list[Problem]:
    """What is wrong with what is said of the classes, before there is a table."""
    if task == "regression" and said(classes):
        what = "a recipe for regression has no classes"
        return [Problem(what, where((CLASSES,)), "leave it out, or give a recipe for classes")]
    problems = [
        Problem(what, where((CLASSES, *path)), instead) for path, what, instead in _flaws(classes)
    ]
    if classes.costs:
        problems += _uncharged(label, where((CLASSES, "costs")))
    return problems


def _uncharged(label: Any, place: str) -> Iterator[Problem]:
    """Labels whose answers cannot be weighed by the recipe's costs."""
    if getattr(label, "has_costs", False):
        yield Problem("the label has costs of its own", place, "say what errors cost in one place")
    if hasattr(label, "models"):
        what = "the label answers row by row, and costs are weighed leaf by leaf"
        yield Problem(what, place, "give a label that answers alike for all rows of a leaf")


def _flaws(classes: Classes) -> Iterator[tuple[Keys, str, str]]:
    """All that can be seen to be wrong without a table: where, what, and what would be right."""
    yield from _by_class("weights", classes.weights, (NO_WEIGHTS, BALANCED))
    yield from _by_class("priors", classes.priors, (SAMPLE, EQUAL))
    if isinstance(classes.priors, Mapping) and classes.priors:
        shares = list(classes.priors.values())
        total = math.fsum(shares) if all(map(_is_share, shares)) else 1.0
        if abs(total - 1.0) > _SHARE_NOISE:
            yield ("priors",), f"the priors sum to {total:g}", "they must sum to 1"
    if {"weights", "priors"} <= said(classes).keys():
        what = "weights and priors both say how much each class counts"
        yield ("priors",), what, f'give one of them, or weights = "{NO_WEIGHTS}"'
    yield from _wrong_costs(classes.costs)


def _by_class(key: str, value: Any, words: tuple[str, str]) -> Iterator[tuple[Keys, str, str]]:
    if isinstance(value, Mapping):
        for name, number in value.items():
            if not _is_share(number):
                what = f"{number!r} is no number from 0"
                yield (key, str(name)), what, "give a finite number, 0 or more"
    elif value not in words:
        options = " or ".join(f'"{word}"' for word in words)
        instead = f"give {options}, or a table with a number for each class"
        if isinstance(value, str) and "did you mean" in (near := did_you_mean(value, words)):
            instead = f"{near} ({instead})"
        yield (key,), f"{value!r} says nothing of the classes", instead


def _wrong_costs(costs: Any) -> Iterator[tuple[Keys, str, str]]:
    shape = "give costs.ACTUAL.PREDICTED = number"
    if not isinstance(costs, Mapping):
        yield ("costs",), f"{costs!r} is no table of costs", shape
        return
    for actual, row in costs.items():
        if not isinstance(row, Mapping):
            yield ("costs", str(actual)), f"{row!r} is no table of costs", shape
            continue
        for predicted, cost in row.items():
            path = ("costs", str(actual), str(predicted))
            if not _is_share(cost):
                yield path, f"{cost!r} is no cost", "give a finite number, 0 or more"
            elif actual == predicted and cost != 0:
                yield path, f"the right answer costs {cost:g}", "it costs nothing"


def _is_share(value: Any) -> bool:
    number = isinstance(value, Real) and not isinstance(value, bool)
    return number and 0.0 <= value < math.inf
