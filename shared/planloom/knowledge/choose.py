"""Choose the archetype and the topics that fit a prompt; read their tables."""

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from planloom.domain.facts import Facts
from planloom.facts.rules import read_facts
from planloom.knowledge.tables import Archetype, Topic

#: The table for what fits no other.
GENERAL = "general"
#: A prompt that touches everything would read like a list: the topics with the most hits are kept.
MOST_TOPICS = 5
#: The table of neutral rows, for a goal whose kind is not clear.
GENERAL = "general"
#: A kind is clear where its keywords weigh so much, and so many times as much as those of any other.
CLEAR, LEAD = 12.0, 1.5
#: Less will do where next to nothing speaks for another kind.
ALONE, FAR = 9.0, 5.0


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


def kinds() -> tuple[str, ...]:
    """Return the names of the tables of kinds of undertaking that a goal may be of, in order."""
    return tuple(head.name for head in _heads("archetypes") if head.name != GENERAL)


def read_by_rules(goal: str, today: date) -> Facts:
    """Return what rules read in *goal*, with the table of its kind where its words speak clearly for one."""
    facts = read_facts(goal, today)
    return facts.model_copy(update={"kind": facts.kind.model_copy(update={"table": clear_kind(goal, facts)})})


def choose_archetype(prompt: str, facts: Facts) -> Archetype:
    """Return the archetype that *facts* name, else the one that *prompt* speaks clearly for, else GENERAL."""
    named = facts.kind.table if facts.kind.table in _texts("archetypes") else ""
    return _archetype(named or clear_kind(prompt, facts) or GENERAL)


def clear_kind(prompt: str, facts: Facts) -> str:
    """Return the name of the archetype whose keywords weigh most in *prompt*, or an empty string where none is clear.

    The sentence of the objective counts three times. Clear: at least :data:`CLEAR` and :data:`LEAD` times the second,
    or at least :data:`ALONE` and :data:`FAR` times the second.
    """
    ranked = sorted(_weights(prompt, facts).items(), key=lambda item: -item[1])
    (first, most), (_, second) = ranked[:2]
    clear = (most >= CLEAR and most >= LEAD * second) or (most >= ALONE and most >= FAR * second)
    return first if clear else ""


def _weights(prompt: str, facts: Facts) -> dict[str, float]:
    lower = prompt.lower()
    objective = f"{facts.title} {facts.objective.text}".lower()

    def weight(head: _Head) -> float:
        found = sum(w for word, w in head.weights.items() if _begins(word, lower))
        return found + 2 * sum(w for word, w in head.weights.items() if _begins(word, objective))

    return {head.name: weight(head) for head in _heads("archetypes")}


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
