"""The contenders in a bundle: each is a document, its digest, and of which kind it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from treekit.comparing.contenders import Contender, RecipeContender
from treekit.comparing.estimators import EstimatorContender
from treekit.comparing.partly import Partly
from treekit.model_file import values
from treekit.model_file.checks import versions_checked
from treekit.model_file.reading import number_words
from treekit.model_file.values import Place, shown
from treekit.model_file.writing import plain

WHOLE: Final = ("recipe", "estimator")
"""The kinds that may learn from a share of the rows."""

KEYS: Final = ("name", "kind", "digest", "varied", "document")


def contender_entry(contender: Contender, place: Place) -> dict[str, Any]:
    """A contender as plain data; of one that learns from a share, the whole one is in it."""
    kind = next((kind for kind, (made, _) in KINDS.items() if isinstance(contender, made)), "")
    if not kind:
        what = f"{contender.name!r} is neither a recipe nor an estimator of scikit-learn"
        raise place.error(what, "leave it out")
    told = dict(contender.document)
    if isinstance(contender, Partly):
        told["whole"] = contender_entry(contender.whole, place)
    document = plain(told, place.key("contenders").key(contender.name))
    return {
        "name": contender.name,
        "kind": kind,
        "digest": document_digest(number_words(document)),
        "varied": dict(contender.varied),
        "document": document,
    }


def contender_in(value: Any, place: Place, kinds: Sequence[str] = ()) -> Contender:
    """The contender that an entry tells of, of one of these kinds; of any unless given."""
    found = values.members(value, place, KEYS)
    name = values.text(found["name"], place.key("name"))
    varied = versions_checked(found["varied"], place.key("varied"))
    here = place.key("document")
    document = number_words(values.mapping(found["document"], here))
    if found["digest"] != document_digest(document):
        what = "does not match the document: the file was changed after it was written"
        raise place.key("digest").error(what)
    kind, wanted = found["kind"], tuple(kinds or KINDS)
    if kind not in wanted:
        raise place.key("kind").error(f"must be one of {', '.join(wanted)}, got {shown(kind)}")
    return KINDS[kind][1](name, document, varied, here)


def document_digest(document: Mapping[str, Any]) -> str:
    """What tells a contender from any other, whatever its name and the versions."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _recipe(name: str, document: dict[str, Any], varied: dict[str, str], at: Place) -> Contender:
    return RecipeContender(name, document, varied)


def _estimator(name: str, document: dict[str, Any], varied: dict[str, str], at: Place) -> Contender:
    parts = values.members(document, at, ("estimator", "parameters"))
    estimator = values.text(parts["estimator"], at.key("estimator"))
    parameters = values.mapping(parts["parameters"], at.key("parameters"))
    return EstimatorContender(name, estimator, parameters, varied)


def _partly(name: str, document: dict[str, Any], varied: dict[str, str], at: Place) -> Contender:
    parts = values.members(document, at, ("learns from", "whole"))
    share = values.number(parts["learns from"], at.key("learns from"))
    if not 0 < share <= 1:
        raise at.key("learns from").error(f"must lie above 0 and up to 1, got {shown(share)}")
    whole = contender_in(parts["whole"], at.key("whole"), WHOLE)
    found = Partly(whole, share)
    if (found.name, found.varied) != (name, varied):
        raise at.error(f"is that of {found.name!r}, with what is varied in it")
    return found


_Made = Callable[[str, dict[str, Any], dict[str, str], Place], Contender]

KINDS: Final[dict[str, tuple[type, _Made]]] = {
    "recipe": (RecipeContender, _recipe),
    "estimator": (EstimatorContender, _estimator),
    "partly": (Partly, _partly),
}
"""Each kind of contender: its class, and what makes one."""
