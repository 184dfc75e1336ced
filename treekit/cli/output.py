"""What commands print and write: notes, JSON, aligned columns, a spinner, files written whole."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from treekit.errors import Problem, TreekitError
from treekit.writing import is_special

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from treekit.model import Model

NARROWEST = 24


def note(text: str, quiet: bool = False) -> None:
    """A line for people on stderr."""
    if not quiet:
        click.echo(f"note: {text}", err=True)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 leaf`, `2 leaves`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def json_text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=_plain) + "\n"


def echo_json(value: Any) -> None:
    click.echo(json_text(value), nl=False)


def echo_tree(model: Model, only: int | None = None, **options: bool) -> None:
    """The model's trees as text, or `only` one of them, in colours on a terminal.

    The options are those of `treekit.report.text`.
    """
    from treekit.report import coloured, text

    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from rich.console import Console

        Console().print(coloured(model, only, **options), end="", soft_wrap=True)
    else:
        click.echo(text(model, only, **options), nl=False)


def _plain(value: Any) -> Any:
    """A NumPy array or scalar as JSON knows it."""
    return value.tolist()


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()


def echo_columns(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Aligned columns; the last is wrapped on a terminal, and never cut anywhere."""
    lines = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header) - 1)]
    indent = sum(widths) + 2 * len(widths)
    room = 0
    if sys.stdout.isatty():
        room = max(shutil.get_terminal_size().columns - indent - 1, NARROWEST)
    for number, line in enumerate(lines):
        start = "".join(cell.ljust(width) + "  " for cell, width in zip(line, widths, strict=False))
        last = textwrap.wrap(line[-1], room) if room else [line[-1]]
        text = ("\n" + " " * indent).join(last or [""])
        line_text = (start + text).rstrip()
        click.echo(click.style(line_text, bold=True) if number == 0 else line_text)


class Told(Protocol):
    def __call__(self, done: int, of: int, besides: str = "") -> None: ...


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[Told]:
    """A spinner with the time that has passed, on a terminal only.

    What it yields may be told `(done, of)`: then there is a bar, with the time that is left; what
    is told `besides` stands at its end.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, of, besides="": None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    parts = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as progress:
        spinner = progress.add_task(what, total=None, besides="")
        has_bar = False

        def told(done: int, of: int, besides: str = "") -> None:
            nonlocal has_bar
            if not has_bar and done < of and of > 1:
                progress.columns = (*parts[:2], *_bar(), parts[2], *_besides())
                has_bar = True
                # What is known at once says nothing of how long the rest takes.
                progress.reset(spinner, completed=done, total=of)
            progress.update(spinner, completed=done, total=of, besides=besides)

        yield told


def _bar() -> tuple[ProgressColumn, ...]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    return (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("left,"))


def _besides() -> tuple[ProgressColumn, ...]:
    from rich.progress import TextColumn

    return (TextColumn("{task.fields[besides]}", markup=False),)


def check_writable(path: Path | None) -> None:
    """Say before the work begins that its result cannot be written."""
    if path is None or is_special(path):
        return
    if path.is_dir():
        raise TreekitError(Problem("this is a folder", str(path), "name a file to write"))
    folder = path.resolve().parent
    if not folder.is_dir():
        raise TreekitError(Problem(f"there is no folder {path.parent}", str(path), "make it first"))
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise TreekitError(Problem("this cannot be written", str(path), "name another file"))
