"""The engine grows trees; it knows roles, and no strategy by name."""

from treekit.engine.growth import grow
from treekit.engine.outlook import tests_of
from treekit.engine.parts import prepared

__all__ = ["grow", "prepared", "tests_of"]
