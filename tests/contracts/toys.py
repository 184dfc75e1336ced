"""Strategies that are wrong in one way each, so that every law is seen to fail."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import attrs
import numpy as np
from attrs import evolve, field, frozen

from treekit import (
    Column,
    DataError,
    Forest,
    Ints,
    Offers,
    Problem,
    Search,
    Table,
    Tree,
    join_offers,
    row_form,
)
from treekit.leaf_models import additive
from treekit.testing.laws.splitter import BranchMinimum

_count = itertools.count()
_random = np.random.default_rng(0)


def toy(**members: Any) -> Any:
    """An object of a frozen attrs class with these members."""
    return frozen(type("Toy", (), {"__doc__": "A toy.", **members}))()


# --- any role ------------------------------------------------------------------------------------


class Plain:
    """No attrs class."""

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@attrs.define
class Changeable:
    """It can be assigned to."""

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class Base:
    """Somebody's base."""

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class Heir(Base):
    """It inherits."""


@frozen
class Undocumented:
    """It says nothing of its field."""

    base: int = field(default=2, validator=attrs.validators.gt(1))

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen(eq=False)
class Unequal:
    """It is equal to nothing but itself."""

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


def twice(value: float) -> float:
    return 2.0 * value


@frozen
class Doubling:
    """It doubles what it is given.

    base: never what was asked for
    """

    base: float = field(default=2.0, converter=twice)

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class Anything:
    """It takes any number.

    base: any
    """

    base: float = 2.0

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class AnyWord:
    """It takes any word.

    word: any
    """

    word: Literal["a", "b"] = "a"

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class AnyCount:
    """It takes any whole number.

    count: any
    """

    count: int = 2

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class Needy:
    """It has no default.

    share: more than 0 and less than 1
    """

    share: float = field(validator=[attrs.validators.gt(0.0), attrs.validators.lt(1.0)])

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


@frozen
class Impossible:
    """It takes no number at all.

    share: none
    """

    share: float = field(validator=[attrs.validators.gt(1.0), attrs.validators.lt(0.0)])

    def impurity(self, stats: Any) -> Any:
        return stats[..., 0] * 0.0


def local() -> Any:
    @frozen
    class Local:
        """Nobody can import it."""

        def impurity(self, stats: Any) -> Any:
            return stats[..., 0] * 0.0

    return Local()


# --- formulas ------------------------------------------------------------------------------------


def gini(stats: Any) -> Any:
    total = np.maximum(stats[..., 0], 1e-300)
    return np.where(stats[..., 0] > 0, 1.0 - (stats[..., 1:] ** 2).sum(axis=-1) / total**2, 0.0)


def impurity(formula: Any, **members: Any) -> Any:
    """An impurity for classes with this array form."""
    return toy(tasks=("classification",), impurity=lambda self, stats: formula(stats), **members)


def written_over(stats: Any) -> Any:
    value = gini(stats)
    stats *= 2.0
    return value


@frozen
class Overflowing:
    """A row form that means something else once it is compiled: whole numbers are 64 bits then."""

    tasks = ("classification",)

    @row_form
    @staticmethod
    def impurity(stats: Any) -> Any:
        n = 10 * stats.shape[0]
        power = (1 << n) << n
        total = stats[0]
        if total <= 0.0:
            return 0.0
        squares = 0.0
        for k in range(1, stats.shape[0]):
            squares += stats[k] * stats[k]
        value = 1.0 - squares / (total * total)
        return value if power > 0 else value * value

    @row_form
    @staticmethod
    def score(parent: Any, branches: Any, before: Any, after: Any) -> Any:
        n = 10 * parent.shape[0]
        power = (1 << n) << n
        worst = 0.0
        mean = 0.0
        for k in range(branches.shape[0]):
            mean += branches[k, 0] / parent[0] * after[k]
            worst = max(worst, after[k])
        return before - mean if power > 0 else before - worst


@frozen
class Pretending:
    """Row forms that allow the engine to pass over cuts, and should not."""

    tasks = ("classification",)
    strictly_concave = True
    by_mean_impurity = True

    @row_form
    @staticmethod
    def impurity(stats: Any) -> Any:
        if stats[0] <= 0.0:
            return 0.0
        squares = 0.0
        for k in range(1, stats.shape[0]):
            squares += stats[k] * stats[k]
        return (1.0 - squares / (stats[0] * stats[0])) ** 4

    @row_form
    @staticmethod
    def score(parent: Any, branches: Any, before: Any, after: Any) -> Any:
        worst = 0.0
        for k in range(branches.shape[0]):
            worst = max(worst, after[k])
        return before - worst


def gain(parent: Any, branches: Any, before: Any, after: Any) -> Any:
    return before - (branches[..., 0] * after).sum(axis=-1) / parent[..., 0]


def criterion(formula: Any, **members: Any) -> Any:
    """A criterion for classes with this array form."""

    def score(self: Any, parent: Any, branches: Any, before: Any, after: Any) -> Any:
        return formula(parent, branches, before, after)

    return toy(tasks=("classification",), score=score, **members)


def chooser(choose: Any) -> Any:
    return criterion(gain, choose=lambda self, offers: choose(offers))


def branches_written_over(parent: Any, branches: Any, before: Any, after: Any) -> Any:
    value = gain(parent, branches, before, after)
    branches *= 2.0
    return value


# --- splitters -----------------------------------------------------------------------------------


def multiway(
    *, change: Any = None, enough: Any = None, weights: Any = None, score: Any = None
) -> Any:
    """A branch for each level of a nominal column, with one thing changed."""

    def of_column(search: Search, column: int) -> Offers:
        seen = search.histogram(column)
        n, levels = seen.rows.shape
        allowed = (enough or search.enough)(seen.weight, seen.rows)
        value = np.where(allowed, search.score(seen.stats), -np.inf)
        value = np.where(allowed & ~np.isfinite(value), 0.0, value)
        return search.offer_groups(
            column,
            np.tile(np.arange(levels, dtype=np.float64), (n, 1)),
            np.full(n, levels, np.int64),
            value if score is None else score(value),
            seen.weight if weights is None else weights(seen.weight),
        )

    def offer(self: Any, search: Search, columns: Ints) -> Offers:
        offers = join_offers([of_column(search, int(c)) for c in columns])
        return offers if change is None else change(offers)

    def asked_once(self: Any, column: Column) -> bool:
        return True

    return toy(tasks=("classification",), kinds=("nominal",), asked_once=asked_once, offer=offer)


def any_two(weight: Any, rows: Any) -> Any:
    return (rows > 0).sum(axis=-1) >= 2


# --- the rest ------------------------------------------------------------------------------------


def stop(**members: Any) -> Any:
    return toy(**{"reason": "enough is enough", **members})


def stop_before(mask: Any) -> Any:
    return stop(before=lambda self, nodes: mask(nodes))


def rows_written_over(nodes: Any) -> Any:
    nodes.rows[:] = 0
    return nodes.pure


def branch_minimum(rows: float) -> Any:
    return BranchMinimum(rows, 0.0)


def refuse(error: Exception) -> Any:
    def check(self: Any, table: Table) -> None:
        if table.has_unknown.any():
            raise error

    return check


def refuse_all(self: Any, table: Table) -> None:
    raise DataError(Problem("never"))


def missing(**members: Any) -> Any:
    usual = {
        "check": lambda self, table: None,
        "discount": lambda self, known, total: known / total,
        "destination": lambda self, owner, weight, n: np.zeros(n, np.int32),
    }
    return toy(**{**usual, **members})


def shares(tree: Tree) -> Any:
    counts = tree.stats[:, 1:]
    return (counts + 1.0) / (counts + 1.0).sum(axis=1, keepdims=True)


def label(answers: Any) -> Any:
    return toy(tasks=("classification",), answers=lambda self, tree, table: answers(tree))


def modelling(models: Any) -> Any:
    """A label whose models are `models(tree, table)`."""
    return toy(
        tasks=("classification",),
        answers=lambda self, tree, table: shares(tree),
        models=lambda self, tree, table, grown: models(tree, table),
    )


def constants(value: Any, link: Any = "softmax") -> Any:
    """The same constants at every node and no terms; `value()` for each of the classes."""
    return modelling(
        lambda tree, table: additive(
            link,
            np.full((tree.n_nodes, len(table.schema.classes)), value()),
            [[] for _ in range(tree.n_nodes)],
        )
    )


def stats_written_over(tree: Tree) -> Any:
    value = shares(tree)
    tree.stats[:] = 0.0
    return value


def pruner(prune: Any, **members: Any) -> Any:
    return toy(
        tasks=("classification",), prune=lambda self, tree, data: prune(tree, data), **members
    )


def grown_on_noise(tree: Tree, data: Any) -> Tree:
    y = np.random.default_rng(0).permutation(data.table.y)
    grown: Tree = data.grow(attrs.evolve(data.table, target_values=y))
    return grown


def tree_written_over(tree: Tree, data: Any) -> Tree:
    tree.stats[:] = 0.0
    return tree


def ensemble(
    weights: Any, answers: Any = lambda said: said, sample: Any = lambda table: table
) -> Any:
    def plant(self: Any, table: Table, grow: Any, rng: Any) -> Forest:
        given = weights()
        members = [grow(sample(table), rng) for _ in given]
        return Forest(tuple(evolve(m, answers=answers(m.answers)) for m in members), tuple(given))

    return toy(tasks=("classification",), plant=plant)


def aimed_elsewhere(table: Table) -> Table:
    """The table with its last class under another name."""
    target = table.schema.target
    other = evolve(target, levels=(*target.levels[:-1], "another"))
    return table.aiming_at(other, table.y)


class Backward(float):
    """A number that is written as one thing and multiplies as another."""

    def __mul__(self, other: Any) -> Any:
        return -float(self) * other


def at_random(nodes: Any) -> Any:
    return _random.random(len(nodes)) < 0.3


def ever_more() -> int:
    return next(_count)


def split_once(self: Any, growth: Any) -> None:
    growth.split_level()
