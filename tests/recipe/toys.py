"""Small strategies of every role, for recipes that no real algorithm would use."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from attrs import field, frozen
from attrs.validators import deep_iterable, ge, gt, in_, le, optional

from treekit.registry import Entry, Registry
from treekit.table.record import Kind


@frozen
class Spread:
    """How far the classes spread.

    base: the base
        of the logarithm.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    base: float = field(default=2.0, validator=gt(1))

    def impurity(self, stats: Any) -> Any: ...


@frozen
class Scatter:
    """How far the numbers scatter."""

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    def impurity(self, stats: Any) -> Any: ...


@frozen
class Drop:
    """How far the impurity drops."""

    def score(self, parent: Any, branches: Any, before: Any, after: Any) -> Any: ...


@frozen
class Compare:
    """Compares impurities."""

    by_mean_impurity: ClassVar[bool] = True

    def score(self, parent: Any, branches: Any, before: Any, after: Any) -> Any: ...


@frozen
class Cut:
    """Cuts in two."""

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")
    gap: float = field(default=0.0, validator=ge(0))

    def offer(self, search: Any, columns: Any) -> Any: ...


@frozen
class Fan:
    """A branch per level."""

    kinds: ClassVar[tuple[Kind, ...]] = ("nominal",)

    def offer(self, search: Any, columns: Any) -> Any: ...


@frozen
class Done:
    """Nothing is left to do."""

    reason: ClassVar[str] = "done"

    def before(self, nodes: Any) -> Any: ...


@frozen
class Few:
    """Too few rows.

    rows    how many are enough
    count   what is counted
    """

    reason: ClassVar[str] = "few"
    rows: int = field(default=2, validator=ge(0))
    count: Literal["rows", "weight"] = "rows"
    least: float | None = field(default=None, validator=optional(ge(0)))

    def before(self, nodes: Any) -> Any: ...


@frozen
class Deep:
    """Too deep."""

    reason: ClassVar[str] = "deep"
    depth: int

    def before(self, nodes: Any) -> Any: ...


@frozen
class Forbid:
    """Unknown values are forbidden."""

    def check(self, table: Any) -> None: ...
    def discount(self, known: Any, total: Any) -> Any: ...
    def destination(self, owner: Any, weight: Any, n: int) -> Any: ...


@frozen
class Most:
    """The most frequent class."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def answers(self, tree: Any) -> Any: ...


@frozen
class Middle:
    """The number in the middle."""

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    def answers(self, tree: Any) -> Any: ...


@frozen
class Keep:
    """Nothing is cut."""

    def prune(self, tree: Any, data: Any) -> Any: ...


def even(_: Any, attribute: Any, value: int) -> None:
    if value % 2:
        raise ValueError("an even number is wanted")


@frozen
class Every:
    """A parameter of every type."""

    flag: bool = False
    whole: int = field(default=0, validator=[ge(0), even])
    number: float = field(default=0.5, validator=[gt(0), le(1)])
    word: str = ""
    choice: Literal["left", "right"] = "left"
    option: str = field(default="a", validator=in_(("a", "b")))
    some: tuple[str, ...] = field(default=(), validator=deep_iterable(in_(("left", "right"))))
    maybe: float | None = None
    either: int | Literal["root"] = "root"
    loose: float | int = 1
    pair: tuple[int, float] = (1, 2.0)
    many: tuple[float, ...] = ()
    words: list[str] = field(factory=list)
    costs: dict[str, float] = field(factory=dict)
    _hidden: int = 0
    anything: Any = 0

    def prune(self, tree: Any, data: Any) -> Any: ...


@frozen
class Picky:
    """Refuses as a whole."""

    low: int = 0
    high: int = 1

    def __attrs_post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low must not exceed high")

    def prune(self, tree: Any, data: Any) -> Any: ...


@frozen
class Untyped:
    """Does not say what its parameter is."""

    power = field(default=1)  # type: ignore[var-annotated]

    def prune(self, tree: Any, data: Any) -> Any: ...


@frozen
class Rows:
    """Row by row."""

    def grow(self, growth: Any) -> None: ...


@frozen
class One:
    """One tree."""

    def plant(self, table: Any, grow: Any, rng: Any) -> Any: ...


@frozen
class Several:
    """Several trees."""

    trees: int = field(default=10, validator=ge(1))

    def plant(self, table: Any, grow: Any, rng: Any) -> Any: ...


OFFERED: dict[str, dict[str, type]] = {
    "impurity": {"spread": Spread, "scatter": Scatter},
    "criterion": {"drop": Drop, "compare": Compare},
    "splitter": {"cut": Cut, "fan": Fan},
    "stop": {"done": Done, "few": Few, "deep": Deep},
    "missing": {"forbid": Forbid},
    "label": {"most": Most, "middle": Middle},
    "pruner": {"keep": Keep, "every": Every, "picky": Picky, "untyped": Untyped},
    "grower": {"rows": Rows},
    "ensemble": {"one": One, "several": Several},
}

REGISTRY = Registry(
    tuple(
        Entry(role, name, cls, "treekit-toys", "1.0", (cls.__doc__ or "").split("\n")[0], name)
        for role, offer in OFFERED.items()
        for name, cls in offer.items()
    )
)

DEFAULTS = """
ensemble = "one"
[tree]
missing = "forbid"
pruner = "keep"
grower = "rows"
"""

BASE = """\
summary = "the base"
task = "classification"
[tree]
impurity = "spread"
criterion = "drop"
splitter = { numeric = { use = "cut", gap = 0.5 }, nominal = "fan" }
stop = ["done", { use = "few", rows = 4 }]
label = "most"
pruner = { use = "every", number = 0.25 }
"""
