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
    carried_out,
    planned_with,
    print_results,
    summary,
    tell_failures,
    usual_metrics,
    write_folds,
)
from treekit.cli.concluding import (
    ablation_of,
    analyses_of,
    check_reports,
    document,
    is_ablation,
    print_lines,
    write_reports,
)
from treekit.cli.options import (
    Shares,
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
from treekit.cli.workers import backend_of, worker_options

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
        "treekit compare c45 cart --data sklearn:digits --learn 0.1,0.25,0.5,1 --report page.html",
        "treekit compare id3 optimal --data sklearn:iris --metric training_error --against optimal",
        "treekit compare id3 c45 --data mammals --bundle mammals.zip --bundle-data",
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
@worker_options
@click.option(
    "-o", "--output", type=file_to_write, metavar="FILE",
    help="Write the outcomes of all folds here, as CSV.",
)  # fmt: skip
@click.option(
    "--report", "reports", multiple=True, type=file_to_write, metavar="PATH",
    help="Write a report: a page (.html), a table (.csv, .parquet, .tex), a plot (.svg, .png), or"
    " a folder with all of them; may be repeated.",
)  # fmt: skip
@click.option(
    "--statistics/--no-statistics", "concludes", default=True,
    help="Say which differences are real, of the first metric shown.  [default: yes]",
)  # fmt: skip
@click.option(
    "--ablation",
    is_flag=True,
    help="Say how much is due to each path of the recipes that contenders differ in. Reports do"
    " unasked, if some differ in one path alone.",
)
@click.option(
    "--learn", type=Shares(), default=(), metavar="SHARE,...",
    help="Let every contender learn from these shares of the rows, for learning curves.",
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
    reports: tuple[Path, ...],
    concludes: bool,
    ablation: bool,
    learn: tuple[float, ...],
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
    estimators. In the place of all recipes there may be a comparison file, which says everything;
    options then take the place of what it says. The exit code is 1 if some folds failed.
    """
    given = ctx.get_parameter_source("seed") == ParameterSource.COMMANDLINE
    asked = Asked(
        recipes, sets, grid, settings, metrics, against, learn, seed if given else None, way,
        {"folds": folds, "share": share, "repeats": repeats}, reading_options,
    )  # fmt: skip
    comparison = asked_for(asked)
    worker = backend_of(backend, jobs, scheduler)
    for path in (output, store, bundle):
        check_writable(path)
    check_reports(reports)
    if bundle_data and bundle is None:
        raise click.UsageError("--bundle-data goes with --bundle FILE")
    plan, packed = planned_with(comparison, bundle, bundle_data)
    has_parts = is_ablation(plan, ablation, reports)
    results, at = carried_out(plan, store, worker, quiet, packed)
    if output is not None:
        write_folds(results, output)
        note(f"wrote {output}", quiet)
    if bundle is not None:
        note(f"wrote {bundle}", quiet)
    shown = comparison.metrics or usual_metrics(results)
    analyses = analyses_of(results, shown, comparison) if concludes else []
    due = ablation_of(results, plan, shown, comparison) if has_parts else None
    if as_json:
        echo_json(document(results, shown, analyses, due if ablation else None))
    else:
        print_results(results, shown, comparison.against, comparison.title)
        for found in (*analyses[:1], due if ablation else None):
            print_lines(found)
    write_reports(reports, results, analyses, due, plan, comparison.title, quiet)
    tell_failures(results, quiet)
    note(summary(at, store), quiet)
    return SOME_FAILED if results.failed else 0
