"""Boosting by the rows' weights: rounds that each heed what the one before got wrong."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import and_, ge, instance_of, le

from treekit import Floats, Grow, Member, Table, answers_for

# An error that is below the limit by no more than this is at the limit.
_LIMIT_NOISE = 1e-10

# The role's `trees` of an ensemble that boosts: one, or a few, in each round.
TREES = property(attrgetter("rounds"))

Learn = Callable[[Floats], Member]  # the tree that can be learned with these weights of the rows

NO_ERROR = "round_without_error"
TOO_WEAK = "round_too_weak"


def rounds_field(default: int) -> Any:
    """How many rounds there are at most."""
    few = and_(instance_of(int), ge(1), le(1_000_000))
    return field(default=default, validator=few, metadata={"example": 3})


@frozen(eq=False)
class Boosted:
    """The trees that are kept, the logarithm of the odds of each, and in which round it stopped."""

    members: tuple[Member, ...]
    log_odds: tuple[float, ...]
    facts: dict[str, float]


def boosted(
    table: Table,
    most: int,
    learn: Learn,
    harm_of: Callable[[Member], Floats],
    told: Callable[[int, int], None],
    limit: float = 0.5,
    power: float = 1.0,
) -> Boosted:
    """Rounds of boosting, `most` at most.

    A round's tree is what can be `learn`ed with the rows' weights, which always sum to what the
    table's do. `harm_of` it is, for each row, 0 where it answers right and at most 1 where it does
    not; its error e is their mean by weight. Its odds are b = (1 - e) / e, divided by those of the
    error `limit`. A row's weight is then multiplied by b ** (power * harm).

    A round without error is the last; its tree counts as if half of one row more were wrong. A
    round whose error is not below the limit is the last, too: its tree is dropped, unless there is
    no other.
    """
    weights, total = table.weights, float(table.weights.sum())
    at_limit = float(np.log((1.0 - limit) / limit))
    members: list[Member] = []
    log_odds: list[float] = []
    facts: dict[str, float] = {}
    for done in range(1, most + 1):
        member = learn(weights)
        harm = harm_of(member)
        error = float(weights @ harm) / total
        told(done, most)
        if error >= limit - _LIMIT_NOISE:
            facts[TOO_WEAK] = float(done)
            if not members:
                members, log_odds = [member], [1.0]
            break
        members.append(member)
        if error == 0.0:
            facts[NO_ERROR] = float(done)
            log_odds.append(float(np.log(2 * table.n_rows + 1)) - at_limit)
            break
        log_odds.append(float(np.log((1.0 - error) / error)) - at_limit)
        weights = weights * np.exp(power * log_odds[-1] * harm)
        weights = weights * (total / weights.sum())
    return Boosted(tuple(members), tuple(log_odds), facts)


def by_weight(table: Table, grow: Grow, rng: np.random.Generator) -> Learn:
    """Rounds that grow their trees on all rows, by their weights."""
    return lambda weights: grow(table.reweighted(weights), rng)


def by_draws(table: Table, grow: Grow, rng: np.random.Generator) -> Learn:
    """Rounds that each draw as many rows as there are, with replacement by weight.

    A row weighs its draws.
    """

    def learn(weights: Floats) -> Member:
        times = rng.multinomial(table.n_rows, weights / weights.sum())
        sample = table.reweighted(times.astype(np.float64))
        # Growth has a copy of the rows that were drawn; what is kept shares the table's.
        return evolve(grow(sample, rng), learned=sample)

    return learn


def said(member: Member, table: Table) -> Floats:
    """[rows, A]: what a tree answers for each row."""
    return answers_for(member.tree, member.answers, table, member.leaf_models)
