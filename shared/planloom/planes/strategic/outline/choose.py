"""Choose the table for the kind of undertaking that a goal describes."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.rules import read_facts
from planloom.planes.strategic.outline.tables import Kind

#: The table of neutral rows, for a goal whose kind is not clear.
GENERAL = "general"
#: A kind is clear from this weight of its keywords, and this many times the weight of any other kind.
CLEAR, LEAD = 12.0, 1.5
#: A lower weight is enough if other kinds have nearly none.
ALONE, FAR = 9.0, 5.0
#: The text above the first rows of a table, by which kinds are chosen.
_FIRST_ROWS = "\nroles = ["


@dataclass(frozen=True)
class _Head:
    name: str
    label: str
    #: Weight by word, in lower case; a word counts where it begins a word of the goal.
    weights: dict[str, float]


def kinds() -> tuple[str, ...]:
    """Return the names of the kinds of undertaking that a goal may be of, in order, without GENERAL."""
    return tuple(head.name for head in _heads() if head.name != GENERAL)


def label_of(name: str) -> str:
    """Return the label of the kind *name*; that of GENERAL if there is no such kind."""
    labels = {head.name: head.label for head in _heads()}
    return labels.get(name) or labels[GENERAL]


# each stage of a plan reads the same goal
@lru_cache(maxsize=16)
def read_by_rules(goal: str, today: date) -> Facts:
    """Return what rules read in *goal*, with the table of its kind if its words are clear."""
    facts = read_facts(goal, today)
    return facts.model_copy(update={"kind": facts.kind.model_copy(update={"table": clear_kind(goal, facts)})})


def kind_of(prompt: str, facts: Facts) -> str:
    """Return the kind that *facts* name, else the clear kind of *prompt*, else GENERAL."""
    return facts.kind.table if facts.kind.table in _texts() else clear_kind(prompt, facts) or GENERAL


def takes_place_on_a_day(name: str) -> bool:
    """Return whether undertakings of the kind *name* take place on a day that the goal names."""
    return any(package.on_the_day for package in kind_table(name).packages)


def table_of(goal: Goal) -> Kind:
    """Return the table of the kind of *goal*."""
    return kind_table(kind_of(goal.prompt, goal.facts))


@cache
def kind_table(name: str) -> Kind:
    """Return the table *name*. Raises KeyError if there is none."""
    table = tomllib.loads(_texts()[name])
    del table["keywords"]
    return Kind.model_validate({"name": name, **table})


def clear_kind(prompt: str, facts: Facts) -> str:
    """Return the name of the kind whose keywords weigh most in *prompt*, or an empty string where none is clear.

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

    return {head.name: weight(head) for head in _heads()}


def _begins(word: str, text: str) -> bool:
    """Return whether *word* begins a word of *text*, both in lower case.

    Each word is searched for once in a prompt: a pattern would take longer to compile than to search.
    """
    at = text.find(word)
    while at >= 0:
        before = text[at - 1] if at else " "
        if not (before.isalnum() or before == "_"):
            return True
        at = text.find(word, at + 1)
    return False


@cache
def _heads() -> tuple[_Head, ...]:
    """Read the heads alone: reading whole tables would delay the start of each process."""
    found = []
    for name, text in _texts().items():
        head = tomllib.loads(text.partition(_FIRST_ROWS)[0])
        weights = {word.lower(): group["weight"] for group in head["keywords"] for word in group["words"]}
        found.append(_Head(name, head["label"], weights))
    return tuple(found)


@cache
def _texts() -> dict[str, str]:
    """Return the text of each table by the name of its file."""
    tables = sorted((files(__package__) / "kinds").iterdir(), key=lambda path: path.name)
    return {path.name[:-5]: path.read_text(encoding="utf-8") for path in tables if path.name.endswith(".toml")}
