"""A report as files: one, by its ending, or a folder with all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from treekit.comparing.results import Results
from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.plots import check_can_draw, save
from treekit.reporting.about import About
from treekit.reporting.latex import latex_tables
from treekit.reporting.page import html_page
from treekit.reporting.plots.listing import KINDS, Plot, plots_of
from treekit.reporting.tables import (
    ABLATED,
    CONCLUDED,
    TABLES,
    check_can_write_parquet,
    metrics_shown,
    write_table,
)
from treekit.statistics.record import Ablation, Analysis
from treekit.writing import written_whole

if TYPE_CHECKING:
    import pandas as pd

FORMATS: Final = ("html", "csv", "parquet", "tex", "svg", "png")
"""What a report can be written as."""

USUAL: Final = ("html", "csv", "tex", "svg")
"""What is written into a folder unless something else is asked for."""

DRAWN: Final = ("html", "svg", "png")


@frozen(eq=False)
class Told:
    """All that a report tells."""

    results: Results
    analyses: tuple[Analysis, ...]
    about: About
    ablation: Ablation | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        return metrics_shown(self.results, self.analyses)


@frozen(eq=False)
class Part:
    """A file of a report: its name, and what writes it."""

    stem: str
    form: str
    write: Callable[[Path], None] = field(repr=False)

    @property
    def file_name(self) -> str:
        return f"{self.stem}.{self.form}"


def write_report(
    path: str | os.PathLike[str],
    results: Results,
    analyses: Sequence[Analysis],
    about: About,
    formats: Iterable[str] = (),
    *,
    part: str = "",
    ablation: Ablation | None = None,
) -> tuple[Path, ...]:
    """Write a report, and say which files were written; each is written whole or not at all.

    path     a file whose ending is one of FORMATS; else a folder, which is made if it is missing
    formats  for a folder: which of FORMATS; USUAL unless given
    part     for a file: which table (`figures`, `folds`, ...) or plot (`accuracy-wins`; `wins` is
             that of the first metric); unless given, what the file is called like if that is one
             of them, else the figures. A page and LaTeX have no parts.
    ablation what is due to which path of the recipes, if that was asked
    """
    check_report(path)
    told = Told(results, tuple(analyses), about, ablation)
    goal = Path(path)
    ending = goal.suffix.removeprefix(".").lower()
    if ending and not goal.is_dir():
        one = _chosen(parts_of(told, (ending,)), goal, part, told)
        one.write(goal)
        return (goal,)
    wanted = tuple(dict.fromkeys(formats)) or USUAL
    if wrong := [name for name in wanted if name not in FORMATS]:
        raise TreekitError(*(_no_format(name, "") for name in wrong))
    _check_can_write(wanted, goal)
    goal.mkdir(parents=True, exist_ok=True)
    every = parts_of(told, wanted)
    for one in every:
        one.write(goal / one.file_name)
    return tuple(goal / one.file_name for one in every)


def check_report(path: str | os.PathLike[str]) -> None:
    """Can a report be written there, as its ending says, with what is installed?"""
    goal = Path(path)
    ending = goal.suffix.removeprefix(".").lower()
    if not ending or goal.is_dir():
        _check_can_write(USUAL, goal)
        return
    if ending not in FORMATS:
        raise TreekitError(_no_format(ending, str(path)))
    _check_can_write((ending,), goal)


def check_name(path: str | os.PathLike[str]) -> None:
    """Is a plot's file called like a plot? Which there are is known in the end, but not before."""
    stem, form = Path(path).stem, Path(path).suffix.removeprefix(".").lower()
    known = stem in KINDS or stem.endswith(tuple(f"-{kind}" for kind in KINDS))
    if form in ("svg", "png") and not known:
        near = did_you_mean(stem, KINDS)
        raise TreekitError(Problem(f"there is no plot {stem!r}", str(path), near))


def parts_of(told: Told, formats: Iterable[str]) -> list[Part]:
    """All the files of a report in these formats."""
    return [part for form in formats for part in _PARTS[form](form, told)]


def _pages(form: str, told: Told) -> list[Part]:
    def write(to: Path) -> None:
        _text(html_page(told.results, told.analyses, told.about, told.ablation), to)

    return [Part("report", form, write)]


def _papers(form: str, told: Told) -> list[Part]:
    return [Part("tables", form, lambda to: _text(latex_tables(told.results, told.metrics), to))]


def _tables(form: str, told: Told) -> list[Part]:
    made: dict[str, Callable[[], pd.DataFrame]] = {
        name: partial(make, told.results, told.analyses)
        for name, make in TABLES.items()
        if told.analyses or name not in CONCLUDED
    }
    if told.ablation is not None:
        parts = {name: partial(make, told.ablation) for name, make in ABLATED.items()}
        # Only a full grid has shares.
        made |= {name: make for name, make in parts.items() if not make().empty}

    def write(name: str, to: Path) -> None:
        write_table(made[name](), to)

    return [Part(name, form, partial(write, name)) for name in made]


def _plots(form: str, told: Told) -> list[Part]:
    def write(plot: Plot, to: Path) -> None:
        save(plot.draw(), to)

    every = plots_of(told.results, told.analyses, told.about)
    return [Part(plot.name, form, partial(write, plot)) for plot in every]


_PARTS: Final = {
    "html": _pages,
    "csv": _tables,
    "parquet": _tables,
    "tex": _papers,
    "svg": _plots,
    "png": _plots,
}


def _text(words: str, path: Path) -> None:
    with written_whole(path) as draft:
        draft.write_text(words, encoding="utf-8", newline="\n")


def _check_can_write(formats: Iterable[str], path: Path) -> None:
    """What is missing is told before any work."""
    for form in formats:
        if form in DRAWN:
            check_can_draw()
        if form == "parquet":
            check_can_write_parquet(path)


def _chosen(parts: Sequence[Part], goal: Path, part: str, told: Told) -> Part:
    """The part that a file is to hold."""
    by_name = {one.stem: one for one in parts}
    form = goal.suffix.removeprefix(".").lower()
    if form in ("html", "tex"):
        return parts[0]
    name = part or goal.stem
    if name in KINDS and form in ("svg", "png"):
        # A plot of the first metric that has one like it.
        whole = (f"{metric}-{name}" for metric in told.metrics)
        name = next((stem for stem in whole if stem in by_name), name)
    if name in by_name:
        return by_name[name]
    if not part and form in ("csv", "parquet"):
        return by_name["figures"]
    what = f"there is no {'plot' if form in DRAWN else 'table'} {name!r}"
    raise TreekitError(Problem(what, "" if part else str(goal), did_you_mean(name, by_name)))


def _no_format(name: str, where: str) -> Problem:
    near = did_you_mean(name, FORMATS)
    known = ", ".join(f".{form}" for form in FORMATS)
    remedy = near if near.startswith("did you mean") else f"give one of {known}, or a folder"
    return Problem(f"reports are not written as .{name}", where, remedy)
