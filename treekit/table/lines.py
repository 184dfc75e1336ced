"""The lines of a delimited file, walked one by one: only to say where something is wrong."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import NoReturn

from treekit.errors import DataError, Problem


def records(data: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line that it begins on; blank lines are no records.

    Lines are counted as an editor counts them, the ones inside quotes too.
    """
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", errors="replace", newline="")
    blanks = " \t\r\n".replace(delimiter, "")
    latest = ""

    def lines() -> Iterator[str]:
        nonlocal latest
        for line in text:
            latest = line
            yield line

    reader = csv.reader(lines(), delimiter=delimiter)
    before = 0
    for fields in reader:
        if reader.line_num > before + 1 or latest.strip(blanks):
            yield before + 1, fields
        before = reader.line_num


def data_lines(data: bytes, delimiter: str) -> list[int]:
    """The line of each row of data, the header left out."""
    return [line for line, _ in records(data, delimiter)][1:]


def refuse_uneven(data: bytes, delimiter: str, names: tuple[str, ...], source: str) -> None:
    """Raise for the first rows with more or fewer fields than the header."""
    problems = []
    rows = records(data, delimiter)
    next(rows)
    for line, fields in rows:
        if len(fields) != len(names):
            problems.append(_uneven(line, fields, len(names), source))
            if len(problems) == 3:
                break
    if problems:
        raise DataError(*problems)


def _uneven(line: int, fields: list[str], expected: int, source: str) -> Problem:
    found = f"{len(fields)} field{'' if len(fields) == 1 else 's'}"
    instead = "quote a field that holds the delimiter"
    if len(fields) == expected + 1 and not fields[-1]:
        instead = "take away the delimiter at the end of the line"
    elif len(fields) < expected:
        instead = "write an unknown value as an empty field or '?'"
    return Problem(f"{found}, but the header has {expected}", f"{source}, line {line}", instead)


def refuse_open_quote(data: bytes, delimiter: str, source: str) -> NoReturn:
    """Raise for a quote that is never closed: it swallows the file from its line on."""
    line = 1
    try:
        for begin, _ in records(data, delimiter):
            line = begin
    except csv.Error as error:
        raise DataError(
            Problem(f"this cannot be split into fields: {error}", f"{source}, after line {line}")
        ) from None
    raise DataError(
        Problem(
            "a quote is opened and never closed",
            f"{source}, line {line}",
            'close it; a quote inside quotes is written ""',
        )
    )
