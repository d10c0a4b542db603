"""Find the bodies and people of a prompt who can stop, delay or condition the work, by the nouns they go by."""

import re

_HEADS = (
    "associations?|authority|authorities|councils?|banks?|departments?|ministry|ministries|municipality|city|boards?"
    "|unions?|insurers?|landlords?|landowners?|owners|funders?|donors?|sponsors?|investors?|residents|neighbours"
    "|neighbors|parish|agency|agencies|regulators?|committees?|utility|utilities|officers?|inspectors?|inspectorate"
    "|university|universities|commission|court|chamber|operators?|parents|patients|staff council|works council"
    "|hospitals?|state|government|county|church|museum|foundation|faculty|tenants|farmers|fishers|suppliers?"
    "|partners|group|customer|client|accountant|doctor|physician|physiotherapist|therapist|supervisor|midwife|surveyor"
    "|notary|editor|publisher|coach|guardian"
)
_STOP = frozenset(
    """
    the a an and or of by from with for to in on at that which who whose our my your us their its his her this each
    every any all must should has have had will shall may can is are be been not no if when while before after until
    unless as but than about above below between into over under per via own owns sign signs keeps meet meets says said
    wants want needs need asked asks requires require
    """.split()  # noqa: SIM905 - a list of words reads best as text
)
_SEVERAL = re.compile(
    r"(?:residents|neighbou?rs|owners|parents|patients|tenants|farmers|fishers|partners|members|people|councils"
    r"|authorities|departments|associations|boards|committees|officers|suppliers|funders|sponsors)$",
    re.IGNORECASE,
)
_PLURAL = {"is": "are", "has": "have", "stops": "stop", "sees": "see", "gets": "get", "does": "do", "asks": "ask"}
_PARTY = re.compile(rf"\b(?:[\w’'-]+\s+){{0,3}}(?:{_HEADS})\b", re.IGNORECASE)


def parties(text: str) -> tuple[str, ...]:
    """Return the parties that *text* names, without articles, in order, each once: ``national coastal authority``."""
    found: list[str] = []
    for match in _PARTY.finditer(text):
        name = bare(match.group())
        # "Residents must..." begins a sentence and is no name
        if " " not in name and (match.start() == 0 or text[: match.start()].rstrip().endswith((".", "!", "?"))):
            name = name.lower()
        if name and name.lower() not in (f.lower() for f in found):
            found.append(name)
    return tuple(found)


def last_party(text: str) -> str | None:
    """Return the party that *text* names last, or None."""
    found = parties(text)
    return found[-1] if found else None


def agreed(text: str, party: str) -> str:
    """Return *text*, written for one party, with its verbs in the plural where *party* is several: residents are."""
    if not _SEVERAL.search(party):
        return text
    verb = re.compile(rf"\b({re.escape(party)},?)\s+({'|'.join(_PLURAL)})\b")
    return verb.sub(lambda found: f"{found[1]} {_PLURAL[found[2]]}", text)


def bare(phrase: str) -> str:
    """Return the words of *phrase* after its last article, preposition or verb: ``from a bank loan``: ``bank loan``."""
    words = phrase.split()
    cut = max((i for i, word in enumerate(words) if word.lower() in _STOP or not word[0].isalpha()), default=-1)
    return " ".join(words[cut + 1 :])


def leading(phrase: str, limit: int = 6) -> str:
    """Return the first noun phrase of *phrase*: ``the protection permit before tendering``: ``protection permit``."""
    words = re.split(r"\s+", phrase.strip())
    while words and words[0].lower() in _STOP:
        words = words[1:]
    kept: list[str] = []
    for word in words[:limit]:
        if word.lower().strip(",.;:") in _STOP:
            break
        kept.append(word)
        if word[-1:] in ",.;:":
            break
    return " ".join(kept).rstrip(",.;:")
