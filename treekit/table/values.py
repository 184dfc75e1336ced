"""The distinct values of columns, told by where they stand in the cells."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.integer]


@frozen(eq=False, slots=False)
class Values:
    """Numbers that are looked up in `cells`, where the i-th is the one at `places[i]`.

    A place takes half of the memory that a number takes. Places count the cells one row after the
    other.
    """

    cells: Floats
    places: Places

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, which: Any) -> Floats:
        found: Floats = self.held[self.places[which]]
        return found + 0.0  # of rows with 0 and -0 either may be looked up

    @cached_property
    def held(self) -> Floats:
        """The cells end to end."""
        return self.cells.reshape(-1)

    @property
    def arguments(self) -> tuple[Floats, Places]:
        """As the kernels take them: the i-th is held[places[i]]."""
        return self.held, self.places


def place_kind(cells: Floats) -> type[np.integer]:
    """Numbers that can tell any place in these cells, as small as they may be."""
    return np.uint32 if cells.size <= 1 << 32 else np.int64
