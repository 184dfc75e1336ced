"""Everything that can be wrong with a CSV file, and the whole message for it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.table.helpers import csv_message, csv_table, message, saved
from treekit.table import read_table

SHORT = "write an unknown value as an empty field or '?'"
LONG = "quote a field that holds the delimiter"
TRAILING = "take away the delimiter at the end of the line"
NOT_A_NUMBER = "mend it, add it to the missing marks, or declare the column nominal"


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        pytest.param("", {}, "data.csv: this file is empty", id="empty"),
        pytest.param(
            "\n \n", {}, "data.csv: this file holds nothing but blank lines", id="blank lines"
        ),
        pytest.param("a,y\n", {}, "data.csv: there are no rows", id="header only"),
        pytest.param(
            "a,y\n1,p\n2,q,3\n",
            {},
            f"data.csv, line 3: 3 fields, but the header has 2; {LONG}",
            id="too many fields",
        ),
        pytest.param(
            "a,y\n1,p,3\n2,q,3\n2,q,3\n2,q,3\n",
            {},
            "\n".join(
                f"data.csv, line {line}: 3 fields, but the header has 2; {LONG}"
                for line in (2, 3, 4)
            ),
            id="too many fields in every row",
        ),
        pytest.param(
            'a,y\n"1\n1",p\n\n2\n3,q\n',
            {},
            f"data.csv, line 5: 1 field, but the header has 2; {SHORT}",
            id="too few fields after a quoted line end",
        ),
        pytest.param(
            "a,b,y\n1,2,p\n2,3\n3\n",
            {"target": "a"},
            f"data.csv, line 3: 2 fields, but the header has 3; {SHORT}\n"
            f"data.csv, line 4: 1 field, but the header has 3; {SHORT}",
            id="too few fields",
        ),
        pytest.param(
            "a,b,y\n1,2,p\n2,3\n",
            {"target": "a", "kinds": {"y": "ignore"}},
            f"data.csv, line 3: 2 fields, but the header has 3; {SHORT}",
            id="too few fields, last column ignored",
        ),
        pytest.param(
            "a,y\n1,p,\n2,q,\n",
            {},
            f"data.csv, line 2: 3 fields, but the header has 2; {TRAILING}\n"
            f"data.csv, line 3: 3 fields, but the header has 2; {TRAILING}",
            id="trailing delimiter in rows",
        ),
        pytest.param(
            "a,y,\n1,p,\n2,q,\n",
            {},
            "data.csv: column 3 has no name; "
            "name it, or take away the delimiter at the end of each line",
            id="trailing delimiter everywhere",
        ),
        pytest.param(
            ",a,y\n0,1,p\n1,2,q\n",
            {},
            "data.csv: column 1 has no name; "
            "name it; pandas writes no such column with to_csv(index=False)",
            id="a pandas index",
        ),
        pytest.param(
            "a, ,y\n1,2,p\n", {}, "data.csv: column 2 has no name; name it", id="empty name"
        ),
        pytest.param(
            "a,y,a,y,a\n1,p,1,p,1\n",
            {},
            "data.csv: columns 1, 3, 5 are all named 'a'; give each its own name\n"
            "data.csv: columns 2, 4 are all named 'y'; give each its own name",
            id="duplicate names",
        ),
        pytest.param(
            'a,y\n1,p\n2,"q\n3,q\n',
            {},
            "data.csv, line 3: a quote is opened and never closed; "
            'close it; a quote inside quotes is written ""',
            id="open quote",
        ),
        pytest.param(
            "a;y\n1;p\n",
            {},
            "data.csv: the fields seem to be divided by semicolons; "
            "read it with pandas.read_csv(..., sep=';') and give the DataFrame",
            id="semicolons",
        ),
        pytest.param(
            "a\ty\n1\tp\n",
            {},
            "data.csv: the fields seem to be divided by tabs; name it .tsv",
            id="tabs",
        ),
        pytest.param(
            "a,y\n1,p\n",
            {"target": None},
            "data.csv: no target is named; name one of a, y",
            id="no target",
        ),
        pytest.param(
            "size,play\n1,p\n",
            {"target": "Plays"},
            "data.csv: target: there is no column 'Plays'; did you mean 'play'?",
            id="unknown target",
        ),
        pytest.param(
            "a,y\n1,p\n",
            {"weights": "w", "kinds": {"aa": "nominal", "a": "nominl"}},
            "data.csv: weights: there is no column 'w'; there is a, y\n"
            "data.csv: kinds: there is no column 'aa'; did you mean 'a'?\n"
            "kinds: unknown kind 'nominl' for column 'a'; did you mean 'nominal'?",
            id="unknown names, all at once",
        ),
        pytest.param(
            "a,y\n1,p\n",
            {"weights": "y"},
            "data.csv: 'y' is both target and weights",
            id="target as weights",
        ),
        pytest.param(
            "a,y\n1,p\n",
            {"kinds": {"y": "ignore"}},
            "data.csv: the target 'y' is ignored",
            id="ignored target",
        ),
        pytest.param(
            "a,y\n1,p\n",
            {"kinds": {"a": "ignore"}},
            "data.csv: there is no column besides the target",
            id="no column left",
        ),
        pytest.param(
            'a,y\n1,p\n"2\n3",\n\n4,?\n5,q\n',
            {},
            "data.csv: the target 'y' is unknown in 2 of 4 rows (line 3, line 6); "
            "mend them, or leave them out with drop_missing_target",
            id="unknown targets",
        ),
        pytest.param(
            "a,y\n" + "1,\n" * 7 + "1,p\n",
            {},
            "data.csv: the target 'y' is unknown in 7 of 8 rows "
            "(line 2, line 3, line 4, line 5, line 6, ...); "
            "mend them, or leave them out with drop_missing_target",
            id="many unknown targets",
        ),
        pytest.param(
            "a,y\n1,\n2,\n",
            {"drop_missing_target": True},
            "data.csv: the target 'y' is unknown in every row",
            id="no known target",
        ),
        pytest.param(
            "a,y\n1,p\ntwo,q\n",
            {"kinds": {"a": "numeric"}},
            f"data.csv, line 3, column 'a': 'two' is not a number; {NOT_A_NUMBER}",
            id="text in a numeric column",
        ),
        pytest.param(
            "a,y\nv,p\nw,q\nx,q\ny,q\nz,q\n",
            {"kinds": {"a": "numeric"}},
            f"data.csv, line 2, column 'a': 'v' is not a number; {NOT_A_NUMBER}\n"
            f"data.csv, line 3, column 'a': 'w' is not a number; {NOT_A_NUMBER}\n"
            f"data.csv, line 4, column 'a': 'x' is not a number; {NOT_A_NUMBER}\n"
            "data.csv, column 'a': and 2 more wrong values",
            id="much text in a numeric column",
        ),
        pytest.param(
            "a,y\n1,p\n-inf,q\n",
            {},
            "data.csv, line 3, column 'a': -inf is not a finite number; "
            "mend it, or add it to the missing marks",
            id="infinite",
        ),
        pytest.param(
            "a,y\n1,p\n1e999,q\n",
            {},
            "data.csv, line 3, column 'a': inf is not a finite number; "
            "mend it, or add it to the missing marks",
            id="too great",
        ),
        pytest.param(
            "a,y\nS,p\nM,q\n",
            {"kinds": {"a": "ordinal"}},
            "data.csv, column 'a': the order of its levels is not known: 'M', 'S'; "
            "list them in a schema file, or declare the column nominal",
            id="ordinal without an order",
        ),
        pytest.param(
            "a,w,y\n1,1,p\n2,-1,q\n",
            {"weights": "w"},
            "data.csv, line 3, column 'w': a weight is negative; "
            "a weight must be a number, 0 or more",
            id="negative weight",
        ),
        pytest.param(
            "a,w,y\n1,,p\n2,1,q\n",
            {"weights": "w"},
            "data.csv, line 2, column 'w': a weight is missing; "
            "a weight must be a number, 0 or more",
            id="missing weight",
        ),
        pytest.param(
            "a,w,y\n1,0,p\n2,0,q\n",
            {"weights": "w"},
            "data.csv, column 'w': all the weights are 0",
            id="no weight at all",
        ),
        pytest.param(
            "a,w,y\n1,heavy,p\n2,1,q\n",
            {"weights": "w"},
            f"data.csv, line 2, column 'w': 'heavy' is not a number; {NOT_A_NUMBER}",
            id="weight of text",
        ),
        pytest.param(
            "a,w,y\n1,inf,p\n2,1,q\n",
            {"weights": "w"},
            "data.csv, line 2, column 'w': inf is not a finite number; "
            "mend it, or add it to the missing marks",
            id="infinite weight",
        ),
        pytest.param(
            b"a,y\nx,p\n\xe9t\xe9,q\n",
            {},
            "data.csv, line 3: byte 0xE9 is not utf-8 text; "
            "save it as UTF-8, or give its encoding, such as 'latin-1' or 'cp1252'",
            id="latin-1 taken for utf-8",
        ),
        pytest.param(
            b"a,y\n" + "é,p\n".encode() + "é,q\n".encode("latin-1"),
            {},
            "data.csv, line 3: byte 0xE9 is not utf-8 text; "
            "save it as UTF-8, or give its encoding, such as 'latin-1' or 'cp1252'",
            id="mixed encodings",
        ),
        pytest.param(
            "a,y\né,p\n",
            {"encoding": "ascii"},
            "data.csv, line 2: byte 0xC3 is not ascii text; "
            "give another encoding, such as 'utf-8' or 'latin-1'",
            id="another wrong encoding",
        ),
        pytest.param(
            "a,y\n1,p\n",
            {"encoding": "latin-x"},
            "data.csv: there is no encoding 'latin-x'; "
            "there is 'utf-8', 'latin-1', 'cp1252', 'utf-16' and what else Python has",
            id="unknown encoding",
        ),
        pytest.param(
            "a,y\n1,p\n".encode("utf-16"),
            {},
            "data.csv, line 1: byte 0xFF is not utf-8 text; "
            "it begins like UTF-16: give encoding='utf-16'",
            id="utf-16",
        ),
        pytest.param(
            b"a,y\n1,p\n\x00,q\n",
            {},
            "data.csv, line 3: there is a NUL byte, so this is not plain text; "
            "if it was saved as UTF-16, give encoding='utf-16'",
            id="NUL byte",
        ),
        pytest.param(
            gzip.compress(b"a,y\n1,p\n"),
            {},
            "data.csv: this is not text but compressed by gzip; "
            "name it .csv.gz or .tsv.gz, or unpack it",
            id="gzip in disguise",
        ),
        pytest.param(
            b"PK\x03\x04\x14\x00",
            {},
            "data.csv: this is not text but a zip archive (Excel's .xlsx is one); "
            "save the sheet as CSV",
            id="xlsx in disguise",
        ),
        pytest.param(
            b"PAR1\x15\x04",
            {},
            "data.csv: this is not text but a Parquet file; name it .parquet",
            id="parquet in disguise",
        ),
    ],
)
def test_message(text: str | bytes, options: dict[str, Any], expected: str) -> None:
    assert csv_message(text, **options) == expected


def test_bad_bytes_beyond_the_first_block_are_named_by_line() -> None:
    text = b"a,y\n" + b"x,p\n" * 300_000 + b"\xff,q\n"
    assert csv_message(text) == (
        "data.csv, line 300002: byte 0xFF is not utf-8 text; "
        "save it as UTF-8, or give its encoding, such as 'latin-1' or 'cp1252'"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_they_end_in(end: str) -> None:
    bad = end.join(["a,y", '"1', '1",p', "", "é,q"]).encode("latin-1")
    assert csv_message(bad).startswith("data.csv, line 5: byte 0xE9 is not utf-8 text; ")
    short = end.join(["a,b,y", '"1', '1",2,p', "", "3,4", ""])
    assert csv_message(short) == f"data.csv, line 5: 2 fields, but the header has 3; {SHORT}"


def test_problems_of_several_columns_are_told_at_once() -> None:
    kinds = {"a": "numeric", "b": "numeric"}
    assert csv_message("a,b,y\nx,1,p\n2,z,q\n", kinds=kinds) == (
        f"data.csv, line 2, column 'a': 'x' is not a number; {NOT_A_NUMBER}\n"
        f"data.csv, line 3, column 'b': 'z' is not a number; {NOT_A_NUMBER}"
    )


def test_a_short_row_where_every_row_ends_empty() -> None:
    rows = "a,b,y\n" + "p,1,\n" * 50 + "p,1\n" + "p,1,\n" * 50
    assert csv_message(rows, target="a") == (
        f"data.csv, line 52: 2 fields, but the header has 3; {SHORT}"
    )


def test_no_such_file_names_its_neighbours() -> None:
    for name in ("weather.csv", "Weather.tsv", "zoo.csv"):
        saved(name, "a,y\n1,p\n")
    assert message(read_table, "wether.csv", target="y") == (
        "wether.csv: there is no such file; near it: weather.csv, Weather.tsv"
    )


def test_no_such_file_and_nothing_near() -> None:
    assert message(read_table, "data.csv", target="y") == "data.csv: there is no such file"


def test_no_such_folder() -> None:
    assert message(read_table, "nowhere/data.csv", target="y") == (
        "nowhere/data.csv: there is no such file; there is no folder 'nowhere' either"
    )


def test_a_folder_is_not_a_file() -> None:
    Path("data.csv").mkdir()
    assert message(read_table, "data.csv", target="y") == (
        "data.csv: this is a folder; give a file in it"
    )


def test_unknown_ending() -> None:
    assert message(read_table, saved("data.txt", "a,y\n1,p\n"), target="y") == (
        "data.txt: files that end in '.txt' are not known; it must be one of "
        ".csv .csv.gz .tsv .tsv.gz .parquet .arff .names .data .test"
    )


def test_an_excel_workbook_is_named_as_such() -> None:
    assert message(read_table, saved("data.xlsx", b"PK\x03\x04\x14"), target="y") == (
        "data.xlsx: this is not text but a zip archive (Excel's .xlsx is one); "
        "save the sheet as CSV"
    )


def test_a_gz_file_that_is_not_one() -> None:
    assert message(read_table, saved("data.csv.gz", "a,y\n1,p\n"), target="y") == (
        "data.csv.gz: this is not a whole gzip file: Not a gzipped file (b'a,')"
    )


def test_a_gz_file_cut_short() -> None:
    packed = gzip.compress(b"a,y\n" + b"1,p\n" * 100)[:-12]
    assert message(read_table, saved("data.csv.gz", packed), target="y").startswith(
        "data.csv.gz: this is not a whole gzip file: "
    )


def test_other_objects_are_no_data() -> None:
    assert message(read_table, [[1, 2]], target="y") == (
        "data cannot be read from an object of type list; "
        "give a path, a pandas DataFrame or a polars DataFrame"
    )


def test_one_good_file_for_all_these_bad_ones() -> None:
    assert csv_table("a,y\n1,p\n2,q\n").n_rows == 2
