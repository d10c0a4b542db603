"""The ways in which prompts lead up to what is to be done: "we want to", "the goal is to", "give me a plan for"."""

import re
from functools import cache

from planloom.reading.tables.verbs import GERUNDS, KNOWN, NOUNS
from planloom.reading.wording import any_of

_LABEL = rf"(?:{any_of('project overall main our the primary')}\s+)*" + any_of(
    "goal objective aim mission task project purpose idea plan brief"
)
_AIMS = any_of("goals? objectives? aims? mission purpose idea ambition vision")
_ADJECTIVES = any_of(
    "detailed comprehensive full complete good realistic strategic project business step-by-step simple"
)
_ASKS = any_of("give make write draft create prepare draw_up i_need we_need i_want we_want")
_WANTS = any_of("""
    wants? would_like 'd_like plans? intends? aims? needs? hopes? wish(?:es)? proposes? seeks?
    ha(?:ve|s)_decided (?:are|is|am)_planning (?:are|is|am)_going are_aiming ha(?:ve|s)_to looking must
""")
_TOWARDS = r"(?:(?:focus|concentrate|work)\s+on\s+|(?:aim|seek|attempt|try)\s+to\s+)?"
_EFFORTS = any_of("initiative effort program(?:me)? project venture mission")
#: How clearly each lead states an intent.
WEIGHTS = {"label": 6.0, "aim": 5.0, "ask": 5.0, "want": 4.0, "will": 3.0, "doing": 3.0, "purpose": 3.5}
#: Sentences that begin so speak about the plan, not of what is to be done.
ASIDE = re.compile(
    any_of("""
    success budget risks? governance banned constraints? note do_not don't assume include ensure make_sure use
    avoid pick start_with provide describe explain if when focus indicate clarify state recognize detail propose
    mark
""")
    + r"\b",
    re.IGNORECASE,
)
DENIAL = re.compile(r"\b(?:not|never|no|don't|won't|nobody)\b", re.IGNORECASE)
#: What follows a label where it names what is to be done.
NAMES_IT = re.compile(r"\s*(?:to\s|an?\s|the\s|[a-z-]+\s+(?:an?|the|our|my|\d)\b)", re.IGNORECASE)
#: "Vegan Butcher Shop.": a sentence that is nothing but a name.
NAME = re.compile(r"\W{0,3}(?:[A-Z][\w'-]*\s(?:(?:of|for|in|the|and)\s)?){1,5}[A-Z][\w'-]*\W{0,3}")
#: After "we want to", any word is a verb.
INFINITIVE = re.compile(r"(?<=\bto )([a-z]+)\s")
_ADVERBS = any_of("successfully jointly quickly safely then also to properly fully gradually permanently")


@cache
def verbs() -> str:
    """Return the pattern of every known verb, base form and -ing form."""
    forms = sorted((*KNOWN, *GERUNDS), key=len, reverse=True)
    return "(?:" + "|".join(form.replace(" ", r"\s+") for form in forms) + ")"


@cache
def first_verb() -> re.Pattern[str]:
    """Return the pattern of an order at the beginning of a sentence; "Host city" and "Test results" are none."""
    orders = "|".join(sorted((verb for verb in KNOWN if verb not in NOUNS), key=len, reverse=True)).replace(" ", r"\s+")
    nouns = "|".join(sorted(NOUNS))
    return re.compile(
        rf"(?:please\s+)?(?:(?:{orders})\s+\S|(?:{nouns})\s+(?:an?|the|my|our|all|\d|and|this|new)\b)", re.IGNORECASE
    )


@cache
def later_verb() -> re.Pattern[str]:
    """Return the pattern of an order after a comma: "After the storm, rebuild the pier"."""
    return re.compile(rf"[,;:]\s(?={verbs()}\s(?:the|an?|our|my|all|\d))", re.IGNORECASE)


@cache
def next_verb() -> re.Pattern[str]:
    """Return the pattern of one more verb: "build", ", launch", "and run"."""
    return re.compile(
        rf"\s*(?:,\s*)?(?:and\s+|&\s*|or\s+)?(?:{_ADVERBS}\s+)?(?P<verb>{verbs()})(?=[\s,]|$)", re.IGNORECASE
    )


@cache
def lead() -> re.Pattern[str]:
    """Return the pattern of a lead, from the sentence's beginning to its verb; the group says its kind."""
    gerunds = "|".join(form.replace(" ", r"\s+") for form in sorted(GERUNDS, key=len, reverse=True))
    help_me = r"help\s+(?:me|us)\s+(?:to\s+)?"
    a_plan = (
        rf"{_ASKS}\s+(?:(?:me|us)\s+)?(?:an?\s+|the\s+)?(?:{_ADJECTIVES}\s+)*plan\s+(?:for|to|of|on how to|that)\s+"
    )
    forms = (
        rf"(?P<label>{_LABEL}\s*(?::|-)\s*)",
        rf"(?P<aim>[^.;:]{{0,80}}?\b{_AIMS}\b[^.;:]{{0,60}}?\b(?:is|are)\s+to\s+)",
        rf"(?P<ask>(?:please\s+)?(?:(?:can|could)\s+you\s+)?(?:{help_me}|{a_plan}))",
        rf"(?P<want>[^.;:]{{0,140}}?\b{_WANTS}\s+(?:\w+ly\s+)?to\s+(?=[a-z-]+\s)"
        r"|[^.;:]{0,40}?\b(?:we|i)\s+(?:want|need|would like)\s+(?=(?:a|an|the|our|my)\s))",
        rf"(?P<will>[^.;:]{{0,200}}?\b(?:will|shall|is to|are to)\s+(?:\w+ly\s+)?{_TOWARDS}(?={verbs()}\s))",
        rf"(?P<purpose>[^.;:]{{0,140}}?\b{_EFFORTS}\s[^.;:]{{0,60}}?\bto\s+(?={verbs()}[\s,]))",
        rf"(?P<doing>[^.;:]{{0,100}}?\b(?:is|are|am|we're|i'm)\s+(?=(?:{gerunds})\s))",
    )
    return re.compile(rf"\s*(?:{'|'.join(forms)})", re.IGNORECASE)
