"""The results file: every outcome is committed as it arrives, and is found again by its key.

One SQLite file. What decides an outcome (data, contender, fold, seed, versions) is its key, so a
changed recipe or data file finds nothing of its own here, and all else is still there.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from attrs import field, frozen

from treekit.errors import Problem, TreekitError

FORMAT: Final = 1
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS outcome (
    key TEXT PRIMARY KEY, data TEXT NOT NULL, contender TEXT NOT NULL,
    repeat INTEGER NOT NULL, fold INTEGER NOT NULL, seed INTEGER NOT NULL,
    failure TEXT NOT NULL, metrics TEXT NOT NULL, finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID;
"""


@frozen
class Outcome:
    """What came of one contender on one fold: its metrics by name, or why it failed.

    n_learned, n_tested  the rows of the fold, each counted once; 0: not said. They are the plan's,
                         and not in the results file
    """

    key: str
    data: str
    contender: str
    repeat: int
    fold: int
    seed: int
    metrics: dict[str, float] = field(factory=dict)
    failure: str = ""
    n_learned: int = 0
    n_tested: int = 0


class Store:
    """An open results file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def found(self, keys: Iterable[str]) -> dict[str, Outcome]:
        """The outcomes there are of these keys, without those that failed: they are tried again."""
        wanted = set(keys)
        rows = self.connection.execute(
            "SELECT key, data, contender, repeat, fold, seed, metrics FROM outcome"
            " WHERE failure = ''"
        )
        return {
            key: Outcome(key, data, contender, repeat, fold, seed, json.loads(metrics))
            for key, data, contender, repeat, fold, seed, metrics in rows
            if key in wanted
        }

    def keep(self, outcome: Outcome) -> None:
        """Commit one outcome."""
        with self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO outcome"
                " (key, data, contender, repeat, fold, seed, failure, metrics)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    outcome.key, outcome.data, outcome.contender, outcome.repeat, outcome.fold,
                    outcome.seed, outcome.failure, json.dumps(outcome.metrics),
                ),
            )  # fmt: skip


@contextmanager
def opened(path: str | os.PathLike[str] | None) -> Iterator[Store]:
    """The results file at this path, made if it is not there; None: in memory only."""
    name = ":memory:" if path is None else os.fspath(path)
    try:
        connection = sqlite3.connect(name, timeout=30)
    except sqlite3.Error as error:
        raise TreekitError(Problem(f"cannot be opened: {error}", name)) from None
    try:
        _prepare(connection, name)
        yield Store(connection)
    finally:
        connection.close()


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # A commit outlives the end of the process, however it comes; that of the machine it may
        # not, but the file stays whole. Waiting for the disk would take longer than small folds.
        connection.execute("PRAGMA synchronous = NORMAL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        remedy = "name another file, or remove this one"
        what = f"this is no results file: {error}"
        raise TreekitError(Problem(what, name, remedy)) from None
    if version not in (0, FORMAT) or (version == 0 and tables):
        what = "this is no results file of this treekit"
        raise TreekitError(Problem(what, name, "name another file"))
    with connection:
        connection.executescript(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {FORMAT}")


def as_rows(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Outcomes as flat rows, for tables."""
    return [
        {
            "data": o.data,
            "contender": o.contender,
            "repeat": o.repeat,
            "fold": o.fold,
            "seed": o.seed,
            **o.metrics,
            "failure": o.failure,
        }
        for o in outcomes
    ]
