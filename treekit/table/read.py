"""Data from anywhere into a Table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treekit.table.build import prediction_table, training_table
from treekit.table.plan import plan_prediction, plan_training
from treekit.table.raw import MISSING
from treekit.table.record import Schema, Table
from treekit.table.schema import SchemaFile, load_schema, schema_file_of
from treekit.table.sources import open_source

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    Source = str | Path | pd.DataFrame | pl.DataFrame


def read_table(
    source: Source,
    *,
    target: str | None = None,
    schema: str | Path | SchemaFile | Schema | None = None,
    kinds: Mapping[str, str] | None = None,
    missing: Sequence[str] = MISSING,
    weights: str | None = None,
    encoding: str | None = None,
    drop_missing_target: bool = False,
) -> Table:
    """Read data to learn from.

    `source` is a path, or a pandas or polars DataFrame. The ending says what a file is: .csv
    .tsv (also .csv.gz .tsv.gz), .parquet, .arff, or C4.5's .names and .data (either of the two).

    `target` names the column to predict: by default the schema's target, the last attribute of
    an ARFF file, or the class of C4.5's files. A numeric target means regression, any other
    classification. Its unknown values are an error, unless `drop_missing_target` leaves those
    rows out. `weights` names a column of row weights: finite numbers of 0 or more, not all 0.

    A column is numeric when all its known values are numbers, else nominal, with its levels
    sorted: by number when all are numbers, else as text. Typed sources say more themselves: a
    DataFrame's text is nominal and its ordered categories ordinal, ARFF and C4.5 list levels. A
    `schema` (a file in TOML or JSON, see `load_schema`) goes before both, and `kinds`
    ({"column": "numeric" | "nominal" | "ordinal" | "ignore"}) before all. A value outside
    levels that were given is an error; so are text and infinity in a numeric column. An ordinal
    column needs given levels, unless they are numbers. The text of a level is kept exactly as
    it stands in the file: true stays true, 01 stays 01.

    `missing` are the marks of an unknown value, in quotes or not, blanks around them or not. A
    mark that is a number stands for equal numbers too (-999 for -999.0); a mark that the schema
    lists as a level is a level. NaN is always unknown in a numeric column.

    Kept, and told in the table's notes: columns with one value or none known (which are
    numeric), a target of one class, levels that begin or end with a blank, a nominal column
    most of whose values are numbers, rows left out. Text is UTF-8 unless `encoding` says what
    it is.
    """
    if schema is not None and not isinstance(schema, SchemaFile):
        schema = schema_file_of(schema) if isinstance(schema, Schema) else load_schema(schema)
    opened = open_source(source, encoding)
    plan = plan_training(opened, target, schema, kinds or {}, weights)
    return training_table(opened, plan, _marks(missing), drop_missing_target)


def read_like(
    source: Source,
    schema: Schema,
    *,
    missing: Sequence[str] = MISSING,
    encoding: str | None = None,
    weights: str | None = None,
    lent: bool = False,
) -> Table:
    """Read data to predict, by the schema of the table that a model was grown from.

    The schema's columns are found by name, in any order; other columns are ignored; one that is
    not there is an error. A level never seen in training becomes unknown, which the notes tell.
    The target is read if it is there: a value outside the classes is an error, an unknown one
    stays NaN, and a target that is unknown in all rows is as good as none. No rows, no error.

    `lent` is for a table that nobody keeps: its cells may be the memory of a DataFrame itself, and
    change with it.
    """
    opened = open_source(source, encoding)
    plan = plan_prediction(opened, schema, weights)
    return prediction_table(opened, plan, schema, _marks(missing), lent)


def _marks(missing: Sequence[str]) -> tuple[str, ...]:
    return (missing,) if isinstance(missing, str) else tuple(map(str, missing))
