"""Files are written whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A file to write that takes the place of `path` at the end, or leaves no trace.

    A link keeps leading where it led: what is replaced is the file behind it.
    """
    goal = Path(path)
    if is_special(goal):
        # Renaming a file onto a device would take the device away.
        with tempfile.TemporaryDirectory() as folder:
            draft = Path(folder) / "draft"
            yield draft
            with draft.open("rb") as source, goal.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        return
    target = Path(os.path.realpath(goal))
    with tempfile.TemporaryDirectory(prefix=f".{target.name[:100]}.", dir=target.parent) as folder:
        # The suffix stays, since it may decide how the file is written.
        draft = Path(folder) / target.name
        yield draft
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)


def is_special(path: Path) -> bool:
    """A pipe or a device is written to, never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
