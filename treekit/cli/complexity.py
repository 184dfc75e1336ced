"""`treekit complexity`: the subtrees that a recipe's pruner has to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from treekit.cli.options import (
    Reading,
    WholeNumber,
    data_options,
    examples,
    json_option,
    quiet_option,
    recipe_options,
    some_text,
)
from treekit.cli.output import counted, echo_columns, echo_json, note, working

if TYPE_CHECKING:
    from treekit.subtrees import ComplexityTable


@click.command(
    epilog=examples(
        "treekit complexity cart sales.csv --target bought",
        "treekit complexity cart sales.csv --target bought --set tree.pruner.alpha=0 --fixed-folds",
        "treekit complexity regression prices.csv --target price --folds 0 --json",
    )
)
@click.argument("recipe", type=some_text)
@click.argument("data", type=some_text)
@click.option(
    "--folds", metavar="N", type=WholeNumber(min=0), default=10, show_default=True,
    help="Folds of cross-validation; 0: none.",
)  # fmt: skip
@click.option(
    "--fixed-folds", is_flag=True, help="Deal the rows out in turn (1, 2, ...), not at random."
)
@data_options
@recipe_options
@json_option
@quiet_option
def complexity(
    recipe: str,
    data: str,
    folds: int,
    fixed_folds: bool,
    settings: tuple[str, ...],
    seed: int,
    as_json: bool,
    quiet: bool,
    **reading_options: Any,
) -> None:
    """Print the complexity table of RECIPE on DATA.

    Its rows are the subtrees that the recipe's pruner has to choose from, the root alone first:
    the alpha that leaves each (CP in rpart), its splits, its error in training and its
    cross-validated error, the root's error counting as 1. Marked are the rows that the rules 0-SE
    and 1-SE choose.
    """
    from treekit.cli.fitting import kind_lines
    from treekit.complexity import check_has_table, table_of
    from treekit.recipe import load_recipe

    loaded = load_recipe(recipe, set=settings)
    check_has_table(loaded)
    with working(f"reading {data}", quiet):
        table = Reading(**reading_options).table(data)
    for line in kind_lines(table):
        note(line, quiet)
    with working(f"growing trees on {counted(table.n_rows, 'row')}", quiet):
        found = table_of(loaded, table, folds, fixed_folds, seed)
    if as_json:
        echo_json(_facts(found))
    else:
        echo_columns(*_lines(found))


def _facts(found: ComplexityTable) -> dict[str, Any]:
    """The table by columns; rows are counted from 0."""
    facts: dict[str, Any] = {"alpha": found.alpha, "splits": found.splits, "error": found.error}
    if found.cross_error is not None:
        facts |= {
            "cross_error": found.cross_error,
            "standard_error": found.standard_error,
            "0-SE": found.least_error(),
            "1-SE": found.within_one_standard_error(),
        }
    return facts


def _lines(found: ComplexityTable) -> tuple[list[str], list[list[str]]]:
    header = ["alpha", "splits", "error"]
    columns = [_words(found.alpha), [str(n) for n in found.splits], _words(found.error)]
    if found.cross_error is not None and found.standard_error is not None:
        header += ["cross error", "standard error", "chosen by"]
        chosen = [""] * len(found)
        for rule, row in (
            ("1-SE", found.within_one_standard_error()),
            ("0-SE", found.least_error()),
        ):
            chosen[row] = f"{chosen[row]} {rule}".strip()
        columns += [_words(found.cross_error), _words(found.standard_error), chosen]
    return header, [list(row) for row in zip(*columns, strict=True)]


def _words(values: Any) -> list[str]:
    return [f"{value:.6g}" for value in values]
