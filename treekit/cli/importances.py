"""`treekit importances`: how much each column has to do with a model's answers."""

from __future__ import annotations

import click

from treekit.cli.models import loaded
from treekit.cli.options import Reading, WholeNumber, examples, json_option, some_text
from treekit.cli.output import echo_columns, echo_json, working

WAYS = ("impurity", "surrogates", "permutation")


@click.command(
    epilog=examples(
        "treekit importances model.json",
        "treekit importances model.json --by surrogates --json",
        "treekit importances model.json --by permutation --on test.csv",
    )
)
@click.argument("model", type=some_text)
@click.option(
    "--by", type=click.Choice(WAYS), default="impurity", show_default=True,
    help="impurity: by how much the tests on a column lower it, in shares that sum to 1."
    " surrogates: what the tests on a column are worth, also as stand-ins for others (rpart)."
    " permutation: by how much the error on DATA grows when the column is shuffled.",
)  # fmt: skip
@click.option("--on", metavar="DATA", type=some_text, help="Data for --by permutation.")
@click.option(
    "--repeats", metavar="N", type=WholeNumber(min=1), default=5, show_default=True,
    help="How many shuffles --by permutation takes the mean of.",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", type=WholeNumber(min=0), default=0, show_default=True,
    help="Seed of the shuffles.",
)  # fmt: skip
@json_option
def importances(
    model: str, by: str, on: str | None, repeats: int, seed: int, as_json: bool
) -> None:
    """Print how important each column is to MODEL, a model file; the greatest first."""
    if (on is not None) != (by == "permutation"):
        raise click.UsageError("--on DATA and --by permutation go together")
    asked = loaded(model)
    table = None if on is None else Reading().like(on, asked.schema)
    with working("shuffling columns", quiet=table is None):
        found = asked.importances(by, table, repeats=repeats, seed=seed)
    if as_json:
        echo_json({"by": by, "importances": found})
        return
    greatest_first = sorted(found.items(), key=lambda item: -item[1])
    echo_columns(("importance", "column"), [(f"{x:.6g}", name) for name, x in greatest_first])
