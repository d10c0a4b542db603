"""Bans: words that must not be printed, approaches that must not be taken."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
WORDS = [
    ("Do not use the words 'artisanal' or 'curated'.", ["artisanal", "curated"]),
    ("Don't use the words artisanal or curated.", ["artisanal", "curated"]),
    ('Avoid the term "synergy".', ["synergy"]),
    ("Banned words: big bang, legacy.", ["big bang", "legacy"]),
    ("Banned words: AI, smart home, validated (in the sense of proven).", ["AI", "smart home", "validated"]),
    ("The following words are banned: hub, journey and reimagine.", ["hub", "journey", "reimagine"]),
    ("The words “vibrant” and “bespoke” are not allowed.", ["vibrant", "bespoke"]),
    ("Never use 'disrupt'.", ["disrupt"]),
]
APPROACHES = [
    ("We do not want franchise agreements or single-use plastic.", ["franchise agreements", "single-use plastic"]),
    ("The façade cannot be changed.", ["changing the façade"]),
    ("We will not build our own map tiles.", ["building our own map tiles"]),
    ("We will not use any vendor that charges per user.", ["vendor that charges per user"]),
    ("Data may not leave the country.", ["data leaving the country"]),
    ("No pile driving is allowed at night.", ["pile driving at night"]),
    ("No advertising.", ["advertising"]),
    ("Restore the mill without closing the road.", ["closing the road"]),
    ("Data loss is not acceptable.", ["data loss"]),
    ("We do not accept a design that hides the river.", ["design that hides the river"]),
    ("Avoid night flights.", ["night flights"]),
    ("The charter forbids military use.", ["military use"]),
    ("We don't want to take out a loan.", ["taking out a loan"]),
    ("Do not use coercive measures that deny food, water or shelter.",
     ["coercive measures that deny food, water or shelter"]),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "wanted"), WORDS)
def test_banned_words_are_read_one_by_one(sentence: str, wanted: list[str]) -> None:
    bans = read_facts(f"Open a café. {sentence}", TODAY).bans

    assert [(b.kind, b.what) for b in bans] == [("word", word) for word in wanted]


@pytest.mark.parametrize(("sentence", "wanted"), APPROACHES)
def test_an_approach_is_ruled_out_by_name(sentence: str, wanted: list[str]) -> None:
    bans = read_facts(f"Open a café. {sentence}", TODAY).bans

    assert [(b.kind, b.what) for b in bans] == [("approach", what) for what in wanted]


@pytest.mark.parametrize(
    "sentence",
    [
        "Rent must not exceed €3,200 a month.",
        "It needs no more than ten days.",
        "Sync must survive two weeks without a network.",
        "Science cannot prove it.",
        "There is no doubt about it.",
        "No later than May 2027 we open.",
        "We no longer bake at night.",
    ],
)
def test_limits_and_states_ban_nothing(sentence: str) -> None:
    assert read_facts(f"Open a café. {sentence}", TODAY).bans == ()
