"""Where the name of a thing ends in an objective, and its place, time, means or purpose begins."""

import re

from planloom.reading.wording import any_of

_MARK = r"\s-\s|\s*[;:—(\[\"!?\n]|\.(?=\s|$)|,(?!\d)"
#: The thing ends here.
EDGE = re.compile(
    rf"{_MARK}|\s+"
    + any_of("""
    in at by near from on within until before after over using against for to so where while because without
    through throughout across under between during inside outside along around which who whose that with into as
    starting based located headquartered designed aimed targeting focused called named and_then including
    consisting featuring if when via about off led funded backed
""")
    + r"\b",
    re.IGNORECASE,
)
#: Heads that say little alone: what they are for is read on.
GENERIC = re.compile(
    r"\b"
    + any_of("""
    apps? platform system program(?:me)?s? project service tool business company campaign plan solution facility
    cent(?:er|re) product website initiative network course event strategy study unit lab model software mission
    agency startup firm organi[sz]ation application space place site report book film game series scheme script
    guide conference basis framework foundation
""")
    + r"$",
    re.IGNORECASE,
)
PURPOSE = re.compile(r"\s+(?:for|that|which|to|where|with|about|on|of|against)\b", re.IGNORECASE)
#: What is read on ends here.
STOP = re.compile(rf"{_MARK}|\s+(?:by|until|before|within|so that|and (?:sync|then)|when|while)\b", re.IGNORECASE)
#: "the wedding [in Tuscany] for 80 guests": the place is left out, the rest is read on.
PLACE_BETWEEN = re.compile(
    r"\s+(?:in|at|near|on)\s+(?:the\s)?[A-Z][\w'-]*(?:\s[A-Z][\w'-]*){0,2}(?=\s+(?:for|with|to|that|which)\b)"
)
FURTHER = re.compile(r"\s+(?:for|with|to|that|which)\b")
_ADJECTIVE = r"(?:\w+-[\w-]+|\w+(?:al|ic|ive|ary|able|ible|ous|ful|ed|ant|ent|ular|ory|ing))"
#: "the technical, regulatory, and political basis", "a 200-unit, men-only hotel".
LISTED = re.compile(
    rf"(?:(?:the|an?|our)\s)?(?:[\w-]+\s){{0,2}}?{_ADJECTIVE},\s"
    r"(?!(?:located|based|run|led|designed|built|operated|in|at|by|with|for|to|which|that|on|from|then)\b)"
    rf"(?:{_ADJECTIVE},\s)*(?:and\s)?[\w-]+(?=\s\w)",
    re.IGNORECASE,
)
#: What a vague head is about, wherever the sentence says it.
FOCUS = re.compile(r"\s(?:focused\son|focusing\son|aimed\sat|aiming\sto|dedicated\sto|with\sthe\s(?:goal|aim)\sof)\s")
INTO = re.compile(r"\s+(?:in)?to\s+(?=(?:an?|the|\d)\s?)", re.IGNORECASE)
#: Heads that name no thing at all: what they are to make is the thing.
VAGUE = re.compile(r"\b(?:initiative|effort|program(?:me)?|project|plan|mission|consortium|campaign)$", re.IGNORECASE)
AIM = re.compile(r"\bto\s+(?P<how>[a-z]+)(?=[\s,])", re.IGNORECASE)
#: "5-year," before its noun; "18-month" before programme.
SPELL = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|ten|twelve)-(?:year|month|week)s?"
    r"(?:,|(?=\s(?:strategic\s)?(?:program|initiat|project|plan|campaign)))",
    re.IGNORECASE,
)
ARTICLE = re.compile(r"^an?\s(?=(?P<next>\w))", re.IGNORECASE)
#: What cutting out years and money leaves before a thing.
LEADING = re.compile(r"^(?:(?P<article>an?|the|this)\b)?(?:\s*,)*\s*", re.IGNORECASE)
#: A clause, not the name of a thing.
FINITE = re.compile(
    r"^(?:within|in|by|on|at|over|from|during|after|before|if|when|with|as|for)\b"
    r"|\b(?:is|are|was|were|has|have|had|will|been|does|do|can|takes|needs|wants)\b",
    re.IGNORECASE,
)
#: What stands in brackets.
ASIDE = re.compile(r"\s?\([^()]*\)")
MEANS = re.compile(r"\bby\s+(?P<how>\w+ing)\s+(?=\S)", re.IGNORECASE)
MINE = re.compile(r"^(?:my|our|their|his|her|its|your)\b", re.IGNORECASE)
MINE_COUNTED = re.compile(r"^(?:my|our|their|his|her|its|your)\s+(?=\d)", re.IGNORECASE)
#: "move from a flat to a house": the phrase that follows says from where to where.
WHENCE = re.compile(r"(?:from|to|into|out|back|abroad|away)\b", re.IGNORECASE)
#: "find out, in a field study over four seasons, whether": the study is what is made.
STUDY = re.compile(
    r"\bin\s+(?P<study>an?\s(?:[\w-]+\s){0,3}?(?:study|trial|survey|experiment|pilot|field trial))\b", re.IGNORECASE
)
