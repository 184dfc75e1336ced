"""Plots inside a page: SVG without what only a file of its own needs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from typing import TYPE_CHECKING

from treekit.plots.style import styled
from treekit.reporting.markup import Markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def svg_bytes(figure: Figure) -> bytes:
    """The SVG file of a figure: the same bytes for the same figure."""
    stream = BytesIO()
    with styled():
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def inline_svg(figure: Figure, name: str, title: str) -> Markup:
    """A figure to stand in a page: its ids begin with `name`, and `title` says what it shows.

    Nothing but shapes is left: no addresses of namespaces, no comments, no styles for the page.
    """
    root = ET.fromstring(svg_bytes(figure))
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(str(child.tag)) in ("metadata", "style", "title"):
                parent.remove(child)
    for node in root.iter():
        node.tag = _local(str(node.tag))
        node.attrib = {_local(key): _named(_local(key), value, name) for key, value in node.items()}
    root.set("role", "img")
    root.set("aria-label", title)
    # Without a size of its own it takes the width that the page has for it.
    width = float(root.attrib.pop("width").removesuffix("pt"))
    root.attrib.pop("height")
    root.set("style", f"max-width: {width * 1.6:.0f}px")
    return Markup(ET.tostring(root, encoding="unicode", short_empty_elements=False))


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _named(key: str, value: str, name: str) -> str:
    """Ids, and what refers to them, are unlike those of other plots."""
    if key == "id":
        return f"{name}-{value}"
    if key == "href":
        return value.replace("#", f"#{name}-", 1)
    return value.replace("url(#", f"url(#{name}-")


def anchor(words: str) -> str:
    """Words as an id of a page: letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", words).strip("-").lower() or "x"
