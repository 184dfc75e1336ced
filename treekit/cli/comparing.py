"""What `treekit compare` does: from what was asked for to a comparison, and its results shown."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, fields_dict, frozen

from treekit.cli.options import Reading
from treekit.cli.output import counted, note, working

if TYPE_CHECKING:
    from treekit.comparing import (
        Backend,
        Comparison,
        Packing,
        Plan,
        Progress,
        Resampling,
        Results,
    )

WAYS = {
    "cross-validation": "cross_validation",
    "hold-out": "hold_out",
    "leave-one-out": "leave_one_out",
    "bootstrap": "bootstrap",
    "test": "test",
}
"""The ways of resampling, and their names in a comparison file; fields are options."""

LONGEST = 300
"""Letters of why a fold failed; results file, report and -o have all of them."""


@frozen
class Asked:
    """What the command line says; None or empty: nothing."""

    recipes: tuple[str, ...]
    sets: tuple[str, ...]
    grid: tuple[str, ...]
    settings: tuple[str, ...]
    metrics: tuple[str, ...]
    against: str | None
    learn: tuple[float, ...]
    seed: int | None
    way: str | None
    how: Mapping[str, float | None]
    reading: Mapping[str, Any]


def asked_for(asked: Asked) -> Comparison:
    """The comparison of a file or of the arguments; options take the place of what a file says."""
    from treekit.comparing import Comparison, is_comparison, load_comparison

    files = [word for word in asked.recipes if is_comparison(word)]
    if not asked.sets and len(asked.recipes) == 1 and _is_missing(asked.recipes[0]):
        files = [asked.recipes[0]]
    if files and len(asked.recipes) > 1:
        other = next(word for word in asked.recipes if word != files[0])
        raise click.UsageError(
            f"{files[0]} is a comparison file, and stands alone; name {other} in its recipes"
        )
    if not (files or asked.sets):
        raise click.UsageError(f"Missing option '--data'{_no_file(asked.recipes)}")
    grid = _grid(asked.grid)
    comparison = load_comparison(files[0]) if files else Comparison(recipes=asked.recipes)
    told = {
        "data": asked.sets,
        "metrics": asked.metrics,
        "against": asked.against,
        "learn": asked.learn,
    }
    changes: dict[str, Any] = {key: value for key, value in told.items() if value}
    if asked.seed is not None:
        changes["seed"] = asked.seed
    # What is no longer the file's is not to be looked for in it.
    replaced = {f"vary {path}" for path in grid} | {"against"} & set(changes)
    places = {
        words: place
        for words, place in comparison.places.items()
        if words not in replaced and words.partition(".")[0] not in changes
    }
    return evolve(
        comparison,
        vary={**comparison.vary, **grid},
        settings=(*comparison.settings, *asked.settings),
        reading={**comparison.reading, **Reading(**asked.reading).given},
        resampling=_resampling(comparison.resampling, asked.way, asked.how),
        places=places,
        **changes,
    )


def _no_file(words: tuple[str, ...]) -> str:
    """Why none of these is a comparison file, if somebody could think that one is."""
    like = [word for word in words if Path(word).suffix and not word.startswith("sklearn:")]
    if not like:
        return ""
    told = "names neither recipes nor data" if like[0].endswith(".toml") else "is no .toml file"
    return f": {like[0]} is no comparison file, for it {told}"


def _is_missing(word: str) -> bool:
    return word.endswith(".toml") and not Path(word).expanduser().exists()


def _resampling(
    said: Resampling, way: str | None, options: Mapping[str, float | None]
) -> Resampling:
    """The way of resampling with the options that were given, if they go with it."""
    from treekit.comparing.resampling import WAYS as CLASSES

    how: Any = said if way is None else CLASSES[WAYS[way]]()
    taken = [name for name in options if name in fields_dict(type(how))]
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in taken:
            called = next(word for word, file in WAYS.items() if CLASSES[file] is type(how))
            takes = " and ".join(f"--{t}" for t in taken) or "no option of its own"
            raise click.UsageError(
                f"--{name} does not go with --resampling {called}, which takes {takes}"
            )
    found: Resampling = evolve(how, **given)
    return found


def _grid(words: tuple[str, ...]) -> dict[str, list[Any]]:
    """PATH=VALUE,VALUE: the values are a TOML list without its brackets, or bare words."""
    grid: dict[str, list[Any]] = {}
    for word in words:
        path, equals, values = word.partition("=")
        if not (path.strip() and equals and values.strip()):
            raise click.BadParameter(f"{word!r} is not PATH=VALUE,..., as in tree.impurity=gini")
        try:
            found = tomllib.loads(f"values = [{values}]")["values"]
        except tomllib.TOMLDecodeError:
            found = [value.strip() for value in values.split(",")]
        grid.setdefault(path.strip(), []).extend(found)
    return grid


def planned_with(
    comparison: Comparison, bundle: Path | None, with_data: bool
) -> tuple[Plan, Packing]:
    """The plan of a comparison, and how it is packed."""
    from treekit.comparing import Packing, planned

    return planned(comparison), Packing(bundle, with_data, comparison.title)


def carried_out(
    plan: Plan, store: Path | None, backend: Backend, quiet: bool, packed: Packing
) -> tuple[Results, Progress]:
    """Compare, and tell how far it is; also what was run in the end and what was known."""
    from treekit import comparing

    at: list[Progress] = []
    with working("comparing", quiet) as told:

        def progress(now: Progress) -> None:
            at[:] = [now]
            told(now.done, now.of, f"{now.failed} failed" if now.failed else "")

        return comparing.carried_out(plan, store, backend, progress, packed), at[0]


def summary(at: Progress, store: Path | None) -> str:
    """`400 folds: 250 from results.db, 150 run, 0 failed`."""
    known = f"{at.known} from {store}, " if store is not None else ""
    return f"{counted(at.of, 'fold')}: {known}{at.done - at.known} run, {at.failed} failed"


def tell_failures(results: Results, quiet: bool, most: int = 5) -> None:
    """Who failed on which data, on how many folds, and why the first of them; the rest in short."""
    failed: dict[tuple[str, str], list[str]] = {}
    for outcome in results.failed:
        failed.setdefault((outcome.contender, outcome.data), []).append(outcome.failure)
    for (contender, data), why in list(failed.items())[:most]:
        n = int(results.n_folds[contender][data])
        told = textwrap.shorten(why[0], LONGEST, placeholder=" ...")
        note(f"{contender} failed on {data}, {len(why)} of {counted(n, 'fold')}: {told}", quiet)
    if len(failed) > most:
        note(f"failures on {len(failed) - most} more are not shown; -o FILE has them all", quiet)


def usual_metrics(results: Results) -> tuple[str, ...]:
    """What is shown unless something is asked for."""
    from treekit.comparing.results import FIRST

    return tuple(m for m in (FIRST[results.task], "leaves") if m in results.metrics)


def print_results(results: Results, metrics: tuple[str, ...], against: str, title: str) -> None:
    from treekit.comparing.wording import lines_of

    if title:
        click.echo(title + "\n")
    for i, metric in enumerate(metrics):
        if i:
            click.echo()
        click.echo("\n".join(lines_of(results, metric, against)))


def write_folds(results: Results, path: Path) -> None:
    """All folds as CSV."""
    from treekit.writing import written_whole

    with written_whole(path) as draft:
        results.frame.to_csv(draft, index=False)
