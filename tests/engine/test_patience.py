"""How long small work goes on without the compiler depends on where a kernel is; what is kept, and
how kernels are called.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from treekit.compiling import OFTEN, SMALL, Kernel


def doubled(values: np.ndarray) -> None:
    values *= 2


def kernel_in(folder: Path) -> Kernel:
    """A kernel whose source seems to lie in a folder."""
    code = doubled.__code__.replace(co_filename=str(folder / "loops.py"))
    return Kernel(type(doubled)(code, globals(), "doubled"))


def test_a_kernel_that_was_never_compiled_is_not_waited_for_soon(tmp_path: Path) -> None:
    assert kernel_in(tmp_path).patience("alone", {}) == OFTEN


def test_a_kernel_on_disk_is_fetched_sooner(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    name = kernel_in(tmp_path).bound(True).__qualname__
    (tmp_path / "__pycache__" / f"loops.{name}-9.py311.nbi").touch()
    assert kernel_in(tmp_path).patience("alone", {}) == SMALL
    assert kernel_in(tmp_path).patience("pointer", {}) == OFTEN


def test_a_kernel_at_hand_is_used_at_once(tmp_path: Path) -> None:
    kernel = kernel_in(tmp_path)
    kernel.bound(True)
    assert kernel.patience("alone", {}) == 0


def calling(helper: object, factor: float) -> Kernel:
    """A kernel that calls another and reads a constant, both of its module's."""
    scope = {"__name__": __name__, "helper": helper, "FACTOR": factor}
    return Kernel(type(caller)(caller.__code__, scope, "caller"))


def caller(values: np.ndarray) -> None:
    helper(values)  # type: ignore[name-defined]  # noqa: F821
    values += FACTOR  # type: ignore[name-defined]  # noqa: F821


def tripled(values: np.ndarray) -> None:
    values *= 3


def test_what_is_kept_on_disk_is_told_apart_by_all_that_is_compiled_into_it() -> None:
    def name(helper: object, factor: float) -> str:
        return str(calling(helper, factor).bound(True).__qualname__)

    assert name(Kernel(doubled), 1.0) == name(Kernel(doubled), 1.0)
    assert name(Kernel(doubled), 1.0) != name(Kernel(doubled), 2.0)
    assert name(Kernel(doubled), 1.0) != name(Kernel(tripled), 1.0)


def test_within_others_a_kernel_is_one_for_all_that_fill_its_own_slots_alike() -> None:
    kernel = calling(Kernel(doubled), 1.0)
    first = kernel.within(True, {"FACTOR": 2, "OTHER": 1})
    assert kernel.within(True, {"FACTOR": 2, "OTHER": 5}) is first
    assert kernel.within(True, {"FACTOR": 3, "OTHER": 1}) is not first


def test_what_others_call_can_be_called_by_python_too() -> None:
    values, helper = np.ones(2), Kernel(doubled)
    calling(helper, 1.0).bound(True)(values)
    helper.bound(True)(values)
    np.testing.assert_array_equal(values, [6.0, 6.0])
