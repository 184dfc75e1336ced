"""Pruners: what is cut after growth."""

from .collapse import Collapse
from .cost_complexity import CostComplexity, complexities
from .error_based import ErrorBased
from .estimates import estimated_errors
from .reduced_error import ReducedError
from .unpruned import NoPruning

__all__ = [
    "Collapse",
    "CostComplexity",
    "ErrorBased",
    "NoPruning",
    "ReducedError",
    "complexities",
    "estimated_errors",
]
