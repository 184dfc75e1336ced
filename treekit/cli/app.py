"""The program `treekit`: its commands, loaded when they are named, and how it ends.

Exit codes: 0 all is well, 1 a check found problems, 2 bad input or usage, 130 interrupted.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

import treekit
from treekit.cli.wording import in_options
from treekit.errors import TreekitError, did_you_mean

BAD_INPUT = 2
INTERRUPTED = 130

# The order is that of the help.
COMMANDS = {
    "fit": "treekit.cli.fit:fit",
    "predict": "treekit.cli.predict:predict",
    "show": "treekit.cli.show:show",
    "explain": "treekit.cli.explain:explain",
    "measure": "treekit.cli.measure:measure",
    "importances": "treekit.cli.importances:importances",
    "complexity": "treekit.cli.complexity:complexity",
    "compare": "treekit.cli.compare:compare",
    "verify": "treekit.cli.verify:verify",
    "plot": "treekit.cli.plot:plot",
    "recipes": "treekit.cli.recipes:recipes",
    "recipe": "treekit.cli.recipes:recipe",
    "plugins": "treekit.cli.plugins:plugins",
    "datasets": "treekit.cli.datasets:datasets",
    "demo": "treekit.cli.demo:demo",
}


class Group(click.Group):
    """A group that names the nearest command when one is misspelled."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            raise click.UsageError(f"there is no command {name!r}; {did_you_mean(name, known)}")
        return super().resolve_command(ctx, args)


class Program(Group):
    """The outermost group: loads a command when it is asked for, and turns errors into lines."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader (`head`, a pager) has what it wanted.
            _forget_stdout()
            return 0
        return result

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> Any:
        """Run the program and leave the process; never returns."""
        extra |= {"prog_name": "treekit", "standalone_mode": False}
        try:
            result = super().main(args, **extra)
        except (click.Abort, KeyboardInterrupt):
            complain("interrupted")
            sys.exit(INTERRUPTED)
        except Exception as error:
            sys.exit(report(error))
        sys.exit(result if isinstance(result, int) else 0)


def report(error: Exception) -> int:
    """Say what went wrong, a line for each problem; the exit code."""
    if os.environ.get("TREEKIT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, TreekitError):
        for problem in error.problems:
            complain(str(in_options(problem)))
    elif isinstance(error, click.UsageError):
        asked = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        complain(error.format_message().rstrip(".") + asked)
    elif isinstance(error, click.ClickException):
        complain(error.format_message())
    elif isinstance(error, OSError) and error.errno != errno.EPIPE:
        place = f"{error.filename}: " if error.filename else ""
        complain(f"{place}{error.strerror or error}")
    elif isinstance(error, MemoryError):
        complain("there is not enough memory for this")
    else:
        text = " ".join(str(error).split())
        complain(
            f"treekit failed unexpectedly ({type(error).__name__}: {text}); please report it with"
            " what TREEKIT_DEBUG=1 prints"
        )
    return BAD_INPUT


def complain(text: str) -> None:
    """One error line on stderr, whatever line breaks the text has."""
    click.echo(click.style("error: ", fg="red", bold=True) + " ".join(text.splitlines()), err=True)


def _forget_stdout() -> None:
    """Let nothing more be written to a pipe that nobody reads, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"treekit {treekit.__version__}")
        ctx.exit()


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command has examples: treekit fit --help. Start with: treekit demo",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version and exit.",
)  # fmt: skip
@click.pass_context
def program(ctx: click.Context) -> None:
    """Compose decision-tree algorithms from small parts, named in a TOML recipe."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """The entry point of the `treekit` script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or pipe that lacks a letter gets an escape instead of a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    program.main()
