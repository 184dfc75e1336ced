"""How the trees' answers become one, in a model file."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np

from treekit.combining import RULES, Combination
from treekit.model_file import values
from treekit.model_file.values import Place, shown
from treekit.offers import Rule
from treekit.table.record import Schema

KEYS: Final = ("rule", "base", "outputs")


def document(how: Combination) -> dict[str, Any]:
    return {
        "rule": how.rule,
        "base": [float(value) for value in how.base],
        "outputs": [int(output) for output in how.outputs],
    }


def parsed(value: Any, weights: tuple[float, ...], place: Place) -> Combination:
    found = values.members(value, place, KEYS)
    rule = values.text(found["rule"], place.key("rule"))
    base = values.floats(found["base"], place.key("base"))
    outputs = values.integers(found["outputs"], place.key("outputs"))
    return Combination(weights, cast(Rule, rule), tuple(base.tolist()), tuple(outputs.tolist()))


def check(how: Combination, schema: Schema, place: Place) -> None:
    """Every rule of `Combination`, and that it fits the schema."""
    here = place.key("rule")
    if how.rule not in RULES:
        raise here.error(f"must be one of {', '.join(RULES)}, got {shown(how.rule)}")
    of_numbers = schema.task == "regression"
    wrong = ("vote", "softmax") if of_numbers else ("weighted_median",)
    if how.rule in wrong:
        raise here.error(f"{how.rule!r} does not go with {schema.task}")
    width = 1 if of_numbers else len(schema.classes)
    base, here = np.asarray(how.base, np.float64), place.key("base")
    if len(base) not in (0, width):
        raise here.error(f"must be empty or have {width} entries, has {len(base)}")
    here.unless(np.isfinite(base), base, "must be a finite number")
    outputs, here = np.asarray(how.outputs, np.int64), place.key("outputs")
    n_trees = len(how.weights) if how.rule == "softmax" else 0
    if len(outputs) != n_trees:
        raise here.error(f"must have {n_trees} entries, has {len(outputs)}")
    here.unless(
        (outputs >= 0) & (outputs < width), outputs, f"must be the number of one of {width} classes"
    )


def facts_checked(facts: Any, place: Place) -> dict[str, float]:
    return {
        values.text(name, place): values.number(value, place.key(name))
        for name, value in values.mapping(facts, place).items()
    }
