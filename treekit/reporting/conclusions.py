"""What is concluded from a metric, for a page: the test, its limits, and every pair."""

from __future__ import annotations

import math
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
from treekit.statistics.choosing import rejected
from treekit.statistics.record import Analysis, Friedman, Pair

NEVER: Final = 0.0
"""The level of p-values that are not adjusted for how many there are: none of them is marked."""


def verdict(analysis: Analysis) -> Markup:
    """What decides, why that, and what may not be concluded from it."""
    lines = [element("p", element("strong", text(_capital(analysis.test))))]
    lines.append(element("p", text(_sentence(analysis.why))))
    if analysis.friedman is not None:
        lines.append(element("p", text(friedman_words(analysis.friedman, analysis.alpha))))
    if words := apart_words(analysis):
        lines.append(element("p", text(words)))
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


def friedman_words(found: Friedman, alpha: float) -> str:
    """Do the ranks differ at all?"""
    does = "differ" if found.p < alpha else "do not differ beyond chance"
    p = probability(found.p)
    return (
        f"Over {found.n_data} data sets the ranks of the {found.n_contenders} contenders {does}:"
        f" F({found.degrees[0]}, {found.degrees[1]}) = {found.f:.2f},"
        f" p {p if p.startswith('<') else f'= {p}'} (Friedman's test after Iman and Davenport)."
    )


def apart_words(analysis: Analysis) -> str:
    """How many pairs are told apart; nothing where Friedman's test lets no pair be looked at."""
    pairs = analysis.pairs or analysis.on_data
    if not pairs or (analysis.friedman is not None and not rejected(analysis)):
        return ""
    n_apart = sum(pair.holm is not None and pair.holm < analysis.alpha for pair in pairs)
    verb = "differs" if n_apart <= 1 else "differ"
    told = f"{n_apart or 'None'} of {len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'} {verb}"
    return f"{told} at {analysis.alpha:g}, by p-values adjusted after Holm."


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
        "Differences are those of the first less the second, with their intervals. P-values"
        f" adjusted for all pairs are marked where they are below {analysis.alpha:g}."
    )
    if any(pair.better is not None for pair in analysis.pairs):
        words += (
            " The probabilities are that the first is better, that both are equal within"
            f" {analysis.rope:g}, and that the second is better."
        )
    return words


def _columns(analysis: Analysis) -> list[_Column]:
    n_places = _difference_places(analysis.pairs)
    alpha = analysis.alpha

    def p_column(head: str, key: str, level: float) -> _Column:
        def value(pair: Pair) -> float | None:
            return getattr(pair, key)  # type: ignore[no-any-return]

        return _Column(head, lambda pair: _p(value(pair), level), value)

    return [
        _Column("first", lambda pair: named(pair.first)),
        _Column("second", lambda pair: named(pair.second)),
        _Column("difference", lambda p: number(decimal(p.difference, n_places, "+"), p.difference)),
        _Column("interval", lambda pair: _interval(pair, n_places)),
        p_column("p (Wilcoxon)", "p", NEVER),
        p_column("p (Holm)", "holm", alpha),
        p_column("p (Nemenyi)", "nemenyi", alpha),
        _Column("effect", lambda p: number(decimal(p.effect, 2, "+"), p.effect)),
        _Column("better / equal / worse", _practical, lambda pair: pair.better),
        _Column("wins / ties / losses", _wins),
    ]


def _difference_places(pairs: Sequence[Any]) -> int:
    return places(v for pair in pairs for v in (pair.difference, pair.low, pair.high))


def _interval(pair: Any, n_places: int) -> Cell:
    low, high = decimal(pair.low, n_places, "+"), decimal(pair.high, n_places, "+")
    return number(f"{low} to {high}", pair.low)


def _p(p: float | None, alpha: float) -> Cell:
    is_small = p is not None and not math.isnan(p) and p < alpha
    return number(probability(p), p, "best" if is_small else "")


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
            _p(one.p, NEVER), _p(one.holm, analysis.alpha),
        ]
        for one in analysis.on_data
    ]  # fmt: skip
    words = "Pairs of contenders on each data set"
    told = joined([
        paragraph("The corrected resampled t-test of Nadeau and Bengio (2003).", "faint"),
        table(HEADS, rows),
    ])  # fmt: skip
    if analysis.pairs:
        return folded(text(words), told)
    return joined([element("h3", text(words)), told])
