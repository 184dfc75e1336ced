"""The table of fidelity: what it counts, and how it gets there."""

from __future__ import annotations

import pytest

from .fidelity import UNEXPLAINED, Compared, table_of

VERDICTS = [
    Compared("B", "one:full", runs=5),
    Compared("B", "two:full", "a tie", "root: test", runs=5),
    Compared("B", "three:full", "a tie", "root: cut", runs=5),
    Compared("A", "one", UNEXPLAINED, "root: leaf"),
]

TABLE = """\
program  compared  identical  explained  unexplained  not yet
A               1          0          0            1        0
B               3          1          2            0        2

program  runs  explained differences
B           2  a tie

A one [unexplained] root: leaf"""


def test_each_program_has_a_line_each_reason_has_one_and_so_has_what_is_unexplained() -> None:
    assert "\n".join(table_of(VERDICTS)) == TABLE


def test_every_difference_is_told_if_asked() -> None:
    told = list(table_of(VERDICTS, every=True))[-3:]
    assert told == [
        "B two:full [a tie] root: test",
        "B three:full [a tie] root: cut",
        "A one [unexplained] root: leaf",
    ]


def test_where_all_is_identical_nothing_follows_the_counts() -> None:
    assert len(list(table_of([Compared("A", "one")]))) == 2


def test_whatever_takes_the_fixture_is_marked(
    fidelity: object, request: pytest.FixtureRequest
) -> None:
    assert request.node.get_closest_marker("fidelity") is not None
