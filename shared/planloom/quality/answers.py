"""What is wrong in one answer, before it becomes a section: cheap to mend there, where the model can still be told."""

from collections.abc import Iterable, Iterator
from typing import Any

from planloom.domain.claims import Claim
from planloom.domain.facts import Facts
from planloom.domain.frozen import Answer
from planloom.quality.demands import word_pattern
from planloom.quality.passages import without_quotes
from planloom.quality.register import contradictions, said
from planloom.quality.wording import placeholder

#: A model that is told more at once mends less of it.
MOST_TOLD = 12
#: Fields that count what is not the plan's own: a sample taken elsewhere, a project to compare with.
_OTHERS = frozenset({"sample", "likeness", "method", "simulate"})


def faults(answer: Answer, prompt: str, facts: Facts, register: Iterable[Claim]) -> tuple[str, ...]:
    """Return what *answer* must not say, each in a line for the model: at most MOST_TOLD, none said twice.

    That is: a figure of *register* with another value, a word that the goal bans, a placeholder.
    """
    text = "\n".join(" ".join(part.split()) for part in _texts(answer.model_dump()))
    return tuple(dict.fromkeys(_found(text, prompt, facts, register)))[:MOST_TOLD]


def _found(text: str, prompt: str, facts: Facts, register: Iterable[Claim]) -> Iterator[str]:
    own = without_quotes(text)
    yield from (f"- {said(mention)}" for mention in contradictions(own, register))
    for ban in facts.bans:
        if ban.kind == "word" and word_pattern(ban, facts.language).search(text):
            yield f"- The goal bans the word “{ban.what}”; it must not be printed, not even quoted."
    left = placeholder(own, prompt)
    if left:
        yield f"- “{left}” is a placeholder: say what the goal or the claims say, or who finds it out by when."


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in _OTHERS:
                yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
