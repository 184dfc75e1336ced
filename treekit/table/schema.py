"""Schema files: what each column is, said by a person, in TOML or JSON."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from attrs import field, frozen

from treekit.errors import DataError, Problem, did_you_mean
from treekit.table.files import checked_path, decoded
from treekit.table.raw import ColumnSpec
from treekit.table.record import Kind, Schema, Task

Others = Literal["error", "infer", "ignore"]

KIND_WORDS: dict[str, Kind | Literal["ignore"]] = {
    "numeric": "numeric",
    "nominal": "nominal",
    "ordinal": "ordinal",
    "ordered": "ordinal",
    "ignore": "ignore",
}
BESIDE = (".schema.toml", ".schema.json")
_TOP = ("columns", "name", "others", "target", "task", "weights")


@frozen
class SchemaFile:
    """A schema as it was written: columns by name, target, weights, and what to do with others.

    `others` says what becomes of data columns that the schema does not name (the target and the
    weights apart, which need not be named): "error" (the default), "infer" or "ignore".
    """

    columns: Mapping[str, ColumnSpec] = field(factory=dict)
    target: str | None = None
    weights: str | None = None
    task: Task | None = None
    others: Others = "error"
    source: str = "schema"


def schema_file_of(schema: Schema) -> SchemaFile:
    """A table's schema in the form of a schema file, so that other data is read alike."""
    columns = [*schema.columns, schema.target]
    return SchemaFile(
        {c.name: ColumnSpec(c.name, c.kind, None if c.is_numeric else c.levels) for c in columns},
        schema.target.name,
        task=schema.task,
        others="ignore",
        source="the given schema",
    )


def schema_beside(data: Path) -> Path | None:
    """The schema file in the folder of a data file that goes by its name."""
    name = data.name.removesuffix(".gz").rpartition(".")[0]
    found = [data.with_name(name + ending) for ending in BESIDE] if name else []
    return next((file for file in found if file.expanduser().is_file()), None)


def load_schema(path: str | Path) -> SchemaFile:
    """Read a schema file.

    TOML: `target = "play"`, then `[columns]` with `outlook = ["sunny", "overcast", "rain"]`
    (nominal), `temp = "numeric"`, `size = { kind = "ordinal", levels = ["S", "M", "L"] }` or
    `id = "ignore"`. JSON: `{"target": ..., "columns": [{"name": ..., "type": "numeric" |
    "nominal" | "ordinal" | "ignore", "values": [...]}]}`. Either format may hold either form.
    Levels keep their order, as do the classes. A nominal column without levels gets them from
    the data. Optional: `name`, `task`, `weights`, and `others = "infer"` or `"ignore"` for data
    columns that the schema does not name (else they are an error).
    """
    file = checked_path(path, "schema file")
    text = decoded(file.read_bytes(), "utf-8", str(path)).removeprefix("\ufeff")
    document = _parsed(text, str(path), file.suffix.lower())
    reading = _Reading(str(path), text)
    if not isinstance(document, dict):
        raise DataError(reading.problem("a schema must be a table of keys", None))
    schema = _schema(document, reading)
    if reading.problems:
        raise DataError(*reading.problems)
    return schema


def _parsed(text: str, source: str, ending: str) -> object:
    if ending == ".json":
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            place = f"{source}, line {error.lineno}"
            raise DataError(Problem(f"this is not JSON: {error.msg}", place)) from None
    if ending == ".toml":
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"^(.*) \(at line (\d+), column \d+\)$", str(error))
            reason, place = (
                (found[1], f"{source}, line {found[2]}") if found else (str(error), source)
            )
            raise DataError(Problem(f"this is not TOML: {reason}", place)) from None
    raise DataError(
        Problem(f"a schema cannot end in {ending!r}", source, "it must be .toml or .json")
    )


@frozen
class _Reading:
    """The text being read, to find lines in it, and the problems found so far."""

    source: str
    text: str
    problems: list[Problem] = field(factory=list)

    def problem(self, what: str, key: str | None, instead: str = "") -> Problem:
        line = None if key is None else _line_of(self.text, key)
        return Problem(what, self.source + (f", line {line}" if line else ""), instead)

    def wrong(self, what: str, key: str | None, instead: str = "") -> None:
        self.problems.append(self.problem(what, key, instead))


def _line_of(text: str, key: str) -> int | None:
    """The line where a key, or a `name` of that value, is first set."""
    word = re.escape(key)
    for pattern in (
        rf"""\bname["']?\s*[=:]\s*["']{word}["']""",
        rf"""(?<!\w){word}["']?\s*[=:.]""",
    ):
        if found := re.search(pattern, text):
            return text.count("\n", 0, found.start()) + 1
    return None


def _schema(document: dict[str, Any], reading: _Reading) -> SchemaFile:
    for key in document:
        if key not in _TOP:
            reading.wrong(f"unknown key {key!r}", key, did_you_mean(key, _TOP))
    for key in ("name", "target", "weights"):
        if not isinstance(document.get(key, ""), str):
            reading.wrong(f"{key} must be text, not {_said(document[key])}", key)
    task = _choice(document, "task", ("classification", "regression"), reading)
    others = _choice(document, "others", ("error", "infer", "ignore"), reading)
    columns: dict[str, ColumnSpec] = {}
    for name, said in _columns(document.get("columns", {}), reading):
        if name in columns:
            reading.wrong(f"column {name!r} is described twice", name)
        columns[name] = _spec(name, said, reading)
    target = document.get("target")
    if not reading.problems:
        _check_target(target, task, columns, reading)
    return SchemaFile(
        columns, target, document.get("weights"), task, others or "error", reading.source
    )


def _choice(document: dict[str, Any], key: str, words: tuple[str, ...], reading: _Reading) -> Any:
    value = document.get(key)
    if value is None or (isinstance(value, str) and value in words):
        return value
    listed = ", ".join(map(repr, words))
    reading.wrong(f"{key} must be one of {listed}, not {_said(value)}", key)
    return None


def _columns(columns: object, reading: _Reading) -> Iterator[tuple[str, object]]:
    """Each column's name and what is said of it, from either form."""
    if isinstance(columns, dict):
        yield from columns.items()
    elif isinstance(columns, list):
        for number, said in enumerate(columns, 1):
            name = said.get("name") if isinstance(said, dict) else None
            if isinstance(name, str):
                yield name, {key: value for key, value in said.items() if key != "name"}
            else:
                reading.wrong(f"column {number} of the list has no name", None)
    else:
        reading.wrong(f"columns must be a table or a list, not {_said(columns)}", "columns")


def _spec(name: str, said: object, reading: _Reading) -> ColumnSpec:
    if isinstance(said, str):
        said = {"kind": said}
    if isinstance(said, list):
        said = {"levels": said}
    if not isinstance(said, dict):
        reading.wrong(
            f"column {name!r} must be a kind, a list of levels or a table, not {_said(said)}", name
        )
        return ColumnSpec(name)
    for key in said:
        if key not in ("kind", "type", "levels", "values"):
            remedy = did_you_mean(key, ("kind", "levels"))
            if not said.keys() & {"kind", "type", "levels", "values"}:
                remedy = "a name with a dot in it must be in quotes"
            reading.wrong(f"column {name!r} has an unknown key {key!r}", name, remedy)
    listed = said.get("levels", said.get("values"))
    levels = None if listed is None else _levels(name, listed, reading)
    word = said.get("kind", said.get("type"))
    if word is None and levels is None and not said:
        reading.wrong(f"column {name!r} has no kind", name)
    kind = "nominal" if word is None else _kind(name, word, reading)
    if kind in ("numeric", "ignore") and levels is not None:
        reading.wrong(f"column {name!r} has levels, but its kind is {kind!r}", name)
    if kind == "ordinal" and levels is None:
        reading.wrong(
            f"ordinal column {name!r} has no levels",
            name,
            "list them from the lowest to the highest",
        )
    return ColumnSpec(name, kind, levels)


def _kind(name: str, word: object, reading: _Reading) -> Kind | Literal["ignore"] | None:
    if isinstance(word, str) and word in KIND_WORDS:
        return KIND_WORDS[word]
    remedy = did_you_mean(str(word), ("numeric", "nominal", "ordinal", "ignore"))
    reading.wrong(f"column {name!r} has an unknown kind {_said(word)}", name, remedy)
    return None


def _levels(name: str, listed: object, reading: _Reading) -> tuple[str, ...] | None:
    if not isinstance(listed, list) or not listed:
        reading.wrong(
            f"the levels of column {name!r} must be a list of texts, not {_said(listed)}", name
        )
        return None
    levels = []
    for level in listed:
        if isinstance(level, str) or (isinstance(level, int) and not isinstance(level, bool)):
            levels.append(str(level))
        else:
            reading.wrong(
                f"column {name!r} has a level {_said(level)}, which is not text",
                name,
                "write it in quotes, exactly as it stands in the data",
            )
    for level in sorted(level for level, count in Counter(levels).items() if count > 1):
        reading.wrong(f"column {name!r} lists the level {level!r} twice", name)
    return tuple(levels)


def _check_target(
    target: object, task: str | None, columns: Mapping[str, ColumnSpec], reading: _Reading
) -> None:
    spec = columns.get(target) if isinstance(target, str) else None
    if spec is None:
        return
    if spec.kind == "ignore":
        reading.wrong(f"the target {target!r} is ignored", spec.name)
    elif task is not None and (spec.kind == "numeric") != (task == "regression"):
        reading.wrong(
            f"the task is {task}, but the target {target!r} is {spec.kind}",
            "task",
            "a numeric target means regression, any other means classification",
        )


def _said(value: object) -> str:
    """A wrong value as its writer would know it."""
    return json.dumps(value, ensure_ascii=False, default=str)
