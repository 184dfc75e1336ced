"""What several commands take: how data are read, how a recipe is changed, how answers look."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import asdict, evolve, frozen

from treekit.cli.wording import blamed_on_options
from treekit.errors import DataError, Problem, did_you_mean

if TYPE_CHECKING:
    from treekit.table.record import Schema, Table

Command = TypeVar("Command", bound=Callable[..., Any])

STDIN = "-"


def examples(*lines: str) -> str:
    """The examples at the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def all_of(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one, in this order."""

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


def some_text(value: str) -> str:
    """The type of every name: some text."""
    if not value:
        raise click.BadParameter("it is empty")
    return value


def file_to_write(value: str) -> Path:
    """A path, and not the sign for a standard stream."""
    if value == STDIN:
        raise click.BadParameter("'-' is not a file")
    return Path(some_text(value))


class WholeNumber(click.IntRange):
    """A whole number from `min`, up to `max` if there is one; the message says what is wanted."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            most = "" if self.max is None else f" to {self.max:g}"
            wanted = f"a whole number from {self.min:g}{most}"
            raise click.BadParameter(f"{str(value)!r} is not {wanted}", ctx, param) from None


class Shares(click.ParamType[tuple[float, ...]]):
    """Shares above 0 and up to 1, by commas."""

    name = "shares"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        if isinstance(value, tuple):
            return value
        try:
            found = tuple(float(word) for word in str(value).split(","))
        except ValueError:
            found = (0.0,)
        if not all(0 < share <= 1 for share in found):
            wanted = "shares above 0 and up to 1, as in 0.1,0.5,1"
            raise click.BadParameter(f"{str(value)!r} is not {wanted}", ctx, param)
        return found


json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No notes and no progress.")
weights_option = click.option(
    "--weights", metavar="COL", type=some_text, help="Column of row weights."
)


threads_option = click.option(
    "--threads", metavar="N", type=WholeNumber(min=1),
    help="How many trees of an ensemble grow at a time; the model is the same.  [default: one for"
    " each processor]",
)  # fmt: skip


def output_option(metavar: str, what: str) -> Callable[[Command], Command]:
    return click.option(
        "-o", "--output", metavar=metavar, type=file_to_write, help=f"Write {what} here."
    )


def form_options(*forms: str) -> Callable[[Command], Command]:
    """In which form to answer, the first one unless another is asked for; see `one_form`."""
    return all_of(
        click.option(
            "--format", "form", type=click.Choice(forms),
            help=f"The form to print it in.  [default: {forms[0]}]",
        ),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    )  # fmt: skip


def one_form(form: str | None, as_json: bool, default: str) -> str:
    """The form that was asked for, which cannot be two."""
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json is --format json, not --format {form}; leave one out")
    return "json" if as_json else form or default


reading_options = all_of(
    click.option(
        "--missing",
        metavar="MARK",
        multiple=True,
        help='Text that means "unknown"; may be repeated.  [default: empty, ?, NA, NaN]',
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        type=some_text,
        help="Encoding of a text file.  [default: UTF-8]",
    ),
)

data_options = all_of(
    click.option("--target", metavar="COL", type=some_text, help="Column to predict."),
    click.option("--schema", metavar="FILE", type=some_text, help="Schema file, TOML or JSON."),
    click.option(
        "--kind", "kinds", metavar="COL=KIND", multiple=True, callback=_kinds,
        help="Kind of a column: numeric, ordinal, nominal, or ignore to leave it out; may be"
        " repeated.",
    ),
    weights_option,
    click.option(
        "--drop-missing-target", is_flag=True, help="Leave out rows whose target is unknown."
    ),
    reading_options,
)  # fmt: skip

settings_option = click.option(
    "--set", "settings", metavar="PATH=VALUE", multiple=True,
    help="Change the recipe, as in tree.pruner.confidence=0.1; may be repeated.",
)  # fmt: skip

recipe_options = all_of(
    settings_option,
    click.option(
        "--seed", metavar="N", type=WholeNumber(min=0), default=0, show_default=True,
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

        options = self.given
        with _blaming(options):
            if named := built_in(data):
                return load_dataset(*named, **options)
            with _file_of(data) as path:
                return evolve(read_table(path, **options), source=_called(data))

    def like(self, data: str, schema: Schema) -> Table:
        """The data to predict, read as a model's schema says."""
        from treekit.table import read_like

        shared = ("missing", "encoding", "weights")
        options = {name: value for name, value in self.given.items() if name in shared}
        with _blaming(options), _file_of(data) as path:
            return evolve(read_like(path, schema, **options), source=_called(data))

    @property
    def given(self) -> dict[str, Any]:
        """What was said on the command line; the rest is as the reader thinks best."""
        return {name: value for name, value in asdict(self, recurse=False).items() if value}


@contextmanager
def _blaming(options: Collection[str]) -> Iterator[None]:
    """What is wrong with an argument that came from an option is told of the option."""
    try:
        yield
    except DataError as error:
        raise DataError(*(blamed_on_options(p, options) for p in error.problems)) from None


def _called(data: str) -> str:
    return "stdin" if data == STDIN else data


@contextmanager
def _file_of(data: str) -> Iterator[Path]:
    """The file that `data` stands for; messages name it as the user does."""
    with _file(data) as path:
        try:
            yield path
        except DataError as error:
            file, name = str(path), _called(data)
            told = [
                evolve(p, what=p.what.replace(file, name), where=p.where.replace(file, name))
                for p in error.problems
            ]
            raise DataError(*told) from None


@contextmanager
def _file(data: str) -> Iterator[Path]:
    """The file itself; standard input is copied to one."""
    from treekit.datasets import built_in, dataset_names, dataset_path

    if data == STDIN:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stdin.csv"
            with path.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
            yield path
        return
    if named := built_in(data):
        yield dataset_path(*named)
        return
    path = Path(data)
    if not path.exists() and not path.suffix and len(path.parts) == 1:
        what = f"{data!r} is neither a file nor a built-in data set"
        raise DataError(Problem(what, instead=did_you_mean(data, dataset_names())))
    yield path
