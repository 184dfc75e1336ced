"""treekit."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from treekit_builtin import (
    Gain,
    Gini,
    Level,
    Majority,
    MaxDepth,
    Mean,
    NoPruning,
    Pure,
    Refuse,
    Threshold,
    Variance,
)

from benchmarks.contest import Contender
from benchmarks.work import Work
from treekit import Floats, Model, Recipe, TreeParts, load_recipe, row_form
from treekit.fitting import fit_table
from treekit.planting import Means

NAME = "treekit"


@frozen
class NumpyGini:
    """Gini's index as a user writes it, in one line of NumPy; another may say it is concave."""

    strictly_concave: bool = False

    def impurity(self, stats: Floats) -> Floats:
        return np.asarray(1 - ((stats[..., 1:] / stats[..., :1]) ** 2).sum(-1))


@frozen
class LoopGini:
    """Gini's index as a user writes it in row form: a loop over the classes."""

    strictly_concave: bool = False

    @row_form
    @staticmethod
    def impurity(stats: Floats) -> float:
        alike = 0.0
        for k in range(1, stats.shape[0]):
            alike += (stats[k] / stats[0]) ** 2
        return 1.0 - alike


def plain_tree(n_classes: int, depth: int | None = None, impurity: object = None) -> Recipe:
    """Cuts by gain until all is pure or deep enough, unpruned: what scikit-learn's trees are."""
    impurity = impurity or (Gini() if n_classes else Variance())
    return Recipe(
        task="classification" if n_classes else "regression",
        tree=TreeParts(
            impurity=impurity,  # type: ignore[arg-type]
            criterion=Gain(),
            splitter={"numeric": Threshold()},
            stop=(Pure(),) if depth is None else (Pure(), MaxDepth(depth)),
            missing=Refuse(),
            label=Majority() if n_classes else Mean(),
            pruner=NoPruning(),
            grower=Level(),
        ),
    )


def recipe_of(work: Work) -> Recipe:
    if work.kind == "tree":
        return plain_tree(work.data.n_classes, work.depth)
    if work.kind == "forest":
        return load_recipe("random_forest", {"ensemble.trees": work.trees})
    if work.kind == "c45":
        return load_recipe("c45")
    if work.kind == "cart":
        return load_recipe("cart", {"tree.pruner.alpha": work.alpha})
    return load_recipe(work.kind, {"ensemble.rounds": work.trees})


def contenders(work: Work) -> list[Contender]:
    return [contender(work, recipe_of(work))]


def contender(work: Work, recipe: Recipe, name: str = NAME) -> Contender:
    """A fit on a table that nothing was remembered of: encoding is part of the work."""
    means = Means(work.threads)

    def fitted() -> Model:
        return fit_table(recipe, work.data.fresh(), work.seed, means=means)

    return Contender(
        name,
        fitted,
        lambda model: model.predict(work.asked.fresh(), threads=work.threads),
        lambda model: int(model.n_nodes),
        work.must,
        warm=fitted,  # whole: what is compiled may depend on the number of rows
    )
