"""Choose the archetype and the topics that fit a prompt; read their tables."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from planloom.domain.facts import Facts
from planloom.knowledge.tables import Archetype, Topic

#: A prompt that touches everything would read like a list: the topics with the most hits are kept.
MOST_TOPICS = 5


@cache
def archetypes() -> tuple[Archetype, ...]:
    """Return every archetype, in order of name."""
    return tuple(Archetype.model_validate(table) for table in _read("archetypes"))


@cache
def topics() -> tuple[Topic, ...]:
    """Return every topic, in order of name."""
    return tuple(Topic.model_validate(table) for table in _read("topics"))


def speaks_of(text: str, words: tuple[str, ...]) -> bool:
    """Return whether one of *words* begins a word of *text*, in any case."""
    return bool(_pattern(words).search(text))


def choose_archetype(prompt: str, facts: Facts) -> Archetype:
    """Return the archetype whose keywords weigh most in *prompt*; the sentence of the objective counts three times.

    On a tie, or where nothing is known, the first by name.
    """
    objective = f"{facts.title} {facts.objective.text}"

    def weight(kind: Archetype) -> float:
        found = sum(w for word, w in kind.keywords.items() if speaks_of(prompt, (word,)))
        return found + 2 * sum(w for word, w in kind.keywords.items() if speaks_of(objective, (word,)))

    return max(archetypes(), key=weight)


def choose_topics(prompt: str) -> tuple[Topic, ...]:
    """Return the topics that *prompt* touches with at least two of their words, strongest first, five at most."""

    def hits(topic: Topic) -> int:
        if topic.unless and speaks_of(prompt, topic.unless):
            return 0
        found = [word for word in topic.keywords if speaks_of(prompt, (word,))]
        # "clinical" is found by "clinic" too, which does not make it two words
        return sum(not any(word != other and word in other for other in found) for word in found)

    ranked = sorted(topics(), key=lambda topic: (-hits(topic), topic.name))
    return tuple(topic for topic in ranked if hits(topic) >= 2)[:MOST_TOPICS]


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(re.escape(word) for word in words) + ")", re.IGNORECASE)


def _read(folder: str) -> list[dict[str, object]]:
    tables = sorted((files(__package__) / folder).iterdir(), key=lambda path: path.name)
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in tables if path.name.endswith(".toml")]
