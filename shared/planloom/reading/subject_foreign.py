"""Name what the plan makes where the prompt is not in English: from the first indefinite article to the next edge."""

import re
from functools import cache

from planloom.reading.objective import Objective
from planloom.reading.page import Page
from planloom.reading.wording import any_of

#: By language: the indefinite articles, the words that end a thing, and the preposition of places.
_WORDS = {
    "de": ("ein eine einen einem einer", "in im am an bis für auf innerhalb zu zum zur ab das die der den ohne", "in"),
    "da": ("en et", "i på inden senest fra til for som der ved om hvor uden", "i"),
    "nb": ("en et ei", "i på innen senest fra til for som ved om hvor uten", "i"),
    "sv": ("en ett", "i på inom senast från till för som vid om där utan", "i"),
    "es": ("un una unos unas", "en antes para desde hasta que por sin dentro a", "en"),
    "fr": ("un une", "à dans avant pour qui en sur d'ici sans au chez", "à"),
    "it": ("un una uno", "in a entro per che nel nella da senza", "a"),
    "pt": ("um uma", "em no na até para que por sem dentro", "em"),
    "nl": ("een", "in voor op tegen die dat binnen bij te zonder", "in"),
}  # fmt: skip


def foreign_subject(page: Page, objective: Objective) -> str:
    """Return the thing named in the objective of a prompt in a language of the table; empty in any other."""
    if page.language not in _WORDS:
        return ""
    found = _pattern(page.language).search(page.text, objective.sentence.start, objective.sentence.end)
    return " ".join(found["thing"].split()) if found else ""


def place_preposition(language: str) -> str:
    """Return the word for "in" before a place."""
    return _WORDS[language][2] if language in _WORDS else "in"


def without_article(text: str, language: str) -> str:
    """Return *text* without its indefinite article."""
    return re.sub(rf"^{any_of(_WORDS[language][0])}\s", "", text) if language in _WORDS else text


@cache
def _pattern(language: str) -> re.Pattern[str]:
    articles, edges, _ = _WORDS[language]
    # A German sentence ends in its verb: "ein Café mit 40 Plätzen eröffnen".
    last_verb = r"|\s[a-zäöü]+en\s*(?=[.,!]|$)" if language == "de" else ""
    return re.compile(
        rf"\b(?P<thing>{any_of(articles)}\s[^.,;:!?()]{{2,160}}?)(?=\s{any_of(edges)}\s{last_verb}|[.,;:!?()]|\s*$)",
        re.IGNORECASE,
    )
