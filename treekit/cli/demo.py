"""`treekit demo`: three algorithms on one data set, and how their trees differ."""

from __future__ import annotations

import click

from treekit.cli.options import Reading, examples, json_option, some_text
from treekit.cli.output import echo_json, echo_tree, working

# Textbook tables are smaller than the least node that cart would split, so it stops at pure ones.
RECIPES = {"id3": (), "c45": (), "cart": ("tree.stop=pure",)}


@click.command(epilog=examples("treekit demo", "treekit demo vegetation"))
@click.argument("data", type=some_text, default="tennis")
@json_option
def demo(data: str, as_json: bool) -> None:
    """Fit id3, c45 and cart to one data set; compare the trees.

    DATA is the name of a built-in data set, tennis unless given.
    """
    import attrs

    from treekit.datasets import dataset_info
    from treekit.fitting import fit_table
    from treekit.recipe import load_recipe
    from treekit.report import differences

    info = dataset_info(data)
    table = Reading().table(data)
    recipes = {name: load_recipe(name, set=settings) for name, settings in RECIPES.items()}
    with working(f"fitting {', '.join(RECIPES)} to {data}"):
        models = {name: fit_table(recipe, table) for name, recipe in recipes.items()}
    found = differences(models, table)
    if as_json:
        echo_json(attrs.asdict(found))
        return
    click.echo(f"{info.name}: {info.summary}\n")
    for name, recipe in recipes.items():
        settings = "".join(f" --set {setting}" for setting in RECIPES[name])
        click.echo(recipe.summary)
        click.echo(f"$ treekit fit {name} {data}{settings}")
        echo_tree(models[name])
        click.echo()
    click.echo(str(found), nl=False)
