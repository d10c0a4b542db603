"""Choose the archetype and the topics that fit a prompt; read their tables."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from planloom.domain.facts import Facts
from planloom.knowledge.tables import Archetype, Topic

#: A prompt that touches everything would read like a list: the topics with the most hits are kept.
MOST_TOPICS = 5


@dataclass(frozen=True)
class _Head:
    """What a table is chosen by: all that stands above its first list of rows."""

    name: str
    weights: dict[str, float]
    unless: tuple[str, ...]


@cache
def archetypes() -> tuple[Archetype, ...]:
    """Return every archetype, in order of name."""
    return tuple(_archetype(head.name) for head in _heads("archetypes"))


@cache
def topics() -> tuple[Topic, ...]:
    """Return every topic, in order of name."""
    return tuple(_topic(head.name) for head in _heads("topics"))


def speaks_of(text: str, words: tuple[str, ...]) -> bool:
    """Return whether one of *words* begins a word of *text*, in any case."""
    return bool(_pattern(words).search(text))


def choose_archetype(prompt: str, facts: Facts) -> Archetype:
    """Return the archetype whose keywords weigh most in *prompt*; the sentence of the objective counts three times.

    On a tie, or where nothing is known, the first by name.
    """
    lower = prompt.lower()
    objective = f"{facts.title} {facts.objective.text}".lower()

    def weight(head: _Head) -> float:
        found = sum(w for word, w in head.weights.items() if _begins(word, lower))
        return found + 2 * sum(w for word, w in head.weights.items() if _begins(word, objective))

    return _archetype(max(_heads("archetypes"), key=weight).name)


def choose_topics(prompt: str) -> tuple[Topic, ...]:
    """Return the topics that *prompt* touches with at least two of their words, strongest first, five at most."""
    lower = prompt.lower()

    def hits(head: _Head) -> int:
        if head.unless and speaks_of(prompt, head.unless):
            return 0
        found = [word for word in head.weights if _begins(word, lower)]
        # "clinical" is found by "clinic" too, which does not make it two words
        return sum(not any(word != other and word in other for other in found) for word in found)

    touched = {head.name: hits(head) for head in _heads("topics")}
    ranked = sorted((name for name in touched if touched[name] >= 2), key=lambda name: (-touched[name], name))
    return tuple(_topic(name) for name in ranked[:MOST_TOPICS])


def _begins(word: str, text: str) -> bool:
    """Return whether *word* begins a word of *text*, both in lower case.

    One word for one prompt is looked for once: a pattern would take longer to compile than to search.
    """
    at = text.find(word)
    while at >= 0:
        before = text[at - 1] if at else " "
        if not (before.isalnum() or before == "_"):
            return True
        at = text.find(word, at + 1)
    return False


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(re.escape(word) for word in words) + ")", re.IGNORECASE)


@cache
def _archetype(name: str) -> Archetype:
    return Archetype.model_validate(tomllib.loads(_texts("archetypes")[name]))


@cache
def _topic(name: str) -> Topic:
    return Topic.model_validate(tomllib.loads(_texts("topics")[name]))


@cache
def _heads(folder: str) -> tuple[_Head, ...]:
    """Read the heads alone: all tables whole would take a sixth of a second in each process that starts."""
    return tuple(_head(tomllib.loads(text.partition("\n[[")[0])) for text in _texts(folder).values())


def _head(table: dict[str, Any]) -> _Head:
    keywords = table["keywords"]
    weights = keywords if isinstance(keywords, dict) else dict.fromkeys(keywords, 1.0)
    lower = {word.lower(): float(weight) for word, weight in weights.items()}
    return _Head(table["name"], lower, tuple(table.get("unless", ())))


@cache
def _texts(folder: str) -> dict[str, str]:
    """Return the text of each table by name: a table is called like its file."""
    tables = sorted((files(__package__) / folder).iterdir(), key=lambda path: path.name)
    return {path.name[:-5]: path.read_text(encoding="utf-8") for path in tables if path.name.endswith(".toml")}
