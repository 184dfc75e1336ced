"""The sections of a page: the figures, what is concluded from them, and what was compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from treekit.comparing.results import Results, greater_is_better
from treekit.comparing.wording import PAIRED, UNKNOWN
from treekit.reporting.about import About
from treekit.reporting.digits import decimal, places
from treekit.reporting.markup import (
    NOTHING,
    Cell,
    Markup,
    element,
    folded,
    joined,
    named,
    number,
    paragraph,
    table,
    text,
)
from treekit.reporting.plots.listing import Plot
from treekit.reporting.svg import anchor, inline_svg
from treekit.reporting.tables import Shown, shown

MOST_FOLDS: Final = 3000
MOST_FAILURES: Final = 200

WIDE: Final = ("critical-difference", "folds", "learning")
"""Kinds of plots that take the width of the page; of the others two stand side by side."""


def means_section(results: Results, metric: str) -> Markup:
    """A metric's means and deviations, a row for each data set, with the mean ranks below."""
    figures = shown(results, metric)
    width = len(results.contenders)
    rows = [_means_row(figures[i : i + width]) for i in range(0, len(figures), width)]
    several = len(results.data) > 1
    words = "Mean over the folds ± standard deviation; the best of each row is marked."
    if several:
        words += " The mean rank is over the data sets: 1 is the best."
    return joined([
        paragraph(f"{words}{f' {PAIRED}' if results.failed else ''}", "faint"),
        table(["data", *results.contenders], rows, _mean_ranks(results, metric), "cross"),
    ])  # fmt: skip


def _means_row(row: Sequence[Shown]) -> list[Cell]:
    n_places = places(one.mean for one in row)
    return [named(row[0].data), *(_mean(one, n_places) for one in row)]


def _mean(one: Shown, n_places: int) -> Cell:
    if one.mean != one.mean:
        has_failed = one.failed and one.failed == one.folds
        return number("failed" if has_failed else UNKNOWN, None, "bad" if has_failed else "")
    words = decimal(one.mean, n_places)
    if one.deviation == one.deviation:
        words += f" ± {decimal(one.deviation, n_places)}"
    if one.failed:
        words += f" ({one.failed} of {one.folds} failed)"
    hint = f"{one.contender} on {one.data}: {one.mean!r}"
    return number(words, one.mean, "best" if one.best else "", hint)


def _mean_ranks(results: Results, metric: str) -> list[list[Cell]]:
    if len(results.data) < 2:
        return []
    ranks = [float(rank) for rank in results.mean_ranks(metric)]
    best = min((rank for rank in ranks if rank == rank), default=0.0)
    cells = [number(decimal(rank, 2), rank, "best" if rank == best else "") for rank in ranks]
    return [[named("mean rank"), *cells]]


def plots_section(plots: Iterable[Plot]) -> Markup:
    """Plots with what they show in words."""
    return element("div", *map(_plot, plots), class_="plots")


def _plot(plot: Plot) -> Markup:
    svg = inline_svg(plot.draw(), anchor(plot.name), f"{plot.metric}: {plot.title}")
    caption = element("figcaption", text(plot.caption))
    look = "plot" if plot.kind in WIDE else "plot half"
    return element("figure", element("h3", text(plot.title)), svg, caption, class_=look)


def folds_section(results: Results, metrics: Sequence[str]) -> Markup:
    """Every fold, folded away; too many of them are left to a file."""
    n = len(results.outcomes)
    title = element("h2", text("Folds"), id="folds")
    if n > MOST_FOLDS:
        told = paragraph(f"There are {n}, too many to be listed here: folds.csv has them.")
        return element("section", title, told)
    n_places = {m: places(o.metrics.get(m, 0.0) for o in results.outcomes) for m in metrics}
    rows = [
        [
            named(o.data), named(o.contender),
            number(str(o.repeat + 1), o.repeat), number(str(o.fold + 1), o.fold),
            *(number(decimal(o.metrics.get(m), n_places[m]), o.metrics.get(m)) for m in metrics),
        ]
        for o in results.outcomes
    ]  # fmt: skip
    heads = ["data", "contender", "repeat", "fold", *metrics]
    told = folded(text(f"All {n}: each contender on each fold"), table(heads, rows))
    return element("section", title, told)


def failures_section(results: Results) -> Markup:
    """Which folds failed, and why; nothing if none did."""
    failed = results.failed
    if not failed:
        return NOTHING
    rows = [
        [
            named(o.data), named(o.contender), number(str(o.repeat + 1), o.repeat),
            number(str(o.fold + 1), o.fold), named(o.failure),
        ]
        for o in failed[:MOST_FAILURES]
    ]  # fmt: skip
    more = f" The first {MOST_FAILURES} are shown." if len(failed) > MOST_FAILURES else ""
    return element(
        "section",
        element("h2", text("Failures"), id="failures"),
        paragraph(f"{len(failed)} of {len(results.outcomes)} folds failed.{more}"),
        table(["data", "contender", "repeat", "fold", "why"], rows),
    )


def compared_section(results: Results, about: About) -> Markup:
    """All that is needed to do it again: data, recipes, versions, seed and resampling."""
    facts = [
        element("dt", text(key)) + element("dd", text(value))
        for key, value in (("seed", about.seed), ("resampling", about.resampling))
    ]
    versions = joined((text(f"{name} {version}") for name, version in about.versions.items()), ", ")
    facts.append(element("dt", text("versions")) + element("dd", versions))
    recipes = [
        folded(text(name), element("pre", text(about.recipes[name])), data_name=name)
        for name in _ordered(about.recipes, results.contenders)
    ]
    return element(
        "section",
        element("h2", text("What was compared"), id="compared"),
        element("dl", *map(Markup, facts)),
        element("h3", text("Data")),
        _data(results, about),
        element("h3", text("Recipes")),
        *recipes,
    )


def _ordered(names: Iterable[str], known: Sequence[str]) -> list[str]:
    """In the order of the contenders, and then all others."""
    given = list(names)
    return [n for n in known if n in given] + [n for n in given if n not in known]


def _data(results: Results, about: About) -> Markup:
    known = [name for name in results.data if name in about.data]
    rows = []
    for name in known:
        facts = about.data[name]
        classes = str(facts.classes) if facts.classes else "a number"
        rows.append([
            named(name), number(str(facts.rows), facts.rows),
            number(str(facts.columns), facts.columns), number(classes, facts.classes),
            named(facts.digest),
        ])  # fmt: skip
    return table(["data", "rows", "columns", "classes", "digest (SHA-256)"], rows)


def better_words(metric: str) -> str:
    return "greater is better" if greater_is_better(metric) else "smaller is better"
