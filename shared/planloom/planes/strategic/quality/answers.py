"""Find what an answer must not print, field by field, and replace those fields by new texts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from planloom.core.frozen import Answer
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.quality.banned_words import banned_words
from planloom.planes.strategic.quality.passages import without_quotes
from planloom.planes.strategic.quality.placeholders import placeholder

A = TypeVar("A", bound=Answer)

#: A model that is asked for more in one call repairs fewer of them.
MOST_FAULTS = 12
#: Fields that name rows to other fields, or copy the passage that is corrected: a new text would find nothing.
_NAMES = frozenset({"id", "key", "slug", "was"})
_FIGURE = re.compile(r"\{\{[^{}\n]*\}\}")


@dataclass(frozen=True)
class Fault:
    """The text at *path* (``rows.2.text``) of an answer prints what it must not; *reason* says what."""

    path: str
    text: str
    reason: str


class Patch(Answer):
    """A new text for one field."""

    path: str = Field(min_length=1, max_length=200, description="As listed")
    text: str = Field(max_length=4000, description="The whole new text of that field")


class Patches(Answer):
    """New texts for the fields that are listed, and for no others."""

    patches: list[Patch] = Field(default_factory=list, max_length=MOST_FAULTS)


def faults(answer: Answer, prompt: str, facts: Facts) -> tuple[Fault, ...]:
    """Return the first MOST_FAULTS fields of *answer* that hold a placeholder or a word that the goal bans.

    What the corrected passage has too is no placeholder: a letter keeps its blanks.
    """
    found = []
    for path, text, was in _texts(answer.model_dump(mode="json")):
        reasons = [f"The goal bans the word “{ban.what}”; not even quoted." for ban in banned_words(text, facts)]
        plain = without_quotes(_FIGURE.sub("", text) if answer.names_figures else text)
        left = placeholder(plain, f"{prompt}\n{was}")
        if left:
            reasons.append(f"“{left}” is a placeholder: say what the goal says, or who finds it out by when.")
        if reasons:
            found.append(Fault(path, text, " ".join(reasons)))
    return tuple(found[:MOST_FAULTS])


def shown(found: Iterable[Fault]) -> str:
    """Return *found* as they are sent to a model: path, reason, and the current text."""
    return "\n".join(f"- {fault.path}: {fault.reason}\n  Now: {fault.text}" for fault in found)


def patched(answer: A, found: Iterable[Fault], patches: Patches) -> A:
    """Return *answer* with the new texts of *patches* at the paths of *found*; one that does not fit is left out."""
    paths = {fault.path for fault in found}
    for patch in patches.patches:
        if patch.path in paths:
            data = answer.model_dump(mode="json")
            _put(data, patch.path.split("."), patch.text)
            try:
                answer = type(answer).model_validate(data).leaving_out(answer.items_left_out)
            except ValidationError:
                continue
    return answer


def _texts(value: Any, path: str = "", was: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield each text of *value* with its path, and the passage that it corrects."""
    if isinstance(value, str):
        yield path, value, was
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in _NAMES:
                yield from _texts(part, f"{path}.{name}" if path else name, str(value.get("was", "")))
    elif isinstance(value, list):
        for n, part in enumerate(value):
            yield from _texts(part, f"{path}.{n}" if path else str(n))


def _put(data: Any, steps: list[str], text: str) -> None:
    for step in steps[:-1]:
        data = data[int(step) if isinstance(data, list) else step]
    data[int(steps[-1]) if isinstance(data, list) else steps[-1]] = text
