"""The room that turns data, from files or DataFrames, into Tables."""

from __future__ import annotations

from treekit.table.describe import describe
from treekit.table.raw import MISSING, ColumnSpec
from treekit.table.read import read_like, read_table
from treekit.table.record import KINDS, Column, Kind, Schema, Table, Task
from treekit.table.schema import SchemaFile, load_schema

__all__ = [
    "KINDS",
    "MISSING",
    "Column",
    "ColumnSpec",
    "Kind",
    "Schema",
    "SchemaFile",
    "Table",
    "Task",
    "describe",
    "load_schema",
    "read_like",
    "read_table",
]
