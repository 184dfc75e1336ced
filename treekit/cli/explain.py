"""`treekit explain`: how a tree grew, step by step, or how a row is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treekit.cli.models import is_model, loaded
from treekit.cli.options import (
    Command,
    Reading,
    WholeNumber,
    data_options,
    examples,
    form_options,
    one_form,
    output_option,
    quiet_option,
    recipe_options,
    some_text,
)
from treekit.cli.output import check_writable, note, working
from treekit.writing import written_whole

if TYPE_CHECKING:
    from treekit.model import Model
    from treekit.table.record import Table

FORMATS = ("text", "markdown", "latex", "json")
ALL = "all"


def _number_or_all(value: str) -> int | None:
    """A whole number from 1, or None for all."""
    if value == ALL:
        return None
    if value.isdecimal() and int(value) > 0:
        return int(value)
    raise click.BadParameter(f"{value!r} is neither a whole number from 1 nor {ALL!r}")


def _limit(option: str, default: int, what: str) -> Callable[[Command], Command]:
    return click.option(
        option, metavar="N|all", type=_number_or_all, default=str(default), show_default=True,
        help=what,
    )  # fmt: skip


@click.command(
    epilog=examples(
        "treekit explain id3 tennis",
        "treekit explain cart cheat --set tree.stop=pure --node 0 --digits 3",
        "treekit explain c45 sales.csv --target bought --format latex -o growth.tex",
        "treekit explain id3 tennis --row 3 --row 7",
        "treekit explain model.json new.csv --row 3",
    )
)
@click.argument("recipe", type=some_text)
@click.argument("data", type=some_text, required=False)
@click.option(
    "--row", "rows", metavar="N", type=WholeNumber(min=1), multiple=True,
    help="Explain the answer for this row, counted from 1, instead of growth; may be repeated.",
)  # fmt: skip
@click.option(
    "--node", "node", metavar="N", type=WholeNumber(min=0), multiple=True,
    help="Only this node, as numbered before pruning; may be repeated.",
)  # fmt: skip
@click.option(
    "--tree", metavar="N", type=WholeNumber(min=1), default=1, show_default=True,
    help="Which tree of an ensemble, counted from 1.",
)  # fmt: skip
@click.option("--depth", metavar="N", type=WholeNumber(min=0), help="No nodes that lie deeper.")
@_limit("--nodes", 50, "How many nodes.")
@_limit("--cuts", 20, "Of a column with more tests, list the best few only.")
@_limit("--columns", 25, "How many columns of each node, the best ones.")
@click.option(
    "--digits", metavar="N", type=WholeNumber(0, 17), default=4, show_default=True,
    help="Decimals of a figure; JSON keeps them all.",
)  # fmt: skip
@form_options(*FORMATS)
@click.option(
    "--validation", metavar="DATA", type=some_text,
    help="Rows for pruning, as in treekit fit; a model that was fitted with them needs them again.",
)  # fmt: skip
@output_option("FILE", "the explanation")
@data_options
@recipe_options
@quiet_option
@click.pass_context
def explain(
    ctx: click.Context,
    /,
    recipe: str,
    data: str | None,
    rows: tuple[int, ...],
    node: tuple[int, ...],
    tree: int,
    depth: int | None,
    nodes: int | None,
    cuts: int | None,
    columns: int | None,
    digits: int,
    form: str | None,
    as_json: bool,
    validation: str | None,
    output: Path | None,
    settings: tuple[str, ...],
    seed: int,
    quiet: bool,
    **reading_options: Any,
) -> None:
    """Tell step by step how RECIPE grows a tree on DATA.

    For each node: its rows, every column's tests with their figures, which one won and by what
    margin, or why growth stopped; then what pruning decided. With --row: the path of a row.

    In place of RECIPE a model file may stand. Its rows are explained as they are; its growth only
    if DATA are the very data it was fitted to, since it is grown again.
    """
    from treekit.report.explaining import render

    form = one_form(form, as_json, FORMATS[0])
    check_writable(output)
    _check_together(ctx, rows)
    reading = Reading(**reading_options)
    if is_model(recipe):
        model, table = _saved(ctx, recipe, data, reading, quiet)
        again: dict[str, Any] = {"data": table}
        if validation is not None:
            again["validation"] = reading.like(validation, model.schema)
    else:
        model, table = _fitted(recipe, data, reading, settings, seed, quiet, validation)
        again = {}
    if rows:
        found: list[Any] = [model.explain_row(table, row - 1) for row in rows]
    else:
        limits = {"nodes": nodes, "depth": depth, "cuts": cuts, "columns": columns}
        with working("growing it again", quiet):
            found = [model.explain(**again, tree=tree - 1, node=node or None, **limits)]
    _print([render(one, form, digits) for one in found], form, output, quiet)


def _check_together(ctx: click.Context, rows: tuple[int, ...]) -> None:
    """What belongs to growth does not go with rows."""
    about_growth = ("node", "tree", "depth", "nodes", "cuts", "columns")
    idle = _given(ctx, about_growth) if rows else []
    if idle:
        raise click.UsageError(f"--row tells of rows, not of growth; leave out {', '.join(idle)}")


def _given(ctx: click.Context, names: tuple[str, ...]) -> list[str]:
    """Those of these options that were given."""
    from click.core import ParameterSource

    return [
        param.opts[0]
        for param in ctx.command.params
        if param.name in names
        and ctx.get_parameter_source(str(param.name)) == ParameterSource.COMMANDLINE
    ]


def _saved(
    ctx: click.Context, name: str, data: str | None, reading: Reading, quiet: bool
) -> tuple[Model, Table]:
    """A model file, and data read as it reads them."""
    model = loaded(name)
    if data is None:
        raise click.UsageError(
            f"{name!r} is a model: its growth can be told only with the data it was fitted to, and"
            " the path of a row (--row) only with the row's data; name DATA too"
        )
    if idle := _given(
        ctx, ("target", "schema", "kinds", "drop_missing_target", "settings", "seed")
    ):
        raise click.UsageError(f"{name!r} is fitted already; leave out {', '.join(idle)}")
    with working(f"reading {data}", quiet):
        table = reading.like(data, model.schema)
    for line in table.notes:
        note(line, quiet)
    return model, table


def _fitted(
    recipe: str,
    data: str | None,
    reading: Reading,
    settings: tuple[str, ...],
    seed: int,
    quiet: bool,
    validation: str | None,
) -> tuple[Model, Table]:
    from treekit.cli.fitting import fitted

    if data is None:
        raise click.UsageError(f"{recipe!r} is a recipe; name the data to fit it to, too")
    return fitted(recipe, data, reading, settings, seed, quiet, validation)


def _print(parts: list[str], form: str, output: Path | None, quiet: bool) -> None:
    """One after the other; in JSON, several are a list."""
    if form == "json":
        together = parts[0] if len(parts) == 1 else f"[{','.join(parts)}]\n"
    else:
        together = "\n".join(parts)
    if output is None:
        click.echo(together, nl=False)
        return
    with written_whole(output) as path:
        path.write_text(together, encoding="utf-8")
    note(f"wrote {output}", quiet)
