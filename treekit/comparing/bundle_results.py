"""The results in a bundle: CSV, a row for each contender on each fold, numbers exact."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from treekit.comparing.store import Outcome
from treekit.model_file.values import Place, shown

ROW: Final = ("data", "contender", "repeat", "fold", "seed")
"""What tells the rows apart; the metrics follow, and `failure` is last."""

CellName = tuple[str, str, int, int]
"""Data, contender, repeat and fold."""

# Longer cells a reader of CSV may refuse.
_LONGEST: Final = 10_000


def results_text(outcomes: Iterable[Outcome]) -> str:
    """Outcomes as CSV: every number reads back as it was; empty where nothing was measured."""
    rows = list(outcomes)
    metrics = list(dict.fromkeys(name for row in rows for name in row.metrics))
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*ROW, *metrics, "failure"])
    for row in rows:
        figures = (repr(float(row.metrics[m])) if m in row.metrics else "" for m in metrics)
        writer.writerow([*(getattr(row, n) for n in ROW), *figures, row.failure[:_LONGEST]])
    return file.getvalue()


def outcomes_in(text: str, cells: Sequence[CellName], place: Place) -> Iterator[Outcome]:
    """The outcomes of these cells, in this order, from their CSV."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header, *rows = list(reader) or [[]]
    except csv.Error as error:
        raise place.error(f"is no CSV: {error}") from None
    metrics = header[len(ROW) : -1]
    if (*header[: len(ROW)], *header[-1:]) != (*ROW, "failure") or len(set(header)) < len(header):
        raise place.error(f"must have the columns {', '.join(ROW)}, metrics and failure, each once")
    if len(rows) != len(cells):
        what = f"must have {len(cells)} rows, one for each contender on each fold, has {len(rows)}"
        raise place.error(what)
    for i, (row, cell) in enumerate(zip(rows, cells, strict=True)):
        here = place.key(f"row {i + 1}")
        if len(row) != len(header) or tuple(row[:4]) != tuple(map(str, cell)):
            told = "{}, {}, repeat {}, fold {}".format(*cell)
            raise here.error(f"must be that of {told}, with {len(header)} columns")
        yield _outcome(row, cell, metrics, here)


def _outcome(row: list[str], cell: CellName, metrics: list[str], place: Place) -> Outcome:
    seed, figures, failure = row[len(ROW) - 1], row[len(ROW) : -1], row[-1]
    found = {
        name: _figure(figure, place.key(name))
        for name, figure in zip(metrics, figures, strict=True)
        if figure
    }
    if bool(found) == bool(failure):
        raise place.error("must have either metrics or a failure")
    if not (seed.isascii() and seed.isdigit() and len(seed) < 20):
        raise place.key("seed").error(f"must be a whole number, got {shown(seed)}")
    return Outcome("", *cell, int(seed), found, failure)


def _figure(word: str, place: Place) -> float:
    try:
        return float(word)
    except ValueError:
        raise place.error(f"must be a number, got {shown(word)}") from None
