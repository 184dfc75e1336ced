"""What several commands take: how data are read, how a recipe is changed, how answers look."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import asdict, evolve, frozen

from treekit.errors import DataError, Problem, did_you_mean

if TYPE_CHECKING:
    from treekit.table.record import Schema, Table

Command = TypeVar("Command", bound=Callable[..., Any])

STDIN = "-"


def examples(*lines: str) -> str:
    """The examples at the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _all(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _kinds(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """COL=KIND options as a dict; a column's name may hold an equals sign, a kind may not."""
    pairs = [text.rpartition("=") for text in given]
    for text, (column, equals, kind) in zip(given, pairs, strict=True):
        if not (column and equals and kind):
            raise click.BadParameter(f"{text!r} is not COL=KIND, as in age=numeric")
    return {column: kind for column, _, kind in pairs}


json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No notes and no progress.")
output_type = click.Path(path_type=Path)

reading_options = _all(
    click.option(
        "--missing",
        metavar="MARK",
        multiple=True,
        help='Text that means "unknown"; may be repeated.  [default: empty, ?, NA, NaN]',
    ),
    click.option("--encoding", metavar="E", help="Encoding of a text file.  [default: UTF-8]"),
)

data_options = _all(
    click.option("--target", metavar="COL", help="Column to predict."),
    click.option("--schema", metavar="F", help="Schema file, TOML or JSON."),
    click.option(
        "--kind", "kinds", metavar="COL=KIND", multiple=True, callback=_kinds,
        help="Kind of a column: numeric, ordinal or nominal; may be repeated.",
    ),
    click.option("--weights", metavar="COL", help="Column of row weights."),
    click.option(
        "--drop-missing-target", is_flag=True, help="Leave out rows whose target is unknown."
    ),
    reading_options,
)  # fmt: skip

settings_option = click.option(
    "--set", "settings", metavar="PATH=VALUE", multiple=True,
    help="Change the recipe, as in tree.pruner.confidence=0.1; may be repeated.",
)  # fmt: skip

recipe_options = _all(
    settings_option,
    click.option(
        "--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True,
        help="Seed of all that is random.",
    ),
)  # fmt: skip


@frozen
class Reading:
    """How data are read: the options of `data_options` or `reading_options`."""

    target: str | None = None
    schema: str | None = None
    kinds: dict[str, str] | None = None
    weights: str | None = None
    drop_missing_target: bool = False
    missing: tuple[str, ...] = ()
    encoding: str | None = None

    def table(self, data: str) -> Table:
        """The training table that a file, standard input or a built-in name stands for."""
        from treekit.datasets import built_in, load_dataset
        from treekit.table import read_table

        options = _given(self)
        if named := built_in(data):
            return load_dataset(*named, **options)
        with _as_file(data) as path:
            return read_table(path, **options)

    def like(self, data: str, schema: Schema) -> Table:
        """The data to predict, read as a model's schema says."""
        from treekit.datasets import built_in, dataset_path
        from treekit.table import read_like

        shared = ("missing", "encoding", "weights")
        options = {name: value for name, value in _given(self).items() if name in shared}
        if named := built_in(data):
            return read_like(dataset_path(*named), schema, **options)
        with _as_file(data) as path:
            return read_like(path, schema, **options)


def _given(reading: Reading) -> dict[str, Any]:
    """What was said on the command line; the rest is as the reader thinks best."""
    return {name: value for name, value in asdict(reading, recurse=False).items() if value}


@contextmanager
def _as_file(data: str) -> Iterator[Path]:
    """The file that `data` names; standard input is copied to one."""
    from treekit.datasets import dataset_names

    if data != STDIN:
        path = Path(data)
        if not path.exists() and not path.suffix and len(path.parts) == 1:
            what = f"{data!r} is neither a file nor a built-in data set"
            raise DataError(Problem(what, instead=did_you_mean(data, dataset_names())))
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stdin.csv"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            yield path
        except DataError as error:
            here = [evolve(p, where=p.where.replace(str(path), "stdin")) for p in error.problems]
            raise DataError(*here) from None
