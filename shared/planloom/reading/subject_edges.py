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
    consisting featuring if when via about off
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
PLACE_BETWEEN = re.compile(r"\s+(?:in|at|near|on)\s+(?:the\s)?[A-Z][\w'-]*(?:\s[A-Z][\w'-]*){0,2}(?=\s+(?:for|with)\b)")
FURTHER = re.compile(r"\s+(?:for|with)\b")
#: "the technical, regulatory, and political basis".
LISTED = re.compile(
    r"(?:(?:the|an?|our)\s)?[\w-]+,(?:\s[\w-]+,){0,3}\s(?:and\s)?[\w-]+(?:\sand\s[\w-]+)?(?=\s\w)", re.IGNORECASE
)
INTO = re.compile(r"\s+(?:in)?to\s+(?=(?:an?|the|\d)\s?)", re.IGNORECASE)
MEANS = re.compile(r"\bby\s+(?P<how>\w+ing)\s+(?=\S)", re.IGNORECASE)
MINE = re.compile(r"^(?:my|our|their|his|her|its|your)\b", re.IGNORECASE)
MINE_COUNTED = re.compile(r"^(?:my|our|their|his|her|its|your)\s+(?=\d)", re.IGNORECASE)
