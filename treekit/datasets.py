"""The built-in data sets: small textbook tables under bare names.

Each is a CSV file with a schema beside it in `treekit/data/`, so that it is read exactly as a
user's own file is. `catalogue.toml` there says what each one is and where it comes from.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from treekit.errors import DataError, Problem, did_you_mean
from treekit.table.record import Table, Task

TRAIN = "train"
TEST = "test"


@frozen
class DatasetInfo:
    """What is to be known of a data set before it is read.

    `rows` are those of the training part, `columns` the ones that a tree may ask about, `parts`
    the files there are: "train", and for some "test".
    """

    name: str
    summary: str
    source: str
    rows: int
    columns: int
    task: Task
    target: str
    parts: tuple[str, ...]


def dataset_names() -> tuple[str, ...]:
    """The names of the built-in data sets, as the catalogue lists them."""
    return tuple(_catalogue())


def dataset_info(name: str) -> DatasetInfo:
    """What is known of the data set `name`; its CSV file is counted, not encoded."""
    entry = _entry(name)
    schema = _read_toml(_schema_path(name))
    kinds: dict[str, Any] = schema["columns"]
    target: str = schema["target"]
    with dataset_path(name).open(encoding="utf-8", newline="") as file:
        rows = sum(1 for _ in csv.DictReader(file))
    return DatasetInfo(
        name=name,
        summary=entry["summary"],
        source=entry["source"],
        rows=rows,
        columns=sum(1 for c, kind in kinds.items() if c != target and kind != "ignore"),
        task="regression" if kinds[target] == "numeric" else "classification",
        target=target,
        parts=_parts(name),
    )


def dataset_path(name: str, part: str = TRAIN) -> Path:
    """The CSV file of a part of the data set `name`."""
    _entry(name)
    if part not in (parts := _parts(name)):
        raise DataError(
            Problem(
                f"the data set {name!r} has no part {part!r}",
                instead=f"there is {' and '.join(map(repr, parts))}",
            )
        )
    return _part_path(name, part)


def load_dataset(name: str, part: str = TRAIN, **options: Any) -> Table:
    """The data set `name` as a Table; `options` are those of `read_table`, which they are given to.

    A test part is read like the training part: with its columns, levels and classes. Where its
    rows carry no label, the table has no target values.
    """
    from treekit.table import read_like, read_table

    path = dataset_path(name, part)
    options.setdefault("schema", _schema_path(name))
    with _named(name, part):
        table: Table = read_table(dataset_path(name), **options)
        if part != TRAIN:
            shared = {k: options[k] for k in ("missing", "encoding", "weights") if k in options}
            table = read_like(path, table.schema, **shared)
    return evolve(table, source=name if part == TRAIN else f"{name}:{part}")


@contextmanager
def _named(name: str, part: str) -> Iterator[None]:
    """Messages speak of the data set, not of where its file lies."""
    try:
        yield
    except DataError as error:
        path = str(dataset_path(name, part))
        here = [evolve(p, where=p.where.replace(path, name)) for p in error.problems]
        raise DataError(*here) from None


def built_in(data: str) -> tuple[str, str] | None:
    """The name and part that `NAME` or `NAME:PART` means, if NAME is a built-in data set.

    A file of that very name comes first.
    """
    name, _, part = data.partition(":")
    return (name, part or TRAIN) if name in dataset_names() and not Path(data).exists() else None


def _data() -> Path:
    # A wheel is unpacked on installation, so its resources are files.
    return Path(str(files("treekit") / "data"))


def _part_path(name: str, part: str) -> Path:
    return _data() / (f"{name}.csv" if part == TRAIN else f"{name}.{part}.csv")


def _schema_path(name: str) -> Path:
    return _data() / f"{name}.schema.toml"


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in (TRAIN, TEST) if _part_path(name, part).is_file())


def _entry(name: str) -> dict[str, str]:
    catalogue = _catalogue()
    if name not in catalogue:
        raise DataError(
            Problem(f"there is no data set {name!r}", instead=did_you_mean(name, catalogue))
        )
    return catalogue[name]


def _catalogue() -> dict[str, dict[str, str]]:
    return _read_toml(_data() / "catalogue.toml")


def _read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
