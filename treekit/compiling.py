"""Kernels: plain Python loops that numba compiles when a table is large enough to be worth it.

The same source runs both ways. A kernel that calls another kernel, or a formula slot, finds it
among its globals; compiling or binding a kernel makes a copy of the function whose globals hold
the compiled or bound ones. numba's cache on disk keys a function by its file and its name, so a
kernel gets a name that tells what is compiled into it, formulas and all: it is compiled once per
machine, not once per process, and again when any part of it has changed.
"""

from __future__ import annotations

import hashlib
import threading
import types
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, cast

import numpy as np
from attrs import evolve, frozen

Function = Callable[..., Any]

_making = threading.RLock()  # making a kernel makes those that it calls

SMALL = 12_000  # cells visited: below this, interpreting is quicker than starting the compiler
OFTEN = 2 * SMALL  # cells visited by one small piece of work after the other

_interpreted: Counter[Hashable] = Counter()


def interpreted(what: Hashable, cells: int = 0) -> int:
    """How many cells were visited by `what` in this process without the compiler, and these."""
    _interpreted[what] += cells
    return _interpreted[what]


@frozen(cache_hash=True)
class Formula:
    """What fills a slot: a function of some standard arguments, and further ones.

    A kernel calls it with the standard ones and an array or tuple of the others. Compiled, it is
    written out where it is called, so that the loop around it can take several steps at once; what
    numba cannot write out is called.
    """

    function: Function
    standard: int
    written_out: bool = True


Slot = Formula | int


Called = Literal["inlined", "apart", "part"]
What = Literal["alone", "called", "pointer"]

_SUFFIX: dict[What, str] = {"alone": "", "called": "_within", "pointer": "_pointer"}


class Within(Protocol):
    """What is one thing in an interpreted kernel, and another in a compiled one."""

    def within(self, compiled: bool, slots: Mapping[str, Slot]) -> Function: ...


class Kernel:
    """A function to be run interpreted (call it) or compiled.

    A slot is a global name that the kernel uses and that `bound` fills: a formula, or a number
    that the compiler should know.
    """

    def __init__(self, function: Function, called: Called = "inlined") -> None:
        self.called = called
        self.function: types.FunctionType = function  # type: ignore[assignment]
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._made: dict[tuple[Any, ...], Function] = {}

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def bound(self, compiled: bool, slots: Mapping[str, Slot] | None = None) -> Function:
        """The kernel with its slots filled, compiled if asked."""
        if not compiled:
            return self._once("alone", False, slots, _as_it_is)

        def attempt(function: Function) -> Function:
            plain = _plain(slots)
            made = _jit(function)
            return made if plain is None else _Attempt(made, lambda: self.bound(True, plain))

        return self._once("alone", True, slots, attempt)

    def within(self, compiled: bool, slots: Mapping[str, Slot]) -> Function:
        """The same as another kernel calls it: one for all that fill its own slots alike."""
        make = _CALLED[self.called] if compiled else _as_it_is
        own = {name: slot for name, slot in slots.items() if name in _read_by(self.function)}
        return self._once("called", compiled, own, make)

    def pointer(self, signature: Function, slots: Mapping[str, Slot]) -> Function:
        """The kernel compiled to be handed to others, which then need not be compiled for it.

        `signature` makes numba's of it. Calling through a pointer takes some 30 nanoseconds.
        """
        from numba.core.errors import NumbaError

        try:
            return self._once("pointer", True, slots, lambda made: _pointer(made, signature()))
        except NumbaError:
            plain = _plain(slots)
            if plain is None:
                raise
            return self.pointer(signature, plain)

    def patience(self, what: What, slots: Mapping[str, Slot]) -> int:
        """How many cells may be visited without the compiler, in all, before compiling pays.

        None once the kernel was compiled in this process, and fewer if it is on disk: fetching it
        takes as long as interpreting some 10,000, compiling as long as a million. Whether it is on
        disk is told by the name of a file beside its source, as numba is not there to be asked.
        """
        if _key(what, True, slots) in self._made:
            return 0
        source = Path(self.function.__code__.co_filename)
        tag = _tag(self.function, slots)
        name = f"{source.stem}.{self.function.__qualname__}{tag}{_SUFFIX[what]}-*.nbi"
        return SMALL if any((source.parent / "__pycache__").glob(name)) else OFTEN

    def _once(
        self, what: What, compiled: bool, slots: Mapping[str, Slot] | None, make: Function
    ) -> Function:
        key = _key(what, compiled, slots)
        if key not in self._made:
            with _making:  # of threads that ask at once the first makes it for all
                if key not in self._made:
                    self._made[key] = _make(self, compiled, dict(slots or {}), make)
        return self._made[key]


def _key(what: What, compiled: bool, slots: Mapping[str, Slot] | None) -> tuple[Any, ...]:
    # Whoever binds a kernel names its slots in one order: sorting them would take a while.
    return what, compiled, *(slots or {}).items()


def kernel(function: Function) -> Kernel:
    """Decorator: make a plain function a Kernel."""
    return Kernel(function)


def kernel_apart(function: Function) -> Kernel:
    """Decorator: a Kernel that is a function of its own in those that call it."""
    return Kernel(function, "apart")


def kernel_part(function: Function) -> Kernel:
    """Decorator: a Kernel that is a part of those that call it, and compiled only with them.

    What is called in one place is compiled once so, not again for everybody further up.
    """
    return Kernel(function, "part")


def _make(source: Kernel, compiled: bool, slots: dict[str, Slot], make: Function) -> Function:
    function = source.function
    if not compiled and not slots:
        return function
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = slots.get(name, scope.get(name))
        if isinstance(value, Formula):
            scope[name] = _called(value, compiled)
        elif hasattr(value, "within"):
            scope[name] = cast(Within, value).within(compiled, slots)
        elif name in slots:
            scope[name] = value
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__module__ = function.__module__
    copy.__qualname__ = function.__qualname__ + _tag(function, slots)
    return cast(Function, make(copy))


def _as_it_is(function: Function) -> Function:
    return function


def _called(formula: Formula, compiled: bool) -> Function:
    """The formula with its further arguments in one array: numba writes out no call with a star."""
    standard = [f"given{i}" for i in range(formula.standard)]
    n_further = formula.function.__code__.co_argcount - formula.standard
    call = ", ".join([*standard, *(f"further[{i}]" for i in range(n_further))])
    make = (_written_out if formula.written_out else _jit) if compiled else _as_it_is
    scope = {"formula": make(formula.function)}
    outer: Function = eval(f"lambda {', '.join(standard)}, further: formula({call})", scope)
    return make(outer)


def _plain(slots: Mapping[str, Slot] | None) -> dict[str, Slot] | None:
    """The same slots with formulas that are called; None: they are so already."""
    plain = {
        name: evolve(slot, written_out=False) if isinstance(slot, Formula) else slot
        for name, slot in (slots or {}).items()
    }
    return None if plain == dict(slots or {}) else plain


class _Attempt:
    """A kernel with formulas written out, or, if numba cannot do that, another one."""

    def __init__(self, kernel: Function, otherwise: Callable[[], Function]) -> None:
        self.kernel = kernel
        self.otherwise = otherwise

    def __call__(self, *args: Any) -> Any:
        try:
            return self.kernel(*args)
        except Exception as error:
            from numba.core.errors import NumbaError

            plain = self.otherwise()
            if not isinstance(error, NumbaError) or plain is self.kernel:
                raise
            self.kernel = plain  # nothing has run yet
        return self.kernel(*args)


def _written_out(function: Function) -> Function:
    import numba

    written: Function = numba.njit(error_model="numpy", inline="always")(function)
    return written


def _jit(function: Function, **options: bool) -> Function:
    import numba

    def jit(cache: bool) -> Function:
        # Nobody calls a kernel from C.
        common: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
        compiled: Function = numba.njit(cache=cache, **common)(function)
        return compiled

    return _cached(jit)


def _jit_within(function: Function, inline: bool = True) -> Function:
    """For other kernels alone: what Python would call it by, often more code than the kernel's own,
    is left out. So its cache on disk is another.
    """
    function.__qualname__ += _SUFFIX["called"]
    return _jit(function, forceinline=inline, no_cpython_wrapper=True)


def _jit_apart(function: Function) -> Function:
    return _jit_within(function, inline=False)


_CALLED: dict[Called, Function] = {
    "inlined": _jit_within,
    "apart": _jit_apart,
    "part": _written_out,
}


def _pointer(function: Function, signature: Any) -> Any:
    import numba

    from treekit.pointers import Pointer

    function.__qualname__ += _SUFFIX["pointer"]  # its cache on disk is another than the kernel's
    options: dict[str, Any] = {"error_model": "numpy", "nopython": True}
    return Pointer(_cached(lambda cache: numba.cfunc(signature, cache=cache, **options)(function)))


def _cached(make: Callable[[bool], Function]) -> Function:
    try:
        return make(True)
    except RuntimeError:  # numba cannot cache what was not written in a file
        return make(False)


def _tag(function: Function, slots: Mapping[str, Slot]) -> str:
    """A short name for all that is compiled into a kernel, for the cache on disk: what it calls,
    the constants that it reads, and what fills its slots.

    numba looks whether a kernel's own file has changed, and at nothing else.
    """
    digest = hashlib.sha256(_source(function))
    for name, value in sorted(slots.items()):
        digest.update(f"{name}=".encode())
        if isinstance(value, Formula):
            digest.update(_source(value.function))
            digest.update(f"{value.standard}{value.written_out}".encode())
        else:
            digest.update(repr(value).encode())
    return "_" + digest.hexdigest()[:12]


@cache
def _source(function: Function) -> bytes:
    """What a function does, and what the functions do that it calls."""
    digest = hashlib.sha256()
    for one in _with_called(function):
        code = one.__code__
        told = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
        digest.update(f"{one.__module__}:{one.__qualname__}{told}{code.co_names}".encode())
        digest.update(code.co_code)
        for name in code.co_names:
            value = one.__globals__.get(name)
            if isinstance(value, int | float | str | tuple | np.generic):
                digest.update(f"{name}={value!r}".encode())
    return digest.digest()


@cache
def _read_by(function: Function) -> frozenset[str]:
    """The names that a function reads, and the functions that it calls."""
    return frozenset(name for one in _with_called(function) for name in one.__code__.co_names)


def _with_called(function: Function) -> Iterator[types.FunctionType]:
    """A function, and those that it calls, and so on; each once."""
    seen, open_ones = {function}, [cast(types.FunctionType, function)]
    while open_ones:
        one = open_ones.pop()
        yield one
        for name in one.__code__.co_names:
            value = one.__globals__.get(name)
            called = value.function if isinstance(value, Kernel) else value
            if isinstance(called, types.FunctionType) and called not in seen:
                seen.add(called)
                open_ones.append(called)
