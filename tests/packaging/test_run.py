"""`run.py` sets an environment up when it must, and only then."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import IO

import pytest

from .conftest import ROOT


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, in a folder of its own, with what it would call written down in `calls`."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    script.calls = []  # type: ignore[attr-defined]
    script.code = 0  # type: ignore[attr-defined]

    def create(environment: Path, clear: bool, with_pip: bool) -> None:
        script.calls.append("venv, emptied" if clear else "venv")
        environment.mkdir(exist_ok=True)
        (environment / "pyvenv.cfg").touch()

    def call(program: Path, *arguments: str) -> int:
        script.calls.append(" ".join([program.name, arguments[-1] if arguments else ""]).strip())
        return int(script.code)

    class Started:
        """A program beside this one, which ends as those that are called do."""

        def __init__(self, program: Path, said: IO[bytes]) -> None:
            script.calls.append(program.name)
            said.write(f"{program.name} has its say\n".encode())

        def wait(self) -> int:
            return int(script.code)

    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script.venv, "create", create)
    monkeypatch.setattr(script, "call", call)
    monkeypatch.setattr(script, "start", Started)
    monkeypatch.delenv("TREEKIT_VENV", raising=False)
    monkeypatch.chdir(tmp_path)
    return script


def test_the_first_run_makes_the_environment_and_the_next_one_does_not(run: ModuleType) -> None:
    assert run.main(["demo"]) == 0
    assert run.calls == ["venv", f"python {run.ROOT}", "treekit demo"]
    run.calls.clear()
    assert run.main(["demo"]) == 0
    assert run.calls == ["treekit demo"]


def test_the_tests_need_more_but_not_another_environment(run: ModuleType) -> None:
    run.main(["demo"])
    run.calls.clear()
    assert run.main(["test", "-x"]) == 0
    assert run.calls == [f"python {run.ROOT}[test]", "mypy", "ruff .", "ruff .", "pytest -x"]
    run.calls.clear()
    run.main(["demo"])
    assert run.calls == ["treekit demo"]


def test_a_changed_pyproject_makes_the_environment_anew(run: ModuleType) -> None:
    run.main(["demo"])
    (run.ROOT / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    run.calls.clear()
    run.main(["demo"])
    assert run.calls == ["venv, emptied", f"python {run.ROOT}", "treekit demo"]


def test_a_failed_installation_is_tried_again(run: ModuleType) -> None:
    run.code = 1
    assert run.main(["demo"]) == 1
    assert run.calls == ["venv", f"python {run.ROOT}"]
    run.code = 0
    run.calls.clear()
    assert run.main(["demo"]) == 0
    assert run.calls == ["venv, emptied", f"python {run.ROOT}", "treekit demo"]


def test_a_folder_that_is_no_environment_is_never_emptied(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TREEKIT_VENV", str(tmp_path / "mine"))
    (tmp_path / "mine").mkdir()
    run.main(["demo"])
    assert run.calls[0] == "venv"


def test_every_check_is_run_and_the_first_failure_is_the_exit_code(run: ModuleType) -> None:
    run.main(["test"])
    run.calls.clear()
    run.code = 3
    assert run.main(["test"]) == 3
    assert [call.split()[0] for call in run.calls] == ["mypy", "ruff", "ruff", "pytest"]


def test_types_alone_can_fail_the_checks(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    run.main(["test"])
    monkeypatch.setattr(run.start, "wait", lambda self: 1)
    assert run.main(["test"]) == 1


def test_what_is_found_of_types_is_told_at_the_end(
    run: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    run.main(["test"])
    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if line[0] == "+"][-1] == "+ mypy"
    assert told[-1] == "mypy has its say"


def test_an_old_python_is_told_so(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "OLDEST", (99, 0))
    assert run.main(["demo"]) == 2
    assert capsys.readouterr().err == "error: treekit needs Python 3.11 or newer\n"
