"""Growing a tree again while somebody looks on."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.errors import ModelError, Problem
from treekit.explain.parts import impurities, part_of, reason_at, test_at
from treekit.explain.record import Explanation, Judgement, Limits, NodeSeen
from treekit.explain.watching import Watching
from treekit.fitting import grow_member, planted
from treekit.model import Model, check_tree_number
from treekit.offers import Decisions, Member
from treekit.recipe import Recipe, load_recipe
from treekit.table.record import Table
from treekit.tree import Tree

NEAR = 1e-9  # what another machine's rounding may change


def explain_growth(
    model: Model,
    table: Table,
    validation: Table | None,
    limits: Limits,
    tree: int = 0,
    nodes: tuple[int, ...] = (),
) -> Explanation:
    """How one of the model's trees grew on the table it was learned from.

    The model's recipe is run again with its seed; that another tree comes out is an error.
    `nodes` are those to explain, by their numbers in the grown tree.
    """
    check_tree_number(model, tree)
    recipe = load_recipe(model.recipe)
    planted, sown = _sown(recipe, table, validation, model.seed, tree)
    facts = (recipe.tree, model.schema_of(tree), table.n_rows, limits)
    watching = Watching(*facts, () if nodes else None)
    member = sown.grown(recipe, watching)
    if nodes:
        watching = Watching(*facts, _opened(watching, nodes))
        member = sown.grown(recipe, watching)
    answers = model.answers[tree]
    if not (_same(planted.tree, model.trees[tree]) and _near(planted.answers, answers)):
        raise ModelError(
            Problem(
                "grown again on these data, the tree is another one",
                table.source,
                "give the very rows and weights that the model was learned from",
            )
        )
    if not _same(member.tree, planted.tree):
        raise ModelError(
            Problem(
                "the tree grows otherwise while it is looked on, so that its growth cannot be"
                " explained",
                instead="the recipe's strategies must draw from the generator they are given",
            )
        )
    return _explanation(model, recipe, table, tree, watching, member, limits, nodes)


@frozen(eq=False)
class _Sown:
    """What one tree was grown from: the rows, the state of all that is random, and the rest."""

    table: Table
    rng: np.random.Generator
    options: Mapping[str, Any]

    def grown(self, recipe: Recipe, watching: Watching) -> Member:
        rng = copy.deepcopy(self.rng)
        return grow_member(recipe, self.table, rng, watching, watching.tell, **self.options)


def _sown(
    recipe: Recipe, table: Table, validation: Table | None, seed: int, tree: int
) -> tuple[Member, _Sown]:
    """Plant the whole forest: one of its trees, and what it was grown from."""
    sown: list[tuple[Member, _Sown]] = []

    def grow(recipe: Recipe, table: Table, rng: np.random.Generator, **options: Any) -> Member:
        if validation is not None:
            options["validation"] = validation
        start = _Sown(table, copy.deepcopy(rng), options)
        member = grow_member(recipe, table, rng, **options)
        sown.append((member, start))
        return member

    forest = planted(recipe, table, seed, grow)
    for member, start in sown:
        if tree < len(forest.members) and member.tree is forest.members[tree].tree:
            return forest.members[tree], start
    raise ModelError(
        Problem(
            "the recipe's ensemble changes its trees after they are grown, so that their growth"
            " cannot be explained"
        )
    )


def _opened(watching: Watching, nodes: tuple[int, ...]) -> set[int]:
    """The numbers by opening of nodes of the grown tree."""
    n_nodes = len(watching.opened)
    beyond = [n for n in nodes if not 0 <= n < n_nodes]
    if beyond:
        raise ModelError(
            Problem(
                f"there is no node {beyond[0]}: the grown tree has {n_nodes} nodes, counted from 0"
            )
        )
    return {int(watching.opened[n]) for n in nodes}


def _same(found: Tree, tree: Tree) -> bool:
    exact = ("kind", "column", "n_children", "unknown", "rows")
    close = ("operands", "stats")
    return all(np.array_equal(getattr(found, n), getattr(tree, n)) for n in exact) and all(
        _near(getattr(found, n), getattr(tree, n)) for n in close
    )


def _near(one: Any, other: Any) -> bool:
    scale = float(np.abs(other[np.isfinite(other)]).max(initial=0.0))
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=NEAR, atol=1e-12 * scale, equal_nan=True)
    )


def _explanation(
    model: Model,
    recipe: Recipe,
    table: Table,
    tree: int,
    watching: Watching,
    member: Member,
    limits: Limits,
    nodes: tuple[int, ...],
) -> Explanation:
    grown = watching.tree
    if grown is None:
        raise ValueError("nothing was grown while somebody watched")
    told = _judgements(watching.decisions)
    shown = _shown(watching, grown, limits, nodes)
    numbers = {node.number for node in shown}
    kept = [j for j in told if j.node in numbers] if nodes else told[: limits.nodes]
    words = recipe.document["tree"]
    criterion = _name(words, "criterion", recipe.tree.criterion)
    return Explanation(
        recipe=recipe.summary or recipe.name,
        source=table.source,
        rows=table.n_rows,
        schema=model.schema_of(tree),
        impurity=_name(words, "impurity", recipe.tree.impurity),
        criterion=criterion,
        merit=str(getattr(recipe.tree.criterion, "merit_name", criterion)),
        by_choice=hasattr(recipe.tree.criterion, "choose"),
        tree=tree,
        n_trees=len(model.trees),
        nodes=shown,
        n_nodes=grown.n_nodes,
        judgements=tuple(kept),
        n_judgements=len(told),
        n_kept=member.tree.n_nodes,
    )


def _name(words: Any, role: str, strategy: Any) -> str:
    """A strategy's name in the recipe, as people say it; empty where the slot is."""
    if strategy is None:
        return ""
    use = str(words.get(role, {}).get("use", type(strategy).__name__))
    return use.rpartition(":")[2].replace("_", " ")


def _judgements(told: list[Decisions]) -> list[Judgement]:
    found = []
    for some in told:
        raised = np.full(len(some.node), np.nan) if some.raised is None else some.raised
        for i in np.argsort(some.node, kind="stable").tolist():
            found.append(
                Judgement(
                    node=int(some.node[i]),
                    as_tree=float(some.as_tree[i]),
                    as_leaf=float(some.as_leaf[i]),
                    raised=None if np.isnan(raised[i]) else float(raised[i]),
                    cut=bool(some.cut[i]),
                    replaced=some.replaced is not None and bool(some.replaced[i]),
                    measure=some.measure,
                )
            )
    return found


def _shown(
    watching: Watching, tree: Tree, limits: Limits, nodes: tuple[int, ...]
) -> tuple[NodeSeen, ...]:
    """The nodes asked for, or those that were looked at and the leaves right below them."""
    looked = np.array([n in watching.seen for n in watching.opened.tolist()], dtype=bool)
    if nodes:
        numbers = np.unique(np.array(nodes, np.int64))
    else:
        above = np.where(tree.parent >= 0, looked[np.maximum(tree.parent, 0)], True)
        numbers = np.flatnonzero(looked | (above & tree.is_leaf))
        if limits.depth is not None:
            numbers = numbers[tree.depth_of[numbers] <= limits.depth]
        numbers = numbers[: limits.nodes]
    return tuple(_node(watching, tree, n) for n in numbers.tolist())


def _node(watching: Watching, tree: Tree, number: int) -> NodeSeen:
    schema = watching.schema
    looked = watching.seen.get(int(watching.opened[number]))
    parent = int(tree.parent[number])
    stats, impurity = tree.stats[number], watching.parts.impurity
    here = part_of(
        stats,
        int(tree.rows[number]),
        tree.centre,
        not schema.target.is_numeric,
        None if impurity is None else float(impurities(impurity, stats[None])[0]),
    )
    return NodeSeen(
        number=number,
        parent=parent,
        asked=None if parent < 0 else test_at(tree, parent, schema),
        branch=-1 if parent < 0 else number - int(tree.first_child[parent]),
        depth=int(tree.depth_of[number]),
        here=here if looked is None else evolve(here, which=looked.here.which),
        columns=() if looked is None else looked.columns,
        left_out=0 if looked is None else looked.left_out,
        chosen=None if looked is None else looked.chosen,
        runner_up=None if looked is None else looked.runner_up,
        margin=None if looked is None else looked.margin,
        tied=looked is not None and looked.tied,
        stopped=reason_at(tree, number) if tree.is_leaf[number] else "",
    )
