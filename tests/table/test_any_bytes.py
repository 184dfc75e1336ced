"""Whatever a file holds, reading it gives a table or a clear error, never another exception."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.table.helpers import saved
from treekit.errors import DataError
from treekit.table import load_schema, read_like, read_table

from ..properties import examples

FUZZ = examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
CSV = st.one_of(
    st.text('a1.,-?" \n\r\ty;é', max_size=60).map(lambda text: f"a,y\n{text}".encode()),
    st.text('a1,"\n y', max_size=40).map(str.encode),
    st.lists(
        st.lists(st.sampled_from(["1", "x", "", "true", "?", '"q"', "inf", "1e9", "NaN"]))
    ).map(lambda rows: ("a,y\n" + "\n".join(map(",".join, rows))).encode()),
    st.binary(max_size=60),
)
HEADS = "@relation r\n|@attribute a |@attribute y |@data|{p,q}|numeric|date|string"
WORDS = st.lists(st.sampled_from([*HEADS.split("|"), *"1p,'\\%?{} \n\n"]), max_size=30).map("".join)
NAMES = st.text("pq.:,| \\\n", max_size=40)
KEYS = '[columns]|[[columns]]|target|others|kind|levels|name|"y"|"numeric"|"ordinal"|["u"]'
TOML = st.lists(st.sampled_from([*KEYS.split("|"), *"a1.={}[],\n\n"]), max_size=20).map("".join)


@FUZZ
@given(CSV, st.sampled_from([None, "nominal", "numeric", "ordinal", "ignore"]))
def test_csv(content: bytes, kind: str | None) -> None:
    path = saved("data.csv", content)
    with contextlib.suppress(DataError):
        table = read_table(path, target="y", kinds={"a": kind} if kind else None)
        read_like(path, table.schema)


@FUZZ
@given(WORDS)
def test_arff(text: str) -> None:
    with contextlib.suppress(DataError):
        read_table(saved("data.arff", text))


@FUZZ
@given(NAMES, NAMES)
def test_c45(names: str, data: str) -> None:
    saved("data.names", names)
    with contextlib.suppress(DataError):
        read_table(saved("data.data", data))


@FUZZ
@given(TOML)
def test_schema(text: str) -> None:
    with contextlib.suppress(DataError):
        load_schema(saved("s.toml", text))


@pytest.mark.parametrize("ending", ["csv.gz", "parquet", "arff", "data", "names", "test", "tsv"])
@pytest.mark.parametrize("content", [b"", b"\0", b"\xff\xfe", b"PAR1", b"\x1f\x8b", b"\n", b"\xe9"])
def test_scraps(ending: str, content: bytes) -> None:
    with pytest.raises(DataError):
        read_table(saved(f"data.{ending}", content), target="y")
