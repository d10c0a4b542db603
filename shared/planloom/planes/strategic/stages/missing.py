"""State in a section what the model gave no usable answer to, and what replaces it."""

from collections.abc import Iterable

AGAIN = "Edit this file, or invalidate this step to ask again."


#: The largest number of characters in the name of a part.
LONGEST = 100


def computed(part: str) -> str:
    """Return the sentence for a *part* that was computed because the model's answer was lost."""
    return (
        f"The model gave no usable answer for {_name(part)}; this part is computed, not written by the model. {AGAIN}"
    )


def left_out(part: str) -> str:
    """Return the sentence for a *part* that is not there."""
    return f"The model gave no usable answer for {_name(part)}; this part is missing. {AGAIN}"


def shortened(part: str, items: int) -> str:
    """Return the sentence for a *part* of which *items* did not fit."""
    what, are = ("One item", "is") if items == 1 else (f"{items} items", "are")
    return f"{what} of the model's answer for {_name(part)} did not fit and {are} missing. {AGAIN}"


def with_missing(markdown: str, missing: Iterable[str]) -> str:
    """Return the section *markdown* with the sentences *missing* below its heading."""
    heading, _, rest = markdown.partition("\n")
    notes = "\n>\n".join(f"> **Missing.** {sentence}" for sentence in missing)
    return f"{heading}\n\n{notes}\n{rest}" if notes else markdown


def _name(part: str) -> str:
    line = " ".join(part.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
