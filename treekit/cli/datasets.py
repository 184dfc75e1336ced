"""`treekit datasets`: the small textbook tables that come with treekit."""

from __future__ import annotations

import click

from treekit.cli.app import Group
from treekit.cli.options import Reading, examples, json_option, some_text
from treekit.cli.output import echo_columns, echo_json
from treekit.errors import DataError, Problem, did_you_mean


@click.group(
    cls=Group,
    invoke_without_command=True,
    epilog=examples("treekit datasets", "treekit datasets show tennis", "treekit fit id3 tennis"),
)
@json_option
@click.pass_context
def datasets(ctx: click.Context, as_json: bool) -> None:
    """List the built-in data sets, or show one."""
    if ctx.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(
                "--json goes behind the command, as in: treekit datasets show tennis --json"
            )
        return
    import attrs

    from treekit.datasets import dataset_info, dataset_names

    infos = [dataset_info(name) for name in dataset_names()]
    if as_json:
        echo_json([attrs.asdict(info) for info in infos])
        return
    echo_columns(
        ("name", "rows", "columns", "target", "parts", "summary"),
        [(i.name, i.rows, i.columns, i.target, " ".join(i.parts), i.summary) for i in infos],
    )


@datasets.command(
    epilog=examples("treekit datasets show tennis", "treekit datasets show mammals:test --json")
)
@click.argument("name", type=some_text)
@json_option
def show(name: str, as_json: bool) -> None:
    """Print the data set NAME (or NAME:test): source, columns and rows."""
    import attrs

    from treekit.datasets import built_in, dataset_info, dataset_names, dataset_path
    from treekit.table import describe

    named = built_in(name)
    if named is None:
        remedy = did_you_mean(name, dataset_names())
        raise DataError(Problem(f"there is no data set {name!r}", instead=remedy))
    info = dataset_info(named[0])
    text = dataset_path(*named).read_text(encoding="utf-8")
    columns = describe(Reading().table(name))
    if as_json:
        import csv

        rows = list(csv.DictReader(text.splitlines()))
        echo_json({**attrs.asdict(info), "described": columns, "data": rows})
        return
    click.echo(f"{info.name}: {info.summary}\nfrom {info.source}\n")
    facts = ("name", "role", "kind", "distinct", "unknown", "levels")
    cells = [[c["levels"] if f == "levels" else c[f] for f in facts] for c in columns]
    echo_columns(facts, [[*row[:-1], " ".join(map(str, row[-1] or ()))] for row in cells])
    click.echo(f"\n{text}", nl=False)
