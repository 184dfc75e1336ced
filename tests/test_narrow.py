"""Reductions along a short axis: NumPy's own results, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from treekit.narrow import NARROW, first_true, greatest, total

SHAPES = arrays.array_shapes(min_dims=1, max_dims=3, max_side=NARROW + 3)
NUMBERS = arrays.arrays(np.float64, SHAPES, elements=st.floats(allow_infinity=False))
FLAGS = arrays.arrays(np.bool_, SHAPES)


@given(NUMBERS)
@pytest.mark.filterwarnings("ignore:overflow")
def test_the_greatest_and_the_total_are_numpy_s(values: np.ndarray) -> None:
    np.testing.assert_array_equal(greatest(values), values.max(axis=-1))
    np.testing.assert_array_equal(total(values), values.sum(axis=-1))


@given(FLAGS)
def test_the_first_true_is_numpy_s(flags: np.ndarray) -> None:
    there = flags.any(axis=-1)
    np.testing.assert_array_equal(first_true(flags)[there], flags.argmax(axis=-1)[there])
