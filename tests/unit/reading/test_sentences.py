"""Sentences: where they end, and where a stop, a line or a bullet misleads."""

import pytest

from planloom.reading.sentences import read_sentences


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("A pump of 2.5 m3/s. Next one.", ["A pump of 2.5 m3/s.", "Next one."]),
        ("Costs e.g. rent are high. Yes.", ["Costs e.g. rent are high.", "Yes."]),
        ("We open at 7 a.m. Then we bake.", ["We open at 7 a.m.", "Then we bake."]),
        ("Am 1. Mai 2027 geht es los. Gut.", ["Am 1. Mai 2027 geht es los.", "Gut."]),
        ("Dr. J. Smith leads. Good.", ["Dr. J. Smith leads.", "Good."]),
        ("Goals:\n- one café\n- two shops\n", ["Goals:", "one café", "two shops"]),
        ("# Heading\n\nText follows here.", ["Heading", "Text follows here."]),
        ("1. First thing\n2. Second thing", ["First thing", "Second thing"]),
        ("This line is long enough that an editor has wrapped it at eighty\ncharacters. End.",
         ["This line is long enough that an editor has wrapped it at eighty\ncharacters.", "End."]),
        ("He said \"stop.\" Then left.", ["He said \"stop.\"", "Then left."]),
        ("図書館を建てる。予算は百万円。", ["図書館を建てる。", "予算は百万円。"]),
        ("no stop at all", ["no stop at all"]),
        ("", []),
        (" \n\t ", []),
    ],
)  # fmt: skip
def test_a_text_is_cut_into_sentences(text: str, wanted: list[str]) -> None:
    assert [s.text for s in read_sentences(text)] == wanted
