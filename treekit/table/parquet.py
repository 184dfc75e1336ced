"""Parquet files, read by pyarrow.

Rules. As for DataFrames. A pandas index without a name, which pandas stores as a column, is left
out. Rows are counted from 0 in messages.
"""

from __future__ import annotations

import re
from pathlib import Path

from treekit.errors import DataError, Problem
from treekit.table.files import checked_path
from treekit.table.frames import PandasSource, open_pandas

_POLARS_CATEGORICAL = b"_PL_CATEGORICAL"
_INDEX = re.compile(r"__index_level_\d+__")


def open_parquet(path: str | Path, encoding: str | None) -> PandasSource:
    """Read a Parquet file; it says its own encoding."""
    source = str(path)
    file = checked_path(path)
    with file.open("rb") as stream:
        if stream.read(4) != b"PAR1":
            raise DataError(Problem("this is not a Parquet file, whatever its name says", source))
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DataError(
            Problem("reading Parquet needs pyarrow", source, "pip install treekit[parquet]")
        ) from None
    try:
        table = pq.read_table(file)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(Problem(f"this Parquet file cannot be read: {reason}", source)) from None
    for i, column in enumerate(table.schema):
        if any(key.startswith(_POLARS_CATEGORICAL) for key in column.metadata or ()):
            table = table.set_column(i, column.name, table.column(i).cast(pa.string()))
    kept = [i for i, name in enumerate(table.column_names) if not _INDEX.fullmatch(name)]
    return open_pandas(table.select(kept).to_pandas(ignore_metadata=True), source)
