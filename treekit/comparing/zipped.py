"""Zip files of which the same members make the same bytes, and which are read with care.

Members are read by name, into memory: nothing is unpacked to a place that a file chooses.
"""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treekit.model_file.values import Place, shown
from treekit.writing import written_whole

LARGEST: Final = 1 << 30
"""Bytes of all members together, when they are unpacked."""

# Older dates cannot be said in a zip file.
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_READABLE: Final = 0o644 << 16

Array = npt.NDArray[Any]


def write_members(path: str | os.PathLike[str], members: Mapping[str, bytes]) -> None:
    """Write the file. The same members give the same bytes, whenever and wherever."""
    place = Place(os.fspath(path))
    check_size(members, place)
    try:
        with written_whole(path) as draft, zipfile.ZipFile(draft, "x") as file:
            for name, content in members.items():
                entry = zipfile.ZipInfo(name, _DATE)
                entry.create_system, entry.external_attr = _UNIX, _READABLE
                file.writestr(entry, content, zipfile.ZIP_DEFLATED, compresslevel=6)
    except OSError as error:
        raise place.error(f"cannot be written: {error.strerror or error}") from None


def check_size(members: Mapping[str, bytes], place: Place) -> None:
    """Could these members be read again?"""
    size = sum(map(len, members.values()))
    if size > LARGEST:
        raise place.error(f"{size} bytes are too many; at most {LARGEST} can be read again")


def read_members(path: str | os.PathLike[str]) -> dict[str, bytes]:
    """The members by name; refused if they are too large or damaged."""
    place = Place(os.fspath(path))
    try:
        with zipfile.ZipFile(Path(path)) as file:
            entries = file.infolist()
            _check_entries(entries, place)
            return {entry.filename: _content(file, entry) for entry in entries}
    except OSError as error:
        raise place.error(f"cannot be read: {error.strerror or error}") from None
    except (
        zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError,
    ) as error:  # fmt: skip
        instead = "the file is damaged or was not written by treekit"
        raise place.error(f"is no zip file that can be read: {error}", instead) from None


def _check_entries(entries: list[zipfile.ZipInfo], place: Place) -> None:
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise place.error("holds two members of the same name")
    if sum(entry.file_size for entry in entries) > LARGEST:
        raise place.error(f"is too large: it unpacks to more than {LARGEST} bytes")
    for entry in entries:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise place.error(f"{shown(entry.filename)} is compressed in an unusual way")


def _content(file: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    # A size is asked for, since without one all is unpacked before it is seen to be too long.
    with file.open(entry) as member:
        return member.read(entry.file_size)


def array_bytes(array: Array) -> bytes:
    """An array as NumPy's own .npy file."""
    file = io.BytesIO()
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    np.lib.format.write_array(file, little, (1, 0), allow_pickle=False)
    return file.getvalue()


def array_of(
    content: bytes, place: Place, shape: tuple[int, ...], types: tuple[str, ...] = ("<f8",)
) -> Array:
    """The array in a .npy file, if it has this shape and one of these types."""
    file = io.BytesIO(content)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise place.error("is an array of another format than NumPy's 1.0")
        found, by_column, dtype = np.lib.format.read_array_header_1_0(file)
    except (ValueError, TypeError, SyntaxError, OverflowError, MemoryError) as error:
        raise place.error(f"is no array of NumPy: {' '.join(str(error).split())}") from None
    if found != shape or by_column or dtype.str not in types:
        got = f"{dtype.str} of shape {str(found)[:40]}"
        raise place.error(f"must be {' or '.join(types)} of shape {shape}, got {got}")
    if len(content) - file.tell() != int(np.prod(shape, dtype=object)) * dtype.itemsize:
        raise place.error("is cut off, or longer than its shape")
    return np.frombuffer(content, dtype, offset=file.tell()).reshape(shape)
