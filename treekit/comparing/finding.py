"""Finding the data of a bundle again: given, in the bundle, or where they came from.

What is found is told by its digest; names only say where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from treekit.comparing.bundle import Bundle, BundledData
from treekit.comparing.data import SKLEARN, DataSet, data_sets, file_stem, files_meant
from treekit.comparing.resampling import FixedTest
from treekit.datasets import built_in
from treekit.errors import DataError, Problem, TreekitError
from treekit.table.record import Table
from treekit.table.schema import schema_file_of

INSIDE = "the bundle"


@frozen(eq=False)
class Found:
    """A data set of a bundle, and where it was found."""

    data: DataSet
    where: str


def find_data(bundle: Bundle, given: Iterable[Any] = ()) -> list[Found]:
    """The data of a bundle, in its order; all that are missing or changed are told at once.

    `given` are words or tables as `compare` takes them. What is given under a data set's name goes
    first, then what the bundle holds, then where the data came from.
    """
    candidates = _candidates(given)
    found: list[Found] = []
    problems: list[Problem] = []
    for wanted in bundle.data:
        try:
            found.append(_found(bundle, wanted, candidates))
        except TreekitError as error:
            problems += error.problems
    if problems:
        raise DataError(*problems)
    return found


def _found(bundle: Bundle, wanted: BundledData, candidates: Mapping[str, Any]) -> Found:
    like = wanted.name.rstrip("'")
    named = {told: word for told, word in candidates.items() if _stem(word) == like}
    if named:
        return _among(bundle, wanted, named)
    if wanted.table is not None:
        held = DataSet(wanted.name, wanted.table, wanted.n_test, wanted.origin, wanted.learned)
        if held.digest != wanted.digest:
            raise _changed(wanted, INSIDE)
        return Found(held, INSIDE)
    if candidates:
        # They may be other data sets' all: nobody said that one is this.
        with suppress(DataError):
            return _among(bundle, wanted, candidates)
    return _where_it_came_from(bundle, wanted)


def _among(bundle: Bundle, wanted: BundledData, candidates: Mapping[str, Any]) -> Found:
    """The first that is right, or what is wrong with all of them."""
    problems: list[Problem] = []
    for told, word in candidates.items():
        try:
            return _checked(bundle, wanted, word, told)
        except DataError as error:
            problems += error.problems
    raise DataError(*problems)


def _where_it_came_from(bundle: Bundle, wanted: BundledData) -> Found:
    if wanted.origin is None:
        raise _missing(wanted, "they were given as a table, and the bundle does not hold them")
    word = wanted.origin.word
    if word.startswith(SKLEARN) or built_in(word):
        return _checked(bundle, wanted, word, word)
    for folder in (Path(), Path(bundle.file).parent):
        if (folder / word).is_file():
            return _checked(bundle, wanted, str(folder / word), str(folder / word))
    raise _missing(wanted, f"there is no {word} any more")


def _checked(bundle: Bundle, wanted: BundledData, word: Any, told: str) -> Found:
    """What a word stands for, read as the data were, if it is still the same."""
    try:
        read = _read(bundle, wanted, word)
    except DataError as error:
        raise _changed(wanted, told, str(error.problems[0])) from None
    for data in read:
        same = evolve(data, name=wanted.name)
        if same.digest == wanted.digest:
            return Found(same, told)
    raise _changed(wanted, told)


def _read(bundle: Bundle, wanted: BundledData, word: Any) -> list[DataSet]:
    with_tests = isinstance(bundle.resampling, FixedTest) or wanted.n_test > 0
    if isinstance(word, DataSet | Table) or (isinstance(word, str) and word.startswith(SKLEARN)):
        return data_sets([word], with_tests)
    how = wanted.origin
    schema = evolve(schema_file_of(wanted.schema), weights=(how.weights or None) if how else None)
    return data_sets([word], with_tests, schema=schema, **(how.reading if how else {}))


def _candidates(given: Iterable[Any]) -> dict[str, Any]:
    """The words and tables that were given, by how they are told: each file of a folder alone."""
    found: dict[str, Any] = {}
    for number, word in enumerate(given, 1):
        if not isinstance(word, str | Path):
            found[f"table {number}"] = word
        elif str(word).startswith(SKLEARN) or built_in(str(word)):
            found[str(word)] = str(word)
        else:
            found |= {str(path): str(path) for path in files_meant(Path(word))}
    return found


def _stem(word: Any) -> str:
    """The name that a data set of this word would have."""
    if isinstance(word, DataSet):
        return word.name
    if isinstance(word, Table):
        return Path(word.source).stem or "table"
    if not isinstance(word, str):
        return "frame"
    if word.startswith(SKLEARN):
        return word.removeprefix(SKLEARN)
    named = built_in(word)
    return named[0] if named else file_stem(Path(word))


def _changed(wanted: BundledData, where: str, why: str = "it was changed since") -> DataError:
    told = f"{where} does not hold the data of the comparison: {why}"
    return DataError(Problem(told, wanted.name, "find the old data, or compare anew"))


def _missing(wanted: BundledData, what: str) -> DataError:
    told = f"the data cannot be found: {what}"
    return DataError(Problem(told, wanted.name, "give the file with --data"))
