"""How near the trees are to those of the original programs: verdicts, and the table of them.

A test that compares with an original takes the fixture `fidelity` and records one verdict for each
run that it compares. By that fixture it is also marked: `pytest -m fidelity` runs such tests only.
Whatever else is run, the table of the verdicts comes at the end. Verdicts travel as properties of
the tests' reports, so they also arrive from the workers of pytest-xdist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import pytest
from attrs import astuple, frozen

PROPERTY = "fidelity"
TITLE = "fidelity to the original programs"
# The reason of a difference that nobody has explained.
UNEXPLAINED = "unexplained"


@frozen
class Compared:
    """A run of an original program that was compared.

    reason  why the trees differ, in words that many runs may share; "" if they are identical
    detail  where they differ
    runs    how many runs of the program there are to compare; 0: those that were compared
    """

    program: str
    run: str
    reason: str = ""
    detail: str = ""
    runs: int = 0


class Fidelity(Protocol):
    """Records a verdict; the fields are those of `Compared`."""

    def __call__(
        self, program: str, run: str, reason: str = "", detail: str = "", runs: int = 0
    ) -> None: ...


@pytest.fixture
def fidelity(record_property: Callable[[str, object], None]) -> Fidelity:
    """Write down how a run of an original program compared."""

    def record(program: str, run: str, reason: str = "", detail: str = "", runs: int = 0) -> None:
        record_property(PROPERTY, list(astuple(Compared(program, run, reason, detail, runs))))

    return record


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "fidelity: compares with an original program (whatever takes `fidelity`)"
    )


def mark_what_compares(items: list[pytest.Item]) -> None:
    """Mark whatever records a verdict, before -m chooses."""
    for item in items:
        if "fidelity" in getattr(item, "fixturenames", ()):
            item.add_marker("fidelity")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table, if there is a verdict; with -v also every run that differs for a known reason."""
    verdicts = sorted(_verdicts(terminalreporter), key=astuple)
    if verdicts:
        terminalreporter.section(TITLE)
        for line in table_of(verdicts, every=terminalreporter.verbosity > 0):
            terminalreporter.line(line)


def table_of(verdicts: Iterable[Compared], *, every: bool = False) -> Iterator[str]:
    """A line for each program, then the reasons of its differences, then what has none."""
    verdicts = list(verdicts)
    programs = sorted({verdict.program for verdict in verdicts})
    width = max(map(len, ["program", *programs])) + 2
    row = f"{{:<{width}}}{{:>8}}{{:>11}}{{:>11}}{{:>13}}{{:>9}}".format
    yield row("program", "compared", "identical", "explained", "unexplained", "not yet")
    reasons: dict[str, Counter[str]] = {}
    for program in programs:
        own = [verdict for verdict in verdicts if verdict.program == program]
        count = reasons[program] = Counter(verdict.reason for verdict in own)
        identical, unexplained = count.pop("", 0), count.pop(UNEXPLAINED, 0)
        not_yet = max(max(verdict.runs for verdict in own) - len(own), 0)
        yield row(program, len(own), identical, count.total(), unexplained, not_yet)
    if any(reasons.values()):
        yield ""
        yield f"{'program':<{width}}{'runs':>4}  explained differences"
    for program, count in reasons.items():
        for reason, runs in count.most_common():
            yield f"{program:<{width}}{runs:>4}  {reason}"
    told = [v for v in verdicts if v.reason and (every or v.reason == UNEXPLAINED)]
    if told:
        yield ""
    for verdict in told:
        yield f"{verdict.program} {verdict.run} [{verdict.reason}] {verdict.detail}".rstrip()


def _verdicts(reporter: pytest.TerminalReporter) -> Iterator[Compared]:
    for outcome in ("passed", "failed"):
        for report in reporter.stats.get(outcome, []):
            # Properties are told again with the report of what follows the test.
            if getattr(report, "when", None) == "call":
                for name, value in report.user_properties:
                    if name == PROPERTY:
                        yield Compared(*value)
