"""`treekit compare`: which recipe is better, on which data?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treekit.cli.comparing import (
    WAYS,
    Asked,
    asked_for,
    backend_of,
    carried_out,
    print_results,
    tell_failures,
    usual_metrics,
    write_folds,
)
from treekit.cli.options import (
    WholeNumber,
    data_options,
    examples,
    file_to_write,
    json_option,
    quiet_option,
    recipe_options,
    some_text,
)
from treekit.cli.output import check_writable, echo_json, note

SOME_FAILED = 1


@click.command(
    epilog=examples(
        "treekit compare study.toml --jobs 4 --store results.db",
        "treekit compare id3 c45 cart --data tennis --data mammals --folds 5",
        'treekit compare c45 --vary tree.impurity=entropy,gini --data "data/*.csv" --target class',
        "treekit compare c45 sklearn:DecisionTreeClassifier --data sklearn:iris --repeats 10",
        "treekit compare cart --data data/ --target class --resampling hold-out --share 0.2",
        "treekit compare cart c45 --data sklearn:wine --resampling bootstrap --repeats 25",
        "treekit compare id3 c45 --data mammals --resampling test",
        "treekit compare id3 optimal --data sklearn:iris --metric training_error --against optimal",
    )
)
@click.argument("recipes", nargs=-1, required=True, type=some_text, metavar="RECIPE...")
@click.option(
    "--data", "sets", multiple=True, type=some_text, metavar="DATA",
    help="A file, a folder, a pattern, a built-in name or sklearn:NAME; may be repeated. In the"
    " place of a comparison file's data.",
)  # fmt: skip
@click.option(
    "--vary", "grid", multiple=True, type=some_text, metavar="PATH=VALUE,...",
    help="Try each of these values at a path of every recipe; repeated, every combination.",
)  # fmt: skip
@click.option(
    "--resampling", "way", type=click.Choice(tuple(WAYS)),
    help="How rows to test are set apart from those to learn from; `test`: the rows of a test file"
    " beside the data (NAME.test.csv), or of a built-in data set's test part.  [default:"
    " cross-validation]",
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
    "--jobs", type=WholeNumber(min=1), metavar="N",
    help="How many processes work; the results are the same.  [default: one for each processor, if"
    " that is worth it]",
)  # fmt: skip
@click.option(
    "--backend", type=click.Choice(("processes", "dask")), default="processes", show_default=True,
    help="Who does the work: processes of this machine, or the workers of a Dask scheduler.",
)  # fmt: skip
@click.option(
    "--scheduler", type=some_text, metavar="ADDRESS",
    help="Of the backend dask: where its scheduler is, as in tcp://host:8786.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=file_to_write, metavar="FILE",
    help="Write the outcomes of all folds here, as CSV.",
)  # fmt: skip
@data_options
@recipe_options
@json_option
@quiet_option
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    recipes: tuple[str, ...],
    sets: tuple[str, ...],
    grid: tuple[str, ...],
    way: str | None,
    folds: int | None,
    share: float | None,
    repeats: int | None,
    metrics: tuple[str, ...],
    against: str | None,
    store: Path | None,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    output: Path | None,
    settings: tuple[str, ...],
    seed: int,
    as_json: bool,
    quiet: bool,
    **reading_options: Any,
) -> int:
    """Compare RECIPES on the same folds of the same DATA.

    A contender is a recipe's name or TOML file, or sklearn:NAME of one of scikit-learn's
    estimators. In the place of all recipes there may be a comparison file, which says everything;
    options then go before what it says. The exit code is 1 if some folds failed.
    """
    given = ctx.get_parameter_source("seed") == ParameterSource.COMMANDLINE
    asked = Asked(
        recipes, sets, grid, settings, metrics, against, seed if given else None, way,
        {"folds": folds, "share": share, "repeats": repeats}, reading_options,
    )  # fmt: skip
    comparison = asked_for(asked)
    worker = backend_of(backend, jobs, scheduler)
    check_writable(output)
    check_writable(store)
    results = carried_out(comparison, store, worker, quiet)
    if output is not None:
        write_folds(results, output)
        note(f"wrote {output}", quiet)
    shown = comparison.metrics or usual_metrics(results)
    if as_json:
        from treekit.comparing.results import as_plain

        echo_json(as_plain(results, shown))
    else:
        print_results(results, shown, comparison.against, comparison.title)
    tell_failures(results, quiet)
    return SOME_FAILED if results.failed else 0
