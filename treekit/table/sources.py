"""Which reader opens which source."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treekit.errors import DataError, Problem
from treekit.table.arff import open_arff
from treekit.table.c45_names import open_c45
from treekit.table.delimited import open_delimited
from treekit.table.files import checked_path, refuse_disguise
from treekit.table.frames import open_pandas, open_polars
from treekit.table.parquet import open_parquet
from treekit.table.raw import Opened

_Opener = Callable[[str | Path, str | None], Opened]


def _csv(path: str | Path, encoding: str | None) -> Opened:
    return open_delimited(path, ",", encoding)


def _tsv(path: str | Path, encoding: str | None) -> Opened:
    return open_delimited(path, "\t", encoding)


OPENERS: dict[str, _Opener] = {
    ".csv": _csv,
    ".csv.gz": _csv,
    ".tsv": _tsv,
    ".tsv.gz": _tsv,
    ".parquet": open_parquet,
    ".arff": open_arff,
    ".names": open_c45,
    ".data": open_c45,
    ".test": open_c45,
}


def open_source(source: Any, encoding: str | None) -> Opened:
    """Open a path by its ending, or a DataFrame."""
    if isinstance(source, str | Path):
        return _open_path(source, encoding)
    if _is_frame(source, "pandas", "DataFrame"):
        return open_pandas(source)
    if _is_frame(source, "polars", "DataFrame"):
        return open_polars(source)
    if _is_frame(source, "polars", "LazyFrame"):
        raise DataError(Problem("a polars LazyFrame holds no data yet", "", "give its collect()"))
    raise DataError(
        Problem(
            f"data cannot be read from an object of type {type(source).__name__}",
            "",
            "give a path, a pandas DataFrame or a polars DataFrame",
        )
    )


def _is_frame(source: Any, module: str, name: str) -> bool:
    """Whether this is such a frame; a package that nobody imported has made none."""
    package = sys.modules.get(module)
    return package is not None and isinstance(source, getattr(package, name))


def _open_path(source: str | Path, encoding: str | None) -> Opened:
    file = checked_path(source)
    name = file.name.lower()
    ending = next((ending for ending in OPENERS if name.endswith(ending)), None)
    if ending is None:
        with file.open("rb") as stream:
            refuse_disguise(stream.read(16), str(source))
        raise DataError(
            Problem(
                f"files that end in {file.suffix!r} are not known",
                str(source),
                f"it must be one of {' '.join(OPENERS)}",
            )
        )
    return OPENERS[ending](source, encoding)
