"""`treekit show`: a model in the form that people or other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from treekit.cli.models import is_model, loaded
from treekit.cli.options import (
    Reading,
    WholeNumber,
    data_options,
    examples,
    form_options,
    one_form,
    quiet_option,
    recipe_options,
    some_text,
)
from treekit.cli.output import echo_tree

if TYPE_CHECKING:
    from treekit.graph import By

FORMATS = ("text", "json", "dot", "mermaid", "rules")


@click.command(
    epilog=examples(
        "treekit show model.json",
        "treekit show id3 tennis --format rules",
        "treekit show id3 parity3 --merge",
        "treekit show forest.json --tree 3",
        "treekit show c45 sales.csv --target bought --format dot | dot -Tsvg > tree.svg",
    )
)
@click.argument("model", type=some_text)
@click.argument("data", type=some_text, required=False)
@form_options(*FORMATS)
@click.option(
    "--tree", "number", metavar="N", type=WholeNumber(min=1),
    help="Only this tree of an ensemble, counted from 1.",
)  # fmt: skip
@click.option("--reasons", is_flag=True, help="Say at each leaf why growth stopped there.")
@click.option("--unknown", is_flag=True, help="Say where unknown values go.")
@click.option("--surrogates", is_flag=True, help="Say which tests stand in for a node's own.")
@click.option(
    "--merge",
    "by",
    flag_value="answers",
    help="Show equal subtrees once, as a decision graph; predictions and probabilities stay.",
)
@click.option(
    "--merge-labels",
    "by",
    flag_value="labels",
    help="The same, where leaves of one class are equal whatever their shares; predictions stay.",
)
@data_options
@recipe_options
@quiet_option
@click.pass_context
def show(
    ctx: click.Context,
    /,
    model: str,
    data: str | None,
    form: str | None,
    as_json: bool,
    number: int | None,
    reasons: bool,
    unknown: bool,
    surrogates: bool,
    by: By | None,
    settings: tuple[str, ...],
    seed: int,
    quiet: bool,
    **reading_options: Any,
) -> None:
    """Print a model as text, JSON, DOT, Mermaid or rules.

    MODEL is a model file. With DATA it is a recipe, and what it makes of DATA is shown.
    """
    from treekit.cli.fitting import fitted
    from treekit.model import check_tree_number
    from treekit.recipe import recipe_names
    from treekit.report import render, render_graph

    form = one_form(form, as_json, FORMATS[0])
    if form != "text" and (reasons or unknown or surrogates):
        raise click.UsageError("--reasons, --unknown and --surrogates go with --format text")
    if by is not None and (form == "rules" or reasons or unknown or surrogates):
        words = "--format rules, --reasons, --unknown or --surrogates"
        raise click.UsageError(f"--merge and --merge-labels do not go with {words}")
    if data is None and model in recipe_names() and not Path(model).exists():
        raise click.UsageError(f"{model!r} is a recipe; name the data to fit it to, too")
    if data is not None and is_model(model):
        raise click.UsageError(f"{model!r} is a model and takes no data; name a recipe instead")
    if data is None and (idle := _fitting_options(ctx)):
        raise click.UsageError(f"{model!r} is fitted already; leave out {', '.join(idle)}")
    if data is None:
        shown = loaded(model)
    else:
        shown, _ = fitted(model, data, Reading(**reading_options), settings, seed, quiet)
    only = None if number is None else number - 1
    if only is not None:
        check_tree_number(shown, only)
    if by is not None:
        if len(shown.trees) > 1 and only is None:
            what = f"{model!r} is of {len(shown.trees)} trees, and --merge is of one"
            raise click.UsageError(f"{what}; --tree N says which")
        click.echo(render_graph(shown.graph(only or 0, by=by), form), nl=False)
    elif form == "text":
        echo_tree(shown, only, reasons=reasons, unknown=unknown, surrogates=surrogates)
    else:
        click.echo(render(shown, form, only), nl=False)


def _fitting_options(ctx: click.Context) -> list[str]:
    """The options given that only a fit would heed."""
    about_the_answer = (
        "model",
        "data",
        "form",
        "as_json",
        "number",
        "reasons",
        "unknown",
        "surrogates",
        "by",
    )
    return [
        param.opts[0]
        for param in ctx.command.params
        if param.name not in (*about_the_answer, "quiet")
        and ctx.get_parameter_source(str(param.name)) == ParameterSource.COMMANDLINE
    ]
