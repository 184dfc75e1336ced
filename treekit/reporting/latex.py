"""The figures of a comparison as LaTeX tables with booktabs, to be included in a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from treekit.comparing.results import Results, greater_is_better
from treekit.comparing.wording import PAIRED, UNKNOWN
from treekit.reporting.digits import decimal, places
from treekit.reporting.tables import Shown, shown

PREAMBLE: Final = "% Needs \\usepackage{booktabs}.\n"

_ESCAPED: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}",
}  # fmt: skip


def escaped(text: str) -> str:
    """A text that LaTeX prints as it is written; line breaks become spaces."""
    plain = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    # Side by side these would become a dash or a quotation mark.
    apart = re.sub(r"([-'`,])(?=\1)", "\\1\0", plain)
    return "".join(_ESCAPED.get(letter, letter) for letter in apart).replace("\0", "{}")


def latex_tables(results: Results, metrics: Iterable[str]) -> str:
    """A table for each metric, as a file to be included."""
    return PREAMBLE + "".join(f"\n{latex_table(results, metric)}" for metric in metrics)


def latex_table(results: Results, metric: str, caption: str = "", label: str = "") -> str:
    """A metric's means and deviations, a row for each data set, the best of each row in bold.

    caption, label  as they are; unless given they say what the figures are, and `tab:METRIC`
    """
    figures = shown(results, metric)
    width = len(results.contenders)
    rows = [figures[i : i + width] for i in range(0, len(figures), width)]
    lines = [
        r"\begin{table}[htbp]",
        r"  \centering",
        f"  \\caption{{{caption or escaped(_caption(results, metric))}}}",
        f"  \\label{{{label or _label(metric)}}}",
        f"  \\begin{{tabular}}{{l{'r' * width}}}",
        r"    \toprule",
        _line(["data", *map(escaped, results.contenders)]),
        r"    \midrule",
        *(_line([escaped(row[0].data), *_cells(row)]) for row in rows),
        *_mean_ranks(results, metric),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    # After the end of a line, LaTeX would take these for an option of it.
    guard = "{}" if line[:1] in ("[", "*") else ""
    return f"    {guard}{line} \\\\"


def _cells(row: Sequence[Shown]) -> list[str]:
    n_places = places(one.mean for one in row)
    return [_cell(one, n_places) for one in row]


def _cell(one: Shown, n_places: int) -> str:
    if one.mean != one.mean:
        return "failed" if one.failed and one.failed == one.folds else UNKNOWN
    mean = decimal(one.mean, n_places)
    spread = f" \\pm {decimal(one.deviation, n_places)}" if one.deviation == one.deviation else ""
    failed = f" ({one.failed} of {one.folds} failed)" if one.failed else ""
    strong = f"\\mathbf{{{mean}}}" if one.best else mean
    return f"${strong}{spread}${failed}"


def _mean_ranks(results: Results, metric: str) -> list[str]:
    if len(results.data) < 2:
        return []
    ranks = [float(rank) for rank in results.mean_ranks(metric)]
    best = min((rank for rank in ranks if rank == rank), default=0.0)
    told = [rf"\textbf{{{rank:.2f}}}" if rank == best else decimal(rank, 2) for rank in ranks]
    return [r"    \midrule", _line(["mean rank", *told])]


def _caption(results: Results, metric: str) -> str:
    better = "greater" if greater_is_better(metric) else "smaller"
    words = f"{metric} ({better} is better): mean over the folds and standard deviation."
    ranks = " The mean rank is over the data sets; 1 is the best." if len(results.data) > 1 else ""
    return f"{words} The best of each row is bold.{ranks}{f' {PAIRED}' if results.failed else ''}"


def _label(metric: str) -> str:
    return "tab:" + re.sub(r"[^a-z0-9]+", "-", metric.lower())
