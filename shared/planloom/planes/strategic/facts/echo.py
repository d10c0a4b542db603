"""Separate corrections from values that a caller sends back unchanged."""

from typing import Any

from pydantic import ValidationError

from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.given import FactsGiven
from planloom.planes.strategic.facts.shown import shown


def corrections(given: FactsGiven, facts: f.Facts) -> FactsGiven:
    """Return *given* without the fields whose values are the same as in *facts*.

    A caller may send the whole answer of plan_facts with one value changed: the others keep their span in the goal.
    null and [] stay: they say that there is none.
    """
    own = shown(facts).model_dump()
    said = {name: getattr(given, name) for name in given.model_fields_set}
    return FactsGiven(**{n: value for n, value in said.items() if value in (None, ()) or not _same(n, value, own)})


def _same(name: str, value: Any, own: dict[str, Any]) -> bool:
    try:
        return name in own and value == getattr(FactsGiven.model_validate({name: own[name]}), name)
    except ValidationError:
        # what is shown need not fit the bounds of a correction
        return False
