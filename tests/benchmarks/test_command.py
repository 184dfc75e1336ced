"""The command: what it prints, what it says of wrong words, and how it ends."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import command
from benchmarks.contest import Row, held
from benchmarks.options import NotHere, Options
from benchmarks.printing import line
from benchmarks.setting_up import install

from .toys import CLASSES, contest, saying


def right(options: Options) -> Iterator[Row]:
    yield from held(contest(saying(CLASSES)), options.repeats)


def wrong(options: Options) -> Iterator[Row]:
    yield from held(contest(saying(1 - CLASSES)), options.repeats)


def absent(options: Options) -> Iterator[Row]:
    raise NotHere("there is no such data")
    yield


@pytest.fixture(autouse=True)
def toy_families(monkeypatch: pytest.MonkeyPatch) -> None:
    toys = {"right": right, "wrong": wrong, "absent": absent}
    monkeypatch.setattr(command, "FAMILIES", toys)


def test_a_table_with_versions_and_cores(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["right", "--peers", "scikit-learn"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("treekit ")
    assert f"; {os.cpu_count()} cores" in told[0]
    assert told[2] == "| work | program | least | spread | times treekit's | answers | nodes |"
    assert told[4].startswith("| toy | treekit |")
    assert "- toy: a toy" in told


def test_answers_that_must_not_differ_end_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["right", "wrong", "--peers", "scikit-learn"]) == 1
    assert "DIFFERS: 4 of 4 differ" in capsys.readouterr().out


def test_data_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["wrong", "absent", "--json", "--peers", "scikit-learn"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(row["program"], row["ratio"], row["fails"]) for row in told["rows"]] == [
        ("treekit", 1.0, False),
        ("peer", None, True),
    ]
    assert told["left_out"] == {"absent": "there is no such data"}
    assert {"treekit", "scikit-learn", "Python"} <= set(told["versions"])


def test_what_cannot_be_run_here_is_left_out_with_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command.main(["absent", "--peers", "scikit-learn"]) == 0
    assert "- left out: absent (there is no such data)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rihgt"], "there is no work 'rihgt'; did you mean 'right'? There are right, wrong"),
        (["--peers", "snap"], "there is no peer 'snap'; did you mean 'snapml'? There are"),
        (["right", "setup"], "'setup' is run alone: python -m benchmarks setup"),
        (["--repeats", "0"], "--repeats must be 1 or more. Got 0 instead"),
    ],
)
def test_wrong_words(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_line_of_the_table() -> None:
    row = Row("D1", "peer", 0.0123, spread=0.5, ratio=2.0, answers="the same", nodes=1234)
    assert line(row) == "| D1 | peer | 12.3 ms | 50% | 2.00 | the same | 1,234 |"
    failed = Row("D1", "peer", float("nan"), answers="FAILED: a | b")
    assert line(failed) == "| D1 | peer |  |  |  | FAILED: a / b |  |"


@pytest.mark.skipif(os.name == "nt", reason="a script for sh")
def test_setup_tells_why_a_peer_is_left_out(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 'ERROR: No matching distribution found' >&2\nexit 1\n")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    assert install(python, "snapml") == "No matching distribution found"
