"""scikit-learn's trees beside ours: grown on the same rows, walked together from the root."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from attrs import define, frozen
from sklearn import datasets as bundled  # type: ignore[import-untyped]
from sklearn.tree import (  # type: ignore[import-untyped]
    DecisionTreeClassifier,
    DecisionTreeRegressor,
)

from treekit.fitting import fit_table
from treekit.offers import Found, Nodes
from treekit.recipe import load_recipe
from treekit.route import split_rows
from treekit.table.record import Bools, Column, Floats, Ints, Schema, Table
from treekit.tree import CUTS, LEAF, STAY, Tree

from ..fidelity import UNEXPLAINED

# Neighbours that are no further apart are not cut apart (scikit-learn: FEATURE_THRESHOLD).
GAP = 1e-7
# Decreases agree to this, and splits whose decreases do are worth the same.
TOLERANCE = 1e-9


@cache
def table_of(dataset: str) -> Table:
    """A data set that scikit-learn brings along."""
    X, y = getattr(bundled, f"load_{dataset}")(return_X_y=True)  # noqa: N806
    columns = tuple(Column(f"x{j}", "numeric") for j in range(X.shape[1]))
    numeric = dataset == "diabetes"
    target = (
        Column("y", "numeric")
        if numeric
        else Column("y", "nominal", tuple(f"class {k}" for k in range(int(y.max()) + 1)))
    )
    cells = np.ascontiguousarray(X.T, dtype=np.float64)
    return Table(Schema(columns, target), cells, y.astype(np.float64), source=dataset)


def peer(
    table: Table, criterion: str, limits: Mapping[str, Any], seed: int = 0, **more: Any
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """The tree that scikit-learn grows."""
    kind = DecisionTreeClassifier if table.task == "classification" else DecisionTreeRegressor
    estimator = kind(criterion=criterion, random_state=seed, **limits, **more)
    return estimator.fit(table.cells.T, table.y)


# --- our tree ------------------------------------------------------------------------------------


@frozen
class MinDecrease:
    """scikit-learn's min_impurity_decrease: what the whole sample's impurity must fall by."""

    decrease: float
    sample_weight: float

    @property
    def reason(self) -> str:
        return f"no test takes {self.decrease:g} off the impurity"

    def after(self, nodes: Nodes, found: Found) -> Bools:
        falls = nodes.weight * found.score / self.sample_weight
        return np.asarray(falls + np.finfo(float).eps < self.decrease)


def grown(
    table: Table,
    criterion: str,
    limits: Mapping[str, Any],
    *,
    depth: int = 0,
    sample: int | None = None,
    pruner: Any = "none",
) -> Tree:
    """Our tree by scikit-learn's parameters, if `depth` questions were asked before.

    `sample` is how many rows there were before them.
    """
    stops: list[Any] = [
        "pure",
        {
            "use": "min_rows",
            "split": float(limits.get("min_samples_split", 2)),
            "branch": float(limits.get("min_samples_leaf", 1)),
        },
    ]
    if "max_depth" in limits:
        stops.append({"use": "max_depth", "depth": limits["max_depth"] - depth})
    if "min_impurity_decrease" in limits:
        stops.append(MinDecrease(limits["min_impurity_decrease"], float(sample or table.n_rows)))
    recipe = load_recipe(
        "cart" if table.task == "classification" else "regression",
        set={
            "tree.impurity": {"squared_error": "variance"}.get(criterion, criterion),
            "tree.criterion": "gain",
            "tree.splitter.numeric": {"use": "threshold", "gap": GAP},
            "tree.stop": stops,
            "tree.pruner": pruner,
        },
    )
    return fit_table(recipe, table).trees[0]


# --- the definition ------------------------------------------------------------------------------


def impurity_of(criterion: str, shares: Floats) -> Floats:
    """The impurity of class shares [..., K]."""
    if criterion == "gini":
        return np.asarray(1.0 - (shares**2).sum(axis=-1))
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=-1))


def every_decrease(table: Table, rows: Ints, criterion: str, least: int) -> Floats:
    """By how much each cut of each column lowers the impurity of the whole sample.

    An exhaustive search of its own: it shares no code with either program.
    """
    values = table.cells[:, rows].astype(np.float32)
    order = values.argsort(axis=1, kind="stable")
    values = np.take_along_axis(values, order, axis=1)
    y = table.y[rows]
    n = len(rows)
    left = np.arange(1, n, dtype=np.float64)
    right = n - left
    if table.task == "classification":
        ones = np.eye(len(table.schema.classes))[y.astype(int)]
        below = ones[order].cumsum(axis=1)[:, :-1]
        above = ones.sum(axis=0) - below
        whole = impurity_of(criterion, ones.mean(axis=0))
        after = left * impurity_of(criterion, below / left[:, None])
        after = after + right * impurity_of(criterion, above / right[:, None])
    else:
        y = y - y.mean()
        below = y[order].cumsum(axis=1)[:, :-1]
        above = y.sum() - below
        whole = (y**2).mean()
        after = (y**2).sum() - below**2 / left - above**2 / right
    apart = values[:, 1:] > values[:, :-1] + np.float32(GAP)
    allowed = apart & (left >= least) & (right >= least)
    return np.asarray(((n * whole - after) / table.n_rows)[allowed])


# --- walking together ----------------------------------------------------------------------------


TIED = "splits of equal gain, between which its random order of columns chose"
ALIAS = "the same rows in every node, some parted by another column"


@define
class Walk:
    """What was met.

    splits  that were compared
    alias   of them, those that part the rows alike by another column
    tied    those that part the rows otherwise, and are worth the same
    wrong   the first difference that is neither, in words
    """

    splits: int = 0
    alias: int = 0
    tied: int = 0
    wrong: str = ""

    @property
    def reason(self) -> str:
        if self.wrong:
            return UNEXPLAINED
        return TIED if self.tied else ALIAS if self.alias else ""

    @property
    def detail(self) -> str:
        return self.wrong or (
            f"of {self.splits} splits {self.tied} tie and part the rows otherwise, {self.alias}"
            " part them alike by another column"
        )


@frozen(eq=False)
class Place:
    """A node of theirs and one of ours that hold the same rows."""

    theirs: int
    tree: Tree
    ours: int
    rows: Ints
    depth: int


Grow = Callable[[Table, int], Tree]


def walk(theirs: Any, table: Table, criterion: str, least: int, grow: Grow) -> Walk:
    """Every node of scikit-learn's tree beside ours, as far as the first that is wrong.

    Where both part the rows differently and both splits are worth the best, our tree is grown
    again from each of scikit-learn's children, so that no node of scikit-learn's is left out.
    """
    met = Walk()
    single = table.cells.astype(np.float32)
    pending = [Place(0, grow(table, 0), 0, np.arange(table.n_rows), 0)]
    while pending and not met.wrong:
        place = pending.pop()
        tree, rows = place.tree, place.rows
        their_leaf = theirs.children_left[place.theirs] < 0
        our_leaf = tree.kind[place.ours] == LEAF
        if their_leaf != our_leaf:
            met.wrong = _at(place, "one has a leaf, the other a split")
        if their_leaf or our_leaf:
            continue
        met.splits += 1
        fall = _decrease(theirs, place.theirs)
        own = tree.weight[place.ours] * tree.score[place.ours] / table.n_rows
        slack = TOLERANCE * max(fall, own) + 1e-14 * theirs.impurity[0]
        if abs(fall - own) > slack:
            met.wrong = _at(place, f"decreases of {fall:.12g} and {own:.12g}")
            continue
        column = int(theirs.feature[place.theirs])
        low = single[column, rows] <= theirs.threshold[place.theirs]
        below = (int(theirs.children_left[place.theirs]), int(theirs.children_right[place.theirs]))
        parts = (rows[low], rows[~low])
        own_parts = [r for r, _ in split_rows(tree, place.ours, table, rows, np.ones(len(rows)))]
        beside = _beside(parts, own_parts)
        if beside is None:
            met.tied += 1
            every = every_decrease(table, rows, criterion, least)
            best = every.max()
            ways = int((every >= best - slack).sum())
            if best - min(fall, own) > slack or ways < 2:
                met.wrong = _at(place, f"splits that differ, and {ways} of {best:.12g}")
            depth = place.depth + 1
            pending += [
                Place(node, grow(table.take(part), depth), 0, part, depth)
                for node, part in zip(below, parts, strict=True)
            ]
            continue
        (cut,) = tree.test_operands(place.ours)
        if column != tree.column[place.ours]:
            met.alias += 1
        elif not np.isclose(cut, theirs.threshold[place.theirs], rtol=1e-6, atol=GAP):
            met.wrong = _at(place, f"cuts at {theirs.threshold[place.theirs]:.12g} and {cut:.12g}")
        children = [tree.children(place.ours)[side] for side in beside]
        pending += [
            Place(node, tree, child, part, place.depth + 1)
            for node, child, part in zip(below, children, parts, strict=True)
        ]
    return met


def _decrease(theirs: Any, node: int) -> float:
    """By how much a split of theirs lowers the impurity of the whole sample."""
    weighted = theirs.weighted_n_node_samples * theirs.impurity
    left, right = theirs.children_left[node], theirs.children_right[node]
    fall = weighted[node] - weighted[left] - weighted[right]
    return float(fall / theirs.weighted_n_node_samples[0])


def _beside(parts: tuple[Ints, Ints], ours: list[Ints]) -> tuple[int, int] | None:
    """Which of our children holds their left rows, and which their right ones; None: neither."""
    for sides in ((0, 1), (1, 0)):
        if all(np.array_equal(part, ours[side]) for part, side in zip(parts, sides, strict=True)):
            return sides
    return None


def _at(place: Place, what: str) -> str:
    return f"node {place.theirs} of scikit-learn's, depth {place.depth}: {what}"


# --- their tree as ours --------------------------------------------------------------------------


def as_tree(theirs: Any, table: Table) -> Tree:
    """scikit-learn's tree as a Tree, with its impurity decreases as scores."""
    order = [0]
    for node in order:
        if theirs.children_left[node] >= 0:
            order += [int(theirs.children_left[node]), int(theirs.children_right[node])]
    at = np.array(order)
    inner = theirs.children_left[at] >= 0
    n_children = np.where(inner, 2, 0).astype(np.int32)
    first = 1 + np.cumsum(n_children) - n_children
    weight = theirs.weighted_n_node_samples[at]
    if table.task == "classification":
        stats = np.column_stack([weight, theirs.value[at, 0, :] * weight[:, None]])
    else:
        mean = theirs.value[at, 0, 0]
        stats = np.column_stack([weight, weight * mean, weight * (theirs.impurity[at] + mean**2)])
    falls = np.array(
        [_decrease(theirs, n) if i else np.nan for n, i in zip(at, inner, strict=True)]
    )
    return Tree(
        kind=np.where(inner, CUTS, LEAF).astype(np.int8),
        column=np.where(inner, theirs.feature[at], -1).astype(np.int32),
        first_child=np.where(inner, first, 0).astype(np.int32),
        n_children=n_children,
        start=np.concatenate([[0], np.cumsum(inner)]).astype(np.int64),
        operands=theirs.threshold[at][inner],
        unknown=np.full(len(at), STAY, np.int32),
        stats=stats,
        rows=theirs.n_node_samples[at].astype(np.int64),
        score=np.array(falls) * weight[0] / weight,
        reason=np.where(inner, -1, 0).astype(np.int32),
        reasons=("a leaf of scikit-learn's",),
    )
