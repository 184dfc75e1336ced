"""`treekit plugins`: the strategies that are installed, and what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from treekit.cli.options import examples, json_option, some_text
from treekit.cli.output import echo_columns, echo_json
from treekit.errors import PluginError, Problem, did_you_mean

if TYPE_CHECKING:
    from treekit.registry import Entry, Failure

FACTS = ("role", "name", "distribution", "version", "summary")


@click.command(
    epilog=examples("treekit plugins", "treekit plugins criterion", "treekit plugins --json")
)
@click.argument("role", type=some_text, required=False)
@json_option
def plugins(role: str | None, as_json: bool) -> None:
    """List the strategies that recipes may name.

    ROLE keeps the list to one role. A plugin that could not be loaded is listed with
    what went wrong.
    """
    from treekit.registry import installed
    from treekit.roles import ROLES

    if role is not None and role not in ROLES:
        raise PluginError(Problem(f"there is no role {role!r}", instead=did_you_mean(role, ROLES)))
    registry = installed()
    entries = [entry for r in ROLES if role in (None, r) for entry in registry.of(r)]
    failures = [failure for failure in registry.failures if role in (None, failure.role or role)]
    if as_json:
        rows = [{fact: getattr(entry, fact) for fact in FACTS} for entry in entries]
        echo_json({"strategies": rows, "failures": [_failure(f) for f in failures]})
        return
    echo_columns(
        ("role", "name", "distribution", "summary"),
        [(e.role, e.name, e.distribution, e.summary) for e in entries],
    )
    for line in [*_offered_twice(entries), *map(str, failures)]:
        click.echo(f"\n{click.style('problem:', fg='red', bold=True)} {line}")


def _failure(failure: Failure) -> dict[str, Any]:
    facts = ("entry_point", "distribution", "version", "problem", "hint", "role", "name")
    return {fact: getattr(failure, fact) for fact in facts}


def _offered_twice(entries: list[Entry]) -> list[str]:
    """Names that a recipe cannot write without saying whose they are."""
    offers: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        offers.setdefault((entry.role, entry.name), []).append(entry.full_name)
    return [
        f"the {role} {name!r} is offered twice; a recipe must say which: "
        + " or ".join(map(repr, full))
        for (role, name), full in offers.items()
        if len(full) > 1
    ]
