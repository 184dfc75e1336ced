"""The command line in an empty folder, in this process (quick) or in one of its own (real)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import frozen
from click.testing import CliRunner

from treekit.cli.app import program
from treekit.registry import installed

# Columns of every kind, no unknown value, two classes and a number to predict.
SHOP = """\
age,income,size,member,price,bought
23,low,S,no,1.5,no
31,low,M,yes,2.5,yes
35,high,M,no,2.0,no
42,high,L,yes,4.0,yes
46,low,L,yes,4.5,yes
52,high,S,no,1.0,no
58,low,L,yes,5.0,yes
63,high,S,no,1.0,no
"""


@frozen
class Answer:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def notes(self) -> list[str]:
        return [line.removeprefix("note: ") for line in self.err.splitlines()]


Treekit = Callable[..., Answer]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, but for `shop.csv`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREEKIT_DEBUG", raising=False)
    Path("shop.csv").write_text(SHOP)
    return tmp_path


@pytest.fixture
def treekit() -> Treekit:
    """Runs `treekit WORDS...` in this process."""

    def run(*words: str, stdin: str | None = None) -> Answer:
        result = CliRunner().invoke(program, list(words), input=stdin)
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


def start(*words: str, **options: object) -> subprocess.Popen[str]:
    """Starts `treekit WORDS...` as a program of its own."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "treekit", *words]
    return subprocess.Popen(command, text=True, **(pipes | options))  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def model(treekit: Treekit) -> str:
    """A model file of `shop.csv`, as text classes."""
    answer = treekit("fit", "id3", "shop.csv", "--target", "bought", "-o", "model.json", "--quiet")
    assert answer.code == 0, answer.err
    return "model.json"


@pytest.fixture
def install(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str, str], None]]:
    """Puts a distribution with one plugin module where Python looks for distributions."""

    def make(distribution: str, source: str) -> None:
        place = tmp_path_factory.mktemp("site")
        module = distribution.replace("-", "_")
        (place / f"{module}.py").write_text(source)
        info = place / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(f"[treekit]\n{module} = {module}\n")
        monkeypatch.syspath_prepend(str(place))
        made.append(module)
        installed.cache_clear()

    made: list[str] = []
    yield make
    for module in made:
        sys.modules.pop(module, None)
    installed.cache_clear()
