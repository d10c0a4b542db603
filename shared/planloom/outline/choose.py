"""Choose the table of the kind of undertaking that a goal is of."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from planloom.domain.facts import Facts
from planloom.facts.goal import Goal
from planloom.facts.rules import read_facts
from planloom.outline.tables import Kind

#: The table of neutral rows, for a goal whose kind is not clear.
GENERAL = "general"
#: A kind is clear where its keywords weigh so much, and so many times as much as those of any other.
CLEAR, LEAD = 12.0, 1.5
#: Less will do where next to nothing speaks for another kind.
ALONE, FAR = 9.0, 5.0
#: What stands above the first rows of a table: all that kinds are chosen by.
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
    """Return what a plan calls the kind *name*, GENERAL's words for a name that there is not."""
    labels = {head.name: head.label for head in _heads()}
    return labels.get(name) or labels[GENERAL]


def read_by_rules(goal: str, today: date) -> Facts:
    """Return what rules read in *goal*, with the table of its kind where its words speak clearly for one."""
    facts = read_facts(goal, today)
    return facts.model_copy(update={"kind": facts.kind.model_copy(update={"table": clear_kind(goal, facts)})})


def kind_of(prompt: str, facts: Facts) -> str:
    """Return the kind that *facts* name, else the one that *prompt* speaks clearly for, else GENERAL."""
    return facts.kind.table if facts.kind.table in _texts() else clear_kind(prompt, facts) or GENERAL


def takes_place_on_a_day(name: str) -> bool:
    """Return whether undertakings of the kind *name* take place on a day that the goal names."""
    return any(package.on_the_day for package in kind_table(name).packages)


def table_of(goal: Goal) -> Kind:
    """Return the table of the kind that *goal* is of."""
    return kind_table(kind_of(goal.prompt, goal.facts))


@cache
def kind_table(name: str) -> Kind:
    """Return the table *name*; raise KeyError where there is none."""
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
def _heads() -> tuple[_Head, ...]:
    """Read the heads alone: the tables whole would delay each process that starts."""
    found = []
    for name, text in _texts().items():
        head = tomllib.loads(text.partition(_FIRST_ROWS)[0])
        weights = {word.lower(): group["weight"] for group in head["keywords"] for word in group["words"]}
        found.append(_Head(name, head["label"], weights))
    return tuple(found)


@cache
def _texts() -> dict[str, str]:
    """Return the text of each table by name: a table is called like its file."""
    tables = sorted((files(__package__) / "kinds").iterdir(), key=lambda path: path.name)
    return {path.name[:-5]: path.read_text(encoding="utf-8") for path in tables if path.name.endswith(".toml")}
