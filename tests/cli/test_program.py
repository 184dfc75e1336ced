"""The program as a whole: help, quickness, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest

import treekit as package
from treekit.cli.app import COMMANDS, program

from .conftest import Treekit, start

SLOW_TO_IMPORT = ("matplotlib", "numba", "numpy", "pandas", "scipy", "rich", "pluggy", "cattrs")


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every command and subcommand, as the words that call it."""
    found: list[tuple[str, ...]] = []
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found.append((*path, name))
        if isinstance(command, click.Group):
            found += commands(command, (*path, name))
    return found


def test_without_arguments_the_help_is_printed(treekit: Treekit) -> None:
    answer = treekit()
    assert answer == treekit("--help")
    assert answer.code == 0
    assert [
        line.split()[0] for line in answer.lines if line[:2] == "  " and line[2:3].islower()
    ] == [*COMMANDS]


def test_a_group_of_commands_without_arguments_prints_its_help(treekit: Treekit) -> None:
    answer = treekit("recipe")
    assert answer == treekit("recipe", "--help")
    assert (answer.code, answer.lines[0]) == (
        0,
        "Usage: treekit recipe [OPTIONS] [COMMAND] [ARGS]...",
    )


def test_the_help_loads_nothing_slow() -> None:
    code = f"""
import sys
sys.argv = ["treekit", "--help"]
from treekit.cli import main
try:
    main()
finally:
    print("loaded:", *sorted(set(sys.modules) & set({SLOW_TO_IMPORT!r})))
"""
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.parametrize("words", commands(program), ids=" ".join)
def test_every_command_has_help_with_examples(treekit: Treekit, words: tuple[str, ...]) -> None:
    answer = treekit(*words, "--help")
    assert answer.code == 0
    examples = answer.out.partition("Examples:\n")[2].splitlines()
    assert examples
    assert all(line.startswith("    treekit ") for line in examples)


def test_the_version_is_told(treekit: Treekit) -> None:
    assert treekit("--version").out == f"treekit {package.__version__}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fti"], "there is no command 'fti'; did you mean 'fit'?"),
        (["recipe", "shw"], "there is no command 'shw'; did you mean 'show'?"),
        (["datasets", "shwo"], "there is no command 'shwo'; did you mean 'show'?"),
        (
            ["recipe", "x"],
            "there is no command 'x'; there is check, new, show",
        ),
        (["fit", "c45"], "Missing argument 'DATA'; see 'treekit fit --help'"),
        (
            ["fit", "c45", "tennis", "--seed", "-1"],
            "Invalid value for '--seed': '-1' is not a whole number from 0;"
            " see 'treekit fit --help'",
        ),
        (
            ["fit", "c45", "tennis", "--seed", "x"],
            "Invalid value for '--seed': 'x' is not a whole number from 0;"
            " see 'treekit fit --help'",
        ),
        (
            ["datasets", "--json", "show", "tennis"],
            "--json goes behind the command, as in: treekit datasets show tennis --json;"
            " see 'treekit datasets --help'",
        ),
        (
            ["fit", "c45", "tennis", "--kind", "age"],
            "Invalid value for '--kind': 'age' is not COL=KIND, as in age=numeric;"
            " see 'treekit fit --help'",
        ),
    ],
)
def test_a_wrong_call_is_one_line(treekit: Treekit, words: list[str], message: str) -> None:
    answer = treekit(*words)
    assert (answer.code, answer.out, answer.err) == (2, "", f"error: {message}\n")


def test_an_unexpected_failure_is_one_line(
    treekit: Treekit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treekit.datasets.dataset_names", lambda: 1 // 0)
    answer = treekit("datasets")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "error: treekit failed unexpectedly (ZeroDivisionError: integer division or modulo by"
        " zero); please report it with what TREEKIT_DEBUG=1 prints\n"
    )


def test_the_traceback_is_there_for_who_asks(
    treekit: Treekit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treekit.datasets.dataset_names", lambda: 1 // 0)
    monkeypatch.setenv("TREEKIT_DEBUG", "1")
    assert "Traceback (most recent call last)" in treekit("datasets").err


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_ends_with_130_and_leaves_no_file(folder: Path) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100_000, 10))
    header = ",".join([*(f"x{i}" for i in range(9)), "y"])
    np.savetxt("big.csv", rows, delimiter=",", header=header, comments="")
    before = sorted(folder.iterdir())
    running = start("fit", "regression", "big.csv", "--target", "y", "--set", "tree.pruner=none",
                    "-o", "model.json")  # fmt: skip
    assert running.stderr is not None
    assert running.stderr.readline().startswith("note: 100000 rows")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "error: interrupted"
    assert "Traceback" not in err
    assert sorted(folder.iterdir()) == before


def test_ctrl_c_while_the_program_is_loaded_is_no_traceback() -> None:
    code = """
import sys

class Interrupts:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
from treekit.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    "words",
    [["--help"], ["datasets", "show", "tennis"], ["fit", "id3", "tennis", "--quiet"]],
    ids=" ".join,
)
def test_a_reader_that_leaves_early_is_no_error(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    running = start(*words, stdout=writing)
    os.close(writing)
    _, err = running.communicate(timeout=60)
    assert err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        running = start("datasets", "--json", stdout=full)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (2, "error: No space left on device\n")


def test_a_pipe_gets_no_colours() -> None:
    for words in (["fit", "id3", "tennis"], ["recipes"], ["fti"]):
        out, err = start(*words).communicate(timeout=60)
        assert "\x1b" not in out + err


def on_terminal(stream: str, *words: str, **settings: str) -> str:
    """What `treekit WORDS...` writes to this stream when it is a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **settings}
    running = start(*words, env=environment, **{stream: theirs})
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 4096):
            seen += chunk
    except OSError:
        pass  # Linux says so when the other side is closed.
    os.close(ours)
    running.communicate(timeout=60)
    assert running.returncode == 0
    return seen.decode()


@pytest.mark.parametrize(("setting", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_colours_unless_no_color_is_set(setting: str, coloured: bool) -> None:
    seen = on_terminal("stdout", "fit", "id3", "tennis", NO_COLOR=setting)
    assert "overcast" in seen
    assert ("\x1b[" in seen) is coloured


def test_a_terminal_is_told_what_takes_long() -> None:
    seen = on_terminal("stderr", "fit", "id3", "tennis")
    assert "reading tennis" in seen
    assert "fitting id3 to 14 rows" in seen


def test_a_terminal_gets_long_cells_wrapped() -> None:
    lines = on_terminal("stdout", "recipes", COLUMNS="70").splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) > 5
