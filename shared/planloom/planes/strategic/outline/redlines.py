"""The redlines: goals that are refused, recognised by an intent next to its target, never by a keyword alone."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen

Concern = Literal[
    "none",
    "mass_harm",
    "violence",
    "weapons",
    "trafficking",
    "child_abuse",
    "self_harm",
    "fraud",
    "cybercrime",
    "drugs",
    "persecution",
    "other",
]

#: The words before an intent that is not the author's: "floods could kill people", "a law that bans".
_NOT_MEANT = re.compile(
    r"(?:\b(?:could|may|might|can|would|never|not|no|that|which|who|without|nobody|against)|\bthreatens? to|\btends? to"
    r"|n['’]t)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)


class Aim(Frozen):
    """An intent before its target, at most ``within`` words apart; one of ``also`` must follow where there is any."""

    intent: tuple[str, ...]
    target: tuple[str, ...]
    within: int = 6
    also: tuple[str, ...] = ()
    either_way: bool = False

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """One pattern, or two where the order does not matter."""
        one, other = _any(self.intent), _any(self.target)
        gap = rf"\W+(?:[\w'’-]+\W+){{0,{self.within}}}?"
        tail = rf"(?=.*?\b{_any(self.also)})" if self.also else ""
        orders = [rf"\b{one}{gap}{other}{tail}"] + ([rf"\b{other}{gap}{one}{tail}"] if self.either_way else [])
        return tuple(re.compile(order, re.IGNORECASE | re.DOTALL) for order in orders)

    def found(self, sentence: str) -> str | None:
        """Return the words of *sentence* that name intent and target, or None."""
        for pattern in self.patterns:
            for match in pattern.finditer(sentence):
                if not _NOT_MEANT.search(sentence[: match.start()]):
                    return match.group()
        return None


class Redline(Frozen):
    """A redline: a sentence that matches one of ``aims`` and none of ``guards`` crosses it."""

    concern: Concern
    reason: str
    allowed_if: str
    guards: tuple[str, ...]
    aims: tuple[Aim, ...]


class Safeguard(Frozen):
    """A condition for a plan with a dangerous but lawful subject; ``role`` is the id of a role."""

    text: str
    role: str
    check: str


class Caution(Frozen):
    """A lawful subject that can hurt people: one of ``words`` makes its conditions apply."""

    concern: Concern
    words: tuple[str, ...]
    reason: str
    conditions: tuple[Safeguard, ...]


class Redlines(Frozen):
    """``redlines.toml``; ``guards`` hold for every line."""

    guards: tuple[str, ...]
    lines: tuple[Redline, ...]
    cautions: tuple[Caution, ...] = Field(default=())


@cache
def redlines() -> Redlines:
    """Return the table, read once."""
    return Redlines.model_validate(tomllib.loads((files(__package__) / "redlines.toml").read_text(encoding="utf-8")))


def crossed(sentences: Iterable[str]) -> tuple[Redline, str] | None:
    """Return the first redline that one of *sentences* crosses, with the words that cross it, or None."""
    for sentence in sentences:
        for line in redlines().lines:
            words = None if _guarded(line, sentence) else _aimed(line, sentence)
            if words:
                return line, " ".join(words.split())
    return None


def cautioned(sentences: Iterable[str]) -> tuple[Caution, str] | None:
    """Return the caution whose words come first in *sentences*, with the sentence that has them, or None."""
    for sentence in sentences:
        for caution in redlines().cautions:
            if re.search(rf"\b{_any(caution.words)}", sentence, re.IGNORECASE):
                return caution, sentence
    return None


def _guarded(line: Redline, sentence: str) -> bool:
    return re.search(rf"\b{_any((*redlines().guards, *line.guards))}", sentence, re.IGNORECASE) is not None


def _aimed(line: Redline, sentence: str) -> str | None:
    return next((words for aim in line.aims if (words := aim.found(sentence))), None)


def _any(words: tuple[str, ...]) -> str:
    written = (re.escape(w.removesuffix("*")) + (r"[\w-]*" if w.endswith("*") else r"s?\b") for w in words)
    return f"(?:{'|'.join(written)})"
