"""How long a goal of a megabyte takes to read, and whether the time grows with its length and no faster.

    python -m bench.reading

Each piece is repeated to 100 KB and to a megabyte: ten times the text should take ten times as long.
"""

import time
from datetime import date

from planloom.reading.facts import read_facts

#: What the readers stop at: read again and again from each place, a text full of it would take quadratic time.
PIECES = (
    "€5 ", "1 ", "1,", "a", "- ", "a-", "A", "Aa ", "one ", ". ", ".", "(", "\n", "'a' ", "must, and ",
    "Banned words: ", "in Lisbon, ", "between 1 ", "Q1 2027 ", "no x ", "city of ", "9 to ", "🎉", " ",
)  # fmt: skip

TODAY = date(2026, 11, 20)


def main() -> None:
    """Measure and print."""
    print("piece              100 KB, s   1 MB, s   growth (ideal 10)")
    for piece in PIECES:
        short, long = seconds(piece, 100_000), seconds(piece, 1_000_000)
        print(f"{piece!r:<18}{short:10.3f}{long:10.2f}{long / short:9.1f}")


def seconds(piece: str, characters: int) -> float:
    """Return the processor time in which *piece*, repeated to so many *characters*, is read."""
    prompt = piece * (characters // len(piece))
    begun = time.process_time()
    read_facts(prompt, TODAY)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
