"""Kernels: plain Python loops that numba compiles when a table is large enough to be worth it.

The same source runs both ways. A kernel that calls another kernel, or a formula slot, finds it
among its globals; compiling or binding a kernel makes a copy of the function whose globals hold
the compiled or bound ones. numba's cache on disk keys a function by its file and its name, so a
kernel bound to formulas gets a name that tells them (and their source) apart: it is compiled once
per machine, not once per process.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping
from typing import Any

Function = Callable[..., Any]

SMALL = 12_000  # cells visited: below this, interpreting is quicker than starting the compiler


class Kernel:
    """A function to be run interpreted (call it) or compiled (`compiled()`)."""

    def __init__(self, function: Function) -> None:
        self.function: types.FunctionType = function  # type: ignore[assignment]
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._made: dict[tuple[bool, tuple[tuple[str, Function], ...]], Function] = {}

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def bound(self, compiled: bool, formulas: Mapping[str, Function] | None = None) -> Function:
        """The kernel with its formula slots filled by plain functions, compiled if asked."""
        key = (compiled, tuple(sorted((formulas or {}).items(), key=lambda item: item[0])))
        if key not in self._made:
            self._made[key] = _make(self, compiled, dict(formulas or {}))
        return self._made[key]

    def compiled(self) -> Function:
        return self.bound(True)


def kernel(function: Function) -> Kernel:
    """Decorator: make a plain function a Kernel."""
    return Kernel(function)


def _make(source: Kernel, compiled: bool, formulas: dict[str, Function]) -> Function:
    function = source.function
    used = function.__code__.co_names
    filled = {name: f for name, f in formulas.items() if name in used}
    if not compiled and not formulas:
        return function
    scope = dict(function.__globals__)
    for name in used:
        value = scope.get(name)
        if isinstance(value, Kernel):
            scope[name] = value.bound(compiled, formulas)
    for name, formula in filled.items():
        scope[name] = _jit(formula) if compiled else formula
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__ + _tag(formulas)
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


def _tag(formulas: Mapping[str, Function]) -> str:
    """A short name for these formulas and their source, for the cache on disk."""
    if not formulas:
        return ""
    digest = hashlib.sha256()
    for name, formula in sorted(formulas.items()):
        code = formula.__code__
        digest.update(f"{name}:{formula.__module__}:{formula.__qualname__}".encode())
        digest.update(code.co_code + repr(code.co_consts).encode() + repr(code.co_names).encode())
    return "_" + digest.hexdigest()[:12]
