"""Classes: what they weigh, how frequent they are taken to be, and what errors cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any, Final

import numpy as np
from attrs import evolve, field, frozen

from treekit.errors import Problem, RecipeError, did_you_mean
from treekit.table.record import Floats, Table
from treekit.tree import Tree

Path = tuple[str, ...]
Where = Callable[[Path], str]

NO_WEIGHTS: Final = "none"
BALANCED: Final = "balanced"
SAMPLE: Final = "sample"
EQUAL: Final = "equal"

# Equal costs must not seem to differ by the rounding of their mean.
_COST_NOISE = 1e-12


def softmax(scores: Floats) -> Floats:
    """Shares proportional to the exponentials of the scores, row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


@frozen
class Classes:
    """What a recipe says of the classes, by their names.

    weights  "none", "balanced" (every class weighs the same in all, the sample as much as before),
             or what the weights of a class's rows are multiplied by; 1 unless named
    priors   "sample", "equal", or the share of each class, whatever its share of the sample
    costs    by the actual and then the predicted class: what such an error costs; 1 unless named
    """

    weights: str | Mapping[str, float] = NO_WEIGHTS
    priors: str | Mapping[str, float] = SAMPLE
    costs: Mapping[str, Mapping[str, float]] = field(factory=dict)


@frozen(eq=False)
class ClassTerms:
    """What a recipe says of the classes, in the order of a table's classes.

    factors   [K]: what growth multiplies the weight of a row of each class by
    emphasis  [K]: the part of a factor that stands for the costs
    costs     [K, K]: costs[actual, predicted]; None: every error costs 1
    """

    factors: Floats
    emphasis: Floats
    costs: Floats | None = None

    @property
    def unit_costs(self) -> Floats | None:
        """[K, K]: what each answer costs for a unit of the altered weight."""
        return None if self.costs is None else self.costs / self.emphasis[:, None]

    @property
    def by_weight(self) -> bool:
        """Is an error's cost its altered weight, whatever the answer? So it is of two classes."""
        costs = self.unit_costs
        if costs is None:
            return True
        errors = costs[~np.eye(len(costs), dtype=bool)]
        return bool(np.allclose(errors, errors[:1], rtol=_COST_NOISE, atol=0.0))


# --- what can be said ----------------------------------------------------------------------------


def said(classes: Classes) -> dict[str, Any]:
    """What is said of the classes, as plain data; nothing of what is not."""
    document: dict[str, Any] = {}
    if classes.weights not in (NO_WEIGHTS, {}):
        document["weights"] = _plain(classes.weights)
    if classes.priors not in (SAMPLE, {}):
        document["priors"] = _plain(classes.priors)
    if classes.costs:
        document["costs"] = _plain(classes.costs)
    return document


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else value


# --- what it comes to on a table -----------------------------------------------------------------


def terms_for(classes: Classes, table: Table, where: Where) -> ClassTerms:
    """What is said of the classes, met with those of a table to learn from.

    `where` tells the place of a path such as ("weights", "yes"). RecipeError tells all that does
    not fit the table.
    """
    names = table.schema.classes
    if not said(classes):
        return ClassTerms(np.ones(len(names)), np.ones(len(names)))
    problems = [*_misfits(classes, names, table.schema.target.name, where)]
    if problems:
        raise RecipeError(*problems)
    sample = np.zeros(len(names))
    np.add.at(sample, table.y.astype(np.int64), table.weights)
    factors = _class_weights(classes.weights, names, sample)
    factors = factors * _prior_factors(classes.priors, names, sample)
    if not (factors * sample).any():
        remedy = "give a class that has rows more than 0"
        path = ("weights",) if isinstance(classes.weights, Mapping) else ("priors",)
        raise RecipeError(Problem("no row is left any weight", where(path), remedy))
    if not classes.costs:
        return ClassTerms(factors, np.ones(len(names)))
    costs = _matrix(classes.costs, names)
    emphasis = _emphasis(costs, factors * sample)
    free = [name for name, weight in zip(names, emphasis, strict=True) if weight == 0.0]
    if free:
        raise RecipeError(*(_free_errors(name, where) for name in free))
    return ClassTerms(factors * emphasis, emphasis, costs)


def _misfits(
    classes: Classes, names: tuple[str, ...], target: str, where: Where
) -> Iterator[Problem]:
    """Classes that the table does not have, and those that a whole list of priors leaves out."""
    for path in _named(classes):
        if path[-1] not in names:
            what = f"the target {target!r} has no class {path[-1]!r}"
            yield Problem(what, where(path), did_you_mean(path[-1], names))
    if isinstance(classes.priors, Mapping) and classes.priors:
        for name in names:
            if name not in classes.priors:
                what = f"the class {name!r} has no prior"
                yield Problem(what, where(("priors",)), "give a share to every class")


def _named(classes: Classes) -> Iterator[Path]:
    for key, value in (("weights", classes.weights), ("priors", classes.priors)):
        if isinstance(value, Mapping):
            yield from ((key, name) for name in value)
    for actual, row in classes.costs.items():
        yield ("costs", actual)
        yield from (("costs", actual, predicted) for predicted in row)


def _emphasis(costs: Floats, sample: Floats) -> Floats:
    """[K]: the sum of what the errors of each class cost, scaled so that the weight in all stays.

    Errors that name a class without rows are not counted, and such a class has no emphasis to get.
    """
    there = sample > 0.0
    if there.sum() < 2:
        return np.ones_like(sample)
    errors = np.where(there, costs[:, there].sum(axis=1), 1.0)
    total = errors @ sample
    return np.asarray(errors * sample.sum() / total if total > 0.0 else errors)


def _free_errors(name: str, where: Where) -> Problem:
    """A class whose every error is free would not be learned at all."""
    what = f"no error on the class {name!r} costs anything"
    return Problem(what, where(("costs", name)), "let one of them cost more than 0")


def _matrix(costs: Mapping[str, Mapping[str, float]], names: tuple[str, ...]) -> Floats:
    """[K, K]: the costs by actual and predicted class; 1 for errors that are not named."""
    matrix = 1.0 - np.eye(len(names))
    for actual, row in costs.items():
        for predicted, cost in row.items():
            matrix[names.index(actual), names.index(predicted)] = cost
    return matrix


def _class_weights(
    weights: str | Mapping[str, float], names: tuple[str, ...], sample: Floats
) -> Floats:
    if isinstance(weights, Mapping):
        return np.array([float(weights.get(name, 1.0)) for name in names])
    return _toward(np.ones(len(names)), sample) if weights == BALANCED else np.ones(len(names))


def _prior_factors(
    priors: str | Mapping[str, float], names: tuple[str, ...], sample: Floats
) -> Floats:
    if isinstance(priors, Mapping) and priors:
        return _toward(np.array([float(priors[name]) for name in names]), sample)
    return _toward(np.ones(len(names)), sample) if priors == EQUAL else np.ones(len(names))


def _toward(shares: Floats, sample: Floats) -> Floats:
    """What gives the classes these shares of the sample's weight, which stays the same in all.

    A class without rows has nothing to weigh: the others divide its share by theirs.
    """
    there = sample > 0.0
    total = shares[there].sum()
    if total == 0.0:
        return np.zeros_like(sample)
    wanted = shares * sample.sum() / total
    return np.asarray(np.divide(wanted, sample, out=np.ones_like(sample), where=there))


# --- what it does --------------------------------------------------------------------------------


def altered(table: Table, terms: ClassTerms) -> Table:
    """The table with its rows weighed by the factors of their classes.

    Costs enter growth through them: the prior of a class is multiplied by the sum of what its
    errors cost (Breiman et al. 1984, section 4.4), and the whole sample weighs the same.
    """
    if (terms.factors == 1.0).all():
        return table
    return table.reweighted(table.weights * terms.factors[table.y.astype(np.int64)])


def answers_by(
    label: Callable[[Tree, Table], Floats], tree: Tree, table: Table, terms: ClassTerms
) -> Floats:
    """What the nodes of a tree, grown on an altered table, answer by a label and the costs.

    The label is shown the weights as they are without the costs, so that its shares are those of
    the classes; the costs then tell which answer is cheapest. An empty node answers as its parent
    does.
    """
    if terms.costs is None:
        return label(tree, table)
    weights = tree.stats[:, 1:] / terms.emphasis
    stats = np.column_stack([weights.sum(axis=1), weights])
    plain = table.reweighted(table.weights / terms.emphasis[table.y.astype(np.int64)])
    answers = least_cost(label(evolve(tree, stats=stats), plain), terms.costs)
    empty = np.flatnonzero((tree.weight <= 0.0) & (tree.parent >= 0))
    answers[empty] = answers[tree.parent[empty]]
    return answers


def least_cost(shares: Floats, costs: Floats) -> Floats:
    """[n, K]: from class shares [n, K], numbers whose greatest is the class of least cost.

    To answer class j costs e_j = sum over i of shares_i costs[i, j] (Breiman et al. 1984, section
    2.4). Class j is given 1/K + (the mean of e over the K classes - e_j) / s: the cheaper a class,
    the greater its number, and they sum to 1. s is the same for all, and the least that leaves no
    number below 0 whatever the shares. So what several leaves or trees answer together is again
    the class of least expected cost, under their shares together. If every error costs the same,
    the numbers are the shares themselves; otherwise they are not probabilities.
    """
    n_classes = shares.shape[1]
    relative = costs / (np.abs(costs).max() or 1.0)
    dearer = relative - relative.mean(axis=1, keepdims=True)
    scale = n_classes * float(dearer.max())
    if scale <= _COST_NOISE:
        return np.full_like(shares, 1.0 / n_classes)
    return np.asarray(np.maximum(1.0 / n_classes - shares @ dearer / scale, 0.0))


def answer_costs(stats: Floats, costs: Floats | None) -> Floats:
    """[n, K]: what each answer costs for rows with the statistics [n, 1 + K].

    `costs[actual, predicted]` are those of a unit of weight, as `PruningData.costs` has them;
    None: every error costs 1. A node's answer is the first that costs least.
    """
    if costs is None:
        return np.asarray(np.maximum(stats[:, :1] - stats[:, 1:], 0.0))
    return np.asarray(stats[:, 1:] @ costs)
