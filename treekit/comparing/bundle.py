"""A comparison in one file: who took part, on which data and folds, and what came of it.

A zip file that any program opens:

comparison.json  contenders, data, resampling, seed and versions
results.csv      a row for each contender on each fold, with every metric
folds/1.npy      the folds of the first data set, see `packed_folds`
data/1/*.npy     if it was asked for: the cells, the target and the weights of the first data set,
                 and the target as it is learned from, if that is another one

The same plan and outcomes give the same bytes.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from typing import Any, Final

import numpy as np
from attrs import asdict, field, frozen

from treekit.comparing.bundle_contenders import contender_entry
from treekit.comparing.bundle_results import results_text
from treekit.comparing.contenders import Contender
from treekit.comparing.data import DataSet, Origin
from treekit.comparing.packed_folds import PackedFolds, packed
from treekit.comparing.plan import Plan, folds_of
from treekit.comparing.resampling import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    HoldOut,
    LeaveOneOut,
    Resampling,
)
from treekit.comparing.store import Outcome
from treekit.comparing.zipped import array_bytes, check_size, write_members
from treekit.errors import ModelError, Problem, TreekitError
from treekit.model import versions_used
from treekit.model_file.layout import schema_document
from treekit.model_file.values import Place
from treekit.model_file.writing import plain
from treekit.table.record import Schema, Table

FORMAT: Final = "treekit comparison"
VERSION: Final = 1
COMPARISON: Final = "comparison.json"
RESULTS: Final = "results.csv"

WAYS: Final[dict[str, Any]] = {
    way.__name__: way for way in (CrossValidation, HoldOut, LeaveOneOut, Bootstrap, FixedTest)
}


@frozen(eq=False)
class BundledData:
    """A data set of a bundle: what it was, its folds and, if it is held, the table itself."""

    name: str
    digest: str
    schema: Schema = field(repr=False)
    n_rows: int
    n_test: int
    origin: Origin | None
    folds: PackedFolds = field(repr=False)
    table: Table | None = field(repr=False)
    learned: Table | None = field(default=None, repr=False)


@frozen(eq=False)
class Bundle:
    """What a bundle tells. `file` is where it was read from; outcomes are in the plan's order."""

    file: str
    title: str
    contenders: tuple[Contender, ...]
    data: tuple[BundledData, ...]
    resampling: Resampling
    seed: int
    versions: Mapping[str, str]
    outcomes: tuple[Outcome, ...] = field(repr=False)


def write_bundle(
    path: str | os.PathLike[str],
    plan: Plan,
    outcomes: Iterable[Outcome],
    with_data: bool = False,
    title: str = "",
) -> None:
    """Write a comparison and its outcomes; `with_data`, anybody can run it again."""
    from treekit.comparing.bundle_reading import bundle_in

    place = Place(os.fspath(path))
    try:
        members = _members(plan, with_data, title, place)
        members[RESULTS] = results_text(outcomes).encode(errors="backslashreplace")
        # What is written can be read.
        bundle_in(members, place)
        write_members(path, dict(sorted(members.items())))
    except ModelError as error:
        raise TreekitError(*error.problems) from None


def check_bundle(plan: Plan, with_data: bool = False, path: str | os.PathLike[str] = "") -> None:
    """Could this plan be written? Told before any work."""
    place = Place(os.fspath(path))
    try:
        check_size(_members(plan, with_data, "", place), place)
    except ModelError as error:
        raise TreekitError(*error.problems) from None


def versions_here(contenders: Iterable[Contender]) -> dict[str, str]:
    """All that may decide the last digit of a figure: versions, and what the machine is."""
    found = {name: v for c in contenders for name, v in c.versions.items()}
    config: Any = np.show_config(mode="dicts")
    vectors = config.get("SIMD Extensions", {}).get("found", [])
    machine = f"{platform.system()} {platform.machine()} {' '.join(vectors)}".strip()
    found |= versions_used() | {"numba": metadata.version("numba"), "platform": machine}
    return dict(sorted(found.items()))


def folds_name(number: int) -> str:
    """The member with the folds of a data set; the first is number 1."""
    return f"folds/{number}.npy"


def array_name(number: int, what: str) -> str:
    """The member with the cells, the target or the weights of a data set."""
    return f"data/{number}/{what}.npy"


def _members(plan: Plan, with_data: bool, title: str, place: Place) -> dict[str, bytes]:
    """All but the results."""
    found: dict[str, bytes] = {}
    described = []
    for number, data in enumerate(plan.data, 1):
        _check_can_be_held(data, with_data)
        folds = packed(folds_of(plan, data))
        found[folds_name(number)] = array_bytes(folds.codes)
        held = _arrays(data) if with_data else {}
        for what, array in held.items():
            found[array_name(number, what)] = array_bytes(array)
        described.append(_data(data, folds, sorted(held)))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "title": title,
        "seed": plan.seed,
        "resampling": _resampling(plan.resampling, place),
        "versions": versions_here(plan.contenders),
        "contenders": [contender_entry(contender, place) for contender in plan.contenders],
        "data": described,
    }
    text = json.dumps(plain(document, place), indent=1, ensure_ascii=False, allow_nan=False)
    return {COMPARISON: f"{text}\n".encode(), **found}


def _check_can_be_held(data: DataSet, with_data: bool) -> None:
    """Disturbed data are nowhere else."""
    if data.copy_of and not with_data:
        what = f"{data.name!r} is disturbed data, which no file has"
        raise TreekitError(Problem(what, "", "put the data into the bundle, too: --bundle-data"))


def _arrays(data: DataSet) -> dict[str, Any]:
    """What a data set is held in; `learned` is the target as it is learned, if that is another."""
    table = data.table
    weights = {} if table.given_weights is None else {"weights": table.given_weights}
    learned = {} if data.learned is None else {"learned": data.learned.y}
    return {"cells": table.cells, "target": table.y, **weights, **learned}


def _data(data: DataSet, folds: PackedFolds, held: Sequence[str]) -> dict[str, Any]:
    origin = data.origin
    return {
        "name": data.name,
        "digest": data.digest,
        "rows": data.table.n_rows,
        "test_rows": data.n_test,
        "origin": None if origin is None else {**asdict(origin), "reading": dict(origin.reading)},
        "held": list(held),
        "folds": {"dealt": folds.dealt, "ids": [list(pair) for pair in folds.ids]},
        "schema": schema_document(data.table.schema),
    }


def _resampling(how: Resampling, place: Place) -> dict[str, Any]:
    name = type(how).__name__
    if WAYS.get(name) is not type(how):
        raise place.error(f"{name} is none of the resamplings {', '.join(WAYS)}")
    options: Any = how
    return {"way": name, **asdict(options)}
