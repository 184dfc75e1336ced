"""`treekit measure`: how large a model is, and how good its answers are."""

from __future__ import annotations

from typing import Any

import click

from treekit.cli.models import loaded
from treekit.cli.options import (
    Reading,
    examples,
    json_option,
    quiet_option,
    reading_options,
    some_text,
    weights_option,
)
from treekit.cli.output import echo_columns, echo_json, note, working


@click.command(
    epilog=examples(
        "treekit measure model.json",
        "treekit measure model.json test.csv",
        "treekit measure model.json test.csv --metric auc --metric nodes --json",
    )
)
@click.argument("model", type=some_text)
@click.argument("data", type=some_text, required=False)
@click.option(
    "--metric", "names", metavar="NAME", type=some_text, multiple=True,
    help="accuracy, error, balanced_accuracy, macro_f1, log_loss, brier, auc, auc_pairs; rmse,"
    " mae, r2; trees, nodes, leaves, depth, graph_nodes, path_length, description_length; may be"
    " repeated.  [default: all]",
)  # fmt: skip
@weights_option
@reading_options
@json_option
@quiet_option
def measure(
    model: str,
    data: str | None,
    names: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Print the metrics of MODEL, a model file: its size and, on DATA, how good its answers are.

    Without DATA, or where DATA do not hold the target, only the size is told.
    """
    from treekit.cli.measures import known
    from treekit.metrics import metric

    wanted = [metric(name).name for name in names] or None
    asked = loaded(model)
    table = None
    reading = Reading(**options)
    if data is None and reading.given:
        raise click.UsageError("there are no data to read; name them after the model")
    if data is not None:
        table = reading.like(data, asked.schema)
        for line in table.notes:
            note(line, quiet)
    with working("measuring", quiet):
        found = asked.metrics(table, wanted)
    if as_json:
        told = {name: known(value) for name, value in found.items()}
        echo_json({"model": model, "data": data, "metrics": told})
        return
    rows = [(name, _figure(value), metric(name).words) for name, value in found.items()]
    echo_columns(("metric", "value", "what it tells"), rows)


def _figure(value: float) -> str:
    """A count as it is, anything else with six digits; "-" where it cannot be told."""
    if value != value:
        return "-"
    return f"{value:.0f}" if value.is_integer() else f"{value:.6g}"
