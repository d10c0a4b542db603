"""Bans: words that must not be printed, approaches that must not be taken."""

from datetime import date

import pytest

from planloom.api.example_prompts import example_prompts
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
    ('The plan should not use the words "artisanal" or "curated", which nobody believes.', ["artisanal", "curated"]),
    ("It shouldn't use the word “vibrant”.", ["vibrant"]),
    ("The report shall not contain the terms 'green' and 'smart'.", ["green", "smart"]),
    ("The texts should never use the phrase 'world class'.", ["world class"]),
    ("We cannot use the words bespoke or iconic in print.", ["bespoke", "iconic"]),
]
#: Whole goals, since the language is that of the whole.
FOREIGN = [
    ("Wir wollen ein Café eröffnen. Die Wörter „nachhaltig“ und „innovativ“ dürfen nicht vorkommen.",
     ["nachhaltig", "innovativ"]),
    ("Queremos abrir um café em Lisboa com 40 lugares. O plano não deve usar as palavras \"artesanal\" ou \"curado\".",
     ["artesanal", "curado"]),
    ("Nous voulons ouvrir une librairie à Nantes. N’utilisez pas les mots « durable » et « inclusif ».",
     ["durable", "inclusif"]),
    ("杭州通りに喫茶店を開きたい。「唯一無二」や「こだわり」という言葉は使わないこと。", ["唯一無二", "こだわり"]),
    ("Wir wollen ein Café eröffnen. Der Name „Morgenrot“ ist gesetzt.", []),
]  # fmt: skip
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


@pytest.mark.parametrize(("goal", "wanted"), FOREIGN)
def test_words_are_banned_in_other_languages_by_quoting_them(goal: str, wanted: list[str]) -> None:
    assert [ban.what for ban in read_facts(goal, TODAY).bans if ban.kind == "word"] == wanted


def test_the_words_that_an_example_goal_bans_are_read_from_its_own_text() -> None:
    banned = {
        sample["id"]: [ban.what for ban in read_facts(sample["prompt"], TODAY).bans if ban.kind == "word"]
        for sample in example_prompts()
    }
    assert banned["bakery-cafe-lisbon"] == ["artisanal", "curated"]
    assert banned["soil-carbon-study"] == ["climate-neutral", "regenerative"]
    assert banned["harbour-book-festival"] == ["vibrant community"]


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
