"""Name what the plan makes: a noun phrase from the objective, short enough to stand in a sentence."""

import re

from planloom.reading import subject_edges as edges
from planloom.reading.amounts import find_amounts
from planloom.reading.gazetteer import find_known
from planloom.reading.objective import Objective
from planloom.reading.objective_leads import next_verb
from planloom.reading.page import Page
from planloom.reading.subject_foreign import foreign_subject
from planloom.reading.tables.verbs import ACTS, CONVERTING, GERUNDS, KNOWN, MAKING, USING, gerund

#: A subject is cut here; ``Facts.subject`` holds no more.
_MOST = 120
#: As much of an objective as is looked at.
_REACH = 800
#: Years and money before a thing stand in so many characters.
_HEAD = 60
NOTHING = "the project"
#: Verbs of those who want to know: what they make is the study.
ASKING = frozenset({"find", "find out", "learn", "know", "understand", "see", "test", "examine", "investigate"})


def read_subject(page: Page, objective: Objective) -> str:
    """Return the noun phrase of what is made, at most 120 characters; "the project" where nothing is named."""
    foreign = foreign_subject(page, objective) if not objective.verbs else ""
    if foreign:
        return _fit(foreign)
    said = page.text[objective.at : min(objective.sentence.end, objective.at + _REACH)]
    said = _without_size(edges.ASIDE.sub("", said).strip(" \"'\n"))
    verb = objective.verbs[0] if objective.verbs else ""
    if verb not in MAKING and (made := _made(said, verb)):
        said, verb = made, "build"
    if verb in ASKING and (study := edges.STUDY.search(said)):
        said, verb = study["study"], "build"
    if verb in USING and (aim := edges.AIM.search(said)) and aim["how"].lower() in KNOWN:
        said, verb = said[aim.end() :].strip(), aim["how"].lower()
    words = _fit(_thing(said, verb))
    if verb:
        return _phrase(verb, words) if any(c.isalnum() for c in words) else NOTHING
    return NOTHING if edges.FINITE.search(words) or not any(c.isalpha() for c in words) else _plain(page, words)


def _made(said: str, verb: str) -> str:
    """Return what follows in "protect the shore by building a wall", "an initiative to construct a tunnel"."""
    for found in (edges.MEANS if verb else edges.AIM).finditer(said):
        how = found["how"].lower()
        if GERUNDS.get(how, how) in MAKING:
            at = found.end()
            while more := next_verb().match(said, at):
                at = more.end()
            return said[at:].strip(" \"'")
    return ""


def _thing(said: str, verb: str) -> str:
    """Return the words of the thing that *said* begins with; a vague one with what it is for."""
    stop = _next(edges.EDGE, said, 1)
    if listed := edges.LISTED.match(said):
        stop = _next(edges.EDGE, said, listed.end())
    if verb in CONVERTING and (into := edges.INTO.search(said)):
        stop = _next(edges.EDGE, said, into.end())
    head, more = said[:stop].rstrip(), ""
    if edges.GENERIC.search(head) or len(head.split()) < 3:
        if made := _made(said[stop:], "") if edges.VAGUE.search(head) else "":
            return _thing(made, "build")
        more = _purpose(said, stop) or (_focus(said, stop) if edges.VAGUE.search(head) else "")
    return " ".join(f"{head} {more}".split()).strip(" \"'.,!?")


def _purpose(said: str, stop: int) -> str:
    """Return "for 80 guests" from "in Tuscany for 80 guests": the place is a fact of its own."""
    skip = edges.PLACE_BETWEEN.match(said, stop)
    further = edges.FURTHER.match(said, skip.end()) if skip else edges.PURPOSE.match(said, stop)
    return said[skip.end() if skip else stop : _next(edges.STOP, said, further.end())] if further else ""


def _focus(said: str, stop: int) -> str:
    found = edges.FOCUS.search(said, stop)
    return said[found.start() : _next(edges.STOP, said, found.end())] if found else ""


def _without_size(said: str) -> str:
    """Return "a 5-year, $10 billion initiative" without its years and money, which are facts of their own."""
    head, rest = said[:_HEAD], said[_HEAD:]
    for amount in reversed(list(find_amounts(head, "en"))):
        opens = not re.search(r"\b(?:for|with|of|under|than|by|to)\b", head[: amount.start])
        head = head[: amount.start] + head[amount.end :] if opens else head
    head = edges.SPELL.sub("", head)
    if head == said[:_HEAD]:
        return said
    bare = edges.LEADING.sub(lambda m: f"{(m['article'] or '').lower()} ".lstrip(), " ".join(f"{head}{rest}".split()))
    return edges.ARTICLE.sub(_article, bare)


def _article(found: re.Match[str]) -> str:
    return "an " if found["next"].lower() in "aeio" else "a "


def _next(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.search(text, start)
    return found.start() if found else len(text)


def _phrase(verb: str, words: str) -> str:
    words = edges.MINE.sub("the", edges.MINE_COUNTED.sub("", words))
    if verb in MAKING:
        return words
    if verb in ACTS:
        # "move from a flat to a house": what is moved is not said
        of = "" if edges.WHENCE.match(words) else "of "
        return _fit(f"the {ACTS[verb]} {of}{words}")
    return _fit(f"{gerund(verb)} {words}")


def _plain(page: Page, words: str) -> str:
    """Return *words* fit for the middle of a sentence: a capital stays where it belongs to a name."""
    first, _, rest = words.partition(" ")
    name = not first[1:].islower() or rest[:1].isupper() or rest[:1].isdigit() or any(True for _ in find_known(first))
    small = first.lower()
    return words if name or page.language == "de" or len(small) > len(first) else small + words[len(first) :]


def _fit(words: str) -> str:
    return words if len(words) <= _MOST else words[: _MOST + 1].rsplit(" ", 1)[0][:_MOST].rstrip(" ,")
