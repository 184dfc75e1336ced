"""Reading a bundle: everything is checked, nothing is run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import numpy as np
from attrs import evolve

from treekit.comparing.bundle import (
    COMPARISON,
    FORMAT,
    RESULTS,
    VERSION,
    WAYS,
    Bundle,
    BundledData,
    array_name,
    folds_name,
)
from treekit.comparing.bundle_contenders import contender_in
from treekit.comparing.bundle_results import CellName, outcomes_in
from treekit.comparing.contenders import Contender
from treekit.comparing.data import UNTOLD, Origin
from treekit.comparing.packed_folds import folds_in
from treekit.comparing.resampling import LeaveOneOut, Resampling
from treekit.comparing.zipped import array_of, read_members
from treekit.errors import ModelError, TreekitError
from treekit.model_file import values
from treekit.model_file.checks import seed_checked, versions_checked
from treekit.model_file.reading import schema_of
from treekit.model_file.values import Place, shown
from treekit.table.record import Schema, Table

KEYS = ("format", "version", "title", "seed", "resampling", "versions", "contenders", "data")
DATA_KEYS = ("name", "digest", "rows", "test_rows", "origin", "held", "folds", "schema")
NEEDED = ("cells", "target")
HELD = ("cells", "learned", "target", "weights")
"""The arrays that a data set may be held in."""


def read_bundle(path: str | os.PathLike[str]) -> Bundle:
    """The comparison in a bundle; TreekitError says what is wrong with the file, and where."""
    try:
        return bundle_in(read_members(path), Place(os.fspath(path)))
    except ModelError as error:
        raise TreekitError(*error.problems) from None


def bundle_in(members: Mapping[str, bytes], file: Place) -> Bundle:
    """The comparison that these members are."""
    for name in (COMPARISON, RESULTS):
        if name not in members:
            raise file.error(f"is no bundle of treekit: it holds no {name}")
    place = file.key(COMPARISON)
    try:
        content = values.json_value(_text(members[COMPARISON], place), place)
        found = _top(content, place)
        contenders = _contenders(found["contenders"], place.key("contenders"))
    except RecursionError:
        raise place.error("is nested too deeply") from None
    data = _data_sets(found["data"], members, place.key("data"), file)
    how = _resampling(found["resampling"], place.key("resampling"))
    for i, one in enumerate(data):
        _check_number(how, one, place.key("data").at(i).key("folds"))
    results = file.key(RESULTS)
    known = {COMPARISON, RESULTS, *_arrays_of(data)}
    for name in members:
        if name not in known:
            raise file.error(f"holds {shown(name)}, which the comparison does not tell of")
    return Bundle(
        file.file,
        values.text(found["title"], place.key("title")),
        contenders,
        data,
        how,
        seed_checked(found["seed"], place.key("seed")),
        versions_checked(found["versions"], place.key("versions")),
        tuple(outcomes_in(_text(members[RESULTS], results), _cells(data, contenders), results)),
    )


def _cells(data: tuple[BundledData, ...], contenders: tuple[Contender, ...]) -> list[CellName]:
    """Every contender on every fold, in the order of the plan."""
    return [(d.name, c.name, *pair) for d in data for pair in d.folds.ids for c in contenders]


def _arrays_of(data: tuple[BundledData, ...]) -> Iterator[str]:
    for number, one in enumerate(data, 1):
        yield folds_name(number)
        if one.table is not None:
            there = {"weights": one.table.given_weights, "learned": one.learned}
            held = [*NEEDED, *(what for what, array in there.items() if array is not None)]
            yield from (array_name(number, what) for what in held)


def _text(content: bytes, place: Place) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise place.error(f"byte {error.start} is not UTF-8 text") from None


def _top(content: Any, place: Place) -> dict[str, Any]:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise place.error(f'is no comparison: it has no "format": "{FORMAT}"')
    version = content.get("version")
    if type(version) is not int or version < 1:
        raise place.key("version").error(f"must be an integer from 1, got {shown(version)}")
    if version > VERSION:
        what = f"format {shown(version)} is newer than this treekit, which reads up to {VERSION}"
        raise place.key("version").error(what, "update treekit")
    return values.members(content, place, KEYS)


def _resampling(value: Any, place: Place) -> Resampling:
    found = dict(values.mapping(value, place))
    way = found.pop("way", None)
    if not isinstance(way, str) or way not in WAYS:
        raise place.key("way").error(f"must be one of {', '.join(WAYS)}, got {shown(way)}")
    made = WAYS[way]
    options = values.members(found, place, tuple(attrs.fields_dict(made)))
    for name, option in options.items():
        if name == "share":
            values.number(option, place.key(name))
        else:
            values.integer(option, place.key(name))
    try:
        resampling: Resampling = made(**options)
    except ValueError as error:
        raise place.error(f"cannot be done: {error}") from None
    return resampling


def _check_number(how: Any, data: BundledData, place: Place) -> None:
    """There are as many folds as are drawn, so that drawing them again takes no more than that."""
    options = attrs.asdict(how)
    wanted = options.get("folds", 1) * options.get("repeats", 1)
    if isinstance(how, LeaveOneOut):
        wanted = data.n_rows
    if len(data.folds.ids) != wanted:
        what = f"{type(how).__name__} draws {wanted} folds, here are {len(data.folds.ids)}"
        raise place.key("ids").error(what)


def _contenders(value: Any, place: Place) -> tuple[Contender, ...]:
    entries = values.items(value, place)
    found = tuple(contender_in(entry, place.at(i)) for i, entry in enumerate(entries))
    _check_names([contender.name for contender in found], place)
    return found


def _check_names(names: list[str], place: Place) -> None:
    if not names:
        raise place.error("must hold at least one entry")
    for i, name in enumerate(names):
        if name in names[:i]:
            raise place.at(i).key("name").error(f"{shown(name)} stands here again")


def _data_sets(
    value: Any, members: Mapping[str, bytes], place: Place, file: Place
) -> tuple[BundledData, ...]:
    entries = values.items(value, place)
    found = tuple(
        _data_set(entry, i + 1, members, place.at(i), file) for i, entry in enumerate(entries)
    )
    _check_names([data.name for data in found], place)
    return found


def _data_set(
    value: Any, number: int, members: Mapping[str, bytes], place: Place, file: Place
) -> BundledData:
    found = values.members(value, place, DATA_KEYS)
    n_rows = _count(found["rows"], place.key("rows"), 1)
    n_test = _count(found["test_rows"], place.key("test_rows"), 0)
    if n_test > n_rows:
        raise place.key("test_rows").error(f"must be at most {n_rows}, got {n_test}")
    name = values.text(found["name"], place.key("name"))
    schema = schema_of(found["schema"], place.key("schema"))
    codes, there = _member(members, folds_name(number), file), file.key(folds_name(number))
    folds = folds_in(found["folds"], n_rows, codes, place.key("folds"), there)
    held = list(values.texts(found["held"], place.key("held")))
    if held and held != [what for what in HELD if what in (*NEEDED, *held)]:
        told = "must be empty, or cells and target, and learned and weights if there are any"
        raise place.key("held").error(told)
    arrays = {
        what: array_of(_member(members, name, file), file.key(name), shape)
        for what in held
        for name in [array_name(number, what)]
        for shape in [(len(schema.columns), n_rows) if what == "cells" else (n_rows,)]
    }
    table = _table(name, schema, arrays, place) if held else None
    return BundledData(
        name,
        values.text(found["digest"], place.key("digest")),
        schema,
        n_rows,
        n_test,
        _origin(found["origin"], place.key("origin")),
        folds,
        table,
        None if table is None else _learned(table, arrays),
    )


def _count(value: Any, place: Place, least: int) -> int:
    if values.integer(value, place) < least:
        raise place.error(f"must be an integer from {least}, got {shown(value)}")
    return int(value)


def _member(members: Mapping[str, bytes], name: str, file: Place) -> bytes:
    if name not in members:
        raise file.error(f"holds no {name}")
    return members[name]


def _table(name: str, schema: Schema, arrays: Mapping[str, Any], place: Place) -> Table:
    """A table that can be learned from: known targets, and levels that there are."""
    for column, cells in zip(schema.columns, arrays["cells"], strict=True):
        known = cells[~np.isnan(cells)]
        if not (column.is_numeric or _are_levels(known, len(column.levels))):
            raise place.key("schema").error(f"the column {column.name!r} holds what is no level")
    target, weights = arrays["target"], arrays.get("weights")
    for each in (target, arrays.get("learned", target)):
        is_class = schema.task != "classification" or _are_levels(each, len(schema.classes))
        if not (is_class and np.isfinite(each).all()):
            raise place.key("schema").error("the target holds what is no class and no number")
    if weights is not None and not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise place.key("held").error("the weights must be finite and not negative")
    return Table(schema, arrays["cells"], target, weights, name)


def _learned(table: Table, arrays: Mapping[str, Any]) -> Table | None:
    """The table as it is learned from, if that is not as it is tested."""
    return evolve(table, target_values=arrays["learned"]) if "learned" in arrays else None


def _are_levels(cells: Any, n_levels: int) -> bool:
    return bool(np.isin(cells, np.arange(n_levels)).all())


def _origin(value: Any, place: Place) -> Origin | None:
    if value is None:
        return None
    found = values.members(value, place, ("word", "reading", "weights"))
    here = place.key("reading")
    reading = values.members(found["reading"], here, (), UNTOLD)
    for name, said in reading.items():
        if name == "missing":
            values.texts(said, here.key(name))
        elif name == "drop_missing_target":
            if not isinstance(said, bool):
                raise here.key(name).error(f"must be true or false, got {shown(said)}")
        else:
            values.text(said, here.key(name))
    weights = values.text(found["weights"], place.key("weights"))
    return Origin(values.text(found["word"], place.key("word")), reading, weights)
