"""Trace what a prompt demands to the work that meets it, by the words they share and by what they are about."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from planloom.domain.facts import Day, Facts, Spanned
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import sentence_of
from planloom.knowledge.quoting import quotable
from planloom.knowledge.tables import Package

#: What a page must share with a demand to answer it.
_ENOUGH = 1.0

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = frozenset(
    """about above after against all and any are before below between both can cannot each even every from have less
    more most must need needs never only other over should than that their them then there these they this those time
    under until upon week weeks were when where which while will with without work works year years month months days
    project plan least part per same into also been being does done make made takes take first second third""".split()  # noqa: SIM905
)
#: What a demand is about, as far as the kind of work that answers for it. In order: the first that fits wins.
_ABOUT: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})", re.IGNORECASE), kinds)
    for words, kinds in (
        ("permit|licen|law|act\\b|legal|comply|complian|regulat|approv|consent|sign off", ("permit", "legal")),
        ("rent|price|pay|cost|budget|loan|margin|break-?even|cash|grant|fund|insur|decisions? above", ("finance",)),
        ("hire|staff|apprentic|employ|wage|volunteer|train|crew|labour|contracts", ("people",)),
        ("supplier|vendor|tender|buy|purchas|order|deliver", ("procurement",)),
        ("noise|night|neighbo|resident|access|public|communit|press|inform", ("communication",)),
        ("raise|height|façade|facade|design|layout|look|material|accessib", ("design",)),
        ("pilot|test|prove|measure|survive|under \\d|fewer than|at least", ("test", "build")),
    )
)


def stems(text: str) -> set[str]:
    """Return the words of *text* that carry meaning, cut to six letters so that forms of a word are one."""
    found = (word.lower() for word in _WORD.findall(text))
    return {word[:6].rstrip("s") for word in found if word not in _COMMON}


@dataclass(frozen=True)
class Page:
    """What is known of a package when a demand looks for it: words of its name count double those of its text."""

    name: str
    text: str
    kind: str = ""


def page_of(row: Package) -> Page:
    """Return the page of a package of the tables: key and title, then its tasks and tests."""
    leaves = " ".join(f"{leaf.title}. {leaf.test}." for leaf in row.leaves)
    return Page(f"{row.id.replace('_', ' ')}. {row.title}", leaves, row.kind)


def best_matches(said: str, pages: Mapping[str, Page], most: int = 3) -> tuple[str, ...]:
    """Return the keys of those *pages* that share the most telling words with *said*, best first, *most* at most.

    A word weighs the less, the more pages hold it; one word that names a single page, or two of its text, is enough.
    """
    wanted = stems(said)
    named = {key: stems(page.name) & wanted for key, page in pages.items()}
    held = {key: (stems(page.text) & wanted) - named[key] for key, page in pages.items()}
    spread = Counter(stem for key in pages for stem in named[key] | held[key])

    def score(key: str) -> float:
        return sum(2 / spread[stem] for stem in sorted(named[key])) + sum(
            1 / spread[stem] for stem in sorted(held[key])
        )

    scores = {key: score(key) for key in pages}
    ranked = sorted((key for key in pages if scores[key] >= _ENOUGH), key=lambda key: -scores[key])
    return tuple(key for key in ranked if scores[key] >= scores[ranked[0]] / 2)[:most]


def terms(facts: Facts) -> tuple[Spanned, ...]:
    """Return what binds the plan and may be quoted: demands, then approaches that are ruled out; no span twice."""
    bans = [ban for ban in facts.bans if ban.kind == "approach"]
    found: list[Spanned] = []
    for term in quotable(facts, (*facts.demands, *bans)):
        if not any(term.start < other.end and other.start < term.end for other in found):
            found.append(term)
    return tuple(found)


def meets(said: str, pages: Mapping[str, Page]) -> tuple[str, ...]:
    """Return the keys of the packages that meet the demand *said*: by shared words, else by what it is about."""
    found = best_matches(said, pages)
    if found:
        return found
    wanted = next((wanted for pattern, wanted in _ABOUT if pattern.search(said)), ())
    return tuple(key for key, page in pages.items() if page.kind in wanted)[:1]


def matching_page(brief: Brief, day: Day, pages: Mapping[str, Page]) -> str | None:
    """Return the key of the page that best says what the prompt wants by *day*; None where none does."""
    for clause in (day.label, sentence_of(brief.facts, day).text):
        if found := best_matches(clause, pages, most=1):
            return found[0]
    return None
