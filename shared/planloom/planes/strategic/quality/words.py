"""The stems of the content words of texts, to compare two texts, and the number of words."""

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W_][\w’'-]*")
#: Runs of kanji, katakana and Thai; the hiragana between them are endings and particles.
_UNSPACED = re.compile("[\u30a0-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]{2,}")
_COMMON = frozenset(
    """about after also another any are because been before being below between both but can cannot could does doing
    done each even every first for from had has have having how into its itself just less like made make makes may
    might more most much must need needs never next nor not only other others our ours out over per plan project
    shall should since some such than that the their them then there these they this those through under until upon
    use used using very was well were what when where which while who whom whose why will with within without would
    you your and all one two three new own see set way work works""".split()  # noqa: SIM905
)


def terms(text: str) -> frozenset[str]:
    """Return the stems of the content words and numbers of *text*, cut to six letters so that their forms are equal.

    Scripts without spaces give pairs of characters instead.
    """
    found = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    stems = {w[:6].rstrip("s") for w in found if (len(w) > 3 or w.isdigit()) and w not in _COMMON}
    if not _UNSPACED.search(text):
        return frozenset(stems)
    return frozenset(pair for run in _UNSPACED.findall(text) for pair in _pairs(run)) | {
        w for w in stems if w.isascii()
    }


def _pairs(run: str) -> Iterator[str]:
    return (run[n : n + 2] for n in range(len(run) - 1))


def carries(wanted: frozenset[str], held: frozenset[str], share: float) -> bool:
    """Return whether *held* has at least *share* of *wanted*."""
    return len(wanted & held) >= share * len(wanted)


def count_words(text: str) -> int:
    """Return how many words *text* has."""
    return len(_WORD.findall(text))
