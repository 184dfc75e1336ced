"""What is concluded, in sentences and columns for people, and as plain data."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any, Final

import attrs

from treekit.comparing.wording import UNKNOWN, aligned, rounded
from treekit.statistics.choosing import NO_TEST, rejected, told_apart
from treekit.statistics.record import Ablation, Analysis, Effect, Explained, Pair, PairOnData

NAMED: Final = 5
"""Pairs that a verdict names; of more it tells how many."""

EFFECT: Final = (
    "A difference is that of the first word less the second, all other paths alike: the mean over"
    " such pairs of contenders and over the data sets, with its bootstrap (BCa) interval over"
    " these."
)
WIDTH: Final = 100


def lines_of(found: Analysis | Ablation) -> list[str]:
    """What was found, in sentences and tables, ready to be printed."""
    return _analysis(found) if isinstance(found, Analysis) else _ablation(found)


def as_plain(found: Analysis | Ablation) -> dict[str, Any]:
    """What was found as plain data, for JSON: an infinite figure is None."""
    plain: dict[str, Any] = _plain(attrs.asdict(found))
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def verdict(analysis: Analysis) -> str:
    """What the test that decides says, in a sentence."""
    if analysis.test == NO_TEST or rejected(analysis) is None:
        return "Nothing can be tested."
    told = _omnibus(analysis)
    if analysis.friedman is not None and not rejected(analysis):
        return told
    apart = sorted(told_apart(analysis), key=lambda pair: (pair.holm, pair.p))
    if not apart:
        return f"{told} No pair differs at {analysis.alpha:g}.".strip()
    found = [_apart(analysis, pair) for pair in apart[:NAMED]]
    if len(apart) > NAMED:
        n = len(analysis.pairs or analysis.on_data)
        found.insert(0, f"{len(apart)} of {n} pairs differ at {analysis.alpha:g}; the clearest:")
    return " ".join([told, *found]).strip()


def _omnibus(analysis: Analysis) -> str:
    found = analysis.friedman
    if found is None:
        return ""
    between, within = found.degrees
    figures = f"F({between}, {within}) = {_number(found.f)}, {_equals_p(found.p)}"
    if rejected(analysis):
        return f"The contenders differ ({figures})."
    return f"No difference between the contenders is found ({figures})."


def _apart(analysis: Analysis, pair: Pair | PairOnData) -> str:
    ahead = (pair.difference > 0) == analysis.greater_is_better
    if isinstance(pair, Pair) and pair.wins != pair.losses:
        ahead = pair.wins > pair.losses
    better, worse = (pair.first, pair.second) if ahead else (pair.second, pair.first)
    adjusted = " after Holm" if len(analysis.contenders) > 2 else ""
    return f"{better} is better than {worse} ({_equals_p(pair.holm)}{adjusted})."


def _analysis(analysis: Analysis) -> list[str]:
    better = "greater" if analysis.greater_is_better else "smaller"
    n, k = len(analysis.data), len(analysis.contenders)
    sets = counted_sets(n)
    lines = [f"{analysis.metric} ({better} is better): {k} contenders on {sets}", ""]
    lines += [f"Test: {analysis.test}.", f"Why: {analysis.why}", f"Outcome: {verdict(analysis)}"]
    if analysis.mean_ranks:
        lines += ["", *_ranks(analysis)]
    if analysis.pairs:
        lines += ["", *_pairs(analysis)]
    if n == 1 and analysis.on_data:
        lines += ["", *_on_data(analysis)]
    lines += _left_out(analysis.left_out)
    return lines + _cautions(analysis.cautions)


def _ranks(analysis: Analysis) -> list[str]:
    """Mean ranks, best first; where Friedman's test rejects, who is not told apart by Nemenyi's."""
    by_rank = sorted(analysis.mean_ranks.items(), key=lambda item: item[1])
    shown = analysis.critical_difference is not None and bool(rejected(analysis))
    groups = analysis.groups if shown else ()
    rows = [["contender", "mean rank", *(f"group {g + 1}" for g in range(len(groups)))]]
    for name, rank in by_rank:
        rows.append([name, f"{rank:.3f}", *("*" if name in group else "" for group in groups)])
    if not shown:
        return aligned(rows)
    told = (
        f"Nemenyi's critical difference at {analysis.alpha:g} is "
        f"{analysis.critical_difference:.3f}: those of a group lie no further apart."
    )
    return [*aligned(rows), "", told]


def _pairs(analysis: Analysis) -> list[str]:
    asked = any(pair.better is not None for pair in analysis.pairs)
    many = len(analysis.contenders) > 2
    alone = bool(analysis.on_data)
    head = ["first - second", "difference", _confidence(analysis.alpha), "effect", "w/t/l", "p"]
    head += [*(["Holm"] if many else []), *(["single"] if alone else [])]
    rows = [[*head, *(["better", "equal", "worse"] if asked else [])]]
    for pair in analysis.pairs:
        row = [f"{pair.first} - {pair.second}", rounded(pair.difference, 4, "+")]
        row += [_interval(pair.low, pair.high), f"{pair.effect:+.2f}"]
        row += [f"{pair.wins}/{pair.ties}/{pair.losses}", _p(pair.p)]
        row += [_p(pair.holm)] if many else []
        row += [_alone(analysis, pair)] if alone else []
        row += [_share(each) for each in (pair.better, pair.equal, pair.worse)] if asked else []
        rows.append(row)
    told = [
        "difference: mean over the data sets, with Student's interval. effect: rank-biserial. "
        "w/t/l: data sets that",
        "the first wins, ties, loses. p: Wilcoxon's signed-rank test.",
    ]
    if alone:
        told.append(
            "single: data sets on which the first, the second is better by the corrected t-test "
            f"with Holm at {analysis.alpha:g}."
        )
    if asked:
        told.append(
            "better, equal, worse: probabilities by the Bayesian signed-rank test, equal within "
            f"{analysis.rope:g}."
        )
    return [*aligned(rows), "", *told]


def _alone(analysis: Analysis, pair: Pair) -> str:
    """On how many single data sets the first is better, and on how many the second."""
    signs = [
        (one.difference > 0) == analysis.greater_is_better
        for one in analysis.on_data
        if (one.first, one.second) == (pair.first, pair.second)
        and one.holm is not None
        and one.holm < analysis.alpha
    ]
    return f"{sum(signs)}/{len(signs) - sum(signs)}"


def _on_data(analysis: Analysis) -> list[str]:
    many = len(analysis.contenders) > 2
    head = ["first - second", "difference", _confidence(analysis.alpha), "t", "degrees", "p"]
    several = len({pair.data for pair in analysis.on_data}) > 1
    rows = [[*(["data"] if several else []), *head, *(["Holm"] if many else [])]]
    for pair in analysis.on_data:
        row = [pair.data] if several else []
        row += [f"{pair.first} - {pair.second}", rounded(pair.difference, 4, "+")]
        row += [_interval(pair.low, pair.high), _number(pair.t), str(pair.degrees), _p(pair.p)]
        rows.append([*row, *([_p(pair.holm)] if many else [])])
    return aligned(rows)


def _ablation(ablation: Ablation) -> list[str]:
    lines: list[str] = []
    sets = counted_sets(len(ablation.data))
    for metric in ablation.metrics:
        effects = [effect for effect in ablation.effects if effect.metric == metric]
        lines += [f"{metric}: what each path makes of it, on {sets}", ""]
        lines += _effects(effects, ablation.alpha)
        if metric in ablation.explained:
            lines += ["", *_explained(ablation.explained[metric])]
        lines.append("")
    lines += textwrap.wrap(EFFECT, WIDTH)
    lines += _left_out(ablation.left_out)
    return lines + _cautions(ablation.cautions)


def _effects(effects: list[Effect], alpha: float) -> list[str]:
    rows = [["path", "first - second", "difference", _confidence(alpha), "pairs"]]
    for one in effects:
        words = f"{one.first} - {one.second}"
        interval = _interval(one.low, one.high)
        rows.append([one.path, words, rounded(one.difference, 4, "+"), interval, str(one.n_pairs)])
    return aligned(rows)


def _explained(found: Explained) -> list[str]:
    rows = [["share of the variance within data sets", "alike on all data", "by data set"]]
    rows += [
        [path, _share(found.always[path]), _share(found.by_data[path])] for path in found.always
    ]
    rows.append(["rest: interactions of paths", _share(found.rest), ""])
    return aligned(rows)


def counted_sets(n: int) -> str:
    return "1 data set" if n == 1 else f"{n} data sets"


def _left_out(left_out: Mapping[str, str]) -> list[str]:
    if not left_out:
        return []
    return ["", "Data sets left out:", *(f"- {data}: {why}" for data, why in left_out.items())]


def _cautions(cautions: tuple[str, ...]) -> list[str]:
    return ["", "Cautions:", *(f"- {each}" for each in cautions)] if cautions else []


def _confidence(alpha: float) -> str:
    return f"{100 * (1 - alpha):g}% interval"


def _interval(low: float | None, high: float | None) -> str:
    return (
        UNKNOWN
        if low is None or high is None
        else f"{rounded(low, 4, '+')} to {rounded(high, 4, '+')}"
    )


def _number(value: float) -> str:
    return rounded(value, 3) if math.isfinite(value) else ("-" if value < 0 else "") + "infinite"


def _p(p: float | None) -> str:
    if p is None:
        return UNKNOWN
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _equals_p(p: float | None) -> str:
    told = _p(p)
    return f"p {told[0]} {told[1:]}" if told.startswith("<") else f"p = {told}"


def _share(share: float | None) -> str:
    return UNKNOWN if share is None else f"{share:.3f}"
