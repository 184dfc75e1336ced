"""Formulas: what an impurity or a criterion computes, written once in either of two forms.

Array form is an ordinary method over NumPy arrays with any leading axes. Row form is a loop over
one vector, marked `@row_form` and `@staticmethod`: it takes the strategy's fields that it needs
as further parameters. A row-form method is compiled into the engine's scan, and read as an
attribute it behaves like an array-form method, so nothing else has to tell them apart.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen

from treekit.compiling import SMALL, Formula, Function, kernel
from treekit.table.record import Floats


class RowForm:
    """The descriptor that `row_form` leaves in a strategy class."""

    def __init__(self, function: Function) -> None:
        self.function: Function = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.parameters = tuple(inspect.signature(function).parameters)

    def __set_name__(self, owner: type, name: str) -> None:
        self.__name__ = name

    @cached_property
    def formula(self) -> Formula:
        """What fills a kernel's slot: the same object every time, which is told quickly."""
        return Formula(self.function, ARITY[self.__name__])

    def __get__(self, strategy: Any, owner: type) -> Any:
        return self if strategy is None else BoundRow(self, strategy)


def row_form(function: Function | staticmethod[..., Any]) -> Any:
    """Decorator for a formula over one row, compiled by numba where it pays.

    It stands above `@staticmethod`, which tells type checkers that there is no `self`.
    """
    return RowForm(function.__func__ if isinstance(function, staticmethod) else function)


@frozen(eq=False)
class BoundRow:
    """A row-form formula of one strategy object; call it with arrays of any leading axes."""

    form: RowForm
    strategy: Any
    arity: int = field(init=False)

    @arity.default
    def _standard_arguments(self) -> int:
        return ARITY[self.form.__name__]

    @property
    def formula(self) -> Formula:
        """What fills a kernel's slot."""
        formula: Formula = self.form.formula
        return formula

    @property
    def parameters(self) -> Floats:
        """The strategy's fields that the formula takes, in its order."""
        return np.array(
            [getattr(self.strategy, n) for n in self.form.parameters[self.arity :]], float
        )

    def __call__(self, *arrays: Floats, compiled: bool = False) -> Floats:
        """[...]: the formula over the leading axes, compiled if asked or if it pays."""
        return _LIFT[self.arity](self, compiled, *arrays)


# How many standard arguments each formula has; what follows them are the strategy's fields.
ARITY = {"impurity": 1, "score": 4, "column_merit": 2}


def is_row_form(method: Any) -> bool:
    return isinstance(method, BoundRow)


def _lift_impurity(formula: BoundRow, compiled: bool, stats: Floats) -> Floats:
    rows = np.ascontiguousarray(_rows(stats, 1, stats.shape[:-1]))
    out = np.empty(len(rows))
    each = _each_impurity.bound(compiled or rows.size > SMALL, {"impurity": formula.formula})
    each(rows, formula.parameters, out)
    return out.reshape(stats.shape[:-1])


def _lift_score(
    formula: BoundRow,
    compiled: bool,
    parent: Floats,
    branches: Floats,
    before: Floats,
    after: Floats,
) -> Floats:
    lead = branches.shape[:-2]
    out = np.empty(math.prod(lead))
    _each_score.bound(compiled or branches.size > SMALL, {"score": formula.formula})(
        _rows(parent, 1, lead),
        _rows(branches, 2, lead),
        _rows(before, 0, lead),
        _rows(after, 1, lead),
        formula.parameters,
        out,
    )
    return out.reshape(lead)


def _lift_elementwise(formula: BoundRow, compiled: bool, *arrays: Floats) -> Floats:
    """Of plain numbers: what is written for one is written for arrays of them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(formula.form.function(*arrays, *formula.parameters))


def _rows(values: Floats, axes: int, lead: tuple[int, ...]) -> Floats:
    """Values with the leading axes `lead` as one axis before their own last `axes`."""
    values = np.asarray(values, dtype=np.float64)
    own = values.shape[values.ndim - axes :]
    if values.shape != (*lead, *own):
        values = np.broadcast_to(values, (*lead, *own))
    return values if len(lead) == 1 else values.reshape(math.prod(lead), *own)


_LIFT: dict[int, Callable[..., Floats]] = {
    1: _lift_impurity,
    2: _lift_elementwise,
    4: _lift_score,
}


def _slot(*_: Any) -> float:
    raise NotImplementedError("a formula slot is filled when its kernel is bound")


impurity = score = _slot


@kernel
def _each_impurity(stats, parameters, out):  # type: ignore[no-untyped-def]
    for i in range(stats.shape[0]):
        out[i] = impurity(stats[i], parameters)


@kernel
def _each_score(parents, branches, before, after, parameters, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        out[i] = score(parents[i], branches[i], before[i], after[i], parameters)
