"""Match the ids by which an answer refers to parts of the plan with the ids that there are."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from planloom.domain.frozen import Answer
from planloom.models.repair_answer import nearest

A = TypeVar("A", bound=Answer)
#: The ids that there are, with the titles by which a model may name them.
Known = Mapping[str, str]


def referring(answer: A, **known: Known | Iterable[str]) -> A:
    """Return *answer* with each field of a name in *known* set to the nearest of its ids.

    What is near none of them is left as it is in a field of its own, and removed from a list of ids.
    """
    titles = {name: ids if isinstance(ids, Mapping) else {each: each for each in ids} for name, ids in known.items()}
    values = {name: _matched(getattr(answer, name), name, titles) for name in type(answer).model_fields}
    return answer.model_copy(update=values)


def known_id(said: str, known: Known) -> str | None:
    """Return the id in *known* that *said* means, by the id itself or by its title; None where there is none."""
    if said in known:
        return said
    by_title = {title: each for each, title in reversed(list(known.items()))}
    title = nearest(said, by_title)
    return nearest(said, known) or (by_title[title] if title else None)


def _matched(value: Any, name: str, known: Mapping[str, Known]) -> Any:
    if isinstance(value, Answer):
        return referring(value, **known)
    if isinstance(value, list | tuple):
        found = [_matched(part, name, known) for part in value]
        return [part for part in dict.fromkeys(found) if part in known[name]] if name in known else found
    return known_id(value, known[name]) or value if name in known and isinstance(value, str) else value
