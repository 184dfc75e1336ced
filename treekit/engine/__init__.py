"""The engine grows trees; it knows roles, and no strategy by name."""

from treekit.engine.growth import grow

__all__ = ["grow"]
