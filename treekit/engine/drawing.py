"""Columns drawn at random, node by node.

Every node has a key, made of its parent's and of its branch, and what is drawn for it depends on
its key alone: not on the order in which nodes are looked at, nor on threads.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treekit.compiling import kernel
from treekit.table.record import Bools, Ints

Keys = npt.NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def mixed(bits):  # type: ignore[no-untyped-def]
    """The bits stirred, so that keys that differ a little have nothing in common (splitmix64:
    Steele, Lea and Flood 2014).
    """
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel
def chance(key, i):  # type: ignore[no-untyped-def]
    """The i-th random number of a node, from 0 to 1."""
    bits = mixed(key + np.uint64(i + 1) * GOLDEN)
    return np.float64(bits >> np.uint64(11)) * 2.0**-53


@kernel
def child_key(key, branch):  # type: ignore[no-untyped-def]
    """The key of a node's child."""
    return mixed((key ^ GOLDEN) + np.uint64(branch + 1) * np.uint64(0xD1B54A32D192ED03))


@kernel
def draw_places(key, allowed, left, place):  # type: ignore[no-untyped-def]
    """Shuffle the allowed columns of a node (Fisher and Yates); `left` is scratch.

    Columns that are not allowed have no place: theirs is behind all.
    """
    n_columns, count = allowed.shape[0], 0
    for column in range(n_columns):
        place[column] = n_columns
        if allowed[column]:
            left[count] = column
            count += 1
    for i in range(count):
        j = min(i + int(chance(key, i) * (count - i)), count - 1)
        place[left[j]] = i
        left[j] = left[i]


@kernel
def draw_each(keys, allowed, left, place):  # type: ignore[no-untyped-def]
    for n in range(keys.shape[0]):
        draw_places(keys[n], allowed[n], left, place[n])


@kernel
def each_child_key(keys, owner, branch, out):  # type: ignore[no-untyped-def]
    for i in range(owner.shape[0]):
        out[i] = child_key(keys[owner[i]], branch[i])


def drawn_places(keys: Keys, allowed: Bools, compiled: bool) -> Ints:
    """[n, c]: the place of each column in an order that is drawn for each node."""
    place = np.empty(allowed.shape, np.int64)
    with np.errstate(over="ignore"):  # whole numbers go round
        draw_each.bound(compiled)(keys, allowed, np.empty(allowed.shape[1], np.int64), place)
    return place


def child_keys(keys: Keys, owner: Ints, branch: Ints, compiled: bool) -> Keys:
    """The keys of children, each of its owner's branch."""
    found = np.empty(len(owner), np.uint64)
    with np.errstate(over="ignore"):
        each_child_key.bound(compiled)(keys, owner, branch, found)
    return found


def first_key(rng: np.random.Generator) -> Keys:
    """The root's."""
    return rng.integers(0, 2**64, 1, np.uint64)
