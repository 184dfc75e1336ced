"""`treekit verify`: do the figures of a comparison hold, from the command line?"""

from __future__ import annotations

import json
import os
import signal
import zipfile
from pathlib import Path

import pytest

from .conftest import SHOP, Treekit, start
from .test_program import on_terminal

COMPARE = ("compare", "id3", "c45", "--data", "shop.csv", "--target", "bought", "--folds", "2")


@pytest.fixture
def bundle(treekit: Treekit) -> str:
    answer = treekit(*COMPARE, "--bundle", "b.zip")
    assert (answer.code, answer.notes) == (0, ["wrote b.zip", "4 folds: 4 run, 0 failed"])
    return "b.zip"


def forged(bundle: str) -> str:
    """The bundle with the first accuracy changed."""
    with zipfile.ZipFile(bundle) as file:
        members = {name: file.read(name) for name in file.namelist()}
    header, first, *rest = members["results.csv"].decode().splitlines()
    cells = first.split(",")
    cells[header.split(",").index("accuracy")] = "0.99"
    members["results.csv"] = "\n".join([header, ",".join(cells), *rest]).encode()
    with zipfile.ZipFile("forged.zip", "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return "forged.zip"


def test_the_figures_hold(treekit: Treekit, bundle: str) -> None:
    answer = treekit("verify", bundle)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [
        "data: shop (shop.csv)",
        "folds: those that the seed draws",
        "versions: the same",
        "figures: compared to the last digit",
        "",
        "cells                      4",
        "rerun                      4",
        "equal                      4",
        "differing                  0",
        "failures that now succeed  0",
        "successes that now fail    0",
        "",
        "the figures hold",
    ]


def test_a_changed_figure_is_shown_and_the_code_is_1(treekit: Treekit, bundle: str) -> None:
    answer = treekit("verify", forged(bundle))
    assert answer.code == 1
    header, row, _, last = answer.lines[-4:]
    assert header.split() == ["data", "contender", "repeat", "fold", "metric", "then", "now"]
    assert row.split()[:6] == ["shop", "id3", "1", "1", "accuracy", "0.99"]
    assert last == "the figures do not hold"


def test_json_has_all_of_it(treekit: Treekit, bundle: str) -> None:
    found = json.loads(treekit("verify", bundle, "--json", "--sample", "3", "--seed", "1").out)
    assert (found["holds"], found["rerun"], found["cells"]) == (True, 3, 4)
    answer = treekit("verify", forged(bundle), "--json")
    assert answer.code == 1
    assert json.loads(answer.out)["changed"][0]["then"] == 0.99


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_so_many_processes_say_the_same(treekit: Treekit, bundle: str, jobs: str) -> None:
    assert treekit("verify", bundle, "--jobs", jobs) == treekit("verify", bundle)
    assert treekit("verify", forged(bundle), "--jobs", jobs) == treekit("verify", "forged.zip")


def test_a_bundle_with_its_data_needs_no_files(treekit: Treekit) -> None:
    treekit(*COMPARE, "--bundle", "b.zip", "--bundle-data")
    Path("shop.csv").unlink()
    answer = treekit("verify", "b.zip")
    assert (answer.code, answer.lines[0]) == (0, "data: shop (the bundle)")


def test_data_are_given(treekit: Treekit, bundle: str) -> None:
    Path("shop.csv").rename("moved.csv")
    assert treekit("verify", bundle, "--data", "moved.csv").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.zip"], "none.zip: cannot be read: No such file or directory"),
        (["shop.csv"], "shop.csv: is no zip file that can be read"),
        (["b.zip", "--data", "none"], "'none' is neither a file, a folder nor a built-in data"),
        (["b.zip", "--sample", "0"], "'0' is not a whole number from 1"),
        (["b.zip", "--jobs", "0"], "'0' is not a whole number from 1"),
        (["b.zip", "--backend", "dask"], "--backend dask needs --scheduler ADDRESS"),
        (["b.zip", "--scheduler", "tcp://here:1"], "--scheduler goes with --backend dask only"),
        ([], "Missing argument 'BUNDLE'"),
    ],
)
def test_what_cannot_be_checked_is_a_line_and_code_2(
    treekit: Treekit, bundle: str, words: list[str], said: str
) -> None:
    answer = treekit("verify", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_changed_and_missing_data_are_told_by_name(treekit: Treekit, bundle: str) -> None:
    Path("shop.csv").write_text(SHOP.replace("23", "24"))
    answer = treekit("verify", bundle)
    assert (answer.code, answer.err) == (
        2,
        "error: shop: shop.csv does not hold the data of the comparison: it was changed since;"
        " find the old data, or compare anew\n",
    )
    Path("shop.csv").unlink()
    answer = treekit("verify", bundle)
    assert answer.code == 2
    assert "there is no shop.csv any more; give the file with --data" in answer.err


def test_the_options_of_compare_are_checked_before_any_work(treekit: Treekit) -> None:
    answer = treekit(*COMPARE, "--bundle-data")
    assert (answer.code, answer.err.partition(";")[0]) == (
        2, "error: --bundle-data goes with --bundle FILE",
    )  # fmt: skip
    assert treekit(*COMPARE, "--bundle", "none/b.zip").code == 2


def test_a_terminal_is_told_how_far_it_is(bundle: str) -> None:
    assert "verifying" in on_terminal("stderr", "verify", bundle)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_ends_with_130(bundle: str, folder: Path) -> None:
    slow = folder / "sitecustomize.py"
    slow.write_text(
        "import sys, time\n"
        "from treekit.comparing import running\n"
        "def wait(*_):\n"
        "    print('begun', file=sys.stderr, flush=True)\n"
        "    time.sleep(60)\n"
        "running.figures = wait\n"
    )
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    running = start("verify", bundle, env=os.environ | {"PYTHONPATH": path})
    assert running.stderr is not None
    assert running.stderr.readline() == "begun\n"
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err.strip()) == (130, "", "error: interrupted")
