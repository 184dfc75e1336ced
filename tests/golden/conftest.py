"""After the golden tests: a table of what was compared, what is identical and what is owed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

import pytest

from .comparing import Difference
from .originals import Run, dataset_names, run_names

PROPERTY = "golden"
Verdict = Callable[[Run, bool, list[Difference]], None]


@pytest.fixture
def verdict(record_property: Callable[[str, object], None]) -> Verdict:
    """Write down how a run compared: whether it is owed, and what differs."""

    def record(run: Run, owed: bool, found: list[Difference]) -> None:
        outcome = "identical" if not found else "tied" if found[-1].tie else "other"
        words = found[0].words if found else ""
        record_property(PROPERTY, (run.program, run.label, "owed" if owed else "", outcome, words))

    return record


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per program, then one per run that is not identical.

    `tied`: only splits that are worth the same differ. `not yet`: runs that no recipe can express.
    """
    verdicts = list(_verdicts(terminalreporter))
    if not verdicts:
        return
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for program, _, duty, outcome, _ in verdicts:
        tallies[program].update(
            ["compared", outcome, *([duty, f"{duty} {outcome}"] if duty else [])]
        )
    terminalreporter.section("original programs")
    row = "{:<9}{:>6}{:>10}{:>11}{:>6}{:>7}{:>6}{:>16}{:>9}".format
    head = ("compared", "identical", "tied", "other", "owed", "owed identical")
    terminalreporter.line(row("program", "runs", *head, "not yet"))
    for program, tally in sorted(tallies.items()):
        runs = sum(len(run_names(program, dataset)) for dataset in dataset_names(program))
        counted = [tally[name] for name in head]
        terminalreporter.line(row(program, runs, *counted, runs - tally["compared"]))
    for program, label, duty, outcome, words in sorted(verdicts):
        if words:
            terminalreporter.line(
                f"{program} {label} [{outcome}{', owed' if duty else ''}] {words}"
            )


def _verdicts(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, str, str, str, str]]:
    for outcome in ("passed", "failed"):
        for report in reporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == PROPERTY:
                    yield tuple(value)
