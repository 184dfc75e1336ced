"""The table of ratios, as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator

from benchmarks.contest import Row
from benchmarks.programs import Peer, version_of

HEADING = (
    "| work | program | least | spread | times treekit's | answers | nodes |\n"
    "|---|---|---|---|---|---|---|"
)


def versions(peers: Iterable[Peer]) -> dict[str, str]:
    ours = {name: version_of(name) or "?" for name in ("treekit", "numba", "numpy")}
    theirs = {peer.name: peer.version for peer in peers if peer.version}
    return {**ours, **theirs, "Python": platform.python_version()}


def heading(peers: Iterable[Peer]) -> str:
    told = ", ".join(f"{name} {version}" for name, version in versions(peers).items())
    return f"{told}; {os.cpu_count()} cores, {platform.machine()}"


def line(row: Row) -> str:
    cells = (
        row.work,
        row.program,
        measured(row.value, row.unit),
        "" if row.spread is None else f"{row.spread:.0%}",
        "" if row.ratio is None else f"{row.ratio:.2f}",
        row.answers,
        "" if row.nodes is None else f"{row.nodes:,}",
    )
    return f"| {' | '.join(cells)} |"


def measured(value: float, unit: str) -> str:
    """A figure of three digits or so with its unit."""
    if unit == "s" and value < 0.1:
        value, unit = 1000 * value, "ms"
    return f"{value:.3g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"


def titles(rows: Iterable[Row]) -> Iterator[str]:
    """What each work is, once."""
    seen = set()
    for row in rows:
        if row.title and row.work not in seen:
            seen.add(row.work)
            yield f"- {row.work}: {row.title}"
