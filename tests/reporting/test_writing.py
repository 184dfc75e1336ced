"""Reports as files: one by its ending, or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from attrs import evolve

from treekit.errors import TreekitError
from treekit.reporting import FORMATS, write_report

from .toys import ablation, about, analysis, results


def write(path: Path, *formats: str, **more: Any) -> tuple[Path, ...]:
    analyses = [analysis(), analysis("leaves", False)]
    return write_report(path, results(), analyses, about(), formats, **more)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("any.html", b"<!doctype html>"),
        ("any.csv", b"metric,data,contender,mean"),
        ("folds.csv", b"data,contender,repeat,fold"),
        ("ranks.csv", b"metric,contender,mean_rank"),
        ("any.parquet", b"PAR1"),
        ("any.tex", b"% Needs"),
        ("wins.svg", b"<?xml"),
        ("leaves-wins.svg", b"<?xml"),
        ("size.PNG", b"\x89PNG"),
    ],
)
def test_the_ending_says_what_a_file_is(name: str, begins: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    assert write(path) == (path,)
    assert path.read_bytes().startswith(begins)
    assert list(tmp_path.iterdir()) == [path]


def test_a_part_can_be_named(tmp_path: Path) -> None:
    write(tmp_path / "figure3.svg", part="leaves-wins")
    write(tmp_path / "leaves-wins.svg")
    assert (tmp_path / "figure3.svg").read_bytes() == (tmp_path / "leaves-wins.svg").read_bytes()
    write(tmp_path / "two.csv", part="pairs")
    assert len(pd.read_csv(tmp_path / "two.csv")) == 12


def test_a_folder_has_all_of_it(tmp_path: Path) -> None:
    found = write(tmp_path / "a" / "report", "html", "csv", "tex", "svg")
    assert sorted(path.name for path in found) == sorted(
        path.name for path in (tmp_path / "a" / "report").iterdir()
    )
    assert {path.name for path in found} == {
        "report.html", "tables.tex", "figures.csv", "ranks.csv", "folds.csv", "pairs.csv",
        "pairs-on-data.csv", "accuracy-critical-difference.svg", "accuracy-folds.svg",
        "accuracy-size.svg", "accuracy-wins.svg", "leaves-critical-difference.svg",
        "leaves-folds.svg", "leaves-wins.svg",
    }  # fmt: skip


def test_what_is_due_to_which_part_is_in_files_too(tmp_path: Path) -> None:
    found = write(tmp_path / "r", "html", "csv", ablation=ablation())
    assert {"effects.csv", "shares.csv"} <= {path.name for path in found}
    assert 'id="parts"' in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    effects = pd.read_csv(tmp_path / "r" / "effects.csv")
    assert effects["path"].tolist() == ["tree.impurity", "tree.<pruner>"] * 2
    assert effects["low"].tolist() == [-0.01, 0.005] * 2
    shares = pd.read_csv(tmp_path / "r" / "shares.csv")
    assert shares["part"].tolist() == ["always", "always", "by_data", "by_data", "rest"]
    assert shares["share"].sum() == 1
    bare = evolve(ablation(), explained={})
    assert "shares.csv" not in {path.name for path in write(tmp_path / "s", "csv", ablation=bare)}
    write(tmp_path / "shares.parquet", ablation=ablation())
    assert pd.read_parquet(tmp_path / "shares.parquet")["share"].sum() == 1


def test_without_an_analysis_there_are_the_figures(tmp_path: Path) -> None:
    found = write_report(tmp_path / "r", results(), [], about(), ["csv", "tex"])
    assert [path.name for path in found] == ["figures.csv", "ranks.csv", "folds.csv", "tables.tex"]


@pytest.mark.parametrize(
    ("name", "formats", "words"),
    [
        ("a.htm", (), r"a.htm: reports are not written as .htm; did you mean 'html'\?"),
        ("a.docx", (), "reports are not written as .docx; give one of .html, .csv, .parquet"),
        ("folder", ("html", "pdg"), "reports are not written as .pdg"),
        ("winz.svg", (), "there is no plot 'winz'"),
    ],
)
def test_what_cannot_be_written_is_told_and_leaves_nothing(
    name: str, formats: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    with pytest.raises(TreekitError, match=words):
        write(tmp_path / name, *formats)
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(TreekitError, match="there is no table 'fold'; did you mean 'folds'"):
        write(tmp_path / "a.csv", part="fold")


def test_what_is_missing_is_told_before_any_work(no_pyarrow: None, tmp_path: Path) -> None:
    with pytest.raises(TreekitError, match=r"pip install treekit\[parquet\]"):
        write(tmp_path / "folder", *FORMATS)
    assert list(tmp_path.iterdir()) == []


def test_what_fails_half_way_leaves_the_old_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "figures.csv"
    path.write_text("old")

    def half(self: pd.DataFrame, to: Path, **options: Any) -> None:
        Path(to).write_text("half")
        raise OSError("the disk is full")

    monkeypatch.setattr(pd.DataFrame, "to_csv", half)
    with pytest.raises(OSError, match="disk is full"):
        write(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
