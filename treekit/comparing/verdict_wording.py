"""A verdict in words and columns, for people, and as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from attrs import asdict

from treekit.comparing.verifying import NEAR, Verdict
from treekit.comparing.wording import UNKNOWN, aligned

SHOWN: Final = 5
HEAD: Final = ("data", "contender", "repeat", "fold")


def lines_of_verdict(verdict: Verdict, shown: int = SHOWN) -> list[str]:
    """What was rerun, what differs, the first few differences, and the verdict in the last line."""
    n_succeed = sum(bool(t.then) for t in verdict.turned)
    rows = [
        ("cells", f"{verdict.cells}"),
        ("rerun", f"{verdict.rerun}"),
        ("equal", f"{verdict.equal}"),
        ("differing", f"{verdict.differing}"),
        ("failures that now succeed", f"{n_succeed}"),
        ("successes that now fail", f"{len(verdict.turned) - n_succeed}"),
    ]
    facts = [
        f"data: {', '.join(f'{name} ({where})' for name, where in verdict.where.items())}",
        f"folds: {_folds(verdict)}",
        f"versions: {_versions(verdict)}",
        f"figures: {_how(verdict)}",
    ]
    changed = [
        (c.data, c.contender, c.repeat + 1, c.fold + 1, c.metric, _figure(c.then), _figure(c.now))
        for c in verdict.changed
    ]
    turned = [
        (t.data, t.contender, t.repeat + 1, t.fold + 1, t.then or "succeeded", t.now or "succeeds")
        for t in verdict.turned
    ]
    return [
        *facts,
        "",
        *aligned([list(row) for row in rows]),
        "",
        *_table((*HEAD, "metric", "then", "now"), changed, shown),
        *_table((*HEAD, "then", "now"), turned, shown),
        verdict_line(verdict),
    ]


def verdict_line(verdict: Verdict) -> str:
    """Do the figures hold, and how many of them were looked at?"""
    held = "the figures hold" if verdict.holds else "the figures do not hold"
    part = f" (a sample of {verdict.rerun} of {verdict.cells} cells)"
    return held + (part if verdict.rerun < verdict.cells else "")


def as_plain_verdict(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain data; repeats and folds count from 0, as in the results."""
    told = asdict(verdict)
    for changed in told["changed"]:
        changed |= {when: _known(changed[when]) for when in ("then", "now")}
    return {"holds": verdict.holds, "exactly": verdict.exactly, "equal": verdict.equal, **told}


def _folds(verdict: Verdict) -> str:
    if not verdict.folds:
        return "those that the seed draws"
    names = ", ".join(verdict.folds)
    why = "" if verdict.drawn_otherwise else ", as other versions may"
    return f"the seed draws others now{why}, on {names}; the stored ones were used"


def _versions(verdict: Verdict) -> str:
    told = (f"{v.name} {v.then or 'none'}, now {v.now or 'none'}" for v in verdict.versions)
    return "; ".join(told) or "the same"


def _how(verdict: Verdict) -> str:
    if verdict.exactly:
        return "compared to the last digit"
    return f"compared within {NEAR:g} of their size, since versions differ"


def _known(value: float | None) -> float | str | None:
    """JSON has neither NaN nor infinity: these are said in words."""
    return value if value is None or math.isfinite(value) else repr(value)


def _figure(value: float | None) -> str:
    return UNKNOWN if value is None else repr(value)


def _table(header: Sequence[str], rows: Iterable[Sequence[Any]], shown: int) -> list[str]:
    """The first rows, and how many more there are; nothing if there are none."""
    every = [[str(cell) for cell in row] for row in rows]
    if not every:
        return []
    more = len(every) - shown
    rest = [f"and {more} more"] if more > 0 else []
    return [*aligned([list(header), *every[:shown]]), *rest, ""]
