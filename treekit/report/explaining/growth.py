"""How a tree grew, as a sheet: a section for each node, then one for pruning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treekit.explain import Explanation, Judgement, NodeSeen
from treekit.report.branch import name
from treekit.report.explaining.comparing import comparisons
from treekit.report.explaining.tables import Grid, Head, Section, Sheet, figure, grid
from treekit.report.explaining.wording import (
    condition_of,
    counted,
    listed,
    part_facts,
    part_in_words,
)


def growth_sheet(found: Explanation, digits: int, brief: bool = True) -> Sheet:
    """The whole explanation; where it is `brief`, very many branches are not all listed."""
    target = found.schema.target
    title = f"How the tree grew on {found.source or 'the data'}"
    if found.n_trees > 1:
        title = f"How tree {found.tree + 1} of {found.n_trees} grew on {found.source}"
    measured = f"impurity {found.impurity}, " if found.impurity else ""
    lines = [found.recipe, f"target {name(target.name)}, {measured}criterion {found.criterion}"]
    if len(found.nodes) < found.n_nodes:
        lines.append(f"{len(found.nodes):,} of {counted(found.n_nodes, 'node')} are explained here")
    sections = [_node(found, node, digits, brief) for node in found.nodes]
    sections += _pruning(found, digits)
    facts = {
        "recipe": found.recipe,
        "source": found.source,
        "rows": found.rows,
        "target": target.name,
        "classes": list(found.schema.classes),
        "impurity": found.impurity or None,
        "criterion": found.criterion,
        "tree": found.tree,
        "trees": found.n_trees,
        "nodes": found.n_nodes,
        "nodes_explained": len(found.nodes),
        "nodes_after_pruning": found.n_kept,
    }
    return Sheet(title, tuple(lines), tuple(sections), facts, digits)


# --- nodes ---------------------------------------------------------------------------------------


def _node(found: Explanation, node: NodeSeen, digits: int, brief: bool) -> Section:
    where = "the root"
    if node.asked is not None:
        where = f"{condition_of(node.asked, node.branch)}, below node {node.parent}"
    return Section(
        title=f"Node {node.number}: {where}",
        lines=(part_in_words(node.here, found.schema, found.impurity, digits),),
        grids=tuple(comparisons(found, node, digits, brief)) if node.columns else (),
        verdict=tuple(_verdict(found, node, digits)),
        facts=_facts(found, node),
    )


def _facts(found: Explanation, node: NodeSeen) -> dict[str, Any]:
    chosen = None if node.chosen is None else node.columns[node.chosen]
    runner_up = None if node.runner_up is None else node.columns[node.runner_up]
    return {
        "node": node.number,
        "parent": node.parent if node.parent >= 0 else None,
        "branch": node.branch if node.parent >= 0 else None,
        "depth": node.depth,
        **part_facts(node.here, found.schema),
        "chosen": chosen and chosen.column.name,
        "runner_up": runner_up and runner_up.column.name,
        "margin": node.margin,
        "tied": node.tied,
        "cannot_win": {s.column.name: s.rejected for s in node.columns if s.rejected},
        "stopped": node.stopped or None,
    }


def _verdict(found: Explanation, node: NodeSeen, digits: int) -> list[str]:
    """What was chosen, by what margin, or why the node is a leaf."""
    lines = []
    if node.chosen is not None:
        lines.append(_choice(found, node, digits))
    rules: dict[str, list[str]] = {}
    for seen in node.columns:
        if seen.rejected:
            rules.setdefault(seen.rejected, []).append(name(seen.column.name))
    lines += (f"Cannot win, {rule}: {listed(names)}." for rule, names in rules.items())
    if node.stopped:
        after_all = " after all" if node.chosen is not None else ""
        lines.append(f"A leaf{after_all}: {node.stopped}.")
    return lines


def _choice(found: Explanation, node: NodeSeen, digits: int) -> str:
    if node.chosen is None:
        raise ValueError("nothing was chosen")
    best = node.columns[node.chosen]
    words = f"Best: {name(best.column.name)}"
    if best.merit is None:
        return f"{words}, by the criterion's own rule."
    words += f", {found.merit} {figure(best.merit, digits)}"
    if node.runner_up is None or node.margin is None:
        return f"{words}; no other column can win."
    second = node.columns[node.runner_up]
    if node.tied:
        return (
            f"{words}; {name(second.column.name)} scores the same, and the order of the columns"
            " decides (margin 0)."
        )
    value = figure(second.merit or 0.0, digits)
    if node.margin < 0:
        return (
            f"{words}, for the grower looks further than one test; by itself"
            f" {name(second.column.name)}, {value}, is better."
        )
    return (
        f"{words}; next is {name(second.column.name)}, {value}:"
        f" a margin of {figure(node.margin, digits)}."
    )


# --- pruning -------------------------------------------------------------------------------------


def _pruning(found: Explanation, digits: int) -> list[Section]:
    if not found.n_judgements:
        if found.n_kept == found.n_nodes:
            return []
        words = f"Pruning left {found.n_kept:,} of {counted(found.n_nodes, 'node')}."
        return [Section("Pruning", verdict=(words, "The pruner does not tell its estimates."))]
    grids = []
    for measure in dict.fromkeys(j.measure for j in found.judgements):
        grids.append(_judgements([j for j in found.judgements if j.measure == measure], measure))
    left_out = found.n_judgements - len(found.judgements)
    verdict = [f"… {counted(left_out, 'more decision')}"] if left_out else []
    verdict.append(f"{found.n_kept:,} of {counted(found.n_nodes, 'node')} are left.")
    return [
        Section(
            "Pruning",
            ("Nodes are numbered as they were grown.",),
            tuple(grids),
            tuple(verdict),
            {"decisions": found.n_judgements, "nodes_left": found.n_kept},
        )
    ]


def _judgements(told: Sequence[Judgement], measure: str) -> Grid:
    heads = [
        Head("node", True),
        Head("as a tree", True),
        Head("as a leaf", True),
        Head("branch raised", True),
        Head("verdict"),
    ]
    rows = [[j.node, j.as_tree, j.as_leaf, j.raised, _fate(j)] for j in told]
    return grid(measure, heads, rows)


def _fate(told: Judgement) -> str:
    return "cut" if told.cut else "branch raised" if told.replaced else "kept"
