"""pandas and polars DataFrames: typed values, whose types say what they are.

Rules. Numbers are numeric. Truth values are nominal, `false` then `true`. Text is nominal even
when it looks like numbers. A category is nominal with its levels in their order, an ordered one
is ordinal. A polars Enum is an ordered category (so it says of itself when it becomes pandas or
Arrow), a polars Categorical, whose order means nothing, is text. Dates and times are an error.
The marks of an unknown value hold in text as in a file. Typed numbers that are declared nominal
become text: whole ones without a point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from treekit.errors import DataError, Problem
from treekit.table.infer import labels_of_numbers, text_of_number
from treekit.table.plan import refuse_bad_names
from treekit.table.raw import Ask, ColumnSpec, Labels, Numbers, RawColumn, labels_of
from treekit.table.record import Floats

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

_AT_ONCE = 1 << 16
_NUMBER_TYPES = ("integer", "floating", "mixed-integer-float", "decimal")
_TIME_TYPES = ("datetime64", "datetime", "date", "timedelta64", "timedelta", "time", "period")


@frozen(eq=False)
class PandasSource:
    """A pandas DataFrame, opened."""

    frame: pd.DataFrame
    source: str
    names: tuple[str, ...]
    own_target: str | None = None

    @cached_property
    def declared(self) -> Mapping[str, ColumnSpec]:
        """What the types say; whoever knows the columns already need not look at them."""
        return {
            name: _pandas_spec(self.frame.iloc[:, i], name) for i, name in enumerate(self.names)
        }

    def load(self, asked: Mapping[str, Ask], missing: Sequence[str]) -> dict[str, RawColumn]:
        at = {name: i for i, name in enumerate(self.names)}
        types = self.frame.dtypes.tolist()
        plain = [name for name in asked if types[at[name]] == np.float64]
        together = _plain_columns(self.frame, [at[name] for name in plain])
        raw = dict(zip(plain, together, strict=True))
        return {
            name: _as_asked(
                raw.get(name) or _pandas_column(self.frame.iloc[:, at[name]], name, self), ask
            )
            for name, ask in asked.items()
        }

    def place(self, row: int) -> str:
        return f"row {row} (counted from 0)"


@frozen(eq=False)
class PolarsSource:
    """A polars DataFrame, opened."""

    frame: pl.DataFrame
    source: str
    names: tuple[str, ...]
    own_target: str | None = None

    @cached_property
    def declared(self) -> Mapping[str, ColumnSpec]:
        """What the types say."""
        return {name: _polars_spec(self.frame.get_column(name)) for name in self.names}

    def load(self, asked: Mapping[str, Ask], missing: Sequence[str]) -> dict[str, RawColumn]:
        return {
            name: _as_asked(_polars_column(self.frame.get_column(name), name, self), ask)
            for name, ask in asked.items()
        }

    def place(self, row: int) -> str:
        return f"row {row} (counted from 0)"


def open_pandas(frame: pd.DataFrame, source: str = "pandas DataFrame") -> PandasSource:
    """Open a pandas DataFrame; its index is not a column."""
    names = tuple(str(name) for name in frame.columns)
    refuse_bad_names(names, source)
    return PandasSource(frame, source, names)


def open_polars(frame: pl.DataFrame, source: str = "polars DataFrame") -> PolarsSource:
    """Open a polars DataFrame."""
    names = tuple(frame.columns)
    refuse_bad_names(names, source)
    return PolarsSource(frame, source, names)


def _plain_columns(frame: pd.DataFrame, places: list[int]) -> list[Numbers]:
    """The float64 columns at these places, all at once: the frame's own memory if they lie there
    one beside the other.
    """
    if not places:
        return []
    if places != list(range(frame.shape[1])):
        first, last = places[0], places[-1]
        in_order = places == list(range(first, last + 1))
        frame = frame.iloc[:, first : last + 1] if in_order else frame.iloc[:, places]
    matrix = frame.to_numpy().T
    finite = matrix.flags.forc and _is_finite(matrix.ravel(order="K"))
    return [Numbers(values, finite) for values in matrix]


def _is_finite(values: Floats) -> bool:
    """Is none of these infinite? As they lie in memory, some at a time."""
    starts = range(0, len(values), _AT_ONCE)
    return not any(np.isinf(values[start : start + _AT_ONCE]).any() for start in starts)


def _as_asked(raw: RawColumn, ask: Ask) -> RawColumn:
    return labels_of_numbers(raw.values) if ask == "text" and isinstance(raw, Numbers) else raw


def _pandas_spec(series: pd.Series[Any], name: str) -> ColumnSpec:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        levels = tuple(_text(value) for value in dtype.categories)
        return ColumnSpec(name, "ordinal" if dtype.ordered else "nominal", levels)
    if pd.api.types.is_bool_dtype(dtype):
        return ColumnSpec(name, "nominal", ("false", "true"))
    if pd.api.types.is_numeric_dtype(dtype) or dtype.kind in "mMc":
        return ColumnSpec(name)
    found = pd.api.types.infer_dtype(series, skipna=True)
    if found == "boolean":
        return ColumnSpec(name, "nominal", ("false", "true"))
    if found in _NUMBER_TYPES or found == "empty":
        return ColumnSpec(name)
    return ColumnSpec(name, "nominal")


def _pandas_column(series: pd.Series[Any], name: str, opened: PandasSource) -> RawColumn:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        labels = tuple(_text(value) for value in dtype.categories)
        made = not all(isinstance(value, str) for value in dtype.categories)
        return Labels(series.cat.codes.to_numpy().astype(np.int64), labels, made)
    if pd.api.types.is_bool_dtype(dtype):
        return _truths(series)
    if dtype.kind in "mM" or isinstance(dtype, pd.PeriodDtype):
        raise _dates(name, str(dtype), opened.source, f"frame[{name!r}].astype('int64')")
    if dtype.kind == "c":
        raise _unreadable(name, str(dtype), opened.source)
    if pd.api.types.is_numeric_dtype(dtype):
        return Numbers(series.to_numpy(dtype=np.float64, na_value=np.nan))
    found = pd.api.types.infer_dtype(series, skipna=True)
    if found in ("string", "empty"):
        codes, found_labels = pd.factorize(series)
        return Labels(codes.astype(np.int64, copy=False), tuple(map(str, found_labels)))
    if found == "boolean":
        return _truths(series)
    if found in _NUMBER_TYPES:
        return Numbers(_object_numbers(series))
    if found in _TIME_TYPES:
        raise _dates(name, found, opened.source, f"pd.to_datetime(frame[{name!r}]).astype('int64')")
    return _mixed(series, name, opened)


def _truths(series: pd.Series[Any]) -> Labels:
    known = series.notna().to_numpy()
    codes = np.full(len(series), -1, dtype=np.int64)
    codes[known] = series[known].to_numpy(dtype=bool)
    return Labels(codes, ("false", "true"), made=True)


def _object_numbers(series: pd.Series[Any]) -> Floats:
    known = series.notna().to_numpy()
    values = np.full(len(series), np.nan)
    values[known] = series[known].to_numpy(dtype=np.float64)
    return values


def _mixed(series: pd.Series[Any], name: str, opened: PandasSource) -> Labels:
    """Python objects of more than one type: text, numbers and truth values become text."""
    texts: list[str | None] = []
    unknown = series.isna().to_numpy()
    for row, value in enumerate(series):
        if unknown[row]:
            texts.append(None)
        elif isinstance(value, str | int | float | np.number | np.bool_):
            texts.append(_text(value))
        else:
            place = f"{opened.source}, {opened.place(row)}"
            raise _unreadable(name, type(value).__name__, place)
    return labels_of(texts)


def _text(value: object) -> str:
    """The text of a typed value."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        return text_of_number(float(value))
    return str(value)


def _polars_spec(series: pl.Series) -> ColumnSpec:
    import polars as pl

    if isinstance(series.dtype, pl.Enum):
        return ColumnSpec(series.name, "ordinal", tuple(series.dtype.categories))
    if series.dtype == pl.Boolean:
        return ColumnSpec(series.name, "nominal", ("false", "true"))
    if series.dtype.is_numeric() or series.dtype.is_temporal() or series.dtype == pl.Null:
        return ColumnSpec(series.name)
    return ColumnSpec(series.name, "nominal")


def _polars_column(series: pl.Series, name: str, opened: PolarsSource) -> RawColumn:
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Null or dtype.is_numeric():
        numbers = series.cast(pl.Float64)
        if numbers.null_count():
            numbers = numbers.fill_null(float("nan"))
        return Numbers(numbers.to_numpy().astype(np.float64, copy=False))
    if dtype == pl.Boolean:
        codes = series.cast(pl.Int64).fill_null(-1).to_numpy()
        return Labels(codes, ("false", "true"), made=True)
    if dtype.is_temporal():
        convert = f"frame.with_columns(pl.col({name!r}).cast(pl.Int64))"
        raise _dates(name, str(dtype), opened.source, convert)
    if isinstance(dtype, pl.Enum) or dtype in (pl.Categorical, pl.String):
        if not isinstance(dtype, pl.Enum):
            texts = series.cast(pl.String)
            series = texts.cast(pl.Enum(texts.drop_nulls().unique().sort()))
        assert isinstance(series.dtype, pl.Enum)
        codes = series.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return Labels(codes, tuple(series.dtype.categories))
    raise _unreadable(name, str(dtype), opened.source)


def _dates(name: str, what: str, place: str, convert: str) -> DataError:
    return DataError(
        Problem(
            f"column {name!r} holds dates or times ({what})",
            place,
            f"make a number of it, as with {convert}, "
            f"or leave it out: kinds={{{name!r}: 'ignore'}}",
        )
    )


def _unreadable(name: str, what: str, place: str) -> DataError:
    return DataError(
        Problem(
            f"column {name!r} holds values of type {what}",
            place,
            f"make numbers or text of it, or leave it out: kinds={{{name!r}: 'ignore'}}",
        )
    )
