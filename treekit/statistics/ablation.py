"""Ablation: how much of the differences between variants is due to each path of the recipe.

Variants differ by the words at some paths: a full grid, or one path at a time.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from treekit.comparing.contenders import Contender
from treekit.comparing.estimators import EstimatorContender
from treekit.comparing.partly import LEARNED, Partly
from treekit.comparing.results import Results
from treekit.errors import Problem, TreekitError
from treekit.statistics.analysis import check_level
from treekit.statistics.choosing import SHARES
from treekit.statistics.counting import COUNTED_ONCE, counted
from treekit.statistics.record import Ablation, Effect, Explained
from treekit.table.record import Floats

UNCHANGED: Final = "as in the recipe"
RECIPE: Final = "recipe"
N_RESAMPLES: Final = 9_999
FEW: Final = 10
"""With fewer data sets a bootstrap interval of a mean is clearly too narrow."""

Settings = Mapping[str, tuple[str, ...]]
Varied = Mapping[str, Mapping[str, str]]


def varied_of(contenders: Iterable[Contender]) -> dict[str, dict[str, str]]:
    """What is varied in each recipe that takes part, as `ablated` takes it.

    A path that one of them varies has a word in all of them, that of the recipe unless it is
    varied. Recipes that differ elsewhere are different recipes, and that is varied, too. Estimators
    have no paths.
    """
    recipes = [one for one in contenders if not isinstance(_whole(one), EstimatorContender)]
    paths = list(dict.fromkeys(path for one in recipes for path in one.varied))
    called: dict[str, str] = {}
    bases = {}
    for one in recipes:
        rest = json.dumps(_without(_whole(one).document, paths), sort_keys=True, default=repr)
        bases[one.name] = called.setdefault(rest, _base(one))
    several = len(called) > 1
    return {
        one.name: ({RECIPE: bases[one.name]} if several else {})
        | {path: one.varied.get(path) or _word(_whole(one).document, path) for path in paths}
        for one in recipes
    }


def _whole(contender: Contender) -> Contender:
    """What a contender is, whatever the share of the rows that it learns from."""
    return contender.whole if isinstance(contender, Partly) else contender


def _without(document: Any, paths: Iterable[str]) -> Any:
    """The document with nothing at these paths."""
    found = copy.deepcopy(document)
    for path in paths:
        *above, last = path.split(".")
        here = found
        for key in above:
            here = here.get(key) if isinstance(here, dict) else None
        if isinstance(here, dict):
            here.pop(last, None)
    return found


def _word(document: Any, path: str) -> str:
    """What stands at a path, in a word."""
    for key in path.split("."):
        document = document.get(key) if isinstance(document, Mapping) else None
    if isinstance(document, Mapping):
        document = document.get("use")
    return UNCHANGED if document is None else str(document)


def _base(contender: Contender) -> str:
    """The name of the recipe before anything was varied."""
    return contender.name.removesuffix(f" [{', '.join(contender.varied.values())}]")


def ablated(
    results: Results,
    varied: Varied,
    metrics: Sequence[str] = ("accuracy", "leaves"),
    *,
    alpha: float = 0.05,
    seed: int = 0,
    n_resamples: int = N_RESAMPLES,
) -> Ablation:
    """What each path that is varied makes of these metrics.

    varied       of each contender: the paths, and the words there. Others take no part; a path that
                 is not named is as in the recipe
    alpha, seed  of the bootstrap intervals over the data sets, and `n_resamples` of them
    """
    check_level(alpha)
    for name in varied:
        results.check_contender(name)
    paths, settings = _settings([n for n in results.contenders if n in varied], varied)
    of_metric = {metric: counted(results, metric, list(settings)) for metric in metrics}
    left_out: dict[str, str] = {}
    for found in of_metric.values():
        left_out |= {data: why for data, why in found.left_out.items() if data not in left_out}
    every = [found.data for found in of_metric.values()]
    data = tuple(name for name in every[0] if all(name in others for others in every))
    effects: list[Effect] = []
    explained: dict[str, Explained] = {}
    for metric, found in of_metric.items():
        rows = [found.data.index(name) for name in data]
        here = {name: settings[name] for name in found.contenders}
        means = found.means[rows]
        if data:
            effects += _effects(metric, paths, here, means, alpha, seed, n_resamples)
        if data and _is_grid(paths, here) and (shares := _explained(metric, paths, here, means)):
            explained[metric] = shares
    cautions = tuple(_cautions(metrics, paths, settings, data, explained))
    if any(found.each != found.data for found in of_metric.values()):
        cautions = (COUNTED_ONCE, *cautions)
    return Ablation(
        tuple(metrics), alpha, paths, tuple(settings), data, left_out,
        tuple(effects), explained, cautions,
    )  # fmt: skip


def is_ablation(varied: Varied) -> bool:
    """Can `ablated` tell something of a path of the recipes: do some two differ in it alone?"""
    try:
        check_varied(varied)
    except TreekitError:
        return False
    for one, other in itertools.combinations(varied.values(), 2):
        apart = {path for path in {**one, **other} if one.get(path) != other.get(path)}
        if len(apart) == 1 and not apart & {RECIPE, LEARNED}:
            return True
    return False


def check_varied(varied: Varied) -> None:
    """TreekitError if there is nothing for `ablated` to tell apart."""
    _settings(list(varied), varied)


def _settings(names: Sequence[str], varied: Varied) -> tuple[Settings, Settings]:
    """The words of each path, and of each contender its word at every path."""
    every = dict.fromkeys(path for name in names for path in varied[name])
    chosen = {name: {path: varied[name].get(path, UNCHANGED) for path in every} for name in names}
    words = {path: tuple(dict.fromkeys(chosen[name][path] for name in names)) for path in every}
    paths = {path: found for path, found in words.items() if len(found) > 1}
    settings = {name: tuple(chosen[name][path] for path in paths) for name in names}
    if not paths:
        raise TreekitError(Problem("nothing is varied", instead="vary something in the recipes"))
    if len(set(settings.values())) < len(settings):
        what = "there are contenders that do not differ by what is varied"
        raise TreekitError(Problem(what, instead=f"name a path by which they do, as {RECIPE!r}"))
    return paths, settings


def _is_grid(paths: Settings, settings: Settings) -> bool:
    """Does every combination of words take part?"""
    return len(settings) == math.prod(len(words) for words in paths.values())


def _effects(
    metric: str,
    paths: Settings,
    settings: Settings,
    means: Floats,
    alpha: float,
    seed: int,
    n_resamples: int,
) -> Iterator[Effect]:
    """Every two words of each path, all other paths alike."""
    column = {words: c for c, words in enumerate(settings.values())}
    for k, (path, words) in enumerate(paths.items()):
        for first, second in itertools.combinations(words, 2):
            alike = [
                (c, column[other])
                for chosen, c in column.items()
                if chosen[k] == first and (other := _with(chosen, k, second)) in column
            ]
            if not alike:
                continue
            left, right = np.array(alike).T
            apart = (means[:, left] - means[:, right]).mean(axis=1)
            low, high = bootstrap_interval(apart, alpha, seed, n_resamples)
            mean = float(apart.mean())
            yield Effect(metric, path, first, second, mean, low, high, len(alike))


def _with(chosen: tuple[str, ...], k: int, word: str) -> tuple[str, ...]:
    return (*chosen[:k], word, *chosen[k + 1 :])


def bootstrap_interval(
    values: Floats, alpha: float, seed: int, n_resamples: int
) -> tuple[float | None, float | None]:
    """The BCa bootstrap interval (Efron 1987) of the mean of two values or more."""
    from scipy.stats import bootstrap

    if len(values) < 2:
        return None, None
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        return float(values[0]), float(values[0])
    rng = np.random.default_rng(seed)
    found = bootstrap(
        (values,),
        np.mean,
        n_resamples=n_resamples,
        confidence_level=1 - alpha,
        method="BCa",
        random_state=rng,
    ).confidence_interval
    return float(found.low), float(found.high)


def _explained(metric: str, paths: Settings, settings: Settings, means: Floats) -> Explained | None:
    """The shares of the variance within data sets, of a full grid; None: there is no variance."""
    within = means - means.mean(axis=1, keepdims=True)
    total = float((within**2).sum())
    if total <= 1e-20 * float((means**2).sum()):
        return None
    n = len(means)
    always, by_data = {}, {}
    for k, (path, words) in enumerate(paths.items()):
        main = varying = 0.0
        for word in words:
            columns = [c for c, chosen in enumerate(settings.values()) if chosen[k] == word]
            level = within[:, columns].mean(axis=1)
            main += n * len(columns) * float(level.mean()) ** 2
            varying += len(columns) * float(((level - level.mean()) ** 2).sum())
        always[path], by_data[path] = main / total, varying / total
    rest = 1 - sum(always.values()) - sum(by_data.values())
    return Explained(metric, always, by_data, max(0.0, rest))


def _cautions(
    metrics: Sequence[str],
    paths: Settings,
    settings: Settings,
    data: Sequence[str],
    explained: Mapping[str, Explained],
) -> Iterator[str]:
    if not data:
        yield "There is no data set on which all variants have a figure."
        return
    if len(data) == 1:
        yield "There is one data set: nothing is known of how the effects vary over data sets."
    elif len(data) < FEW:
        yield (
            f"There are {len(data)} data sets. With so few, bootstrap intervals are too narrow: "
            "an interval that just leaves out 0 shows nothing."
        )
    if len(data) > 1:
        yield "The data sets are no random sample of all there are."
    if not _is_grid(paths, settings):
        yield (
            "This is no full grid: each effect is that beside the words the others have there, and "
            "no variance is shared out."
        )
    elif len(paths) > 1:
        yield (
            "An effect is a mean over the words of the other paths: where the rest of the variance "
            "is great, it depends on them."
        )
    if explained:
        yield (
            "Shares of variance depend on which words take part, and the luck of the folds is in "
            "them: they describe, and test nothing."
        )
    large = [metric for metric in metrics if metric not in SHARES]
    if large and len(data) > 1:
        yield f"Of {', '.join(large)}, data sets with great figures weigh most."
