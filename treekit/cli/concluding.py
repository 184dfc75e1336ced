"""What `treekit compare` concludes: statistics, ablation, and reports of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treekit.cli.output import check_writable, note
from treekit.errors import Problem, TreekitError

if TYPE_CHECKING:
    from treekit.comparing import Comparison, Plan, Results
    from treekit.statistics import Ablation, Analysis


def analyses_of(results: Results, metrics: Sequence[str], comparison: Comparison) -> list[Analysis]:
    """What the outcomes of each metric allow one to conclude; nothing of one contender alone."""
    from treekit.statistics import analysed

    if len(results.contenders) < 2:
        return []
    asked = {"alpha": comparison.statistics.alpha, "rope": comparison.statistics.rope}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    return [
        analysed(results, metric, seed=comparison.seed, n_metrics=len(metrics), **given)
        for metric in metrics
    ]


def is_ablation(plan: Plan, asked: bool, reports: Sequence[Path]) -> bool:
    """Is it to be told what is due to which path? If it is asked and cannot be, that is told."""
    from treekit import statistics

    varied = statistics.varied_of(plan.contenders)
    if asked:
        statistics.check_varied(varied)
    return asked or (bool(reports) and statistics.is_ablation(varied))


def ablation_of(
    results: Results, plan: Plan, metrics: Sequence[str], comparison: Comparison
) -> Ablation:
    """What is due to which path of the recipes."""
    from treekit.statistics import ablated, varied_of

    alpha = comparison.statistics.alpha
    given: dict[str, Any] = {} if alpha is None else {"alpha": alpha}
    return ablated(results, varied_of(plan.contenders), metrics, seed=plan.seed, **given)


def print_lines(found: Analysis | Ablation | None) -> None:
    from treekit.statistics import lines_of

    if found is not None:
        click.echo("\n" + "\n".join(lines_of(found)))


def document(
    results: Results, metrics: Sequence[str], analyses: Sequence[Analysis], due: Ablation | None
) -> dict[str, Any]:
    """Results and conclusions as plain data."""
    from treekit import statistics
    from treekit.comparing.results import as_plain

    found = as_plain(results, metrics)
    found["statistics"] = [statistics.as_plain(analysis) for analysis in analyses]
    if due is not None:
        found["ablation"] = statistics.as_plain(due)
    return found


def check_reports(paths: Sequence[Path]) -> None:
    """Can reports be written there? Told before any work."""
    for path in paths:
        from treekit.reporting import check_name, check_report

        check_report(path)
        check_name(path)
        if path.suffix and not path.is_dir():
            check_writable(path)
        elif path.exists() and not path.is_dir():
            told = "this is a file, and a report without an ending is a folder"
            raise TreekitError(Problem(told, str(path), "name another, or give it an ending"))


def write_reports(
    paths: Sequence[Path],
    results: Results,
    analyses: Sequence[Analysis],
    due: Ablation | None,
    plan: Plan,
    title: str,
    quiet: bool,
) -> None:
    if not paths:
        return
    from treekit.reporting import about_plan, write_report

    about = about_plan(plan, title)
    for path in paths:
        for written in write_report(path, results, analyses, about, ablation=due):
            note(f"wrote {written}", quiet)
