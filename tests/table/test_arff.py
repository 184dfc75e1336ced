"""ARFF files."""

from __future__ import annotations

import pytest

from tests.table.helpers import message, saved, values
from treekit.table import Column, Table, read_table

HEAD = "@relation r\n@attribute a numeric\n@attribute y {p,q}\n@data\n"
WEATHER = r"""% Weather, with everything that the format allows
@RELATION 'the weather'

@ATTRIBUTE 'out look' {sunny, 'over cast', "ra'in"}
@attribute temp real
@attribute	count	integer
@attribute "a note" string
@attribute play{yes,no}

@DATA
% a comment
sunny, 85 , 1, 'it\'s hot, very', no

'over cast',?,2,plain,yes
"ra'in",-3.5,?,?,"yes"
"""


def arff_table(text: str) -> Table:
    return read_table(saved("data.arff", text))


def test_attributes_say_what_the_columns_are() -> None:
    assert arff_table(WEATHER).columns == (
        Column("out look", "nominal", ("sunny", "over cast", "ra'in")),
        Column("temp", "numeric"),
        Column("count", "numeric"),
        Column("a note", "nominal", ("it's hot, very", "plain")),
    )


def test_the_last_attribute_is_the_class() -> None:
    assert arff_table(WEATHER).schema.target == Column("play", "nominal", ("yes", "no"))


def test_another_target_may_be_named() -> None:
    table = read_table(saved("data.arff", HEAD + "1,p\n2,q\n"), target="a")
    assert table.task == "regression"


def test_rows() -> None:
    table = arff_table(WEATHER)
    assert values(table, "out look") == ["sunny", "over cast", "ra'in"]
    assert values(table, "temp") == [85.0, None, -3.5]
    assert values(table, "count") == [1.0, 2.0, None]
    assert values(table, "a note") == ["it's hot, very", "plain", None]
    assert table.y.tolist() == [1.0, 0.0, 0.0]


def test_a_date_may_be_left_out() -> None:
    text = HEAD.replace("@data", "@attribute d date 'yyyy'\n@data") + "1,p,2020\n2,q,2021\n"
    table = read_table(saved("data.arff", text), target="y", kinds={"d": "ignore"})
    assert [column.name for column in table.columns] == ["a"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            HEAD + "{0 1, 1 p}\n",
            "data.arff, line 5: this is a sparse row, which is not read; "
            "write every value of every row",
        ),
        (
            HEAD + "1,p,{3}\n",
            "data.arff, line 5: instance weights are not read; "
            "make the weight an attribute and name it as weights",
        ),
        (
            "@relation r\n@attribute d date 'yyyy'\n@attribute y {p,q}\n@data\n2020,p\n",
            "data.arff, line 2: 'd' is a date attribute; "
            "make a number of it, or leave it out: kinds={'d': 'ignore'}",
        ),
        (
            "@relation r\n@attribute b relational\n@attribute y {p,q}\n@data\n",
            "data.arff, line 2: 'b' is a relational attribute; "
            "make a number of it, or leave it out: kinds={'b': 'ignore'}",
        ),
        (
            HEAD + "1,p\n% two\nx,q\n",
            "data.arff, line 7, column 'a': 'x' is not a number; "
            "mend it, add it to the missing marks, or declare the column nominal",
        ),
        (
            HEAD + "1,pp\n",
            "data.arff, line 5, column 'y': 'pp' is not one of the 2 levels; did you mean 'p'?",
        ),
        (HEAD + "1\n", "data.arff, line 5: 1 value, but there are 2 attributes"),
        (HEAD + "1,p,q\n", "data.arff, line 5: 3 values, but there are 2 attributes"),
        (HEAD + "1,'p\n", 'data.arff, line 5: a quote is opened and never closed: "\'p"'),
        (HEAD, "data.arff: there are no rows"),
        (
            "@relation r\n@attribute a numeric\n",
            "data.arff: there is no @data line, so this is not a whole ARFF file",
        ),
        ("@relation r\n@data\n1\n", "data.arff: there is no @attribute line"),
        (
            "@relation r\n@atribute a numeric\n",
            "data.arff, line 2: '@atribute' is no part of a header; did you mean '@attribute'?",
        ),
        (
            "@attribute a\n",
            "data.arff, line 1: this attribute has no name or no type; "
            "write @attribute name numeric, or @attribute name {a, b}",
        ),
        (
            "@attribute a nummeric\n",
            "data.arff, line 1: 'a' has an unknown type 'nummeric'; did you mean 'numeric'?",
        ),
        ("@attribute a {p,q\n", "data.arff, line 1: the levels of 'a' are not closed by }"),
        ("@attribute a {p,q,p}\n", "data.arff, line 1: 'a' lists the level 'p' twice"),
        (
            "@attribute a real\n@attribute a real\n@data\n1,2\n",
            "data.arff: columns 1, 2 are all named 'a'; give each its own name",
        ),
    ],
)
def test_message(text: str, expected: str) -> None:
    assert message(arff_table, text) == expected
