"""Find approaches that a prompt rules out, and name each as a noun phrase: "will not build X" -> "building X"."""

import re
from collections.abc import Iterator

from planloom.domain.facts import Spanned
from planloom.reading import ban_forms as forms
from planloom.reading.clauses import clauses_of
from planloom.reading.nouns import FUNCTION_WORDS, phrase_before
from planloom.reading.page import Page
from planloom.reading.tables.verbs import KNOWN, base_of_participle, gerund

#: Longer than this, a name is a clause that was misread.
_LONGEST = 110
_OURS = frozenset({"we", "i", "they", "it", "the", "our", "the team", "the project", "the plan", "please", "you"})
_PRONOUNS = frozenset({"it", "they", "he", "she", "this", "that", "these", "we", "nobody", "which", "who"})


def find_approaches(page: Page, objective: Spanned) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and name of each approach that is ruled out, in order."""
    for sentence in page.sentences:
        if forms.SUCCESS.match(page.text, sentence.start, sentence.end):
            continue
        read = sentence.start
        for start, end in clauses_of(page, sentence):
            if start < read:
                continue
            # A list of what is not wanted runs on over the clauses.
            read = _list_end(page, start, end, sentence.end)
            text = page.text[start:read].rstrip(" .!")
            for name in _named(text, aimed_at=sentence == objective):
                yield start, start + len(text), name


def _list_end(page: Page, start: int, end: int, last: int) -> int:
    if not forms.REFUSE.search(page.text, start, end):
        return end
    stop = page.text.find(";", end, last)
    return stop if stop >= 0 else last


def _named(text: str, *, aimed_at: bool) -> Iterator[str]:
    for piece in forms.AGAIN.split(text):
        for name in _names(piece, aimed_at=aimed_at):
            if 2 < len(name) <= _LONGEST:
                yield name


def _names(text: str, *, aimed_at: bool) -> list[str]:
    """Return the approaches that one clause rules out, by the first form that fits."""
    if found := forms.REFUSE.search(text):
        verb = f"{gerund(found['verb'].lower())} " if found["verb"] else ""
        return [verb + thing for thing in _things(found["what"])]
    if found := forms.PASSIVE.search(text):
        return _passive(found)
    if found := forms.BANNED.search(text):
        return _things(_thing_before(found["what"]))
    if (found := forms.WILL_NOT.search(text)) and _acted(found):
        return _acts(text, found)
    if (found := forms.NO.search(text)) and not forms.NO_ONE.search(found["what"]):
        return _no(text, found)
    return _other(text, aimed_at=aimed_at)


def _other(text: str, *, aimed_at: bool) -> list[str]:
    """Return what "without", "avoid" and "forbids" rule out; without is a ban in what is to be done or must be."""
    without = forms.WITHOUT.search(text)
    if without and not aimed_at and not (_binds(text) and re.match(r"\w+ing\b", without["what"])):
        without = None
    aside = forms.NO_ASIDE.search(text) if aimed_at else None
    found = without or aside or forms.AVOID.search(text) or forms.FORBIDS.search(text)
    return _things(found["what"]) if found else []


def _binds(text: str) -> bool:
    return bool(re.search(r"\b(?:must|should|has to)\b", text)) or text.split(" ", 1)[0].lower() in KNOWN


def _acted(found: re.Match[str]) -> bool:
    verb = found["verb"].lower()
    place = verb == "take" and found["what"].strip().startswith("place")
    return verb not in forms.NO_ACT and verb not in FUNCTION_WORDS and not place


def _acts(text: str, found: re.Match[str]) -> list[str]:
    verb, what = found["verb"].lower(), found["what"].strip()
    subject = _small(forms.OPENING.sub("", text[: found.start()].strip()))
    if verb == "use":
        return _things(what)
    first, *more = re.split(r",?\snor\s", forms.REASON.split(what)[0])
    names = [f"{gerund(verb)} {first}".strip(), *(_also(piece) for piece in more)]
    # "data may not leave the country": whose act it is belongs to the ban, unless it is ours.
    if not subject or subject.lower() in _OURS:
        return names
    return [f"{forms.LEAD.sub('', subject)} {names[0]}"]


def _also(piece: str) -> str:
    """Return the act of "nor let a company co-fund the work"; a thing stays a thing."""
    verb, _, rest = piece.partition(" ")
    return f"{gerund(verb)} {rest}" if verb.lower() in KNOWN | {"let"} else forms.LEAD.sub("", piece)


def _passive(found: re.Match[str]) -> list[str]:
    verb = base_of_participle(found["verb"].lower())
    what = _thing_before(found["what"])
    if not verb or verb in forms.NO_ACT or not what or what.split()[-1].lower() in _PRONOUNS:
        return []
    return [f"{gerund(verb)} {what}{found['rest']}".strip()]


def _thing_before(said: str) -> str:
    """Return the thing that *said* ends in: the façade, the loan of "a loan that"."""
    relative = re.sub(r",?\s(?:that|which|who)$", "", said.strip())
    if relative != said.strip():
        return phrase_before(relative, 4)
    if said.strip().endswith(","):
        # "the outcome, a difference in stock, may not be changed": the thing stands before its explanation.
        found = re.search(
            r"(?:^|,\sand\s)((?:the|our|its|all|any)\s[\w -]{2,40}?),\s[^,]+,$", said.strip(), re.IGNORECASE
        )
        return _small(found[1]) if found else ""
    said = _small(forms.OPENING.sub("", said.rpartition(", ")[2]))
    if forms.MODAL.search(said) and " and " in said:
        said = said.rpartition(" and ")[2]
    return said if len(said.split()) <= 8 else phrase_before(said, 4)


def _no(text: str, found: re.Match[str]) -> list[str]:
    """Return the things of "no advertising on the cards, and no loyalty points"."""
    several = re.split(r",\s(?:and\s)?no\s", text[found.start("what") :]) if found.start() == 0 else [found["what"]]
    things = [forms.REASON.split(thing)[0] for thing in several]
    return [named for thing in things for named in _things(_undone(forms.VERDICT.sub("", thing)))]


def _undone(thing: str) -> str:
    """Turn the verb of "no exhaust reach the sector" into a noun: exhaust reaching the sector."""
    words = thing.split()
    verb = next((i for i, word in enumerate(words[1:], 1) if word in {"reach", "leave", "enter", "pass"}), None)
    return thing if verb is None else " ".join((*words[:verb], gerund(words[verb]), *words[verb + 1 :]))


def _small(opening: str) -> str:
    """Return the opening of a sentence without its capital, unless the capital belongs to a name."""
    return opening[:1].lower() + opening[1:] if opening[1:2].islower() or opening[1:2] == " " else opening


def _things(what: str) -> list[str]:
    """Return the things of "franchise agreements or single-use plastic", each without its article.

    Within "measures that deny food, water or shelter" the things are objects of the clause, and it stays whole.
    """
    what = forms.REASON.split(what.strip(" .!\"'"))[0]
    if re.search(r",?\snor\s", what):
        pieces = re.split(r",?\snor\s", what)
    elif forms.RELATIVE.search(what.split(",")[0]):
        pieces = [what]
    elif re.search(r",\s(?:or|nor)\s", what):
        pieces = re.split(r",\s(?:or\s)?", what.split(", and ")[0])
    else:
        pieces = re.split(r"\sor\s", what)
    return [forms.LEAD.sub("", " ".join(piece.split())).strip(" ,.\"'") for piece in pieces]
