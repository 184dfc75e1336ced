"""The table of ratios, as Markdown or as data."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import asdict

from benchmarks.contest import Row
from benchmarks.programs import Peer, installed

HEADING = (
    "| work | program | least | spread | times treekit's | answers | nodes |\n"
    "|---|---|---|---|---|---|---|"
)


def versions(peers: Iterable[Peer]) -> dict[str, str]:
    ours = {name: installed(name) or "?" for name in ("treekit", "numba", "numpy")}
    theirs = {peer.name: peer.version for peer in peers if peer.version}
    return {**ours, **theirs, "Python": platform.python_version()}


def machine(peers: Iterable[Peer]) -> str:
    told = ", ".join(f"{name} {version}" for name, version in versions(peers).items())
    return f"{told}; {os.cpu_count()} cores, {platform.machine()}"


def line(row: Row) -> str:
    """A row of the table."""
    cells = (
        row.work,
        row.program,
        measured(row.value, row.unit),
        "" if row.spread is None else f"{row.spread:.0%}",
        "" if row.ratio is None else f"{row.ratio:.2f}",
        row.answers.replace("|", "/"),
        "" if row.nodes is None else f"{row.nodes:,}",
    )
    return f"| {' | '.join(cells)} |"


def measured(value: float, unit: str) -> str:
    """A figure of three digits or so with its unit."""
    if math.isnan(value):
        return ""
    if unit == "s" and value < 0.1:
        value, unit = 1000 * value, "ms"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def titles(rows: Iterable[Row]) -> Iterator[str]:
    """What each work is, once."""
    found: dict[str, str] = {}
    for row in rows:
        found.setdefault(row.work, row.title)
    return (f"- {work}: {title}" for work, title in found.items() if title)


def as_data(rows: Iterable[Row], peers: Iterable[Peer], left_out: Mapping[str, str]) -> Any:
    """All of a run, for scripts; null is what was not to be had."""
    told = [asdict(row) for row in rows]
    for row in told:
        row["value"] = None if math.isnan(row["value"]) else row["value"]
    found = {"versions": versions(peers), "cores": os.cpu_count(), "machine": platform.machine()}
    return {**found, "rows": told, "left_out": dict(left_out)}
