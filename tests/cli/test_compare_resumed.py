"""`treekit compare`, killed or interrupted in the middle: what was done is not done again."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from sklearn.datasets import load_iris

from treekit.cli.app import program

from .conftest import start

N_FOLDS = 160
SOME = 20
STORE = ("--store", "results.db")


def n_kept() -> int:
    """How many outcomes are in the results file."""
    if not Path("results.db").is_file():
        return 0
    with contextlib.closing(sqlite3.connect("results.db", timeout=30)) as store:
        try:
            return int(store.execute("SELECT count(*) FROM outcome").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # the table is not made yet


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def words(tmp_path_factory) -> tuple[str, ...]:
    """A comparison of a file: a process that need not load scikit-learn is there sooner."""
    path = tmp_path_factory.mktemp("data") / "iris.csv"
    table = load_iris(as_frame=True)
    kinds = table.target_names[table.target]
    table.data.assign(kind=kinds).to_csv(path, index=False)
    return "compare", "id3", "c45", "--data", str(path), "--target", "kind", "--repeats", "8"


@pytest.fixture(scope="module")
def figures(words) -> str:
    """What the command prints when nobody disturbs it."""
    return CliRunner().invoke(program, [*words, "--jobs", "1"]).stdout


def test_after_a_kill_only_what_is_missing_is_run(treekit, words, figures):
    command = start(*words, *STORE, "--jobs", "2", start_new_session=True)
    until(lambda: n_kept() >= SOME)
    command.kill()
    command.wait()
    until(lambda: is_gone(command.pid))
    kept = n_kept()
    assert SOME <= kept < N_FOLDS
    again = treekit(*words, *STORE, "--jobs", "1")
    assert again.code == 0
    assert again.notes == [
        f"{N_FOLDS} folds: {kept} from results.db, {N_FOLDS - kept} run, 0 failed"
    ]
    assert again.out == figures


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_keeps_what_is_done_and_ends_everything(treekit, words, figures, jobs):
    words = (*words, *STORE, "-o", "folds.csv")
    command = start(*words, "--jobs", jobs, start_new_session=True)
    until(lambda: n_kept() >= SOME)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does: to all of them
    out, err = command.communicate(timeout=30)
    assert (command.returncode, out, err.strip()) == (130, "", "error: interrupted")
    until(lambda: is_gone(command.pid), 5)
    kept = n_kept()
    assert SOME <= kept < N_FOLDS
    assert sorted(p.name for p in Path().iterdir() if "folds" in p.name) == []
    again = treekit(*words, "--jobs", "1")
    assert again.out == figures
    assert re.search(rf"{kept} from results.db, {N_FOLDS - kept} run", again.err)
