"""What rounding may do to the figures that stops compare."""

from __future__ import annotations

from attrs.validators import instance_of

number = instance_of((int, float))

# Sums of fractional weights carry rounding errors: 3 times a third must count as 1.
WEIGHT_NOISE = 1e-9
SCORE_NOISE = 1e-12
