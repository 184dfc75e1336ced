"""What is due to which part of the recipes, for a page: effects, and shares of the variance."""

from __future__ import annotations

from typing import Final

from treekit.reporting.digits import decimal, places
from treekit.reporting.markup import (
    NOTHING,
    Cell,
    Markup,
    element,
    joined,
    named,
    number,
    paragraph,
    table,
    text,
)
from treekit.statistics.record import Ablation, Effect, Explained
from treekit.statistics.wording import EFFECT, counted_sets

HEADS: Final = ("path", "first", "second", "difference", "interval", "pairs")
SHARES: Final = ("path", "alike on all data", "by data set")
SHARED: Final = (
    "Shares of the variance within data sets. What is left over are interactions: what a path does"
    " depends on another path."
)


def parts_section(ablation: Ablation | None) -> Markup:
    """What each path that is varied makes of every metric; nothing if nothing was asked."""
    if ablation is None:
        return NOTHING
    of_metrics = [_of_metric(ablation, metric) for metric in ablation.metrics]
    limits = [element("li", text(words), class_="caution") for words in ablation.cautions]
    limits += [
        element("li", text(f"{name} does not count: {why}."))
        for name, why in ablation.left_out.items()
    ]
    return element(
        "section",
        element("h2", text("What is due to which part"), id="parts"),
        paragraph(f"{EFFECT} There are {counted_sets(len(ablation.data))}.", "faint"),
        *of_metrics,
        element("ul", *limits) if limits else NOTHING,
    )


def _of_metric(ablation: Ablation, metric: str) -> Markup:
    effects = [effect for effect in ablation.effects if effect.metric == metric]
    return joined([
        element("h3", text(metric)),
        table(HEADS, _rows(effects)) if effects else NOTHING,
        _shares(ablation.explained[metric]) if metric in ablation.explained else NOTHING,
    ])  # fmt: skip


def _rows(effects: list[Effect]) -> list[list[Cell]]:
    n_places = places(v or 0.0 for e in effects for v in (e.difference, e.low, e.high))
    return [
        [
            named(one.path), named(one.first), named(one.second),
            number(decimal(one.difference, n_places, "+"), one.difference),
            _interval(one, n_places), number(str(one.n_pairs), one.n_pairs),
        ]
        for one in effects
    ]  # fmt: skip


def _interval(one: Effect, n_places: int) -> Cell:
    if one.low is None:
        return number(decimal(None, 0), None)
    low, high = (decimal(value, n_places, "+") for value in (one.low, one.high))
    return number(f"{low} to {high}", one.low)


def _shares(found: Explained) -> Markup:
    rows = [
        [named(path), *(number(decimal(s, 3), s) for s in (always, found.by_data[path]))]
        for path, always in found.always.items()
    ]
    rest = [[named("interactions"), number(decimal(found.rest, 3), found.rest), named("")]]
    return joined([paragraph(SHARED, "faint"), table(SHARES, rows, rest)])
