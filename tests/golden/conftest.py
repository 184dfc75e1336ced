"""After the golden tests: a table of what was compared, what is identical and what is owed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

import pytest

from .originals import PROGRAMS, Run, dataset_names, run_names

PROPERTY = "golden"


@pytest.fixture
def verdict(record_property: Callable[[str, object], None]) -> Callable[[Run, str, str], None]:
    """Write down how a run compared: "owed" or "free", and the difference ("" if identical)."""

    def record(run: Run, duty: str, difference: str) -> None:
        record_property(PROPERTY, (run.program, run.label, duty, difference))

    return record


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    verdicts = list(_verdicts(terminalreporter))
    if not verdicts:
        return
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for program, _, duty, difference in verdicts:
        tallies[program]["compared"] += 1
        tallies[program][duty] += 1
        if not difference:
            tallies[program]["identical"] += 1
            tallies[program][f"{duty} identical"] += 1
    terminalreporter.section("original programs")
    row = "{:<9}{:>6}{:>10}{:>11}{:>6}{:>16}{:>9}".format
    terminalreporter.line(
        row("program", "runs", "compared", "identical", "owed", "owed identical", "not yet")
    )
    for program in PROGRAMS:
        tally = tallies[program]
        runs = sum(len(run_names(program, dataset)) for dataset in dataset_names(program))
        compared = tally["compared"]
        terminalreporter.line(
            row(program, runs, compared, tally["identical"], tally["owed"],
                tally["owed identical"], runs - compared)
        )  # fmt: skip
    for program, label, duty, difference in sorted(verdicts):
        if difference:
            terminalreporter.line(f"{program} {label} ({duty}) {difference}")


def _verdicts(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, str, str, str]]:
    for outcome in ("passed", "failed"):
        for report in reporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == PROPERTY:
                    yield tuple(value)
