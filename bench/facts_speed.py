"""How long the values of a goal take to find, and whether the time grows with its length and no faster.

    python -m bench.facts_speed

Each piece is repeated to 10 KB and to 100 KB: ten times the text should take ten times as long.
"""

import time
from datetime import date

from planloom.planes.strategic.facts.amounts import find_amounts
from planloom.planes.strategic.facts.dates import find_dates
from planloom.planes.strategic.facts.durations import find_durations
from planloom.planes.strategic.facts.language import NAMES, guess_language
from planloom.planes.strategic.facts.numbers import find_numbers
from planloom.planes.strategic.facts.spans import locate, sentences

#: What the finders stop at: read again and again from each place, a text full of it would take quadratic time.
PIECES = (
    "€5 ", "1 ", "1,", "1.", "a", "- ", "a-", "A", "one ", "one-", "einund", "hundert", ". ", ".", "(", "\n",
    "'a' ", "1/", "1/1/", "12.", "1-", "May ", "May-", "end of ", "1 May to ", "between 1 ", "Q1 2027 ",
    "in 2028 ", "万", "1万",
    "三", "9 to ", "$", "k€", " million", "a year ", "🎉", " ", "**", "\u200b", "Mrs.",
)  # fmt: skip
LANGUAGES = ("en", "de", "ja", "fi")
TODAY = date(2026, 11, 20)

_WORDS = (
    "We want to open a bakery café with 48 seats in Lisbon by 30 September 2028. The budget is €240,000, of which a "
    "bank lends €90k over five years; rent must stay below 2,400 euros a month. Four people work there from "
    "March 2028. "
)


def main() -> None:
    """Measure and print."""
    goal = _WORDS * 18
    print(f"a goal of {len(goal.split())} words, the first time and again, ms")
    for language in sorted(NAMES):
        print(f"  {language}  {1000 * _seconds(goal, language):6.1f}  {1000 * _seconds(goal + ' ', language):6.1f}")
    print("piece              10 KB, s  100 KB, s   growth (ideal 10), the slowest of " + ", ".join(LANGUAGES))
    for piece in PIECES:
        short, long = max((_repeated(piece, 10_000, each), _repeated(piece, 100_000, each)) for each in LANGUAGES)
        print(f"{piece!r:<18}{short:9.4f}{long:11.3f}{long / max(short, 1e-4):9.1f}")


def _repeated(piece: str, characters: int, language: str) -> float:
    return _seconds(piece * (characters // len(piece)), language)


def _seconds(text: str, language: str) -> float:
    """Return the processor time in which everything is found in *text*."""
    begun = time.process_time()
    guess_language(text)
    sentences(text)
    locate(text, text[len(text) // 2 :][:200] + "\u2603")
    find_dates(text, language, TODAY)
    find_amounts(text, language)
    find_durations(text, language)
    find_numbers(text, language)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
