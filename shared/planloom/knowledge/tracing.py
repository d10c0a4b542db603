"""Trace what a prompt demands to the work that meets it, by the words they share and by what they are about."""

import re
from collections import Counter
from collections.abc import Mapping

from planloom.domain.facts import Day, Facts, Spanned
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import sentence_of
from planloom.knowledge.quoting import quotable
from planloom.knowledge.tables import Package

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


def package_text(row: Package) -> str:
    """Return all that a package says of itself: key, title, tasks and tests."""
    leaves = " ".join(f"{leaf.title}. {leaf.test}." for leaf in row.leaves)
    return f"{row.id.replace('_', ' ')}. {row.title}. {leaves}"


def best_matches(said: str, texts: Mapping[str, str], most: int = 3) -> tuple[str, ...]:
    """Return the names of those *texts* that share the most telling words with *said*, best first, *most* at most.

    A word weighs the less, the more texts hold it; one shared word that a single text holds is enough.
    """
    wanted = stems(said)
    held = {name: stems(text) & wanted for name, text in texts.items()}
    spread = Counter(stem for found in held.values() for stem in found)
    score = {name: sum(1 / spread[stem] for stem in sorted(found)) for name, found in held.items()}
    ranked = sorted((name for name in texts if score[name] >= 0.5), key=lambda name: -score[name])
    return tuple(name for name in ranked if score[name] >= score[ranked[0]] / 2)[:most]


def terms(facts: Facts) -> tuple[Spanned, ...]:
    """Return what binds the plan and may be quoted: demands, then approaches that are ruled out; no span twice."""
    bans = [ban for ban in facts.bans if ban.kind == "approach"]
    found: list[Spanned] = []
    for term in quotable(facts, (*facts.demands, *bans)):
        if not any(term.start < other.end and other.start < term.end for other in found):
            found.append(term)
    return tuple(found)


def meets(said: str, texts: Mapping[str, str], kinds: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the packages that meet the demand *said*: by shared words, else by what it is about.

    *texts* and *kinds* tell of each package what it says of itself and its kind.
    """
    found = best_matches(said, texts)
    if found:
        return found
    wanted = next((wanted for pattern, wanted in _ABOUT if pattern.search(said)), ())
    return tuple(name for name, kind in kinds.items() if kind in wanted)[:1]


def matching_step(brief: Brief, day: Day, texts: Mapping[str, str]) -> str | None:
    """Return the name of the text that best says what the prompt wants by *day*; None where none does."""
    for clause in (day.label, sentence_of(brief.facts, day).text):
        if found := best_matches(clause, texts, most=1):
            return found[0]
    return None
