"""Words that carry meaning, and those that carry none: to tell whether two texts speak of the same."""

import re
from collections.abc import Iterator

#: Adjectives and verbs that fill space; PLAN_CRAFT calls for decisions and numbers instead.
FILLERS = frozenset(
    """robust robustly holistic holistically leverage leverages leveraging leveraged seamless seamlessly synergy
    synergies synergistic ensure ensures ensuring ensured streamline streamlined streamlining cutting-edge
    state-of-the-art best-in-class world-class game-changing game-changer paradigm empower empowers empowering
    innovative innovatively proactive proactively strategically impactful transformative utilize utilizes utilizing
    utilise utilises facilitate facilitates facilitating foster fosters fostering comprehensive comprehensively
    meticulous meticulously pivotal crucial vibrant dynamic scalable""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W_][\w’'-]*")
#: Kanji, katakana and Thai in a row; hiragana stand between them and say how, not what.
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
    """Return the stems of what *text* is about: words and numbers, cut to six letters so that their forms are one.

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


def fillers(text: str) -> list[str]:
    """Return the filler words of *text*, as often as they stand there."""
    return [word for word in (w.lower() for w in _WORD.findall(text)) if word in FILLERS]


def count_words(text: str) -> int:
    """Return how many words *text* has."""
    return len(_WORD.findall(text))
