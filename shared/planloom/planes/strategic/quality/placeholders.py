"""Placeholders: words to be replaced later, recognised by their syntax in any language.

A line to write on (____) is none: letters and forms have it.
"""

import re

_PLACEHOLDER = re.compile(
    r"(?i:\[(?:insert|add|your|name|date|amount|tbd|todo|x+|placeholder|company|location|number|details?)\b[^\]]{0,60}\])"
    # "todo" is Spanish for all, "tbc" an illness: only in capitals
    r"|\b(?:TBD|TBC|TODO|FIXME)\b|(?i:\blorem ipsum\b|<(?:insert|your|name|date|amount|placeholder)[^>]{0,40}>)"
    r"|\{\{\s*[A-Za-z_][\w .]{0,40}\}\}|(?i:\binsert (?:here|text)\b)"
    # "to be completed by May" is a plan; these words alone in a field, in brackets or behind a colon are none
    r"|(?i:(?:^|[(\[:] ?)to be (?:determined|defined|decided|added|completed|filled in)(?=[\])]|\.?$))"
    # "XXL" is a size, "século XX" and "XX wiek" are a century
    r"|[$€£]XX+(?:[.,]XXX)*|(?<![A-Za-z])XX+(?:[.,]XXX)+|(?<![A-Za-z])XX+(?= ?%)"
    r"|(?<!\w)(?<!culo )(?<!siglo )(?<!secolo )(?<!wiek )(?<!wieku )XX+(?![A-Za-zº]| ?(?:wiek|secolo|centur))"
    r"|[○〇◯]{2,}",
    re.MULTILINE,
)


def placeholder(text: str, prompt: str) -> str | None:
    """Return the first placeholder in *text*, unless *prompt* has it too."""
    hit = _PLACEHOLDER.search(text)
    return hit[0].lstrip(" (:") if hit and hit[0].lower() not in prompt.lower() else None
