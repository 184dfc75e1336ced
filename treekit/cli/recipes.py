"""`treekit recipes` and `treekit recipe`: list, show, check and start recipes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treekit.cli.app import Group, complain
from treekit.cli.options import examples, json_option, settings_option
from treekit.cli.output import check_writable, echo_columns, echo_json
from treekit.errors import Problem, RecipeError
from treekit.writing import written_whole

if TYPE_CHECKING:
    from treekit.recipe import Recipe

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


@click.group(cls=Group, epilog=examples("treekit recipe show c45", "treekit recipe new mine"))
def recipe() -> None:
    """Show, check or start a recipe."""


@recipe.command(
    epilog=examples(
        "treekit recipe show c45",
        "treekit recipe show mine.toml --set tree.impurity=gini --json",
    )
)
@click.argument("name", metavar="RECIPE")
@settings_option
@json_option
def show(name: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Print RECIPE whole, with where each value was written."""
    from treekit.recipe import load_recipe

    loaded = load_recipe(name, set=settings)
    if as_json:
        facts = {"name": loaded.name, "document": loaded.document, "origins": loaded.origins}
        echo_json(facts)
        return
    said = {path: f"{path} = {value}" for path, value in _flat(loaded)}
    # The summary is a sentence; the rest lines up without it.
    width = max(len(line) for path, line in said.items() if path != "summary")
    for path, line in said.items():
        origin = loaded.origins.get(path)
        click.echo(f"{line.ljust(width)}  # {origin}" if origin else line)


def _flat(recipe: Recipe) -> list[tuple[str, str]]:
    from treekit.recipe.record import leaves
    from treekit.recipe.source import dotted
    from treekit.recipe.words import as_toml

    said = [(path, value) for path, value in leaves(recipe.document) if value is not None]
    return [(dotted(path), as_toml(value)) for path, value in said]


@recipe.command(epilog=examples("treekit recipe check mine.toml", "treekit recipe check *.toml"))
@click.argument("names", metavar="RECIPE...", nargs=-1, required=True)
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
@click.argument("name")
@click.option("--extends", "base", default="c45", show_default=True, help="The recipe to change.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(name: str, base: str, force: bool) -> None:
    """Write NAME.toml, a recipe that extends another one and shows what can be changed."""
    from treekit.recipe import load_recipe

    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    check_writable(path)
    if path.exists() and not force:
        raise RecipeError(Problem("this file is there already", str(path), "say --force"))
    text = _starter(path, base, load_recipe(base))
    with written_whole(path) as draft:
        draft.write_text(text, encoding="utf-8")
    click.echo(f"wrote {path}; next: treekit recipe check {path}")


def _starter(path: Path, base: str, recipe: Recipe) -> str:
    from treekit.recipe.words import as_toml

    def commented(table: Mapping[str, Any]) -> list[str]:
        return [f"# {key} = {as_toml(_without_none(value))}" for key, value in table.items()]

    own = {"extends", "summary", "tree"}
    rest = {key: value for key, value in recipe.document.items() if key not in own}
    lines = [
        f"# What is not said here is as in {base}. Change what you like, without the #.",
        f"extends = {as_toml(_from(path, base))}",
        f"summary = {as_toml(f'{recipe.name}, changed')}",
        *commented(rest),
        "",
        "[tree]",
        *commented(recipe.document["tree"]),
    ]
    return "\n".join(lines) + "\n"


def _from(path: Path, base: str) -> str:
    """How a recipe in `path` names its base: a file is named from the folder of the recipe."""
    import os

    if not base.endswith(".toml"):
        return base
    return Path(os.path.relpath(base, path.parent)).as_posix()


def _without_none(value: Any) -> Any:
    """TOML has no word for None: a parameter that is None is left out."""
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value
