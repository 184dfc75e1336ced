"""Shares of a number of rows or columns."""

from __future__ import annotations

# A share of a whole number may lie this much below a whole number.
_NOISE = 1e-9


def share_of(share: float, of: int) -> int:
    """How many a share of so many is, rounded down: 1 at least."""
    return max(int(share * of + _NOISE), 1)
