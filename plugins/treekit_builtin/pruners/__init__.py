"""Pruners: what is cut after growth."""

from .collapse import Collapse
from .cost_complexity import CostComplexity, complexities
from .critical_value import CriticalValue
from .error_based import ErrorBased
from .estimates import estimated_errors
from .mdl import Mdl, description_length
from .minimum_error import MinimumError, expected_error
from .pessimistic import Pessimistic, pessimistic_errors
from .reduced_error import ReducedError
from .unpruned import NoPruning

__all__ = [
    "Collapse",
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "Mdl",
    "MinimumError",
    "NoPruning",
    "Pessimistic",
    "ReducedError",
    "complexities",
    "description_length",
    "estimated_errors",
    "expected_error",
    "pessimistic_errors",
]
