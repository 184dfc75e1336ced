"""Compiled functions as kernels are handed them. Whoever imports this imports numba."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import typeof_impl


class Pointer(types.WrapperAddressProtocol):
    """A `numba.cfunc` whose type is made once: numba makes that of its own anew in every call."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.type = types.FunctionType(made._sig)

    @property
    def cache_hits(self) -> int:
        """Was it found on disk?"""
        return int(self.made.cache_hits)

    def __wrapper_address__(self) -> int:
        return int(self.made.address)

    def signature(self) -> Any:
        return self.made._sig


@typeof_impl.register(Pointer)
def _type_of(pointer: Pointer, context: Any) -> Any:
    return pointer.type
