"""What text says: whether it is a number, whether it is unknown, how levels are ordered."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from treekit.table.raw import Labels, Numbers, RawColumn
from treekit.table.record import Bools, Floats

_NUMBER = re.compile(
    r"\s*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity|nan)\s*",
    re.ASCII | re.IGNORECASE,
)


def number_of(text: str) -> float | None:
    """The number that a text writes (decimal digits, exponent, inf, nan), or None."""
    return float(text) if _NUMBER.fullmatch(text) else None


def is_mark(text: str, missing: Sequence[str]) -> bool:
    """Whether a text marks an unknown value; blanks around it make no difference."""
    return text in missing or text.strip() in missing


def known_labels(labels: Sequence[str], missing: Sequence[str]) -> Bools:
    """Which labels are values and not marks."""
    return np.array([not is_mark(label, missing) for label in labels], dtype=bool)


def sorted_levels(labels: Iterable[str]) -> tuple[str, ...]:
    """The levels of an inferred column: by number when all of them are numbers, else as text."""
    texts = sorted(set(labels))
    numbers = [number_of(text) for text in texts]
    if any(number is None or math.isnan(number) for number in numbers):
        return tuple(texts)
    return tuple(text for _, text in sorted(zip(numbers, texts, strict=True)))


def all_numbers(labels: Iterable[str]) -> bool:
    """Whether every label writes a number."""
    return all(number_of(label) is not None for label in labels)


def is_numeric(raw: RawColumn, missing: Sequence[str]) -> bool:
    """The rule of inference: numeric when every known value is a number, else nominal.

    A column without any known value is numeric.
    """
    if isinstance(raw, Numbers):
        return True
    return all_numbers(label for label in raw.labels if not is_mark(label, missing))


def label_numbers(labels: Sequence[str], missing: Sequence[str]) -> tuple[Floats, Bools]:
    """The number of each label (NaN for a mark), and which labels are neither."""
    values = np.full(len(labels), np.nan)
    wrong = np.zeros(len(labels), dtype=bool)
    for i, label in enumerate(labels):
        if is_mark(label, missing):
            continue
        number = number_of(label)
        if number is None:
            wrong[i] = True
        else:
            values[i] = number
    return values, wrong


@cache
def marked_numbers(missing: tuple[str, ...]) -> tuple[float, ...]:
    """The marks that write a number: equal numbers of a numeric column are unknown."""
    numbers = (number_of(mark) for mark in missing)
    return tuple(n for n in numbers if n is not None and not math.isnan(n))


def text_of_number(value: float) -> str:
    """The text of a typed number: a whole one without a point, else the shortest exact one."""
    return str(int(value)) if value.is_integer() else repr(value)


def labels_of_numbers(values: Floats) -> Labels:
    """Typed numbers as labels, in ascending order."""
    known = ~np.isnan(values)
    distinct, inverse = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = inverse
    return Labels(codes, tuple(text_of_number(float(v)) for v in distinct), made=True)
