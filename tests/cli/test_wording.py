"""What the library says of arguments, the command line says of options."""

from __future__ import annotations

import pytest

from treekit.cli.wording import in_options
from treekit.errors import Problem


@pytest.mark.parametrize(
    ("remedy", "told"),
    [
        ("leave them out with drop_missing_target", "leave them out with --drop-missing-target"),
        ("or leave it out: kinds={'a': 'ignore'}", "or leave it out: --kind a=ignore"),
        ("kinds={'the age': 'ignore'}", "--kind 'the age=ignore'"),
        ("""kinds={"it's": 'ignore'}""", """--kind 'it'"'"'s=ignore'"""),
        ("(--kind a=nominal, or kinds={'a': 'nominal'}), or", "(--kind a=nominal), or"),
        ("it looks so: give encoding='utf-16'", "it looks so: give --encoding utf-16"),
        ("give another encoding, such as 'utf-8'", "give another --encoding, such as 'utf-8'"),
        ("name one of a, b", "give --target COL, one of a, b"),
        ("or give schema='a.schema.json', which", "or give --schema a.schema.json, which"),
        ("""schema="it's.schema.toml\"""", """--schema 'it'"'"'s.schema.toml'"""),
        ("did you mean 'age'?", "did you mean 'age'?"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_remedy_can_be_typed(remedy: str, told: str) -> None:
    assert in_options(Problem("what", "where", remedy)) == Problem("what", "where", told)
