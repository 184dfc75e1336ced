"""Results in words and columns, for people."""

from __future__ import annotations

from typing import Final

from treekit.comparing.results import Results, greater_is_better

DIGITS: Final = 4
UNKNOWN: Final = "-"
PAIRED: Final = "Ranks and differences are over the folds that all contenders finished."


def lines_of(results: Results, metric: str, against: str = "") -> list[str]:
    """A metric's means over the folds, a row for each data set; with more than one, mean ranks.

    `against` a contender the differences from it are told: of training errors, against the best
    tree there is, the regret.
    """
    if against:
        title = f"{metric}, less that of {against}: mean over the folds"
        told = results.differences(metric, against).map(lambda value: _number(value, "+"))
    else:
        better = "greater" if greater_is_better(metric) else "smaller"
        title = f"{metric} ({better} is better): mean over the folds, +- standard deviation"
        told = results.means(metric).map(_number) + results.deviations(metric).map(_spread)
    rows = [["data", *results.contenders]]
    for name in results.data:
        cells = (told[c][name] + _failed(results, name, c) for c in results.contenders)
        rows.append([name, *(cell.strip() or UNKNOWN for cell in cells)])
    if len(results.data) > 1:
        ranks = results.mean_ranks(metric).map(lambda rank: f"{rank:.2f}" if rank == rank else "")
        rows.append(["mean rank", *(ranks[c] or UNKNOWN for c in results.contenders)])
    return [title, "", *aligned(rows), *(["", PAIRED] if results.failed else [])]


def _number(value: float, sign: str = "") -> str:
    return rounded(value, DIGITS, sign) if value == value else ""


def _spread(deviation: float) -> str:
    return f" +- {rounded(deviation, 2)}" if deviation == deviation else ""


def rounded(value: float, digits: int, sign: str = "") -> str:
    """A figure of so many digits; a great one is written out: 14580, not 1.458e+04."""
    return f"{float(f'{value:.{digits}g}'):{sign}.15g}"


def _failed(results: Results, data: str, contender: str) -> str:
    """How many folds failed, if any."""
    failed, n_folds = results.failures[contender][data], results.n_folds[contender][data]
    if failed == n_folds:
        return "failed"
    return f" ({failed} of {n_folds} failed)" if failed else ""


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
