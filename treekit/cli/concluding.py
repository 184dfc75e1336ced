"""What `treekit compare` concludes: statistics, ablation, and reports of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from treekit.cli.output import note

if TYPE_CHECKING:
    from treekit.comparing import Comparison, Plan, Results
    from treekit.statistics import Ablation, Analysis


COPIES = (
    "Disturbed copies of a data set are counted as data sets, which they are not: they agree more"
    " than others would, and p is too small. See how the figures change with the share."
)


def analyses_of(results: Results, metrics: Sequence[str], comparison: Comparison) -> list[Analysis]:
    """What the outcomes of each metric allow one to conclude; nothing of one contender alone."""
    from treekit.statistics import analysed

    if len(results.contenders) < 2:
        return []
    asked = {"alpha": comparison.statistics.alpha, "rope": comparison.statistics.rope}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    found = [
        analysed(results, metric, seed=comparison.seed, n_metrics=len(metrics), **given)
        for metric in metrics
    ]
    if comparison.disturb is None:
        return found
    return [evolve(one, cautions=(COPIES, *one.cautions)) for one in found]


def ablation_of(results: Results, plan: Plan, metrics: Sequence[str]) -> Ablation:
    """What is due to which path of the recipes."""
    from treekit.statistics import ablated, varied_of

    return ablated(results, varied_of(plan.contenders), metrics, seed=plan.seed)


def print_lines(found: Analysis | Ablation) -> None:
    from treekit.statistics import lines_of

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
        from treekit.reporting import check_report

        check_report(path)


def write_reports(
    paths: Sequence[Path],
    results: Results,
    analyses: Sequence[Analysis],
    plan: Plan,
    title: str,
    quiet: bool,
) -> None:
    if not paths:
        return
    from treekit.reporting import about_plan, write_report

    about = about_plan(plan, title)
    for path in paths:
        for written in write_report(path, results, analyses, about):
            note(f"wrote {written}", quiet)
