"""What a report says of a comparison beside its figures: who, on what, and how."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import asdict, field, frozen, has

from treekit.comparing.contenders import Contender, RecipeContender
from treekit.comparing.data import DataSet
from treekit.comparing.partly import Partly
from treekit.comparing.plan import Plan
from treekit.errors import RecipeError
from treekit.recipe.show import to_toml
from treekit.recipe.source import dotted
from treekit.recipe.words import as_toml


@frozen
class DataFacts:
    """A data set in figures; `classes` is 0 where the target is a number."""

    rows: int
    columns: int
    classes: int
    digest: str


@frozen
class Curve:
    """A line of a learning curve: contenders that differ by how many rows they learned from.

    shares  {a contender's name: the share of the rows that it learned from, above 0 and up to 1}
    """

    name: str
    shares: Mapping[str, float]


@frozen
class About:
    """What was compared, so that anybody can do it again.

    resampling  in words: "cross-validation, folds 10, repeats 1"
    versions    of all that decides the figures, by name
    recipes     the contenders' documents as TOML, by name
    data        the data sets, by name
    curves      the lines of learning curves, if there are any
    """

    title: str
    seed: int
    resampling: str
    versions: Mapping[str, str] = field(factory=dict)
    recipes: Mapping[str, str] = field(factory=dict)
    data: Mapping[str, DataFacts] = field(factory=dict)
    curves: tuple[Curve, ...] = ()


def about_plan(plan: Plan, title: str = "") -> About:
    """All that a plan says of itself; unless a title is given it names the contenders, or some."""
    versions = {"python": platform.python_version()}
    for contender in plan.contenders:
        versions |= contender.versions
    return About(
        title=title or _title([contender.name for contender in plan.contenders]),
        seed=plan.seed,
        resampling=resampling_words(plan.resampling),
        versions=versions,
        recipes={contender.name: document_words(contender) for contender in plan.contenders},
        data={data.name: facts_of(data) for data in plan.data},
        curves=curves_of(plan.contenders),
    )


def _title(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    shown = [*names] if len(names) <= 4 else [*names[:3], f"{len(names) - 3} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]} compared"


def facts_of(data: DataSet) -> DataFacts:
    """How large a data set is, and its digest."""
    schema = data.table.schema
    n_classes = 0 if data.table.task == "regression" else len(schema.classes)
    return DataFacts(data.table.n_rows, len(schema.columns), n_classes, data.digest)


def resampling_words(resampling: Any) -> str:
    """A way of resampling with its options: "cross-validation, folds 10, repeats 1"."""
    apart = re.findall(r"[A-Z][a-z0-9]*", type(resampling).__name__)
    name = ("-" if len(apart) != 2 or apart[0] != "Fixed" else " ").join(apart).lower()
    options = asdict(resampling) if has(type(resampling)) else {}
    return ", ".join([name, *(f"{key} {value}" for key, value in options.items())])


def document_words(contender: Contender) -> str:
    """A contender's document as TOML; of a recipe, as TOML that loads as the same recipe."""
    if isinstance(contender, Partly):
        share = f"# learned from {contender.share:.4g} of the rows"
        return f"{share}\n{document_words(contender.whole)}"
    if isinstance(contender, RecipeContender):
        try:
            return to_toml(contender.recipe)
        except RecipeError:  # it has a value that TOML cannot say, but people can read
            pass
    pairs = contender.document.items()
    return "".join(f"{dotted((str(key),))} = {as_toml(value)}\n" for key, value in pairs)


def curves_of(contenders: Iterable[Contender]) -> tuple[Curve, ...]:
    """The learning curves among these contenders: those that differ by their share of the rows."""
    lines: dict[str, dict[str, float]] = {}
    for contender in contenders:
        if isinstance(contender, Partly):
            lines.setdefault(contender.whole.name, {})[contender.name] = contender.share
    return tuple(Curve(name, shares) for name, shares in lines.items())
