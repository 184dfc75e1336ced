"""How the answers of many trees become one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, get_args

import numpy as np
from attrs import frozen

from treekit.classes import softmax
from treekit.offers import Rule, first_best
from treekit.table.record import Column, Floats, Ints, Schema

RULES: Final[tuple[Rule, ...]] = get_args(Rule)


@frozen(eq=False)
class Combination:
    """How a row's answers [A] of the trees become one answer.

    weights  of the trees
    rule     "sum": the answers are added up by weight (shares are averaged, numbers too if the
             weights add up to 1);
             "vote": each tree gives its weight to the class that it finds greatest;
             "weighted_median": that of the trees' numbers;
             "softmax": each tree's number is added, by weight, to the score of one class, and the
             shares are proportional to the exponentials of the scores
    base     what sums and scores begin with; empty: 0
    outputs  "softmax": the class of each tree; otherwise empty
    """

    weights: tuple[float, ...]
    rule: Rule = "sum"
    base: tuple[float, ...] = ()
    outputs: tuple[int, ...] = ()

    @property
    def is_additive(self) -> bool:
        """Are the trees steps that lead on from the base, none an answer of its own?"""
        return bool(self.base) or self.rule == "softmax"


def schema_of_tree(schema: Schema, outputs: Sequence[int], tree: int) -> Schema:
    """What a tree predicts, from which columns: of boosted classes the score of one class."""
    if not outputs:
        return schema
    return Schema(schema.columns, Column(f"score of {schema.classes[outputs[tree]]}", "numeric"))


def winners(answers: Floats) -> Ints:
    """The class of the greatest answer; the first of those that only rounding tells apart."""
    return first_best(answers, 0.0)


def votes(answers: Floats) -> Floats:
    """[rows, classes]: 1 for the class that each row's answers find greatest, 0 for the others."""
    return np.asarray(np.eye(answers.shape[1])[winners(answers)])


def combined(how: Combination, said: Iterable[Floats], n_rows: int, width: int) -> Floats:
    """[rows, width]: one answer for each row, of what each tree said [rows, A] in turn."""
    if how.rule == "weighted_median":
        return weighted_median(np.hstack(list(said)), how.weights)[:, None]
    total = np.zeros((n_rows, width))
    if how.base:
        total += how.base
    outputs: Sequence[int] = how.outputs or (0,) * len(how.weights)
    for answers, weight, output in zip(said, how.weights, outputs, strict=True):
        if how.rule == "softmax":
            total[:, output] += weight * answers[:, 0]
        elif how.rule == "vote":
            total += weight * votes(answers)
        else:
            total += weight * answers
    return softmax(total) if how.rule == "softmax" else total


def weighted_median(numbers: Floats, weights: Sequence[float]) -> Floats:
    """Of each row: the least number with at least half of the weight at or below it."""
    order = np.argsort(numbers, axis=1, kind="stable")
    below = np.cumsum(np.asarray(weights)[order], axis=1)
    first = (below >= 0.5 * below[:, -1:] * (1 - 1e-12)).argmax(axis=1)
    rows = np.arange(len(numbers))
    return np.asarray(numbers[rows, order[rows, first]])
