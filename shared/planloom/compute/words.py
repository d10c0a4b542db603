"""Words that two texts share, to compare titles. Where a language does not space its words, nothing is shared."""

import re

_WORD = re.compile(r"\w{4,}")


def content_words(text: str) -> frozenset[str]:
    """Return the words of *text* that have four letters or more, in lower case and without a plural s."""
    return frozenset(word.rstrip("s") for word in _WORD.findall(text.casefold()))
