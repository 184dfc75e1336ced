"""Kernels that grow whole subtrees, one after the other, each in memory of its own.

A node's cases lie side by side, in the order of every column, and are handed on to its children by
stable partition; who grows depth first finds them in the processor's cache. The formulas come as
pointers, so that other formulas need no other kernel.
"""
