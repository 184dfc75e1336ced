"""Pruners: what is cut after growth."""

from .collapse import Collapse
from .complexity import complexities
from .cost_complexity import CostComplexity
from .critical_value import CriticalValue
from .error_based import ErrorBased
from .estimates import estimated_errors
from .m5 import M5
from .mdl import Mdl
from .minimum_error import MinimumError, expected_error
from .pessimistic import Pessimistic, pessimistic_errors
from .reduced_error import ReducedError
from .unpruned import NoPruning
from .weakest_link import PruningPath, WeakestLink, weakest_link_path

__all__ = [
    "M5",
    "Collapse",
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "Mdl",
    "MinimumError",
    "NoPruning",
    "Pessimistic",
    "PruningPath",
    "ReducedError",
    "WeakestLink",
    "complexities",
    "estimated_errors",
    "expected_error",
    "pessimistic_errors",
    "weakest_link_path",
]
