from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treekit.errors import DataError
from treekit.table import Table, read_table


def saved(name: str, content: str | bytes) -> str:
    """A file of that content in the working folder."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def csv_table(content: str | bytes, **options: Any) -> Table:
    return read_table(saved("data.csv", content), **{"target": "y", **options})


def message(function: Callable[..., object], *arguments: Any, **options: Any) -> str:
    """The whole text of the error that the call raises."""
    with pytest.raises(DataError) as caught:
        function(*arguments, **options)
    return str(caught.value)


def csv_message(content: str | bytes, **options: Any) -> str:
    return message(csv_table, content, **options)


def values(table: Table, name: str) -> list[float | str | None]:
    """A column's values as a person reads them; None is unknown."""
    at = [column.name for column in table.columns].index(name)
    column = table.columns[at]
    return [
        None if cell != cell else cell if column.is_numeric else column.levels[int(cell)]
        for cell in map(float, table.cells[at])
    ]
