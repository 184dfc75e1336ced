"""Every block of code in README.md and docs/*.md does what the page says.

The blocks of a page run in order, in one empty folder, the Python ones in one namespace.

- ```python is run.
- ```console: each `$ treekit ...` is run, and what the page shows below it is what comes out (a
  line `...` stands for any lines; note lines may be left out; nothing shown: anything).
- ```sh: each line `treekit ...` is run.
- A block of any language whose first line is `# name.ending` and nothing else is written to that
  file instead. The line stays in the file where it is a comment (.py, .toml); where the format has
  no such comments (.csv, .tsv, .json, .data, .names, .test, .arff), it is left out.
- `<!-- not run -->` before a block leaves it out.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner

from treekit.cli.app import program

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(
    r"^(?P<fence>```+)(?P<language>\w*)[^\n]*\n(?P<body>.*?)^(?P=fence)$", re.M | re.S
)
FILE_NAME = re.compile(r"# (\S+\.\w+)\n")
WITHOUT_COMMENTS = (".csv", ".tsv", ".json", ".data", ".names", ".test", ".arff")
NOT_RUN = "<!-- not run -->"
SHELLS = ("console", "sh", "bash", "shell")


@frozen
class Block:
    """A fenced block: its language, its text, and the line of the page where it begins."""

    language: str
    body: str
    line: int


@frozen
class Step:
    """A command of a console block and the lines shown below it."""

    command: str
    shown: tuple[str, ...]


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page that are to be run or written."""
    for found in FENCE.finditer(text):
        before = text[: found.start()].rstrip()
        if not before.endswith(NOT_RUN):
            line = text.count("\n", 0, found.start()) + 2
            yield Block(found["language"], found["body"], line)


def file_of(block: Block) -> tuple[str, str] | None:
    """The name and the text of the file that a block is, if it is one."""
    named = FILE_NAME.match(block.body)
    if named is None:
        return None
    stripped = named[1].endswith(WITHOUT_COMMENTS)
    return named[1], block.body[named.end() :] if stripped else block.body


def steps(block: Block) -> Iterator[Step]:
    """The commands of a shell block; in ```sh every line is one, in ```console those after `$`."""
    body = block.body.replace("\\\n", " ")
    if block.language != "console":
        yield from (Step(line, ()) for line in body.splitlines() if line and line[0] != "#")
        return
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, *shown = part.rstrip().splitlines()
        yield Step(command, tuple(line.rstrip() for line in shown))


def shows(shown: tuple[str, ...], output: str) -> bool:
    """Is the output what the page shows?"""
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    if not any(line.startswith("note:") for line in shown):
        lines = [line for line in lines if not line.startswith("note:")]
    pattern = "".join(r"(?:.*\n)*?" if s == "..." else re.escape(s) + r"\n" for s in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def run_step(step: Step, place: str) -> None:
    name, *arguments = shlex.split(step.command, comments=True)
    assert name == "treekit", f"{place}: only treekit can be run here; mark it {NOT_RUN}"
    result = CliRunner().invoke(program, arguments)
    fails = any(line.startswith("error:") for line in step.shown)
    assert (result.exit_code != 0) == fails, f"{place}: $ {step.command}\n{result.output}"
    assert not step.shown or shows(step.shown, result.output), (
        f"{place}: $ {step.command}\nprints\n{result.output}"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_on_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page.read_text(encoding="utf-8")):
        place = f"{page.name}:{block.line}"
        if file := file_of(block):
            Path(file[0]).write_text(file[1], encoding="utf-8")
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.body, page.name, "exec"), names)
        elif block.language in SHELLS:
            for step in steps(block):
                run_step(step, place)


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        (("a", "b"), "a\nb\n", True),
        (("a",), "a\nb\n", False),
        (("a", "..."), "a\nb\nc\n", True),
        (("a", "...", "d"), "a\nb\nc\nd\n", True),
        (("a", "...", "d"), "a\nd\n", True),
        (("a.",), "ab\n", False),
        (("a",), "note: x\na\n", True),
        (("note: y", "a"), "note: x\na\n", False),
    ],
)
def test_shown_output_is_compared_line_by_line(
    shown: tuple[str, ...], output: str, same: bool
) -> None:
    assert shows(shown, output) is same


@pytest.mark.parametrize(
    ("body", "file"),
    [
        ("# mine.toml\nx = 1\n", ("mine.toml", "# mine.toml\nx = 1\n")),
        ("# mine.py\nx = 1\n", ("mine.py", "# mine.py\nx = 1\n")),
        ("# my.csv\nx,y\n", ("my.csv", "x,y\n")),
        ("# my.json\n{}\n", ("my.json", "{}\n")),
        ("# my.data\n1,a\n", ("my.data", "1,a\n")),
        ("# my.arff\n@data\n", ("my.arff", "@data\n")),
        ("# a comment that ends in my.csv\nx,y\n", None),
        ("x,y\n", None),
    ],
)
def test_a_block_that_begins_with_a_name_is_a_file(body: str, file: tuple[str, str] | None) -> None:
    assert file_of(Block("", body, 1)) == file
