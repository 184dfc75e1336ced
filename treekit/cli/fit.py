"""`treekit fit`: grow a model and say how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treekit.cli.options import (
    Reading,
    data_options,
    examples,
    json_option,
    output_option,
    quiet_option,
    recipe_options,
    some_text,
    threads_option,
)
from treekit.cli.output import check_writable, echo_tree, json_text, note, working
from treekit.errors import DataError, Problem

if TYPE_CHECKING:
    from treekit.model import Model
    from treekit.table.record import Table


@click.command(
    epilog=examples(
        "treekit fit id3 tennis",
        "treekit fit c45 sales.csv --target bought --set tree.pruner.confidence=0.1",
        "treekit fit cart train.csv --target y --test test.csv -o model.json",
        "treekit fit id3 train.csv --set tree.pruner=reduced_error --validation more.csv",
        "treekit fit ./mine.toml - --target y < data.csv",
    )
)
@click.argument("recipe", type=some_text)
@click.argument("data", type=some_text)
@data_options
@recipe_options
@click.option("--test", metavar="DATA", type=some_text, help="Data to test the model on.")
@click.option(
    "--validation", metavar="DATA", type=some_text,
    help="Rows for a pruner that judges by rows which growth does not see; it then keeps none of"
    " the training rows from growth.",
)  # fmt: skip
@threads_option
@output_option("MODEL", "the model")
@json_option
@quiet_option
def fit(
    recipe: str,
    data: str,
    settings: tuple[str, ...],
    seed: int,
    test: str | None,
    validation: str | None,
    threads: int | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    **reading_options: Any,
) -> None:
    """Fit RECIPE to DATA; print the tree, its size and its errors.

    RECIPE is a recipe's name or TOML file. DATA is a file (.csv, .tsv, .parquet, .arff, .names),
    - for CSV on standard input, or a built-in data set's name, which also knows its target
    (NAME:test is its test part, where it has one).
    """
    from treekit.cli.fitting import fitted, size, size_in_words
    from treekit.cli.measures import confusion_lines, in_words, measured
    from treekit.report import render

    check_writable(output)
    reading = Reading(**reading_options)
    model, table = fitted(recipe, data, reading, settings, seed, quiet, validation, threads)
    with working("measuring errors", quiet):
        training = measured(model, table)
        tested = test and measured(model, _test_table(reading, test, model, quiet))
    if output is not None:
        model.save(output)
        note(f"wrote {output}", quiet)
    if as_json:
        facts: dict[str, Any] = {"recipe": recipe, "data": table.source, "seed": seed}
        facts |= {"size": size(model), "training": training, "test": tested}
        facts |= {"facts": model.facts} if model.facts else {}
        # The report writes a tree of any depth, which no JSON encoder does.
        head = json_text(facts).removesuffix("\n}\n")
        click.echo(f'{head},\n"model": {render(model, "json")}}}')
        return
    if not quiet:
        _echo_trees(model, output)
        click.echo()
    click.echo(f"size: {size_in_words(model)}")
    click.echo(f"training: {in_words(training)}")
    for name, value in model.facts.items():
        click.echo(f"{name.replace('_', ' ')}: {value:.6g}")
    if tested:
        click.echo(f"test: {in_words(tested)}")
        if "confusion" in tested:
            click.echo("\n".join(["", *confusion_lines(tested["confusion"], model.schema.classes)]))


def _echo_trees(model: Model, kept: Path | None) -> None:
    """The tree; of many trees their sizes, and how one of them is shown."""
    from treekit.report import overview

    if len(model.trees) == 1:
        echo_tree(model)
        return
    click.echo(overview(model), nl=False)
    name = kept or "MODEL"
    click.echo(f"\none of them: treekit show {name} --tree 1{'' if kept else ', once -o keeps it'}")


def _test_table(reading: Reading, test: str, model: Model, quiet: bool) -> Table:
    table = reading.like(test, model.schema)
    for line in table.notes:
        note(line, quiet)
    if table.target_values is None:
        target = model.schema.target.name
        raise DataError(
            Problem(f"there is no target column {target!r} to test against", table.source)
        )
    return table
