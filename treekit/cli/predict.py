"""`treekit predict`: what a model answers for each row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treekit.cli.models import loaded
from treekit.cli.options import (
    Reading,
    examples,
    json_option,
    output_option,
    quiet_option,
    reading_options,
    some_text,
    weights_option,
)
from treekit.cli.output import check_writable, counted, csv_text, json_text, note, working
from treekit.errors import ModelError, Problem
from treekit.writing import written_whole

if TYPE_CHECKING:
    from treekit.model import Model
    from treekit.table.record import Table


@click.command(
    epilog=examples(
        "treekit predict model.json new.csv",
        "treekit predict model.json new.csv --proba -o shares.csv",
        "treekit predict model.json - --json < new.csv",
    )
)
@click.argument("model_name", metavar="MODEL", type=some_text)
@click.argument("data", type=some_text)
@click.option("--proba", is_flag=True, help="A column of shares for each class.")
@output_option("FILE", "the answers")
@weights_option
@reading_options
@json_option
@quiet_option
def predict(
    model_name: str,
    data: str,
    proba: bool,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Answer for each row of DATA with MODEL, as CSV.

    MODEL is a file that treekit fit -o wrote. DATA is a file, - for CSV on standard input, or a
    built-in data set's name. It needs the columns that the model was fitted on; others are
    ignored. The answers stand in the order of the rows, in a column with the target's name. If
    DATA has the target too, the errors are told on stderr.
    """
    from treekit.cli.measures import in_words, measured

    check_writable(output)
    model = loaded(model_name)
    if proba and model.task == "regression":
        what = f"the model predicts a number, {model.schema.target.name!r}, and has no class shares"
        raise ModelError(Problem(what, model_name, "leave out --proba"))
    with working(f"reading {data}", quiet):
        table = Reading(**reading).like(data, model.schema)
    for line in table.notes:
        note(line, quiet)
    with working(f"predicting {counted(table.n_rows, 'row')}", quiet):
        header, rows = answers(model, table, proba)
    if as_json:
        text = json_text([dict(zip(header, row, strict=True)) for row in rows])
    else:
        text = csv_text(header, rows)
    if output is None:
        click.echo(text, nl=False)
    else:
        with written_whole(output) as path:
            path.write_text(text, encoding="utf-8")
        note(f"wrote {output}", quiet)
    if table.target_values is not None:
        note(in_words(measured(model, table)), quiet)


def answers(model: Model, table: Table, proba: bool) -> tuple[list[str], list[list[Any]]]:
    """The header and the rows of the answer."""
    if proba:
        return list(model.schema.classes), model.predict_proba(table).tolist()
    return [model.schema.target.name], [[value] for value in model.predict(table).tolist()]
