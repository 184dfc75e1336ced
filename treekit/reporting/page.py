"""One HTML page with a whole comparison. It needs no other file, and asks for none."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

from treekit.comparing.results import Results
from treekit.plots.style import check_can_draw
from treekit.reporting.about import About
from treekit.reporting.conclusions import on_data_section, pairs_section, verdict_section
from treekit.reporting.markup import NOTHING, Markup, element, joined, paragraph, text
from treekit.reporting.parts import parts_section
from treekit.reporting.plots.listing import Plot, plots_of
from treekit.reporting.sections import (
    better_words,
    compared_section,
    failures_section,
    folds_section,
    means_section,
    plots_section,
)
from treekit.reporting.svg import anchor
from treekit.reporting.tables import metrics_shown
from treekit.statistics.record import Ablation, Analysis


def html_page(
    results: Results,
    analyses: Sequence[Analysis],
    about: About,
    ablation: Ablation | None = None,
) -> str:
    """The page: figures, conclusions, plots, and what was compared, so that it can be done again.

    It loads nothing from elsewhere and may not: its policy forbids it. The same comparison gives
    the same text.
    """
    check_can_draw()
    metrics = metrics_shown(results, analyses)
    by_metric = {analysis.metric: analysis for analysis in analyses}
    plots = plots_of(results, analyses, about)
    sections = [
        metric_section(results, metric, by_metric.get(metric), _plots_of(plots, metric))
        for metric in metrics
    ]
    body = element(
        "body",
        element("header", element("h1", text(about.title)), paragraph(_summary(results, about))),
        _tools(results, metrics, ablation is not None),
        element("main", *sections, parts_section(ablation), failures_section(results),
                folds_section(results, metrics), compared_section(results, about)),
        element("script", Markup(_part("page.js"))),
    )  # fmt: skip
    whole = element("html", _head(about), body, lang="en")
    return f"<!doctype html>\n{whole}\n"


def metric_section(
    results: Results, metric: str, analysis: Analysis | None, plots: Sequence[Plot]
) -> Markup:
    """All that is said of one metric: the conclusion first, then the figures and the pairs."""
    better = element("small", text(f" {better_words(metric)}"))
    concluded = analysis is not None and len(analysis.contenders) > 1
    return element(
        "section",
        element("h2", text(metric), better, id=_id(metric)),
        verdict_section(analysis) if analysis and concluded else NOTHING,
        means_section(results, metric),
        plots_section(plots),
        joined([pairs_section(analysis), on_data_section(analysis)]) if analysis else NOTHING,
    )


def _plots_of(plots: Sequence[Plot], metric: str) -> list[Plot]:
    return [plot for plot in plots if plot.metric == metric]


def _id(metric: str) -> str:
    return f"metric-{anchor(metric)}"


def _summary(results: Results, about: About) -> str:
    contenders = _counted(len(results.contenders), "contender")
    data = _counted(len(results.data), "data set")
    return f"{contenders} on {data}: {about.resampling}, seed {about.seed}."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _tools(results: Results, metrics: Sequence[str], has_parts: bool) -> Markup:
    """Where to find what, and the filter."""
    places = [(metric, _id(metric)) for metric in metrics]
    places += [("Parts", "parts")] if has_parts else []
    places += [("Failures", "failures")] if results.failed else []
    places += [("Folds", "folds"), ("What was compared", "compared")]
    links = [element("a", text(words), href=f"#{where}") for words, where in places]
    box = Markup('<input id="filter" type="search" placeholder="a contender or a data set">')
    return element(
        "div", element("nav", *links), element("label", text("Show only"), box), class_="tools"
    )


def _head(about: About) -> Markup:
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
        f" script-src '{_digest(_part('page.js'))}'; base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", text(about.title)),
        element("style", Markup(_part("page.css"))),
    )


def _digest(script: str) -> str:
    """What the policy knows the page's own script by: no other one is run."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _part(name: str) -> str:
    return resources.files("treekit.reporting").joinpath(name).read_text(encoding="utf-8")
