"""ARFF files, as Weka's manual describes them.

Rules. `numeric`, `real` and `integer` attributes are numeric, `{...}` and `string` ones nominal,
the former with their levels in the order of the file. The class is the last attribute, unless a
target is named. Lines that begin with % are comments. Names and values may stand in single or
double quotes with backslash escapes. Dates, relations, sparse rows and instance weights are
errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from treekit.errors import DataError, Problem, did_you_mean
from treekit.table.files import read_text
from treekit.table.plan import refuse_bad_names
from treekit.table.raw import ColumnSpec
from treekit.table.text_rows import TextRows, uneven

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_CLOSED = re.compile(_QUOTED)
_VALUE = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(,|$)")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_TYPES = ("numeric", "real", "integer", "string", "date", "relational")


def open_arff(path: str | Path, encoding: str | None) -> TextRows:
    """Read an ARFF file."""
    source = str(path)
    lines = _content_lines(read_text(path, encoding))
    declared: dict[str, ColumnSpec] = {}
    refused: dict[str, Problem] = {}
    names: list[str] = []
    for number, line in lines:
        word = line.split(None, 1)[0].lower()
        if word == "@data":
            break
        if word == "@attribute":
            spec, problem = _attribute(line, f"{source}, line {number}")
            names.append(spec.name)
            declared[spec.name] = spec
            if problem is not None:
                refused[spec.name] = problem
        elif word != "@relation":
            remedy = did_you_mean(word, ("@relation", "@attribute", "@data"))
            raise DataError(
                Problem(f"{word!r} is no part of a header", f"{source}, line {number}", remedy)
            )
    else:
        raise DataError(Problem("there is no @data line, so this is not a whole ARFF file", source))
    if not names:
        raise DataError(Problem("there is no @attribute line", source))
    refuse_bad_names(names, source)
    rows, numbers = _rows(lines, len(names), source)
    return TextRows(source, tuple(names), declared, names[-1], rows, numbers, refused)


def _content_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            yield number, stripped


def _attribute(line: str, place: str) -> tuple[ColumnSpec, Problem | None]:
    """An attribute, and why its values cannot be read."""
    found = _ATTRIBUTE.fullmatch(line)
    if found is None or not found[2]:
        remedy = "write @attribute name numeric, or @attribute name {a, b}"
        raise DataError(Problem("this attribute has no name or no type", place, remedy))
    name, kind = _unquoted(found[1]), found[2].strip()
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise DataError(Problem(f"the levels of {name!r} are not closed by }}", place))
        levels = tuple(_values(kind[1:-1], place))
        twice = sorted({level for level in levels if levels.count(level) > 1})
        if twice:
            raise DataError(Problem(f"{name!r} lists the level {twice[0]!r} twice", place))
        return ColumnSpec(name, "nominal", levels), None
    word = kind.split()[0].lower()
    if word in ("numeric", "real", "integer"):
        return ColumnSpec(name, "numeric"), None
    if word == "string":
        return ColumnSpec(name, "nominal"), None
    if word in ("date", "relational"):
        remedy = f"make a number of it, or leave it out: kinds={{{name!r}: 'ignore'}}"
        return ColumnSpec(name), Problem(f"{name!r} is a {word} attribute", place, remedy)
    raise DataError(
        Problem(f"{name!r} has an unknown type {word!r}", place, did_you_mean(word, _TYPES))
    )


def _rows(
    lines: Iterator[tuple[int, str]], width: int, source: str
) -> tuple[list[list[str]], list[int]]:
    rows, numbers = [], []
    for number, line in lines:
        place = f"{source}, line {number}"
        if line.startswith("{"):
            remedy = "write every value of every row"
            raise DataError(Problem("this is a sparse row, which is not read", place, remedy))
        values = _values(line, place)
        if len(values) == width + 1 and values[-1].startswith("{"):
            remedy = "make the weight an attribute and name it as weights"
            raise DataError(Problem("instance weights are not read", place, remedy))
        if len(values) != width:
            raise DataError(uneven(len(values), width, "attributes", source, number))
        rows.append(values)
        numbers.append(number)
    return rows, numbers


def _values(line: str, place: str) -> list[str]:
    """The values between commas, unquoted."""
    if "'" not in line and '"' not in line and "\\" not in line:
        return [value.strip() for value in line.split(",")]
    values, at = [], 0
    while True:
        found = _VALUE.match(line, at)
        if found is None or (found[1][:1] in ("'", '"') and not _CLOSED.fullmatch(found[1])):
            raise DataError(Problem(f"a quote is opened and never closed: {line[at:]!r}", place))
        values.append(_unquoted(found[1]))
        at = found.end()
        if not found[2]:
            return values


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        text = text[1:-1]
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)
