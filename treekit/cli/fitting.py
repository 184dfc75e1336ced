"""From the command line's words to a fitted model, for every command that fits one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treekit.cli.options import Reading
from treekit.cli.output import counted, note, working

if TYPE_CHECKING:
    from treekit.model import Model
    from treekit.recipe import Recipe
    from treekit.table.record import Table

SHOWN_COLUMNS = 12


def fitted(
    recipe: str,
    data: str,
    reading: Reading,
    settings: tuple[str, ...] = (),
    seed: int = 0,
    quiet: bool = False,
    validation: str | None = None,
    threads: int | None = None,
) -> tuple[Model, Table]:
    """The model that a recipe makes of the data, and the table.

    `validation` are data for a pruner that judges by rows which growth does not see. Notes tell the
    kinds that were found, and why nothing grew if nothing did.

    The recipe is looked at first: a misspelled one should not have to wait for the data.
    """
    from treekit.recipe import load_recipe

    loaded = load_recipe(recipe, set=settings)
    if validation is not None:
        from treekit.fitting import check_takes_validation

        check_takes_validation(loaded)
    with working(f"reading {data}", quiet):
        table = reading.table(data)
    for line in kind_lines(table):
        note(line, quiet)
    judges = None
    if validation is not None:
        judges = reading.like(validation, table.schema)
        for line in judges.notes:
            note(line, quiet)
    from treekit.fitting import fit

    with working(f"fitting {recipe} to {counted(table.n_rows, 'row')}", quiet) as told:
        model = fit(loaded, table, seed=seed, validation=judges, threads=threads, progress=told)
    if model.n_nodes == len(model.trees):
        note(f"the tree is a single leaf: {why_no_split(model, loaded)}", quiet)
    return model, table


def why_no_split(model: Model, recipe: Recipe) -> str:
    """The reason that the root keeps, and the stop rule of the recipe that gave it."""
    tree = model.trees[0]
    reason = tree.reasons[int(tree.reason[0])]
    for i, (rule, said) in enumerate(
        zip(recipe.tree.stop, recipe.document["tree"]["stop"], strict=True)
    ):
        if rule.reason == reason:
            return f"{reason} (tree.stop.{i}, {said['use']})"
    return reason


def kind_lines(table: Table) -> list[str]:
    """What was inferred: the target, then the columns of each kind, then the table's notes."""
    target = table.schema.target
    what = "numeric" if target.is_numeric else f"classes {_listed(target.levels)}"
    lines = [f"{counted(table.n_rows, 'row')}; target {target.name}: {what}"]
    for kind in dict.fromkeys(column.kind for column in table.columns):
        named = [
            column.name
            if column.is_numeric
            else f"{column.name} ({counted(len(column.levels), 'level')})"
            for column in table.columns
            if column.kind == kind
        ]
        lines.append(f"{kind}: {_listed(named)}")
    return [*lines, *table.notes]


def _listed(names: Any) -> str:
    more = len(names) - SHOWN_COLUMNS
    return ", ".join(names[:SHOWN_COLUMNS]) + (f" and {more} more" if more > 0 else "")


def size(model: Model) -> dict[str, int]:
    """The size of a model, all its trees together; its depth is the deepest tree's."""
    return {
        "trees": len(model.trees),
        "nodes": model.n_nodes,
        "leaves": model.n_leaves,
        "depth": model.depth,
    }


def size_in_words(model: Model) -> str:
    parts = [
        *([counted(len(model.trees), "tree")] if len(model.trees) > 1 else []),
        counted(model.n_nodes, "node"),
        counted(model.n_leaves, "leaf", "leaves"),
        f"depth {model.depth}",
    ]
    return ", ".join(parts)
