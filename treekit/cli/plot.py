"""`treekit plot`: pictures, and the figures that they are drawn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treekit.cli.app import Group
from treekit.cli.options import (
    WholeNumber,
    examples,
    json_option,
    output_option,
    quiet_option,
    some_text,
)
from treekit.cli.output import check_writable, csv_text, echo_json, note, working

if TYPE_CHECKING:
    from treekit.plots import Measured

# What can be read at a glance; pictures are drawn from more.
STEPS = {2: 20, 3: 10}


@click.group(
    cls=Group,
    invoke_without_command=True,
    epilog=examples("treekit plot impurity entropy gini -o impurity.svg"),
)
@click.pass_context
def plot(ctx: click.Context) -> None:
    """Draw impurities."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@plot.command(
    epilog=examples(
        "treekit plot impurity entropy gini misclassification --scaled -o impurity.svg",
        "treekit plot impurity entropy gini --classes 3 -o triangles.pdf",
        "treekit plot impurity gini '{ use = \"tsallis\", q = 1.5 }'",
    )
)
@click.argument("impurities", metavar="NAME...", type=some_text, nargs=-1)
@output_option("FILE", "the picture, as SVG, PNG or PDF by the file's ending,")
@click.option(
    "--classes", type=click.Choice(["2", "3"]), default="2", show_default=True,
    help="2: a curve over the share p of a class. 3: a triangle over the three shares.",
)  # fmt: skip
@click.option("--scaled", is_flag=True, help="Divide each impurity by its greatest value.")
@click.option(
    "--steps", metavar="N", type=WholeNumber(min=1, max=1000),
    help="In how many steps a share goes from 0 to 1.  [default: 20, of three classes 10; more in"
    " a picture]",
)  # fmt: skip
@json_option
@quiet_option
def impurity(
    impurities: tuple[str, ...],
    output: Path | None,
    classes: str,
    scaled: bool,
    steps: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Plot impurities of two or three classes over the classes' shares.

    NAME is written as in a recipe: the name of an impurity, a plugin's included, or a table with
    its parameters. Without -o the figures are printed as CSV.
    """
    from treekit.plots import (
        as_data,
        check_can_draw,
        check_format,
        chosen,
        impurity_figure,
        measured,
        save,
    )

    number = int(classes)
    if output is not None:
        check_format(output)
        check_writable(output)
        check_can_draw()
    these = chosen(impurities)
    if output is not None:
        with working(f"drawing {output}", quiet):
            save(impurity_figure(these, number, steps=steps, scaled=scaled), output)
        note(f"wrote {output}", quiet)
    if output is None or as_json:
        found = measured(these, number, steps=steps or STEPS[number], scaled=scaled)
        if as_json:
            echo_json(as_data(found))
        else:
            click.echo(_table(found), nl=False)


def _table(found: Measured) -> str:
    """A row for each mixture: the shares, then each impurity; of two classes one share will do."""
    shares = ["p"] if found.classes == 2 else [f"p{k + 1}" for k in range(found.classes)]
    header = [*shares, *(one.label for one in found.impurities)]
    columns = [*found.shares.T[: len(shares)], *found.values]
    return csv_text(header, ([f"{x:.6g}" for x in row] for row in zip(*columns, strict=True)))
