"""Words that a goal bans are in no text that a program writes."""

from planloom.planes.strategic.facts.fact import Ban, Facts, Spanned
from planloom.planes.strategic.outline.spared_words import spare, spared_quote
from planloom.planes.strategic.spine.rows import Package

WHOLE = Spanned(text="Never say robust.", start=0, end=17)
BANNED = Facts(
    title="A plan",
    subject="a plan",
    objective=WHOLE,
    bans=(Ban(text="robust", start=10, end=16, kind="word", what="robust"),),
)


def test_an_adjective_goes_and_a_noun_leaves_a_gap() -> None:
    package = Package(id="P1", title="A robust design", done_when="It is called robust.", owner="R1")
    spared = spare(package, BANNED)
    assert (spared.title, spared.done_when) == ("A design", "It is called […].")


def test_a_row_without_such_a_word_is_the_same() -> None:
    package = Package(id="P1", title="A design")
    assert spare(package, BANNED) is package


def test_a_quote_shows_what_is_left_out() -> None:
    assert spared_quote("Never say\nrobust.", BANNED) == "Never say […]."
