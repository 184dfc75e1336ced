"""Kernels: plain Python loops that numba compiles when a table is large enough to be worth it.

The same source runs both ways. A kernel that calls another kernel, or a formula slot, finds it
among its globals; compiling or binding a kernel makes a copy of the function whose globals hold
the compiled or bound ones. numba's cache on disk keys a function by its file and its name, so a
kernel bound to formulas gets a name that tells them (and their source) apart: it is compiled once
per machine, not once per process.
"""

from __future__ import annotations

import hashlib
import threading
import types
from collections.abc import Callable, Mapping
from typing import Any

Function = Callable[..., Any]
Slot = Function | int

_making = threading.RLock()  # making a kernel makes those that it calls

SMALL = 12_000  # cells visited: below this, interpreting is quicker than starting the compiler


class Kernel:
    """A function to be run interpreted (call it) or compiled.

    A slot is a global name that the kernel uses and that `bound` fills: a formula, or a number
    that the compiler should know.
    """

    def __init__(self, function: Function) -> None:
        self.function: types.FunctionType = function  # type: ignore[assignment]
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._made: dict[tuple[bool, tuple[tuple[str, Slot], ...]], Function] = {}

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def bound(self, compiled: bool, slots: Mapping[str, Slot] | None = None) -> Function:
        """The kernel with its slots filled, compiled if asked."""
        key = (compiled, tuple(sorted((slots or {}).items(), key=lambda item: item[0])))
        if key not in self._made:
            with _making:  # of threads that ask at once the first makes it for all
                if key not in self._made:
                    self._made[key] = _make(self, compiled, dict(slots or {}))
        return self._made[key]


def kernel(function: Function) -> Kernel:
    """Decorator: make a plain function a Kernel."""
    return Kernel(function)


def _make(source: Kernel, compiled: bool, slots: dict[str, Slot]) -> Function:
    function = source.function
    if not compiled and not slots:
        return function
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = slots.get(name, scope.get(name))
        if isinstance(value, Kernel):
            scope[name] = value.bound(compiled, slots)
        elif name in slots:
            scope[name] = _jit(value) if compiled and callable(value) else value
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__ + _tag(slots)
    return _jit(copy) if compiled else copy


def _jit(function: Function) -> Function:
    import numba

    def jit(cache: bool) -> Function:
        compiled: Function = numba.njit(
            cache=cache, nogil=True, error_model="numpy", forceinline=True
        )(function)
        return compiled

    try:
        return jit(cache=True)
    except RuntimeError:  # numba cannot cache what was not written in a file
        return jit(cache=False)


def _tag(slots: Mapping[str, Slot]) -> str:
    """A short name for what fills the slots, source included, for the cache on disk."""
    if not slots:
        return ""
    digest = hashlib.sha256()
    for name, value in sorted(slots.items()):
        digest.update(f"{name}=".encode())
        if callable(value):
            code = value.__code__
            digest.update(f"{value.__module__}:{value.__qualname__}".encode() + code.co_code)
            digest.update(repr((code.co_consts, code.co_names)).encode())
        else:
            digest.update(repr(value).encode())
    return "_" + digest.hexdigest()[:12]
