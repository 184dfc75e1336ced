"""What strategies are installed, by whom, and what failed to load."""

from treekit.registry.gather import GROUP, gather, installed
from treekit.registry.record import NOUNS, Entry, Failure, Registry

__all__ = ["GROUP", "NOUNS", "Entry", "Failure", "Registry", "gather", "installed"]
