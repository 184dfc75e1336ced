"""Missing-value handlers: how unknown values count in a score, and where they go."""

from .joined import DefaultDirection, OwnBranch
from .simple import DropRows, Fractional, MajorityBranch, Refuse, StopAtNode
from .surrogate import Surrogate
from .typical import Typical

__all__ = [
    "DefaultDirection",
    "DropRows",
    "Fractional",
    "MajorityBranch",
    "OwnBranch",
    "Refuse",
    "StopAtNode",
    "Surrogate",
    "Typical",
]
