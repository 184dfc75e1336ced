"""`treekit demo`: three algorithms on one data set, and how their trees differ."""

from __future__ import annotations

import click

from treekit.cli.options import Reading, examples, json_option
from treekit.cli.output import echo_json, echo_tree, working

RECIPES = ("id3", "c45", "cart")


@click.command(epilog=examples("treekit demo", "treekit demo mammals"))
@click.argument("data", default="tennis")
@json_option
def demo(data: str, as_json: bool) -> None:
    """Fit id3, c45 and cart to one data set; compare the trees.

    DATA is the name of a built-in data set.
    """
    import attrs

    from treekit.datasets import dataset_info
    from treekit.fitting import fit
    from treekit.recipe import load_recipe
    from treekit.report import differences

    table = Reading().table(data)
    recipes = [load_recipe(name) for name in RECIPES]
    with working(f"fitting {', '.join(RECIPES)} to {data}"):
        models = {recipe.name: fit(recipe, table) for recipe in recipes}
    found = differences(models, table)
    if as_json:
        echo_json(attrs.asdict(found))
        return
    info = dataset_info(data)
    click.echo(f"{info.name}: {info.summary} ({info.rows} rows, target {info.target})\n")
    for recipe in recipes:
        click.echo(f"{recipe.name}: {recipe.summary}")
        echo_tree(models[recipe.name])
        click.echo()
    click.echo(str(found), nl=False)
