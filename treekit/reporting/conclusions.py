"""What is concluded from a metric, for a page: the test, its limits, and every pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import frozen

from treekit.reporting.digits import decimal, places, probability
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
from treekit.statistics.choosing import rejected, told_apart
from treekit.statistics.record import Analysis, Pair
from treekit.statistics.wording import verdict as outcome


def verdict_section(analysis: Analysis) -> Markup:
    """What is concluded, by which test, why that one, and what may not be concluded from it."""
    lines = [
        element("p", element("strong", text(outcome(analysis)))),
        element("p", text(f"Test: {analysis.test}.")),
        element("p", text(_sentence(analysis.why))),
    ]
    limits = [element("li", text(_sentence(c)), class_="caution") for c in analysis.cautions]
    limits += [
        element("li", text(f"{name} does not count: {why.rstrip('.')}."))
        for name, why in analysis.left_out.items()
    ]
    if limits:
        lines.append(element("ul", *limits))
    return element("div", *lines, class_="verdict")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentence(words: str) -> str:
    told = _capital(words)
    return told if told.endswith((".", "!", "?")) or not told else f"{told}."


@frozen
class _Column:
    """A column of the table of pairs: what it shows of each pair."""

    head: str
    told: Callable[[Any], Cell]
    known: Callable[[Any], object] = lambda pair: True


def pairs_section(analysis: Analysis) -> Markup:
    """Every two contenders over all data sets; nothing if there are none."""
    if not analysis.pairs:
        return NOTHING
    columns = [c for c in _columns(analysis) if any(c.known(p) is not None for p in analysis.pairs)]
    rows = [[column.told(pair) for column in columns] for pair in analysis.pairs]
    return joined([
        element("h3", text("Pairs of contenders")),
        paragraph(_pairs_words(analysis), "faint"),
        table([column.head for column in columns], rows),
    ])  # fmt: skip


def _pairs_words(analysis: Analysis) -> str:
    words = (
        "Differences are those of the first less the second, with their intervals."
        f" {_marked_words(analysis)}"
    )
    if any(pair.better is not None for pair in analysis.pairs):
        words += (
            " The probabilities are that the first is better, that both are equal within"
            f" {analysis.rope:g}, and that the second is better."
        )
    return words


def _marked_words(analysis: Analysis) -> str:
    if analysis.friedman is not None and not rejected(analysis):
        return "No p-value is marked: Friedman's test does not reject, so none of them counts."
    words = f"P-values adjusted for all pairs are marked where they are below {analysis.alpha:g}."
    if any(pair.nemenyi is not None for pair in analysis.pairs):
        words += " Nemenyi's are for a look, and decide nothing."
    return words


def _columns(analysis: Analysis) -> list[_Column]:
    n_places = _difference_places(analysis.pairs)
    apart = told_apart(analysis)

    return [
        _Column("first", lambda pair: named(pair.first)),
        _Column("second", lambda pair: named(pair.second)),
        _Column("difference", lambda p: number(decimal(p.difference, n_places, "+"), p.difference)),
        _Column("interval", lambda pair: _interval(pair, n_places)),
        _Column("p (Wilcoxon)", lambda pair: _p(pair.p), lambda pair: pair.p),
        _Column("p (Holm)", lambda pair: _p(pair.holm, pair in apart), lambda pair: pair.holm),
        _Column("p (Nemenyi)", lambda pair: _p(pair.nemenyi), lambda pair: pair.nemenyi),
        _Column("effect", lambda p: number(decimal(p.effect, 2, "+"), p.effect)),
        _Column("better / equal / worse", _practical, lambda pair: pair.better),
        _Column("wins / ties / losses", _wins),
    ]


def _difference_places(pairs: Sequence[Any]) -> int:
    figures = (v for pair in pairs for v in (pair.difference, pair.low, pair.high))
    return places(v for v in figures if v is not None)


def _interval(pair: Any, n_places: int) -> Cell:
    if pair.low is None:
        return number(decimal(None, n_places), None)
    low, high = decimal(pair.low, n_places, "+"), decimal(pair.high, n_places, "+")
    return number(f"{low} to {high}", pair.low)


def _p(p: float | None, is_marked: bool = False) -> Cell:
    return number(probability(p), p, "best" if is_marked else "")


def _practical(pair: Pair) -> Cell:
    shares = (pair.better, pair.equal, pair.worse)
    return number(" / ".join(decimal(share, 2) for share in shares), pair.better)


def _wins(pair: Pair) -> Cell:
    return number(f"{pair.wins} / {pair.ties} / {pair.losses}", pair.wins - pair.losses)


HEADS: Final = ("data", "first", "second", "difference", "interval", "t", "p", "p (Holm)")


def on_data_section(analysis: Analysis) -> Markup:
    """Every two contenders on each data set, folded away if there is more to see."""
    if not analysis.on_data:
        return NOTHING
    n_places = _difference_places(analysis.on_data)
    rows = [
        [
            named(one.data), named(one.first), named(one.second),
            number(decimal(one.difference, n_places, "+"), one.difference),
            _interval(one, n_places), number(decimal(one.t, 2), one.t),
            _p(one.p), _p(one.holm, one.holm is not None and one.holm < analysis.alpha),
        ]
        for one in analysis.on_data
    ]  # fmt: skip
    words = "Pairs of contenders on each data set"
    told = joined([
        paragraph(_on_data_words(analysis), "faint"),
        table(HEADS, rows),
    ])  # fmt: skip
    if analysis.pairs:
        return folded(text(words), told)
    return joined([element("h3", text(words)), told])


def _on_data_words(analysis: Analysis) -> str:
    words = "The corrected resampled t-test of Nadeau and Bengio (2003). P-values adjusted for"
    if len(analysis.data) == 1:
        return f"{words} all pairs are marked where they are below {analysis.alpha:g}."
    return (
        f"{words} the pairs of each data set are marked where they are below {analysis.alpha:g}. A"
        " mark is of that data set alone: some come up by chance where there are many."
    )
