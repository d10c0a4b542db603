"""The forms in which a plan may print a number of the goal: in digits, with separators, scaled, or in words."""

from collections.abc import Iterator

from planloom.planes.strategic.facts.fact import Duration, Money, Quantity

_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()  # noqa: SIM905


def texts_of(fact: Money | Quantity | Duration) -> set[str]:
    """Return every form in lower case; any of them in the plan is enough."""
    forms = {" ".join(fact.text.lower().split())}
    for value in {fact.low, fact.high}:
        forms |= set(_forms(value))
    return forms


def _forms(value: float) -> Iterator[str]:
    if value != int(value):
        yield f"{value:g}"
        yield f"{value:g}".replace(".", ",")
        return
    whole = int(value)
    yield from (f"{whole}", f"{whole:,}", f"{whole:,}".replace(",", " "), f"{whole:,}".replace(",", "."))
    if whole < len(_WORDS):
        yield _WORDS[whole]
    if whole < len(_ORDINALS):
        yield _ORDINALS[whole]
    for scale, name in ((1_000_000_000, "billion"), (1_000_000, "million")):
        if whole >= scale / 10:
            yield f"{whole / scale:g} {name}"
            yield f"{whole / scale:g}{name[0]}"
    if whole >= 1000 and whole % 100 == 0:
        yield f"{whole / 1000:g}k"
