"""CSV and TSV files, read by pandas' C parser.

Rules. The first line that is not blank holds the names; blank lines are skipped. Fields are
quoted by double quotes, a quote inside them is doubled. Text is kept exactly as it stands, blanks
included. The text is UTF-8, with or without a byte-order mark, unless an encoding is given. A
name ending in .gz is unpacked first.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from treekit.errors import DataError, Problem
from treekit.table.files import (
    checked_path,
    decoded,
    gunzipped,
    refuse_disguise,
    refuse_nul,
    undecodable,
)
from treekit.table.infer import marked_numbers
from treekit.table.lines import data_lines, records, refuse_open_quote, refuse_uneven
from treekit.table.plan import refuse_bad_names
from treekit.table.raw import Ask, ColumnSpec, Labels, Numbers, RawColumn

if TYPE_CHECKING:
    import pandas as pd


@frozen(eq=False)
class Delimited:
    """A delimited file with its header read. `data` holds UTF-8 bytes that are not on disk,
    `line_end` the end of lines that pandas must be told of.
    """

    source: str
    delimiter: str
    names: tuple[str, ...]
    path: Path | None = None
    data: bytes | None = field(default=None, repr=False)
    declared: Mapping[str, ColumnSpec] = field(factory=dict)
    own_target: str | None = None
    line_end: str | None = None

    def content(self) -> bytes:
        """All the bytes, for the paths that only errors take."""
        if self.data is not None:
            return self.data
        assert self.path is not None
        return self.path.read_bytes()

    @cached_property
    def lines(self) -> list[int]:
        return data_lines(self.content(), self.delimiter)

    def place(self, row: int) -> str:
        return f"line {self.lines[row]}"

    def load(self, asked: Mapping[str, Ask], missing: Sequence[str]) -> dict[str, RawColumn]:
        texts = [name for name, ask in asked.items() if ask == "text"]
        frame = _parsed(self, texts, missing)
        _refuse_short(self, frame)
        again = [name for name in asked if name not in texts and not _as_written(frame[name])]
        if again:
            retold = _parsed(self, again, missing, only=again)
            return {name: _raw((retold if name in again else frame)[name]) for name in asked}
        return {name: _raw(frame[name]) for name in asked}


def open_delimited(path: str | Path, delimiter: str, encoding: str | None) -> Delimited:
    """Open a file: everything that can be seen without parsing it is checked here."""
    source = str(path)
    file = checked_path(path)
    on_disk: Path | None = None
    if file.suffix.lower() == ".gz":
        data = gunzipped(file, source)
    elif encoding is None or encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
        on_disk, data = file, b""
    else:
        data = file.read_bytes()
    if on_disk is not None:
        head = _head(on_disk, source)
    else:
        refuse_disguise(data[:16], source)
        if encoding is not None:
            data = decoded(data, encoding, source).encode()
        refuse_nul(data, source)
        head = data
    names = _header(head, delimiter, source)
    return Delimited(
        source,
        delimiter,
        names,
        on_disk,
        None if on_disk else data,
        line_end="\r" if _ends_in_return(head) else None,
    )


def _ends_in_return(head: bytes) -> bool:
    """Whether lines end in a bare carriage return. Left to itself, pandas swallows the delimiter
    that begins a line after a blank one in such a file.
    """
    found = re.search(rb"\r*\n|\r", head)
    return found is not None and found[0] == b"\r"


def _head(file: Path, source: str) -> bytes:
    """The first lines of a file on disk, the whole of which is searched for NUL bytes."""
    block = bytearray(1 << 20)
    with file.open("rb", buffering=0) as stream:
        size = stream.readinto(block)
        head = bytes(block[:size])
        refuse_disguise(head[:16], source)
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise undecodable(head, 0, "utf-8", source)
        while size:
            if block.find(0, 0, size) >= 0:
                refuse_nul(file.read_bytes(), source)
            size = stream.readinto(block)
    if len(head) < len(block):
        return head
    end = head.rfind(b"\n")
    return head[:end] if end >= 0 else file.read_bytes()


def _header(head: bytes, delimiter: str, source: str) -> tuple[str, ...]:
    decoded(head, "utf-8", source)
    try:
        rows = [fields for _, fields in zip(range(2), records(head, delimiter), strict=False)]
    except csv.Error:
        rows = []
    if not rows:
        raise DataError(Problem("this file holds nothing but blank lines", source))
    names = tuple(rows[0][1])
    if len(names) == 1 and delimiter == ",":
        _refuse_other_delimiter(names[0], source)
    refuse_bad_names(names, source)
    if len(rows) > 1 and len(rows[1][1]) != len(names):
        refuse_uneven(head, delimiter, names, source)
    return names


def _refuse_other_delimiter(header: str, source: str) -> None:
    for other, called in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        if other in header:
            remedy = (
                "name it .tsv"
                if other == "\t"
                else f"read it with pandas.read_csv(..., sep={other!r}) and give the DataFrame"
            )
            raise DataError(Problem(f"the fields seem to be divided by {called}", source, remedy))


def _parsed(
    opened: Delimited, texts: Iterable[str], missing: Sequence[str], only: Sequence[str] = ()
) -> pd.DataFrame:
    """The frame that pandas reads: `texts` exactly as written, marks and all; of the others,
    marks are NaN. Without `only`, all columns are read, because pandas checks the number of
    fields only then.
    """
    import pandas as pd

    texts = set(texts)
    options: dict[str, Any] = {"usecols": list(only)} if only else {}
    if opened.line_end is not None:
        options["lineterminator"] = opened.line_end
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1):
        options["float_precision"] = "round_trip"
    # Marks that are numbers are left to the coding: pandas would let them mark other text too.
    words = [mark for mark in missing if not marked_numbers((mark,))]
    marks: Any = words
    if texts:
        marks = {name: [] if name in texts else words for name in opened.names}
    content: Any = opened.path if opened.data is None else io.BytesIO(opened.data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)
            frame: pd.DataFrame = pd.read_csv(
                content,
                sep=opened.delimiter,
                header=0,
                names=list(opened.names),
                index_col=False,
                dtype=dict.fromkeys(texts, "str"),
                na_values=marks,
                keep_default_na=False,
                encoding="utf-8",
                compression=None,
                **options,
            )
        return frame
    except UnicodeDecodeError:
        decoded(opened.content(), "utf-8", opened.source)
        raise
    except pd.errors.ParserError:
        refuse_uneven(opened.content(), opened.delimiter, opened.names, opened.source)
        refuse_open_quote(opened.content(), opened.delimiter, opened.source)


def _refuse_short(opened: Delimited, frame: pd.DataFrame) -> None:
    """Raise for rows with too few fields, which pandas fills up.

    Only a row whose last field is empty can be one, and the number of delimiters tells whether
    there is one at all, once the quoted fields are taken away. Stray quotes are beyond counting.
    """
    last = frame[opened.names[-1]]
    if not (last.isna() | (last == "")).any():
        return
    content = opened.content()
    bare = content
    if b'"' in content:
        end = opened.delimiter.encode() + rb"\r\n"
        quoted = rb'(?:(?<=[%b])|\A)"[^"]*(?:""[^"]*)*"(?=[%b]|\Z)' % (end, end)
        bare = re.sub(quoted, b"", content)
    expected = (len(opened.names) - 1) * (len(frame) + 1)
    if b'"' in bare or bare.count(opened.delimiter.encode()) != expected:
        refuse_uneven(content, opened.delimiter, opened.names, opened.source)


def _as_written(series: pd.Series[Any]) -> bool:
    """Whether nothing of a column's text was lost: it is numbers, or text throughout.

    pandas makes truth values of true and false, and mixes types where the parts of a long column
    look different.
    """
    import pandas as pd

    if pd.api.types.is_bool_dtype(series.dtype):
        return False
    if pd.api.types.is_numeric_dtype(series.dtype):
        return True
    return pd.api.types.infer_dtype(series, skipna=True) in ("string", "empty")


def _raw(series: pd.Series[Any]) -> RawColumn:
    import pandas as pd

    if pd.api.types.is_numeric_dtype(series.dtype):
        return Numbers(series.to_numpy(dtype=np.float64))
    codes, labels = pd.factorize(series)
    return Labels(codes.astype(np.int64, copy=False), tuple(map(str, labels)))
