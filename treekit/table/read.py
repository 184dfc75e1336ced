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
    """Read data to learn from."""
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
) -> Table:
    """Read data to predict."""
    opened = open_source(source, encoding)
    plan = plan_prediction(opened, schema, weights)
    return prediction_table(opened, plan, schema, _marks(missing))


def _marks(missing: Sequence[str]) -> tuple[str, ...]:
    return (missing,) if isinstance(missing, str) else tuple(map(str, missing))
