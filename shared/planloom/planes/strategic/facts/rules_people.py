"""The persons that a goal counts: a number right before, or in some scripts right behind, a noun for persons."""

import re
from functools import cache

from planloom.planes.strategic.facts.fact import Role
from planloom.planes.strategic.facts.numbers import Number
from planloom.planes.strategic.facts.rules_page import MOST_FACTS, UNSPACED, Page, pattern_of, words_of

#: What a number may not follow: it is a limit, a part, a rank or a rate.
_BOUND = re.compile(
    r"(?:(?<!\w)(?:more than|less than|fewer than|under|over|below|above|up to|at most|maximum|max\.?|every|each|per|"
    r"first|last|same|"
    r"only|one of|half|mehr als|weniger als|unter|über|bis zu|höchstens|maximal|je|pro|plus de|moins de|jusqu'à|"
    r"au plus|chaque|par|más de|menos de|hasta|cada|por|mais de|até|più di|meno di|fino a|ogni|per|meer dan|hooguit|"
    r"mer än|högst|mere end|højst|mer enn|więcej niż|najwyżej|до|не більше ніж|не более|paling banyak|lebih dari|"
    r"en fazla|nr\.?|no\.|age[ds]?|aged|alter von)|その|この|あと|[#/\d-])\s?\Z",
    re.IGNORECASE,
)
#: What may not follow: so many come in a period, or it is a share.
_RATE = re.compile(
    r"\s?(?:%|/|(?:per|an?|each|every|pro|im|par|al|por|ao|all'|per|om|i|pr\.?|na|на|в|yılda|setahun) "
    r"(?:year|month|week|day|night|annum|hour|jahr|monat|woche|tag|an|mois|semaine|jour|año|mes|semana|día|ano|mês|dia|"
    r"anno|mese|giorno|jaar|maand|week|dag|året|månaden|måned|år|rok|miesiąc|рік|місяць|год|месяц)\b)",
    re.IGNORECASE,
)
_ONE = "un une una uno um uma ein eine einen einem einer een en ett et ena én an a satu bir egy o un'"
#: "One" of these is no particular person.
_ARTICLES = frozenset(_ONE.split())
#: Words that end what a number counts: they are no adjectives.
_STOP = (
    r"(?:of|in|at|on|to|for|from|by|with|and|or|per|the|is|are|has|have|will|than|as|a|an|per|von|im|in|für|und|oder|"
    r"mit|bis|de|du|des|la|le|les|pour|par|et|ou|à|y|o|por|para|con|e|di|a|da|do|van|voor|en|och|för|av|og|for|til|"
    r"i|z|w|na|dla|lub|і|з|на|для|та|или|и|с|в|hours?|days?|weeks?|months?|years?|metres?|meters?|km|tonnes?|"
    r"tage|wochen|monate|jahre|stunden|jours|mois|ans|semaines|días|meses|años|semanas|times?|mal|fois|veces|belas|puluh|ratus)\b"
)
_COUNTERS = {
    "ko": re.compile(r"\s?명(?!이상|당|씩)"),
    "ja": re.compile(r"\s?(?:人|名)(?!以上|当たり|あたり|乗り|目|前)"),
    "zh": re.compile(r"\s?[位名](?=[\u4e00-\u9fff])"),
}
_MOST = 1_000_000


def read_people(page: Page) -> tuple[Role, ...]:
    """Return the counted persons in order, with the words that name them."""
    found = (_role(page, number) for number in page.numbers)
    return tuple([role for role in found if role][:MOST_FACTS])


def _role(page: Page, number: Number) -> Role | None:
    written = page.text[number.start : number.end].lower()
    year = re.fullmatch(r"(?:19|20)\d\d", written)
    whole = not year and number.low == number.high and number.low == int(number.low) and 1 <= number.low <= _MOST
    if not whole or number.percent or written in _ARTICLES:
        return None
    first, last = page.sentence(number.start)
    if _BOUND.search(page.text, max(first, number.start - 16), number.start):
        return None
    counter = _COUNTERS.get(page.language)
    if counter:
        noun = counter.match(page.text, number.end)
        before = [n.end + 1 for n in page.numbers if n.end < number.start]
        start = max([page.clause(number.start, number.end)[0], number.start - 12, *before[-1:]])
        return _made(page, start, noun.end(), number) if noun else None
    noun = _noun(page.language).match(page.text, number.end, last)
    if noun is None or _RATE.match(page.text, noun.end()):
        return None
    return (
        None if number.low == 1 and written != "1" and noun["vague"] else _made(page, number.start, noun.end(), number)
    )


def _made(page: Page, start: int, end: int, number: Number) -> Role:
    title = " ".join(page.text[number.end if page.language not in UNSPACED else start : end].split()).strip(" -")
    return Role(**page.span(start, end), title=title[:120] or page.text[start:end], count=int(number.low))


@cache
def _noun(language: str) -> re.Pattern[str]:
    words = words_of(language, "people") or "(?!)"
    vague = r"(?P<vague>person|people|man|woman|member|guest|friend|child|user)?"
    modifier = rf"(?:(?!{_STOP})[^\W\d_][\w'-]*[ -])"
    head = pattern_of(words, language).pattern
    return re.compile(rf"[ \n-]{modifier}{{0,2}}?(?={vague}\b)?{head}(?!-)", re.IGNORECASE)
