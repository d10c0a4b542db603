"""Trace what a prompt demands to the work that meets it, by the words they share and by what they are about."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from planloom.domain.facts import Day, Facts, Spanned
from planloom.facts.quoting import quotable
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import sentence_of
from planloom.knowledge.tables import Package

#: What a page must share with a demand to answer it.
_ENOUGH = 1.2

#: So many characters of its sentence are quoted on each side of a figure.
AROUND = 90

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = frozenset(
    """about above accept accepted after against allowed also always annually asked because been before being below
    between both build built can cannot change changed changes close closed come comes data does done each even every
    exceed february from give given goes have into january keep kept least leave less listed long made make makes more
    most must need needs never only order other over part per place plan project rate rated right same should show
    shown shows signed single start started starts stop stops take takes than that their them then there these they
    this those three time under until upon used user users week weeks were when where which while will with within
    without work works year years month months days day first second third march april june july august september
    october november december""".split()  # noqa: SIM905
)
#: What a demand is about, as far as the kind of work that answers for it. In order: the first that fits wins.
_ABOUT: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})", re.IGNORECASE), kinds)
    for words, kinds in (
        ("(?:start|begin)\\w* (?:in|on|by|from)\\b", ("research", "communication")),
        ("data|privacy|encrypt", ("legal", "permit")),
        ("permit|licen|law|act\\b|legal|comply|complian|regulat|approv|consent|sign off", ("permit", "legal")),
        (
            "rent|price|pay|cost|budget|loan|margin|break-?even|cash|grant|fund|insur|decisions? above",
            ("finance", "legal"),
        ),
        ("hire|staff|apprentic|employ|wage|volunteer|train|crew|labour|contracts", ("people",)),
        ("supplier|vendor|tender|buy|purchas|order|deliver", ("procurement",)),
        ("noise|night|neighbo|resident|access|public|communit|press|inform", ("communication",)),
        ("raise|height|façade|facade|design|layout|look|material|accessib", ("design",)),
        ("pilot|test|prove|measure|survive|under \\d|fewer than|at least", ("test", "build")),
    )
)


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """Return the words of *text* that carry meaning, cut to six letters so that forms of a word are one."""
    # each sentence of a plan is held against each check: the same text comes a hundred times
    found = (word.lower() for word in _WORD.findall(text))
    return frozenset(word[:6].rstrip("s") for word in found if word not in _COMMON)


@dataclass(frozen=True)
class Page:
    """What is known of a package when a demand looks for it: words of its name count three times those of its text."""

    name: str
    text: str
    kind: str = ""


def page_of(row: Package) -> Page:
    """Return the page of a package of the tables: key and title, then its tasks and tests."""
    leaves = " ".join(f"{leaf.title}. {leaf.test}." for leaf in row.leaves)
    return Page(f"{row.id.replace('_', ' ')}. {row.title}", leaves, row.kind)


def best_matches(said: str, pages: Mapping[str, Page], most: int = 3) -> tuple[str, ...]:
    """Return the keys of those *pages* that share the most telling words with *said*, best first, *most* at most.

    A word weighs the less, the more pages hold it; one that names one or two pages, or two of a text, are enough.
    """
    scores = _scores(said, pages)
    ranked = sorted((key for key in pages if scores[key] >= _ENOUGH), key=lambda key: -scores[key])
    return tuple(key for key in ranked if scores[key] >= scores[ranked[0]] / 2)[:most]


def _scores(said: str, pages: Mapping[str, Page]) -> dict[str, float]:
    wanted = stems(said)
    named = {key: stems(page.name) & wanted for key, page in pages.items()}
    held = {key: (stems(page.text) & wanted) - named[key] for key, page in pages.items()}
    spread = Counter(stem for key in pages for stem in named[key] | held[key])
    # exact fractions: a sum of floats would depend on the order in which a set is walked
    return {
        key: float(sum(Fraction(3, spread[s]) for s in named[key]) + sum(Fraction(1, spread[s]) for s in held[key]))
        for key in pages
    }


def terms(facts: Facts) -> tuple[Spanned, ...]:
    """Return what binds the plan and may be quoted: demands, then approaches that are ruled out; no span twice."""
    bans = [ban for ban in facts.bans if ban.kind == "approach"]
    found: list[Spanned] = []
    for term in quotable(facts, (*facts.demands, *bans)):
        if not any(term.start < other.end and other.start < term.end for other in found):
            found.append(term)
    return tuple(found)


def figure_clauses(facts: Facts) -> tuple[Spanned, ...]:
    """Return the words around each amount and count of the goal that stands in none of its :func:`terms`.

    A plan that meets every demand can still leave out what a farmer is paid: these are traced to work as well.
    """
    said = terms(facts)
    found: list[Spanned] = []
    for figure in quotable(facts, (*facts.money, *facts.quantities)):
        whole = sentence_of(facts, figure)
        aimed_at = figure.start < facts.objective.end and facts.objective.start < figure.end
        if aimed_at or any(other.start <= figure.start and figure.end <= other.end for other in (*said, *found)):
            continue
        around = _around(whole, figure)
        if quotable(facts, [around]):
            found.append(around)
    return tuple(found)


def _around(whole: Spanned, figure: Spanned) -> Spanned:
    """Return the piece of *whole* around *figure*, AROUND characters on each side, cut at words."""
    first, last = max(figure.start - AROUND, whole.start), min(figure.end + AROUND, whole.end)
    text = whole.text[first - whole.start : last - whole.start]
    if first > whole.start:
        first, text = first + text.find(" ") + 1, text.partition(" ")[2]
    if last < whole.end:
        text = text.rpartition(" ")[0]
    return Spanned(text=text, start=first, end=first + len(text))


def meets(said: str, pages: Mapping[str, Page]) -> tuple[str, ...]:
    """Return the keys of the packages that meet the demand *said*: by shared words, else by what it is about."""
    found = best_matches(said, pages)
    if found:
        return found
    wanted = next((wanted for pattern, wanted in _ABOUT if pattern.search(said)), ())
    scores = _scores(said, pages)
    of_kind = sorted((key for key, page in pages.items() if page.kind in wanted), key=lambda key: -scores[key])
    return tuple(of_kind[:1])


def matching_page(brief: Brief, day: Day, pages: Mapping[str, Page]) -> str | None:
    """Return the key of the page that best says what the prompt wants by *day*; None where none does."""
    for clause in (day.label, sentence_of(brief.facts, day).text):
        if found := best_matches(clause, pages, most=1):
            return found[0]
    return None
