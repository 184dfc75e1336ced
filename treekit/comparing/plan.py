"""The plan of a comparison: every contender on every fold of every data set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve, field, frozen

from treekit.comparing.contenders import Contender, digest
from treekit.comparing.data import DataSet
from treekit.comparing.resampling import Fold, Resampling, learned_at_all
from treekit.errors import DataError, Problem, RecipeError, TreekitError


@frozen(eq=False)
class Plan:
    """What is compared, on what, and how. The same plan gives the same figures."""

    contenders: tuple[Contender, ...]
    data: tuple[DataSet, ...]
    resampling: Resampling
    seed: int = 0


@frozen(eq=False)
class Cell:
    """One contender on one fold: the unit of work. `seed` is that of all that it draws."""

    data: int
    contender: int
    fold: Fold = field(repr=False)
    seed: int
    key: str


def plan_of(
    contenders: Sequence[Contender], data: Sequence[DataSet], resampling: Resampling, seed: int = 0
) -> Plan:
    """A plan that can be carried out; all that is wrong with it is told at once."""
    problems = [*_twice(contenders)]
    if not contenders:
        problems.append(Problem("there is nobody to compare", instead="name some recipes"))
    if not data:
        problems.append(Problem("there are no data to compare on", instead="name some data sets"))
    plan = Plan(tuple(contenders), tuple(data), resampling, seed)
    for one in data:
        problems += _unfit(plan, one)
    if problems:
        raise TreekitError(*dict.fromkeys(problems))
    return plan


def _unfit(plan: Plan, data: DataSet) -> list[Problem]:
    """Why a data set cannot be divided, or contenders cannot learn from the rows they get of it."""
    try:
        rows = learned_at_all(data.to_learn, folds_of(plan, data))
    except DataError as error:
        return list(error.problems)
    problems: list[Problem] = []
    for contender in plan.contenders:
        try:
            contender.check(rows)
        except (DataError, RecipeError) as error:
            problems += error.problems
    return problems


def _twice(contenders: Sequence[Contender]) -> Iterator[Problem]:
    seen: set[str] = set()
    for contender in contenders:
        if contender.name in seen:
            what = f"{contender.name!r} takes part twice"
            yield Problem(what, instead="leave one out, or give it another name")
        seen.add(contender.name)


def folds_of(plan: Plan, data: DataSet) -> list[Fold]:
    """The folds of a data set: drawn once, from the seed alone, and shared by all contenders."""
    try:
        return plan.resampling.draw(data, np.random.default_rng(plan.seed))
    except DataError as error:
        here = (evolve(p, where=p.where or data.name) for p in error.problems)
        raise DataError(*here) from None


def cells(plan: Plan) -> Iterator[Cell]:
    """All the work there is, in order: data set by data set, fold by fold."""
    contenders = [digest(contender) for contender in plan.contenders]
    for d, data in enumerate(plan.data):
        for fold in folds_of(plan, data):
            seed = _seed(plan.seed, fold)
            for c, contender in enumerate(contenders):
                told = "\n".join((data.digest, contender, fold.digest, str(seed)))
                yield Cell(d, c, fold, seed, hashlib.sha256(told.encode()).hexdigest())


def _seed(seed: int, fold: Fold) -> int:
    """A seed for each fold, the same for all contenders."""
    return int(np.random.SeedSequence([seed, fold.repeat, fold.number]).generate_state(1)[0])
