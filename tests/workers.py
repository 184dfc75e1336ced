"""How files are dealt out to the workers of pytest-xdist (`--dist loadfile`).

The longest come first, so that none is left for one worker when the others have done all. The very
longest compiles most kernels; what needs the same ones comes after files that need few, and finds
them on disk. Files that have trees or kernels in common go to the same worker. No test depends on
it.
"""

from __future__ import annotations

from typing import Any

import pytest

LONGEST = (
    "contracts/test_builtin.py",
    "packaging/test_wheel.py",
    "golden/test_c45.py",
    "peers/test_weka_adaboost.py",
    "cli/test_compare_resumed.py",
    "reporting/test_page.py",
    "comparing/test_cluster.py",
    "comparing/test_backends.py",
    "test_weights.py",
    "explain/test_growth.py",
    "comparing/test_verify.py",
    "golden/test_rpart_tables.py",
    "benchmarks/test_families.py",
    "docs/test_docs.py",
)
# What is told of the same runs of rpart, and what needs the same large kernels at the same time.
TOGETHER = {
    "docs/test_docs.py": "benchmarks/test_families.py",
    "golden/test_rpart.py": "golden/test_rpart_tables.py",
    "golden/test_rpart_surrogates.py": "golden/test_rpart_tables.py",
}


def place_of(file: str) -> int:
    """Files with smaller numbers come before the others; the others stay in their order."""
    ours = within(file)
    return LONGEST.index(ours) if ours in LONGEST else len(LONGEST)


def scope_of(file: str) -> str:
    """Files of the same scope go to the same worker."""
    return TOGETHER.get(within(file), within(file))


def within(file: str) -> str:
    """The path of a file as seen from the folder of the tests."""
    return file.removeprefix("tests/")


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def longest_first(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: place_of(file_of(item.nodeid)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The scheduler of xdist, by scopes instead of files and in the order of collection."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByScope(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(file_of(nodeid))

    config.option.loadscopereorder = False
    return ByScope(config, log)
