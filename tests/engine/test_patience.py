"""How long small work goes on without the compiler depends on where a kernel is."""

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
    (tmp_path / "__pycache__" / "loops.doubled-9.py311.nbi").touch()
    assert kernel_in(tmp_path).patience("alone", {}) == SMALL
    assert kernel_in(tmp_path).patience("pointer", {}) == OFTEN


def test_a_kernel_at_hand_is_used_at_once(tmp_path: Path) -> None:
    kernel = kernel_in(tmp_path)
    kernel.bound(True)
    assert kernel.patience("alone", {}) == 0
