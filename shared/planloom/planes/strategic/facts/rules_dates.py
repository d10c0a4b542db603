"""The role of each date of a goal: the day by which it must be reached, the day on which work starts."""

import re
from dataclasses import dataclass
from functools import cache

from planloom.planes.strategic.facts.dates import DateReading
from planloom.planes.strategic.facts.fact import Day, Duration
from planloom.planes.strategic.facts.polarity import not_before
from planloom.planes.strategic.facts.rules_page import Page, pattern_of, words_of
from planloom.planes.strategic.facts.rules_text import ORDER

#: What may be between a preposition and its date: "by the end of May", "bis zum 3. Mai", "by Saturday, 4 May".
_FILL = (
    r"(?:\s?\b(?:the|end|of|late|early|mid|midnight|on|den|dem|zum|am|ende|le|la|les|fin|el|día|los|fines|finales|final|"
    r"final|fim|do|o|a|ao|dia|il|lo|fine|giorno|eind|einde|van|slutten|av|udgangen|af|utgången|konca|końca|koniec|dnia|"
    r"τις|την|το|τέλος|τέλη|кінця|конца|akhir|tanggal|bulan|l'|dell'|du|mois|de)\b|\s?\b[^\W\d_]+(?:day|tag|di|dag),?){0,4}"
    r"\s?(?:[A-ZÀ-Þ][^\W\d_]+,?\s)?\s?"
)
_WITHIN = re.compile(
    r"\b(?:within|innerhalb von|in|binnen|en moins de|dentro de|en un plazo de|em|entro|inom|inden for|innen|w ciągu|"
    r"do|протягом|в течение|εντός|dalam) (?:the next |the first |about )?\Z",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|cannot|never|nobody|nicht|kein\w*|nie|niemand|ne|pas|jamais|no|nunca|nadie|non|mai|não|niet|geen|nooit|inte|"
    r"aldrig|ikke|aldri|nie|nigdy|не|ніколи|никогда|δεν|tidak|belum)\b|n't\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:before|vor|vorm|avant|antes|prima|voor|vóór|före|innan|inden|før|przed|před|перед|πριν|sebelum|trước|ennen|"
    r"înainte|قبل)\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\s+(?:between|from|over|within|for|about|at least|at most|up to|in|of|a|an|the)\s*\Z", re.IGNORECASE
)
#: "open on Easter Saturday, 27 March": fewer words before a date are no clause, and up to this many commas are skipped.
_FEW_WORDS, _MOST_COMMAS = 2, 3
#: The largest number of characters between an event and its day.
_NEAR = 70


@dataclass(frozen=True)
class _Read:
    """A date with its rank as a deadline and as a start (0: it is none).

    ``by``: a preposition says that something is bound to it; ``bound``: what must be done by then.
    """

    date: DateReading
    deadline: int
    start: int
    by: bool = False
    bound: str = ""


def read_days(page: Page, aim: tuple[int, int]) -> tuple[Day, ...]:
    """Return the dates in order; at most one is the deadline and one the start. *aim*: the objective's sentence."""
    read = [_read(page, d, aim) for d in page.dates]
    deadline, start = _best(read, "deadline"), _best(read, "start")
    if deadline and any(r.by and r.date.earliest > deadline.latest for r in read):
        # something is bound to a later day: this one binds a step
        deadline = None
    roles = {id(start): "start", id(deadline): "deadline"}
    return tuple(_day(page, r, roles.get(id(r.date)) or ("milestone" if r.bound else "other")) for r in read)


def deadlines(page: Page, aim: tuple[int, int]) -> tuple[DateReading, ...]:
    """Return the dates that have words of a deadline beside them, whether or not they agree."""
    return tuple(r.date for r in (_read(page, d, aim) for d in page.dates) if r.deadline)


def read_durations(page: Page, aim: tuple[int, int]) -> tuple[Duration, ...]:
    """Return the lengths of time in order; the total is the one behind "within" in the objective (*aim*), if one is."""
    found = [d for d in page.durations if d.low > 0]
    frames = [d for d in found if aim[0] <= d.start < aim[1] and _WITHIN.search(page.text, aim[0], d.start)]
    total = frames[0] if len(frames) == 1 else None
    return tuple(
        Duration(
            **page.span(d.start, d.end),
            low=d.low,
            high=d.high,
            unit=d.unit,
            role="total" if d is total else "other",
            label="" if d is total else _about(page, d.start),
        )
        for d in found
    )


def _about(page: Page, at: int) -> str:
    """Return the last words of the clause before a length of time, without the preposition."""
    start = page.clause(at, at)[0]
    return " ".join(_LAST.sub("", page.text[start:at]).split()[-8:])[:90]


def _read(page: Page, day: DateReading, aim: tuple[int, int]) -> _Read:
    first, last = _clause(page, day)
    before = [d.end for d in page.dates if first <= d.end <= day.start]
    left = max([first, *before])
    # "not before June" may be one comma away from what it binds, never from its own date
    if day.latest < page.today or not_before(page.text[max(left, day.start - 60) : min(last, day.end + 30)]):
        return _Read(day, 0, 0)
    start = _start(page, day, left, last)
    by = _pattern(page.language, "by", 1).search(page.text, max(left - 1, day.start - 60), day.start)
    if by and _BEFORE.search(by.group()) and _NEGATED.search(page.text, left, last):
        # "before June no training": the first day of something, by which nothing is done
        by = None
    return _Read(day, 0 if start else _deadline(page, day, (left, last), aim), start, bool(by), _bound(page, left, by))


def _clause(page: Page, day: DateReading) -> tuple[int, int]:
    """Return the clause of a date; one that holds no more than the date belongs to what comes before its comma."""
    first, last = page.clause(day.start, day.end)
    floor = page.sentence(day.start)[0]
    for _ in range(_MOST_COMMAS):
        alone = len(page.text[first : day.start].split()) < _FEW_WORDS
        if not alone or first <= floor or page.text[first - 1] not in ",、":
            break
        first = page.clause(first - 1, first - 1)[0]
    return first, last


def _start(page: Page, day: DateReading, left: int, last: int) -> int:
    found = page.find("start", left, last)
    if found is None or page.has("step", left, day.start):
        return 0
    if page.has("by", found.end(), day.start) and not page.has("start", day.end, last):
        # "we start by moving ... by May": a deadline of something
        return 0
    return 2 if abs(day.start - found.end()) < _NEAR or 0 <= found.start() - day.end < _NEAR else 0


def _deadline(page: Page, day: DateReading, clause: tuple[int, int], aim: tuple[int, int]) -> int:
    """Return 0 for none; more where the words are plainer, and where the sentence says what the whole goal is."""
    first, last = page.sentence(day.start)
    left, right = clause
    aimed = aim[0] <= day.start < aim[1] or page.sentence_no(day.start) <= 1
    if page.has("step", *clause) or page.has("start", left, day.start):
        return 0
    strong = page.find("latest", left, day.start) or _pattern(page.language, "by_after", 0).match(page.text, day.end)
    by = _pattern(page.language, "by", 1).search(page.text, max(left - 1, day.start - 60), day.start)
    done = page.has("done", left, right) or (aimed and page.has("done", first, last) and page.has("aim", first, last))
    if strong:
        return 4 + aimed if done or aimed else 2
    before = by is not None and _BEFORE.search(by.group()) is not None
    if before and day.earliest != day.latest and not day.ambiguous:
        # "before May": which day is meant is open
        return 0
    if _NEGATED.search(page.text, left, right if before else day.start):
        # "we cannot open before May"
        return 0
    if by and (done or page.has("must", left, by.start())):
        return 3 + aimed
    if by and aimed and (page.has("aim", first, last) or ORDER.match(page.text, first, last)):
        # "I want to walk to Rome by May": nothing is said to be done, so the only date of the goal alone
        return 3 if _is_alone(page, day) else 0
    if done and page.has("must", left, day.end) and page.has("done", left, right):
        # "has to be finished in May"
        return 3
    event = page.find("open", left, right) or (page.find("event", left, right) if aimed else None)
    return 3 if event and not day.ambiguous and abs(event.start() - day.start) < _NEAR + 20 else 0


def _is_alone(page: Page, day: DateReading) -> bool:
    """Return whether no other date of the goal is to come, but for days on which something starts."""
    others = [d for d in page.dates if d is not day and d.latest >= page.today]
    return all(page.has("start", page.clause(d.start, d.end)[0], d.end) for d in others)


def _best(read: list[_Read], role: str) -> DateReading | None:
    """Return the date of the highest rank; None where several dates share it, or another one is nearly as high."""
    ranked = [(getattr(r, role), r.date) for r in read if getattr(r, role)]
    top = max((rank for rank, _ in ranked), default=0)
    best = [day for rank, day in ranked if rank == top]
    if not best or len({(d.earliest, d.latest) for d in best}) > 1:
        return None
    later = any(day.earliest > best[0].latest for rank, day in ranked if rank >= top - 1)
    return None if later and role == "deadline" else best[0]


def _bound(page: Page, left: int, by: re.Match[str] | None) -> str:
    """Return the words before the preposition of a date: what must be done by then."""
    return " ".join(page.text[left : by.start()].split()).strip(" ,.;:")[:90] if by else ""


def _day(page: Page, read: _Read, role: str) -> Day:
    day = read.date
    return Day(
        **page.span(day.start, day.end),
        earliest=day.earliest,
        latest=day.latest,
        role=role,
        label=read.bound if role == "milestone" else "",
        ambiguous=day.ambiguous,
    )


@cache
def _pattern(language: str, cue: str, before: int) -> re.Pattern[str]:
    """Return the pattern of a word of *cue* right before a date (*before* 1) or right behind it (0)."""
    words = words_of(language, cue) or "(?!)"
    if before:
        return re.compile(rf"(?<!\w)(?:{words.replace('*', '')})(?!\w){_FILL}\Z".replace(" ", r"\s+"), re.IGNORECASE)
    edge = r"[\s,]{0,2}" if language != "tr" else "['\\s]?\\w{0,3}\\s?"
    return pattern_of(words, "ja" if language in {"ja", "tr"} else language, before=edge)
