"""How files are dealt out to workers: the longest first, and what has trees in common together."""

from __future__ import annotations

from pathlib import Path

import pytest

from .workers import LONGEST, TOGETHER, place_of, scope_of

TESTS = Path(__file__).parent


@pytest.mark.parametrize("file", sorted({*LONGEST, *TOGETHER, *TOGETHER.values()}))
def test_every_file_that_is_named_is_there(file: str) -> None:
    assert (TESTS / file).is_file()


def test_the_longest_come_first_and_the_others_stay_in_their_order() -> None:
    others = ["tests/b.py", "tests/a.py"]
    longest = [f"tests/{file}" for file in LONGEST]
    assert sorted([*others, *reversed(longest)], key=place_of) == [*longest, *others]


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("golden/test_rpart.py", "golden/test_rpart_tables.py", True),
        ("golden/test_rpart.py", "golden/test_rpart_surrogates.py", True),
        ("golden/test_rpart.py", "golden/test_c45.py", False),
        ("test_a.py", "test_b.py", False),
        ("a/test_a.py", "b/test_a.py", False),
    ],
)
def test_what_has_trees_in_common_goes_to_one_worker(one: str, other: str, together: bool) -> None:
    assert (scope_of(f"tests/{one}") == scope_of(f"tests/{other}")) is together
