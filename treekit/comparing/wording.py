"""Results in words and columns, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treekit.comparing.results import Results, greater_is_better

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 4


def lines_of(results: Results, metric: str, against: str = "") -> list[str]:
    """A metric's means over the folds, a row for each data set; with more than one, mean ranks.

    `against` a contender the differences from it are told: of training errors, against the best
    tree there is, the regret.
    """
    means, spread = results.means(metric), results.deviations(metric)
    if against:
        means = means.sub(means[against], axis=0)
    rows = [["data", *results.contenders]]
    for name in results.data:
        rows.append([name, *(_cell(means, spread, name, c, against) for c in results.contenders)])
    better = "greater" if greater_is_better(metric) else "smaller"
    if len(results.data) > 1:
        ranks = results.ranks(metric).mean()
        rows.append(["mean rank", *(f"{ranks[c]:.2f}" for c in results.contenders)])
    if against:
        title = f"{metric}, less that of {against}: mean over the folds"
    else:
        title = f"{metric} ({better} is better): mean over the folds, +- standard deviation"
    return [title, "", *aligned(rows)]


def _cell(means: pd.DataFrame, spread: pd.DataFrame, data: str, contender: str, less: str) -> str:
    mean, deviation = (float(frame[contender][data]) for frame in (means, spread))
    if mean != mean:
        return "failed"
    told = f"{mean:+.{DIGITS}g}" if less else f"{mean:.{DIGITS}g}"
    return told if less or deviation != deviation else f"{told} +- {deviation:.2g}"


def aligned(rows: list[list[str]]) -> list[str]:
    """Columns side by side, all but the first to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
