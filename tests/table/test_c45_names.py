"""C4.5's .names and .data files."""

from __future__ import annotations

import pytest

from tests.table.helpers import message, saved, values
from treekit.table import Column, Table, read_like, read_table

NAMES = r"""| The golf data, with everything that the format allows
Play, Don't Play.       | classes

outlook: sunny, over   cast,
    rain.
temp: continuous.       | degrees
we\:ird\, name: true, false
id: ignore.
spot: discrete 3.
v1.5: a.b, c
"""
DATA = r"""sunny, 85.5, true, 7, q, a.b, Play
over cast, ?, false, 8, p, c, Don't Play.
| nothing here
rain, -999, false, 8, q, c, Don't  Play | fore!

"""


def c45_table(names: str, data: str, given: str = "golf.data") -> Table:
    saved("golf.names", names)
    saved("golf.data", data)
    return read_table(given)


@pytest.mark.parametrize("given", ["golf.names", "golf.data"])
def test_either_file_may_be_given(given: str) -> None:
    assert c45_table(NAMES, DATA, given).n_rows == 3


def test_names_say_what_the_columns_are() -> None:
    table = c45_table(NAMES, DATA)
    assert table.columns == (
        Column("outlook", "nominal", ("sunny", "over cast", "rain")),
        Column("temp", "numeric"),
        Column("we:ird, name", "nominal", ("true", "false")),
        Column("spot", "nominal", ("q", "p")),
        Column("v1.5", "nominal", ("a.b", "c")),
    )
    assert table.schema.target == Column("class", "nominal", ("Play", "Don't Play"))


def test_cases() -> None:
    table = c45_table(NAMES, DATA)
    assert values(table, "outlook") == ["sunny", "over cast", "rain"]
    assert table.y.tolist() == [0.0, 1.0, 1.0]


def test_minus_999_stays_a_number_and_a_question_mark_is_unknown() -> None:
    assert values(c45_table(NAMES, DATA), "temp") == [85.5, None, -999.0]


def test_a_test_file_goes_with_the_same_names() -> None:
    schema = c45_table(NAMES, DATA).schema
    saved("golf.test", "rain, 1, true, 7, q, c, Play\n")
    assert read_like("golf.test", schema).y.tolist() == [0.0]


def test_cases_to_predict_need_no_class() -> None:
    schema = c45_table(NAMES, DATA).schema
    saved("golf.test", "rain, 1, true, 7, q, c\n")
    assert read_like("golf.test", schema).target_values is None


@pytest.mark.parametrize(
    ("names", "data", "expected"),
    [
        (
            NAMES,
            "suny, 85.5, true, 7, q, a.b, Play\n",
            "golf.data, line 1, column 'outlook': 'suny' is not one of the 3 levels; "
            "did you mean 'sunny'?",
        ),
        (
            NAMES,
            "\nsunny, warm, true, 7, q, a.b, Play\n",
            "golf.data, line 2, column 'temp': 'warm' is not a number; "
            "mend it, add it to the missing marks, or declare the column nominal",
        ),
        (
            NAMES,
            "sunny, 1, true, 7, q, a.b, Pay\n",
            "golf.data, line 1, column 'class': 'Pay' is not one of the 2 levels; "
            "did you mean 'Play'?",
        ),
        (
            NAMES,
            "sunny, 1, true, 7, q, a.b, Play\nsunny, 1\n",
            "golf.data, line 2: 2 values, "
            "but there are 7 columns in the .names file, the class included",
        ),
        (
            "p, q.\nx continuous.",
            "1,p\n",
            "golf.names, line 2: 'x continuous' should be followed by a colon and its values; "
            "an attribute is written 'name: continuous.' or 'name: a, b, c.'",
        ),
        (
            "p, q.\nx: some.",
            "1,p\n",
            "golf.names, line 2: attribute 'x' cannot be 'some'; "
            "it must be continuous, ignore, discrete N, or a list of two values or more",
        ),
        (
            "x.\nx: p, q.\nz: continuous.",
            "1,p\n",
            "golf.names, line 1: the first entry names the attribute 'x', as C5.0 allows; "
            "list the classes there, and put the class last in the data",
        ),
        (
            "p, q.\nx: a, b, a.",
            "a,p\n",
            "golf.names, line 2: attribute 'x' lists the value 'a' twice",
        ),
        (
            "p, q.\nx: a, b.\nx: a, b.",
            "a,p\n",
            "golf.names, line 3: attribute 'x' is described twice",
        ),
        ("p, q.", "a,p\n", "golf.names: there are no attributes after the classes"),
        ("| only a comment", "a,p\n", "golf.names: there are no names in this file"),
        ("p, q.\nx: a,", "a,p\n", "golf.names: the values after 'a' are cut off"),
        (
            "p, q.\nx: discrete 1.",
            "a,p\nb,q\n",
            "golf.data: attribute 'x' has 2 values, but is discrete 1; "
            "raise the number in the .names file",
        ),
        (
            "p, q.\nclass: continuous.",
            "1,p\n",
            "golf.names: columns 1, 2 are all named 'class'; give each its own name",
        ),
        ("p, q.\nx: continuous.", "| none\n", "golf.data: there are no rows"),
    ],
)
def test_message(names: str, data: str, expected: str) -> None:
    assert message(c45_table, names, data) == expected


@pytest.mark.parametrize(("given", "lacking"), [("a.data", "a.names"), ("a.names", "a.data")])
def test_one_file_without_the_other(given: str, lacking: str) -> None:
    assert message(read_table, saved(given, "p, q.\n")) == (
        f"{given}: there is no {lacking!r}; "
        f"C4.5's two files belong together: put {lacking!r} beside it"
    )
