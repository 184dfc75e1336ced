"""`treekit recipes` and `treekit recipe`: list, show, check and start recipes."""

from __future__ import annotations

import os
from contextlib import chdir
from pathlib import Path

import click

from treekit.cli.app import Group, complain
from treekit.cli.options import examples, json_option, settings_option, some_text
from treekit.cli.output import check_writable, echo_columns, echo_json
from treekit.errors import Problem, RecipeError
from treekit.writing import written_whole

FOUND_PROBLEMS = 1


@click.command(epilog=examples("treekit recipes", "treekit recipes --json"))
@json_option
def recipes(as_json: bool) -> None:
    """List the recipes that come with treekit."""
    from treekit.recipe import load_recipe, recipe_names

    loaded = [load_recipe(name) for name in recipe_names()]
    rows = [{"name": r.name, "task": r.task, "summary": r.summary} for r in loaded]
    if as_json:
        echo_json(rows)
    else:
        echo_columns(("name", "task", "summary"), [tuple(row.values()) for row in rows])


@click.group(
    cls=Group,
    invoke_without_command=True,
    epilog=examples("treekit recipe show c45", "treekit recipe new mine"),
)
@click.pass_context
def recipe(ctx: click.Context) -> None:
    """Show, check or start a recipe."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@recipe.command(
    epilog=examples(
        "treekit recipe show c45",
        "treekit recipe show mine.toml --set tree.impurity=gini --json",
    )
)
@click.argument("name", metavar="RECIPE", type=some_text)
@settings_option
@json_option
def show(name: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Print RECIPE whole, with where each value was written."""
    from treekit.recipe import flat, load_recipe
    from treekit.recipe.words import as_toml

    loaded = load_recipe(name, set=settings)
    if as_json:
        facts = {"name": loaded.name, "document": loaded.document, "origins": loaded.origins}
        echo_json(facts)
        return
    # TOML has no word for a parameter that is not set.
    said = [
        (path, f"{path} = {as_toml(v)}", origin)
        for path, v, origin in flat(loaded)
        if v is not None
    ]
    # The summary is a sentence; the rest lines up without it.
    width = max(len(line) for path, line, _ in said if path != "summary")
    for _, line, origin in said:
        click.echo(f"{line.ljust(width)}  # {origin}")


@recipe.command(epilog=examples("treekit recipe check mine.toml", "treekit recipe check *.toml"))
@click.argument("names", metavar="RECIPE...", type=some_text, nargs=-1, required=True)
@json_option
def check(names: tuple[str, ...], as_json: bool) -> int:
    """Say all that is wrong with each RECIPE. The exit code is 1 if anything is."""
    import attrs

    from treekit.recipe import check as problems_of

    found = {name: problems_of(name) for name in names}
    if as_json:
        echo_json({name: [attrs.asdict(p) for p in problems] for name, problems in found.items()})
    else:
        for name, problems in found.items():
            for problem in problems:
                complain(str(problem))
            if not problems:
                click.echo(f"{name}: ok")
    return FOUND_PROBLEMS if any(found.values()) else 0


@recipe.command(
    epilog=examples("treekit recipe new mine", "treekit recipe new mine --extends cart")
)
@click.argument("name", type=some_text)
@click.option(
    "--extends", "base", metavar="RECIPE", type=some_text, default="c45", show_default=True,
    help="The recipe to change.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(name: str, base: str, force: bool) -> None:
    """Write NAME.toml, a recipe to start from.

    It extends another recipe and changes nothing yet. Its comments tell every part, its parameters
    and what else could stand there.
    """
    from treekit.recipe import load_recipe, new_recipe, recipe_names

    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    check_writable(path)
    if path.exists() and not force:
        raise RecipeError(Problem("this file is there already", str(path), "say --force"))
    # What is wrong with the base is told here, where its name is the one that was typed.
    load_recipe(base)
    if base not in recipe_names():
        # A recipe names its base from its own folder.
        base = Path(os.path.relpath(base, path.parent)).as_posix()
    with chdir(path.parent):
        text = new_recipe(path.stem, base)
    with written_whole(path) as draft:
        draft.write_text(text, encoding="utf-8")
    click.echo(f"wrote {path}; next: treekit recipe check {path}")
