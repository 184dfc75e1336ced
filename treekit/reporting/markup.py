"""HTML in pieces. `Markup` is text that may go into a page as it is; all other text is escaped."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import NewType

from attrs import frozen

Markup = NewType("Markup", str)

NOTHING = Markup("")


def text(words: object) -> Markup:
    """Words that are shown as they are written."""
    return Markup(html.escape(str(words)))


def joined(pieces: Iterable[Markup], between: str = "") -> Markup:
    """Pieces one after the other."""
    return Markup(html.escape(between).join(pieces))


def element(name: str, *inner: Markup, **attributes: str) -> Markup:
    """`<name ...>inner</name>`; an attribute's `_` stands for `-`, at its end for nothing."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(value)}"'
        for key, value in attributes.items()
    )
    return Markup(f"<{name}{told}>{''.join(inner)}</{name}>")


def paragraph(words: str, class_: str = "") -> Markup:
    return element("p", text(words), **({"class_": class_} if class_ else {}))


def folded(summary: Markup, *inner: Markup, **attributes: str) -> Markup:
    """What is shown only when it is asked for."""
    return element("details", element("summary", summary), *inner, **attributes)


@frozen
class Cell:
    """A cell of a table: what it shows, and what it is sorted by if that is not what it shows."""

    shown: str
    value: float | None = None
    look: str = ""
    hint: str = ""


def named(words: object) -> Cell:
    """A cell that is sorted by its words."""
    return Cell(str(words))


def number(shown: str, value: float | None, look: str = "", hint: str = "") -> Cell:
    """A cell that is sorted by its figure; unknown figures come last."""
    return Cell(shown, math.nan if value is None else value, f"number {look}".strip(), hint)


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    foot: Sequence[Sequence[Cell]] = (),
    kind: str = "",
) -> Markup:
    """A table that is sorted by clicking its heads, and of which a filter hides rows.

    The first cell of a row is its name. kind: "cross" if heads are names, too, that a filter finds.
    """
    body = list(rows)
    first = [cell.value is not None for cell in (body or [[Cell("")] * len(heads)])[0]]
    top = [
        element("th", element("button", text(head), type="button"), scope="col",
                class_="number" if is_number else "")
        for head, is_number in zip(heads, first, strict=True)
    ]  # fmt: skip
    parts = [element("thead", element("tr", *top)), element("tbody", *map(_row, body))]
    if foot:
        parts.append(element("tfoot", *map(_row, foot)))
    whole = element("table", *parts, class_=f"sortable {kind}".strip())
    return element("div", whole, class_="scroll")


def _row(cells: Sequence[Cell]) -> Markup:
    return element("tr", _cell("th", cells[0], scope="row"), *(_cell("td", c) for c in cells[1:]))


def _cell(name: str, cell: Cell, **more: str) -> Markup:
    if cell.value is not None:
        # As the page's script reads numbers.
        value = repr(float(cell.value)).replace("inf", "Infinity")
        more["data_value"] = "" if math.isnan(cell.value) else value
    if cell.look:
        more["class_"] = cell.look
    if cell.hint:
        more["title"] = cell.hint
    return element(name, text(cell.shown), **more)
