"""Paths and bytes: what can be wrong with a file before anything is read from it."""

from __future__ import annotations

import difflib
import gzip
import os
import re
import zlib
from pathlib import Path

from treekit.errors import DataError, Problem

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_DISGUISES = (
    (b"PK\x03\x04", "a zip archive (Excel's .xlsx is one)", "save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"),
    (b"PAR1", "a Parquet file", "name it .parquet"),
    (b"\x1f\x8b", "compressed by gzip", "name it .csv.gz or .tsv.gz, or unpack it"),
    (b"BZh", "compressed by bzip2", "unpack it"),
    (b"\xfd7zXZ", "compressed by xz", "unpack it"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
)


def checked_path(path: str | Path, what: str = "file") -> Path:
    """The path of a file that is there, can be read, and is not empty."""
    file = Path(path).expanduser()
    if file.is_dir():
        raise DataError(Problem("this is a folder", str(path), f"give a {what} in it"))
    if not file.exists():
        raise DataError(Problem(f"there is no such {what}", str(path), _near(file)))
    if not os.access(file, os.R_OK):
        raise DataError(Problem(f"this {what} may not be read", str(path), "see its permissions"))
    if file.stat().st_size == 0:
        raise DataError(Problem(f"this {what} is empty", str(path)))
    return file


def _near(file: Path) -> str:
    """Files of the same folder with a name like this one."""
    if not file.parent.is_dir():
        return f"there is no folder {str(file.parent)!r} either"
    names = {p.name.lower(): p.name for p in sorted(file.parent.iterdir()) if p.is_file()}
    near = difflib.get_close_matches(file.name.lower(), list(names), n=3, cutoff=0.6)
    return f"near it: {', '.join(names[n] for n in near)}" if near else ""


def refuse_disguise(head: bytes, source: str) -> None:
    """Raise if the first bytes show that a text file is really something else."""
    for magic, what, instead in _DISGUISES:
        if head.startswith(magic):
            raise DataError(Problem(f"this is not text but {what}", source, instead))


def read_text(path: str | Path, encoding: str | None) -> str:
    """A whole text file, UTF-8 with or without a byte-order mark unless said otherwise.

    Its lines end in a bare newline, whatever they end in on disk.
    """
    data = checked_path(path).read_bytes()
    refuse_disguise(data[:16], str(path))
    text = decoded(data, encoding or "utf-8", str(path)).removeprefix("\ufeff")
    refuse_nul(text.encode(), str(path))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def gunzipped(file: Path, source: str) -> bytes:
    """The unpacked bytes of a .gz file."""
    try:
        data = gzip.decompress(file.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(Problem(f"this is not a whole gzip file: {error}", source)) from None
    if not data:
        raise DataError(Problem("this file is empty", source))
    return data


def refuse_nul(data: bytes, source: str) -> None:
    """Raise if there is a NUL byte."""
    at = data.find(b"\0")
    if at >= 0:
        line = _line_at(data, at)
        raise DataError(
            Problem(
                "there is a NUL byte, so this is not plain text",
                f"{source}, line {line}",
                "if it was saved as UTF-16, give encoding='utf-16'",
            )
        )


def _line_at(data: bytes, at: int) -> int:
    """The line of a byte, whatever the lines end in."""
    return len(re.findall(rb"\r\n|\r|\n", data[:at])) + 1


def decoded(data: bytes, encoding: str, source: str) -> str:
    """The text of some bytes, or an error that names the first line and byte that do not fit."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise undecodable(data, error.start, encoding, source) from None
    except LookupError:
        raise DataError(
            Problem(
                f"there is no encoding {encoding!r}",
                source,
                "there is 'utf-8', 'latin-1', 'cp1252', 'utf-16' and what else Python has",
            )
        ) from None


def undecodable(data: bytes, at: int, encoding: str, source: str) -> DataError:
    """The error for bytes that are not in the encoding they should be in."""
    line = _line_at(data, at)
    if data.startswith(_UTF16):
        instead = "it begins like UTF-16: give encoding='utf-16'"
    elif encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
        instead = "save it as UTF-8, or give its encoding, such as 'latin-1' or 'cp1252'"
    else:
        instead = "give another encoding, such as 'utf-8' or 'latin-1'"
    return DataError(
        Problem(f"byte 0x{data[at]:02X} is not {encoding} text", f"{source}, line {line}", instead)
    )
