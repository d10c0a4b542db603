"""Find the sentence of the plan that answers a check, or say that there is none: half an answer is quoted as half."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from planloom.knowledge.tracing import stems

#: Share of a check's telling words that a sentence must hold to answer it, and to answer a part of it.
WHOLE, PART = 0.6, 0.5
#: However short the check, two words in common are chance.
_LEAST = 3
_SHORTEST, _LONGEST = 30, 320
#: A text that repeats so much of the check is the check itself, listed elsewhere as something to audit.
_ECHO = 0.85


@dataclass(frozen=True)
class Evidence:
    """A sentence of the plan, the name of its section, and the share of the check's words that it holds."""

    text: str
    section: str
    share: float


def find_evidence(check: str, sections: Mapping[str, str], look_in: str) -> Evidence | None:
    """Return the sentence of *sections* (name to Markdown) that best answers *check*; None where none does.

    The section *look_in* is asked first, and the others only where it holds no whole answer.
    """
    wanted = stems(check)
    if len(wanted) < _LEAST:
        return None
    own = _best(wanted, {look_in: sections.get(look_in, "")}, check)
    if own and own.share >= WHOLE:
        return own
    best = _best(wanted, {name: sections[name] for name in sorted(sections)}, check)
    return best if best and (own is None or best.share > own.share) else own


def _best(wanted: frozenset[str], sections: Mapping[str, str], check: str) -> Evidence | None:
    found: Evidence | None = None
    for name, text in sections.items():
        for sentence in sentences(text):
            shared = len(stems(sentence) & wanted)
            share = shared / len(wanted)
            fits = shared >= _LEAST and share >= PART and not _repeats(sentence, check)
            if fits and (found is None or share > found.share):
                found = Evidence(sentence, name, share)
    return found


def _repeats(sentence: str, check: str) -> bool:
    said, asked = stems(sentence), stems(check)
    return sentence.rstrip().endswith("?") or len(said & asked) > _ECHO * len(said | asked)


@lru_cache(maxsize=64)
def sentences(markdown: str) -> tuple[str, ...]:
    """Return the sentences of *markdown*: cells of tables, items and paragraphs, none cut, none a heading."""
    return tuple(_sentences(markdown))


def _sentences(markdown: str) -> Iterator[str]:
    for line in markdown.splitlines():
        if line.lstrip().startswith("#"):
            continue
        cells = re.split(r"(?<!\\)\|", line) if line.lstrip().startswith("|") else [line]
        for cell in cells:
            plain = " ".join(re.sub(r"^\s*(?:[-*+]|\d+\.)\s+|[*`\\]", "", cell).split())
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z“])", plain):
                if _SHORTEST <= len(sentence) <= _LONGEST and "…" not in sentence:
                    yield sentence
