"""A report as files: one, by its ending, or a folder with all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from attrs import field, frozen

from treekit.comparing.results import Results
from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.plots import check_can_draw, save
from treekit.reporting.about import About
from treekit.reporting.latex import latex_tables
from treekit.reporting.page import html_page
from treekit.reporting.plots.listing import KINDS, Plot, plots_of
from treekit.reporting.tables import (
    CONCLUDED,
    TABLES,
    check_can_write_parquet,
    metrics_shown,
    write_table,
)
from treekit.statistics.record import Analysis
from treekit.writing import written_whole

FORMATS: Final = ("html", "csv", "parquet", "tex", "svg", "png")
"""What a report can be written as."""

USUAL: Final = ("html", "csv", "tex", "svg")
"""What is written into a folder unless something else is asked for."""

DRAWN: Final = ("html", "svg", "png")


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
) -> tuple[Path, ...]:
    """Write a report, and say which files were written; each is written whole or not at all.

    path     a file whose ending is one of FORMATS; else a folder, which is made if it is missing
    formats  for a folder: which of FORMATS; USUAL unless given
    part     for a file: which table (`figures`, `folds`, ...) or plot (`accuracy-wins`; `wins` is
             that of the first metric); unless given, what the file is called like if that is one
             of them, else the figures. A page and LaTeX have no parts.
    """
    check_report(path)
    goal = Path(path)
    ending = goal.suffix.removeprefix(".").lower()
    if ending and not goal.is_dir():
        one = _chosen(parts_of(results, analyses, about, (ending,)), goal, part, results, analyses)
        one.write(goal)
        return (goal,)
    wanted = tuple(dict.fromkeys(formats)) or USUAL
    if wrong := [name for name in wanted if name not in FORMATS]:
        raise TreekitError(*(_no_format(name, "") for name in wrong))
    _check_can_write(wanted, goal)
    goal.mkdir(parents=True, exist_ok=True)
    every = parts_of(results, analyses, about, wanted)
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


def parts_of(
    results: Results, analyses: Sequence[Analysis], about: About, formats: Iterable[str]
) -> list[Part]:
    """All the files of a report in these formats."""
    return [part for form in formats for part in _PARTS[form](form, results, analyses, about)]


def _pages(form: str, results: Results, analyses: Sequence[Analysis], about: About) -> list[Part]:
    return [Part("report", form, lambda to: _text(html_page(results, analyses, about), to))]


def _papers(form: str, results: Results, analyses: Sequence[Analysis], about: About) -> list[Part]:
    metrics = metrics_shown(results, analyses)
    return [Part("tables", form, lambda to: _text(latex_tables(results, metrics), to))]


def _tables(form: str, results: Results, analyses: Sequence[Analysis], about: About) -> list[Part]:
    def write(name: str, to: Path) -> None:
        write_table(TABLES[name](results, analyses), to)

    names = [name for name in TABLES if analyses or name not in CONCLUDED]
    return [Part(name, form, partial(write, name)) for name in names]


def _plots(form: str, results: Results, analyses: Sequence[Analysis], about: About) -> list[Part]:
    def write(plot: Plot, to: Path) -> None:
        save(plot.draw(), to)

    every = plots_of(results, analyses, about)
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


def _chosen(
    parts: Sequence[Part], goal: Path, part: str, results: Results, analyses: Sequence[Analysis]
) -> Part:
    """The part that a file is to hold."""
    by_name = {one.stem: one for one in parts}
    form = goal.suffix.removeprefix(".").lower()
    if form in ("html", "tex"):
        return parts[0]
    name = part or goal.stem
    if name in KINDS and form in ("svg", "png"):
        # A plot of the first metric that has one like it.
        whole = (f"{metric}-{name}" for metric in metrics_shown(results, analyses))
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
