"""Small arrays of a kernel's own, of a size that the compiler knows.

Compiled, they lie on the stack, which the compiler turns into registers where it can: a loop that
works in them alone can take several steps at once. They live as long as the kernel's call.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from treekit.compiling import Function, Slot


class _OnStack:
    """`np.empty` of a shape; in compiled kernels, on the stack."""

    def __init__(self, n_axes: int) -> None:
        self.n_axes = n_axes

    def __call__(self, *shape: int) -> Any:
        return np.empty(shape)

    def within(self, compiled: bool, slots: Mapping[str, Slot]) -> Function:
        return _intrinsic(self.n_axes) if compiled else self


vector, matrix = _OnStack(1), _OnStack(2)


@cache
def _intrinsic(n_axes: int) -> Function:
    """The function that a compiled kernel calls: (n) or (k, n), numbers that are known."""
    from numba import types
    from numba.extending import intrinsic

    ir: Any = import_module("llvmlite.ir")
    cgutils: Any = import_module("numba.core.cgutils")
    populate_array: Any = import_module("numba.np.arrayobj").populate_array

    array = types.Array(types.float64, n_axes, "C")
    item = np.dtype(np.float64).itemsize

    def make(sizes: tuple[int, ...]) -> Function:
        strides = [item * int(np.prod(sizes[i + 1 :])) for i in range(n_axes)]

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def constant(value: int) -> Any:
                return context.get_constant(types.intp, value)

            room = ir.ArrayType(ir.DoubleType(), int(np.prod(sizes)))
            data = cgutils.alloca_once(builder, room)
            made = context.make_array(array)(context, builder)
            populate_array(
                made,
                data=builder.bitcast(data, ir.DoubleType().as_pointer()),
                shape=cgutils.pack_array(builder, [constant(n) for n in sizes]),
                strides=cgutils.pack_array(builder, [constant(n) for n in strides]),
                itemsize=constant(item),
                meminfo=None,
            )
            return made._getvalue()

        return generate

    def known(*sizes: Any) -> tuple[Any, Function] | None:
        if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
            return None
        return array(*sizes), make(tuple(size.literal_value for size in sizes))

    if n_axes == 1:

        @intrinsic(prefer_literal=True)
        def on_stack(typing: Any, n: Any) -> Any:
            return known(n)

    else:

        @intrinsic(prefer_literal=True)
        def on_stack(typing: Any, k: Any, n: Any) -> Any:
            return known(k, n)

    return on_stack
