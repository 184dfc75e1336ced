"""The data sets of a comparison: files, folders, globs, built-in names and scikit-learn's own."""

from __future__ import annotations

import glob
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
from attrs import evolve, field, frozen

from treekit.datasets import TEST as TEST_PART
from treekit.datasets import built_in, dataset_info, dataset_names, load_dataset
from treekit.errors import DataError, Problem, did_you_mean
from treekit.fitting import training_data
from treekit.table import read_like, read_table
from treekit.table.record import Table
from treekit.table.schema import load_schema, schema_beside

SKLEARN: Final = "sklearn:"
BUNDLED: Final = ("breast_cancer", "diabetes", "digits", "iris", "wine")
ENDINGS: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".arff", ".names")
TEST: Final = ".test"
UNTOLD: Final = ("missing", "encoding", "weights", "drop_missing_target")
"""How data are read, but for what the schema of a table tells."""


@frozen
class Origin:
    """Where data came from, so that they can be read again.

    word     the file, or the name
    reading  the options that the table's schema does not tell
    weights  the column that a schema file, not an option, said to hold the weights
    """

    word: str
    reading: Mapping[str, Any] = field(factory=dict)
    weights: str = ""


@frozen(eq=False)
class DataSet:
    """A table under a name. Its last `n_test` rows are those of a test file.

    `learned`: the same rows as they are learned from, if that is not as they are tested.
    `copy_of`: the name of the data set of which these are a disturbed copy.
    """

    name: str
    table: Table = field(repr=False)
    n_test: int = 0
    origin: Origin | None = None
    learned: Table | None = field(default=None, repr=False)
    copy_of: str = ""

    @property
    def to_learn(self) -> Table:
        return self.table if self.learned is None else self.learned

    @cached_property
    def digest(self) -> str:
        """What tells these data from any other: columns, values, target and weights."""
        told = hashlib.sha256(json.dumps(attrs.asdict(self.table.schema)).encode())
        for table in (self.table, self.learned):
            if table is not None:
                for values in (table.cells, table.y, table.weights):
                    told.update(np.ascontiguousarray(values, "<f8").data)
        told.update(str(self.n_test).encode())
        return told.hexdigest()


def data_sets(words: Iterable[Any], with_tests: bool = False, **reading: Any) -> list[DataSet]:
    """The data sets that these words stand for, each once, in this order.

    A word is a file, a folder (every data file in it), a glob, a built-in name, `sklearn:NAME`, or
    a Table or DataFrame. Beside NAME.csv, NAME.schema.toml or .json is its schema and NAME.test.csv
    its test file, which is read only `with_tests`. `reading` are options of `read_table`; what is
    read already, and what scikit-learn bundles, takes none.
    """
    found: dict[str, DataSet] = {}
    for word in words:
        for data in _meant(word, with_tests, reading):
            name = data.name
            while name in found and found[name].digest != data.digest:
                name += "'"
            found.setdefault(name, evolve(data, name=name))
    return list(found.values())


def check_word(word: str) -> None:
    """Does this word stand for some data? Nothing is read for it. DataError."""
    if word.startswith(SKLEARN):
        _check_bundled(word.removeprefix(SKLEARN))
    elif not built_in(word):
        for path in files_meant(Path(word)):
            if not path.exists():
                near = [file.name for file in path.parent.glob("*") if file.name.endswith(ENDINGS)]
                instead = did_you_mean(path.name, near) if near else ""
                raise DataError(Problem(f"there is no file {str(path)!r}", instead=instead))


def beside(word: str, folder: Path) -> str:
    """A word of a file in this folder, to which paths are relative."""
    path = folder / Path(word).expanduser()
    is_name = not (Path(word).suffix or len(Path(word).parts) > 1 or glob.has_magic(word))
    return word if word.startswith(SKLEARN) or (is_name and not path.exists()) else str(path)


def _meant(word: Any, with_tests: bool, reading: Mapping[str, Any]) -> Iterator[DataSet]:
    if isinstance(word, DataSet):
        yield evolve(word, table=training_data(word.table, **reading))
    elif isinstance(word, Table):
        yield DataSet(Path(word.source).stem or "table", training_data(word, **reading))
    elif not isinstance(word, str | Path):
        yield DataSet("frame", read_table(word, **reading))
    elif str(word).startswith(SKLEARN):
        yield _bundled(str(word).removeprefix(SKLEARN), reading)
    elif named := built_in(str(word)):
        name, part = named
        table, origin = load_dataset(name, part, **reading), origin_of(str(word), reading)
        if with_tests and TEST_PART in dataset_info(name).parts:
            test = load_dataset(name, TEST_PART, **reading)
            yield evolve(_joined(name, table, test), origin=origin)
        else:
            yield DataSet(name, table, origin=origin)
    else:
        for path in files_meant(Path(word)):
            yield _read(path, with_tests, reading)


def origin_of(word: str, reading: Mapping[str, Any]) -> Origin:
    """Where data came from, and what of its reading their schema does not tell."""
    said = {name: reading[name] for name in UNTOLD if reading.get(name)}
    if "missing" in said:
        marks = said["missing"]
        said["missing"] = [marks] if isinstance(marks, str) else list(map(str, marks))
    schema = reading.get("schema")
    if isinstance(schema, str | Path):
        schema = load_schema(schema)
    return Origin(word, said, getattr(schema, "weights", None) or "")


def files_meant(path: Path) -> list[Path]:
    """The file itself, the data files of a folder, or those that a pattern matches."""
    if path.is_dir():
        return _some((p for p in path.iterdir() if p.is_file()), f"{path}", "in this folder")
    if glob.has_magic(str(path)) and not path.exists():
        matched = map(Path, glob.iglob(str(path)))  # noqa: PTH207
        return _some(matched, f"{path}", "that this matches")
    if not path.exists() and not path.suffix and len(path.parts) == 1:
        what = f"{str(path)!r} is neither a file, a folder nor a built-in data set"
        raise DataError(Problem(what, instead=did_you_mean(str(path), dataset_names())))
    return [path]


def _some(paths: Iterable[Path], where: str, words: str) -> list[Path]:
    found = sorted(p for p in paths if p.name.endswith(ENDINGS) and not _is_test(p))
    if not found:
        what = f"there is no data file {words}"
        raise DataError(Problem(what, where, f"such files end in {', '.join(ENDINGS)}"))
    return found


def _is_test(path: Path) -> bool:
    """Is this the test file of another one?"""
    stem, ending = _named(path)
    whole = stem.removesuffix(TEST)
    return whole != stem and path.with_name(whole + ending).is_file()


def _named(path: Path) -> tuple[str, str]:
    """A file's name without its ending, and the ending."""
    ending = next((e for e in ENDINGS if path.name.endswith(e)), path.suffix)
    return path.name.removesuffix(ending), ending


def file_stem(path: Path) -> str:
    """The name of the data set that a file is."""
    return _named(path)[0]


def _read(path: Path, with_tests: bool, reading: Mapping[str, Any]) -> DataSet:
    stem, ending = _named(path)
    options = {"schema": schema_beside(path)} | dict(reading)
    table, origin = read_table(path, **options), origin_of(str(path), options)
    test = path.with_name(f"{stem}{TEST}{ending}")
    if not (with_tests and test.is_file()):
        return DataSet(stem, table, origin=origin)
    shared = {k: reading[k] for k in ("missing", "encoding", "weights") if k in reading}
    joined = _joined(stem, table, read_like(test, table.schema, **shared))
    return evolve(joined, origin=origin)


def _joined(name: str, table: Table, test: Table) -> DataSet:
    if test.target_values is None or np.isnan(test.y).any():
        what = f"the test rows do not all have a value of the target {table.schema.target.name!r}"
        raise DataError(Problem(what, test.source))
    weighted = table.given_weights is not None or test.given_weights is not None
    together = Table(
        table.schema,
        np.hstack([table.cells, test.cells]),
        np.concatenate([table.y, test.y]),
        np.concatenate([table.weights, test.weights]) if weighted else None,
        table.source,
    )
    return DataSet(name, together, test.n_rows)


def _bundled(name: str, reading: Mapping[str, Any]) -> DataSet:
    """A data set that scikit-learn ships, with its own target and kinds."""
    _check_bundled(name)
    if reading:
        what = f"scikit-learn says how its data are read, so {', '.join(reading)} cannot be said"
        instead = "leave it out; a schema beside a file says it of that file alone"
        raise DataError(Problem(what, f"{SKLEARN}{name}", instead))
    try:
        from sklearn import datasets
    except ImportError:
        what = f"{SKLEARN}{name} needs scikit-learn"
        raise DataError(Problem(what, instead="pip install 'treekit[sklearn]'")) from None
    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    frame = bunch.frame
    kinds = {}
    if name != "diabetes":
        classes = [str(c) for c in bunch.target_names]
        frame["target"] = [classes[int(code)] for code in bunch.target]
        kinds = {"target": "nominal"}
    table = evolve(read_table(frame, target="target", kinds=kinds), source=name)
    return DataSet(name, table, origin=Origin(f"{SKLEARN}{name}"))


def _check_bundled(name: str) -> None:
    if name not in BUNDLED:
        what = f"scikit-learn bundles no data set {name!r}"
        raise DataError(Problem(what, instead=did_you_mean(name, BUNDLED)))
