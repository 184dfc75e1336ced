"""Ensembles: how many trees become one answer."""

from treekit_builtin.ensembles.single import Single

__all__ = ["Single"]
