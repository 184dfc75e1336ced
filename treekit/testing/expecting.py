"""How a law says that it is broken: an AssertionError with the case that breaks it."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from treekit.tree import Tree


def expect(kept: Any, message: str) -> None:
    """Raise AssertionError with the message unless kept."""
    __tracebackhide__ = True
    if not kept:
        raise AssertionError(message)


def expect_all(kept: Any, what: str, *cases: Any) -> None:
    """Each entry of `kept` must be true; the first that is not is shown with its cases."""
    __tracebackhide__ = True
    mask = np.asarray(kept)
    if mask.all():
        return
    at = tuple(int(i) for i in np.argwhere(~mask)[0])
    shown = ", ".join(_shown(np.asarray(case)[at]) for case in cases)
    raise AssertionError(f"{what}: {shown}" if shown else what)


def expect_same(found: Any, wanted: Any, what: str, *cases: Any) -> None:
    """Numbers must agree up to rounding, infinities and NaN exactly."""
    __tracebackhide__ = True
    a, b = np.asarray(found, dtype=np.float64), np.asarray(wanted, dtype=np.float64)
    expect(a.shape == b.shape, f"{what}: the shape is {a.shape}, not {b.shape}")
    scale = np.abs(b[np.isfinite(b)]).max(initial=1.0)
    agree = np.isclose(a, b, rtol=1e-9, atol=1e-12 * scale, equal_nan=True)
    expect_all(agree, what, a, b, *cases)


def expect_same_tree(found: Tree, wanted: Tree, what: str) -> None:
    """Two trees must be equal, array by array; scores and statistics up to rounding."""
    __tracebackhide__ = True
    expect_same_fields(found, wanted, what)


def expect_same_fields(found: Any, wanted: Any, what: str) -> None:
    """Two records must be equal, field by field; numbers in arrays up to rounding."""
    __tracebackhide__ = True
    for field in attrs.fields(type(found)):
        a, b = getattr(found, field.name), getattr(wanted, field.name)
        if isinstance(a, np.ndarray) and a.shape == b.shape:
            expect_same(a, b, f"{what}, in `{field.name}`")
        elif attrs.has(type(a)) and type(a) is type(b):
            expect_same_fields(a, b, f"{what}, in `{field.name}`")
        else:
            same = not isinstance(a, np.ndarray) and a == b
            expect(same, f"{what}, in `{field.name}`: {_shown(a)}, {_shown(b)}")


def _shown(value: Any) -> str:
    return np.array2string(value, threshold=20) if isinstance(value, np.ndarray) else str(value)
