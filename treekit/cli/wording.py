"""The library's messages in the words of the command line.

The library tells its users of arguments (`drop_missing_target`, `kinds={...}`); whoever typed a
command wants options. What both read the same is not in the table.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Collection

from attrs import evolve

from treekit.errors import Problem

Replacement = str | Callable[[re.Match[str]], str]


def _kind_option(found: re.Match[str]) -> str:
    """kinds={'age': 'ignore'} as `--kind age=ignore`, quoted where a shell wants it."""
    name, kind = ast.literal_eval(found["name"]), found["kind"]
    return "--kind " + shlex.quote(f"{name}={kind}")


def _schema_option(found: re.Match[str]) -> str:
    return "--schema " + shlex.quote(ast.literal_eval(found["file"]))


_KINDS = r"kinds=\{(?P<name>'[^']*'|\"[^\"]*\"): '(?P<kind>\w+)'\}"

REMEDIES: tuple[tuple[str, Replacement], ...] = (
    (rf"(?:--kind [^()]*, or )?{_KINDS}", _kind_option),
    (r"drop_missing_target", "--drop-missing-target"),
    (r"^name one of ", "give --target COL, one of "),
    (r"schema=(?P<file>'[^']*'|\"[^\"]*\")", _schema_option),
    (r"encoding='([\w-]+)'", r"--encoding \1"),
    (r"give (its|another) encoding", r"give \1 --encoding"),
    (r"the missing marks", "the missing marks (--missing)"),
    (r"declare the column nominal", "declare the column nominal (--kind COL=nominal)"),
    (r"leave the column out", "leave the column out (--kind COL=ignore)"),
    (
        r"read it with pandas\.read_csv\(.*\) and give the DataFrame",
        "save it with commas, or with tabs as .tsv",
    ),
)


def in_options(problem: Problem) -> Problem:
    """The problem with a remedy that can be typed."""
    remedy = problem.instead
    for pattern, replacement in REMEDIES:
        remedy = re.sub(pattern, replacement, remedy)
    return evolve(problem, instead=remedy)


def blamed_on_options(problem: Problem, given: Collection[str]) -> Problem:
    """The problem with the option that is to blame, if one of these arguments was given as one."""
    for argument, option in (("target", "--target"), ("weights", "--weights"), ("kinds", "--kind")):
        if argument in given:
            what = re.sub(rf"^{argument}: ", f"{option}: ", problem.what)
            where = re.sub(rf"^{argument}$", option, problem.where)
            problem = evolve(problem, what=what, where=where)
    return problem
