"""C4.5's pair of files: `x.names` says what the columns are, `x.data` holds the cases.

Rules (Quinlan 1993, chapter 8). A name ends at a comma, a colon, a line's end, or a period that a
blank or the line's end follows; blanks around it are dropped and blanks inside it are squeezed to
one; a backslash takes the next character as it is; a bar begins a comment. The first entry lists
the classes. Each further one is an attribute: `name: continuous.`, `name: ignore.`, `name:
discrete N.` (levels in order of appearance, at most N) or `name: a, b, c.`. A case is one line,
with the class last. The target is named `class`. C4.5 takes -999 for an unknown number; here it
is a number.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from treekit.errors import DataError, Problem
from treekit.table.files import checked_path, read_text
from treekit.table.plan import refuse_bad_names
from treekit.table.raw import ColumnSpec
from treekit.table.text_rows import TextRows, uneven

CLASS = "class"


@frozen
class _Name:
    """A name, what ended it, and its line."""

    text: str
    end: str
    line: int


def open_c45(path: str | Path, encoding: str | None) -> TextRows:
    """Read a pair of C4.5 files, given either of them; `x.test` goes with `x.names` too."""
    names_path, data_path = _pair(path)
    classes, specs, limits = _described(read_text(names_path, encoding), str(names_path))
    source = str(data_path)
    rows, lines = _cases(read_text(data_path, encoding), len(specs) + 1, source)
    names = [*specs, CLASS]
    refuse_bad_names(names, str(names_path))
    if rows and len(rows[0]) == len(specs):
        names.pop()
    declared = dict(specs)
    for name, limit in limits.items():
        declared[name] = ColumnSpec(
            name,
            "nominal",
            _appearing([row[names.index(name)] for row in rows], name, limit, source),
        )
    declared[CLASS] = ColumnSpec(CLASS, "nominal", classes)
    return TextRows(source, tuple(names), declared, CLASS, rows, lines)


def _pair(path: str | Path) -> tuple[Path, Path]:
    given = checked_path(path)
    if given.suffix.lower() == ".names":
        pair = given, given.with_suffix(".data")
    else:
        pair = given.with_suffix(".names"), given
    for file in pair:
        if not file.exists():
            remedy = f"C4.5's two files belong together: put {file.name!r} beside it"
            raise DataError(Problem(f"there is no {file.name!r}", str(path), remedy))
    return pair


def _described(
    text: str, source: str
) -> tuple[tuple[str, ...], dict[str, ColumnSpec], dict[str, int]]:
    """The classes, the attributes in order, and how many levels a `discrete N` one may have."""
    entries = _entries(_split(text), source)
    classes = tuple(name.text for name in entries[0])
    specs: dict[str, ColumnSpec] = {}
    limits: dict[str, int] = {}
    for head, *values in entries[1:]:
        place = f"{source}, line {head.line}"
        if head.text in specs:
            raise DataError(Problem(f"attribute {head.text!r} is described twice", place))
        words = [value.text for value in values]
        specs[head.text], limit = _attribute(head.text, words, place)
        if limit is not None:
            limits[head.text] = limit
    if not specs:
        raise DataError(Problem("there are no attributes after the classes", source))
    if len(classes) == 1 and classes[0] in specs:
        raise DataError(
            Problem(
                f"the first entry names the attribute {classes[0]!r}, as C5.0 allows",
                f"{source}, line {entries[0][0].line}",
                "list the classes there, and put the class last in the data",
            )
        )
    return classes, specs, limits


def _entries(names: list[_Name], source: str) -> list[list[_Name]]:
    """Names by entry: the classes, then attributes with their values."""
    if not names:
        raise DataError(Problem("there are no names in this file", source))
    entries: list[list[_Name]] = [[]]
    for name in names:
        begins = not entries[-1]
        if begins and len(entries) > 1 and name.end != ":":
            raise DataError(
                Problem(
                    f"{name.text!r} should be followed by a colon and its values",
                    f"{source}, line {name.line}",
                    "an attribute is written 'name: continuous.' or 'name: a, b, c.'",
                )
            )
        entries[-1].append(name)
        if name.end != "," and not (begins and len(entries) > 1):
            entries.append([])
    if entries[-1]:
        last = entries[-1][-1]
        raise DataError(Problem(f"the values after {last.text!r} are cut off", source))
    return entries[:-1]


def _attribute(name: str, words: list[str], place: str) -> tuple[ColumnSpec, int | None]:
    if len(words) > 1:
        twice = sorted({word for word in words if words.count(word) > 1})
        if twice:
            raise DataError(
                Problem(f"attribute {name!r} lists the value {twice[0]!r} twice", place)
            )
        return ColumnSpec(name, "nominal", tuple(words)), None
    word = words[0]
    if word == "continuous":
        return ColumnSpec(name, "numeric"), None
    if word == "ignore":
        return ColumnSpec(name, "ignore"), None
    kind, _, number = word.partition(" ")
    if kind == "discrete" and number.isdecimal():
        return ColumnSpec(name, "nominal"), int(number)
    raise DataError(
        Problem(
            f"attribute {name!r} cannot be {word!r}",
            place,
            "it must be continuous, ignore, discrete N, or a list of two values or more",
        )
    )


def _appearing(values: list[str], name: str, limit: int, source: str) -> tuple[str, ...]:
    levels = tuple(dict.fromkeys(value for value in values if value != "?"))
    if len(levels) > limit:
        what = f"attribute {name!r} has {len(levels)} values, but is discrete {limit}"
        raise DataError(Problem(what, source, "raise the number in the .names file"))
    return levels


def _cases(text: str, width: int, source: str) -> tuple[list[list[str]], list[int]]:
    """The values of each case. Cases that all lack the class are cases to predict."""
    rows, lines = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if values := [name.text for name in _split(line)]:
            rows.append(values)
            lines.append(number)
    expected = width
    if rows and all(len(row) == width - 1 for row in rows):
        expected = width - 1
    for number, row in zip(lines, rows, strict=True):
        if len(row) != expected:
            noun = "columns in the .names file, the class included"
            raise DataError(uneven(len(row), width, noun, source, number))
    return rows, lines


def _split(text: str) -> list[_Name]:
    """All the names of a text, by the rules above."""
    names: list[_Name] = []
    at, line, size = 0, 1, len(text)
    while True:
        while at < size and (text[at].isspace() or text[at] == "|"):
            if text[at] == "|":
                at = _end_of_line(text, at)
            elif text[at] == "\n":
                line, at = line + 1, at + 1
            else:
                at += 1
        if at >= size:
            return names
        begin, kept = line, []
        while at < size and text[at] not in ":,\n|":
            char = text[at]
            if char == "." and (at + 1 == size or text[at + 1].isspace() or text[at + 1] == "|"):
                break
            if char == "\\" and at + 1 < size:
                at += 1
                char = text[at]
            elif char.isspace():
                char = " "
                while at + 1 < size and text[at + 1] in " \t":
                    at += 1
            kept.append(char)
            at += 1
        end = text[at] if at < size else ""
        if end in (":", ",", "."):
            at += 1
        names.append(_Name("".join(kept).rstrip(" "), end, begin))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
