"""`treekit compare`: which recipe is better, on which data?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treekit.cli.options import (
    Reading,
    WholeNumber,
    data_options,
    examples,
    file_to_write,
    json_option,
    quiet_option,
    recipe_options,
    some_text,
)
from treekit.cli.output import check_writable, counted, echo_json, note, working

if TYPE_CHECKING:
    from treekit.comparing import Progress, Resampling, Results

SOME_FAILED = 1

WAYS = {
    "cross-validation": "CrossValidation",
    "hold-out": "HoldOut",
    "leave-one-out": "LeaveOneOut",
    "bootstrap": "Bootstrap",
    "test": "FixedTest",
}
"""The ways of resampling, and their names in `treekit.comparing`; fields are options."""


@click.command(
    epilog=examples(
        "treekit compare id3 c45 cart --data tennis --data mammals --folds 5",
        'treekit compare c45 --vary tree.impurity=entropy,gini --data "data/*.csv" --target class',
        "treekit compare c45 sklearn:DecisionTreeClassifier --data sklearn:iris --repeats 10",
        "treekit compare cart --data data/ --target class --resampling hold-out --share 0.2",
        "treekit compare cart c45 --data sklearn:wine --resampling bootstrap --repeats 25",
        "treekit compare id3 c45 --data mammals --resampling test",
        "treekit compare id3 optimal --data sklearn:iris --metric training_error --against optimal",
        "treekit compare id3 c45 --data mammals --bundle mammals.zip --bundle-data",
    )
)
@click.argument("recipes", nargs=-1, required=True, type=some_text, metavar="RECIPE...")
@click.option(
    "--data", "sets", multiple=True, required=True, type=some_text, metavar="DATA",
    help="A file, a folder, a pattern, a built-in name or sklearn:NAME; may be repeated.",
)  # fmt: skip
@click.option(
    "--vary", "grid", multiple=True, type=some_text, metavar="PATH=VALUE,...",
    help="Try each of these values at a path of every recipe; repeated, every combination.",
)  # fmt: skip
@click.option(
    "--resampling", "way", type=click.Choice(tuple(WAYS)), default="cross-validation",
    show_default=True,
    help="How rows to test are set apart from those to learn from; `test`: the rows of a test file"
    " beside the data (NAME.test.csv), or of a built-in data set's test part.",
)  # fmt: skip
@click.option(
    "--folds", type=WholeNumber(min=2), metavar="K",
    help="Of cross-validation: K folds, classes dealt out evenly.  [default: 10]",
)  # fmt: skip
@click.option(
    "--share", metavar="S", type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Of hold-out: test on this share of the rows.  [default: 0.3]",
)  # fmt: skip
@click.option(
    "--repeats", type=WholeNumber(min=1), metavar="N",
    help="Of cross-validation, hold-out and bootstrap: draw N times.  [default: 1; bootstrap: 50]",
)  # fmt: skip
@click.option(
    "--metric", "metrics", multiple=True, type=some_text, metavar="NAME",
    help="What to show; may be repeated.  [default: accuracy or rmse, and leaves]",
)  # fmt: skip
@click.option(
    "--against", type=some_text, metavar="NAME",
    help="Show differences from this contender: of training errors, against optimal, the regret.",
)  # fmt: skip
@click.option(
    "--store", type=file_to_write, metavar="FILE",
    help="Keep every outcome here as it arrives, and take from here what is there already.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=file_to_write, metavar="FILE",
    help="Write the outcomes of all folds here, as CSV.",
)  # fmt: skip
@click.option(
    "--bundle", type=file_to_write, metavar="FILE",
    help="Write recipes, folds, versions and figures to one zip file, for treekit verify.",
)  # fmt: skip
@click.option("--bundle-data", is_flag=True, help="Put the data into the bundle, too.")
@data_options
@recipe_options
@json_option
@quiet_option
def compare(
    recipes: tuple[str, ...],
    sets: tuple[str, ...],
    grid: tuple[str, ...],
    way: str,
    folds: int | None,
    share: float | None,
    repeats: int | None,
    metrics: tuple[str, ...],
    against: str | None,
    store: Path | None,
    output: Path | None,
    bundle: Path | None,
    bundle_data: bool,
    settings: tuple[str, ...],
    seed: int,
    as_json: bool,
    quiet: bool,
    **reading_options: Any,
) -> int:
    """Compare RECIPES on the same folds of the same DATA.

    A contender is a recipe's name or TOML file, or sklearn:NAME of one of scikit-learn's
    estimators. The exit code is 1 if some folds failed.
    """
    how = _resampling(way, folds=folds, share=share, repeats=repeats)
    check_writable(output)
    check_writable(store)
    check_writable(bundle)
    if bundle_data and bundle is None:
        raise click.UsageError("--bundle-data goes with --bundle FILE")
    packing = {"bundle": bundle, "bundle_data": bundle_data}
    results = _compared(
        recipes, sets, grid, how, settings, seed, metrics, store, quiet, reading_options, packing
    )
    if bundle is not None:
        note(f"wrote {bundle}", quiet)
    if output is not None:
        _write(results, output)
        note(f"wrote {output}", quiet)
    shown = metrics or _usual(results)
    if against is not None:
        results.check_contender(against)
    if as_json:
        echo_json(_document(results, shown))
    else:
        _print(results, shown, against or "")
    for outcome in results.failed[:3]:
        place = f"{outcome.data}, repeat {outcome.repeat + 1}, fold {outcome.fold + 1}"
        note(f"{outcome.contender} failed on {place}: {outcome.failure}", quiet)
    if results.failed:
        note(f"{counted(len(results.failed), 'fold')} failed", quiet)
    return SOME_FAILED if results.failed else 0


def _resampling(way: str, **options: float | None) -> Resampling:
    """The way of resampling with the options that were given, if they go with it."""
    from attrs import fields_dict

    from treekit import comparing

    made: Any = getattr(comparing, WAYS[way])
    taken = [name for name in options if name in fields_dict(made)]
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in taken:
            takes = " and ".join(f"--{t}" for t in taken) or "no option of its own"
            raise click.UsageError(
                f"--{name} does not go with --resampling {way}, which takes {takes}"
            )
    found: Resampling = made(**given)
    return found


def _compared(
    recipes: tuple[str, ...],
    sets: tuple[str, ...],
    grid: tuple[str, ...],
    how: Resampling,
    settings: tuple[str, ...],
    seed: int,
    metrics: tuple[str, ...],
    store: Path | None,
    quiet: bool,
    reading_options: dict[str, Any],
    packing: dict[str, Any],
) -> Results:
    from treekit.comparing import compare as compared

    reading = Reading(**reading_options).given
    with working("comparing", quiet) as told:

        def progress(at: Progress) -> None:
            told(at.done, at.of)

        return compared(
            recipes,
            list(sets),
            vary=_grid(grid),
            set=settings,
            resampling=how,
            seed=seed,
            metrics=metrics,
            store=store,
            progress=progress,
            **packing,
            **reading,
        )


def _grid(words: tuple[str, ...]) -> dict[str, list[Any]]:
    """PATH=VALUE,VALUE: the values are a TOML list without its brackets, or bare words."""
    import tomllib

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


def _usual(results: Results) -> tuple[str, ...]:
    """What is shown unless something is asked for."""
    from treekit.comparing.results import FIRST

    return tuple(m for m in (FIRST[results.task], "leaves") if m in results.metrics)


def _print(results: Results, metrics: tuple[str, ...], against: str) -> None:
    from treekit.comparing.wording import lines_of

    for i, metric in enumerate(metrics):
        if i:
            click.echo()
        click.echo("\n".join(lines_of(results, metric, against)))


def _document(results: Results, metrics: tuple[str, ...]) -> dict[str, Any]:
    from treekit.comparing.results import as_plain

    return as_plain(results, metrics)


def _write(results: Results, path: Path) -> None:
    from treekit.writing import written_whole

    with written_whole(path) as draft:
        results.frame.to_csv(draft, index=False)
