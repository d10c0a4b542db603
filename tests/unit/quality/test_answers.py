"""One answer against the register, the goal's banned words and what is left open, before it becomes a section."""

from datetime import date

import pytest

from planloom.domain.claims import Claim
from planloom.domain.frozen import Answer
from planloom.quality.answers import MOST_TOLD, faults
from planloom.quality.register import contradictions
from planloom.reading.facts import read_facts

GOAL = "Open a café in Lisbon by 1 May 2027 for €240,000. Do not use the words 'artisanal' or 'curated'."
FACTS = read_facts(GOAL, date(2026, 11, 2))


def claim(slug: str, text: str, value: str, unit: str) -> Claim:
    return Claim(id=f"start.{slug}", text=text, kind="fact", value=value, unit=unit, source="prompt:0-9")


REGISTER = (
    claim("budget", "The budget of the whole is EUR 240,000", "240000", "EUR"),
    claim("rent-cap", "Rent: EUR 3,200, in the goal: “Rent must not exceed €3,200 a month”", "3200", "EUR"),
    claim("seats", "Seats: 48 seats, in the goal: “a 48-seat café”", "48", "seats"),
    claim("gross-margin", "Gross margin: at least 62 %, in the goal: “at least 62%”", "62", "%"),
    claim("training", "Staff training: 4 hours for each new hire", "4", "hours"),
    claim("delivery", "Oven delivery: 8-14 weeks, in the goal: “eight to fourteen weeks”", "8-14", "weeks"),
)


@pytest.mark.parametrize(
    ("said", "claim_id", "distance"),
    [
        ("The budget is EUR 260,000.", "start.budget", 0.083),
        ("A budget of €0.3 million is held.", "start.budget", 0.25),
        ("Rent: EUR 3,500 a month from May on.", "start.rent-cap", 0.094),
        ("The rent must stay at €4,100.", "start.rent-cap", 0.281),
        ("The café opens with 60 seats.", "start.seats", 0.25),
        ("It is a 60-seat café.", "start.seats", 0.25),
        ("The gross margin is 55%.", "start.gross-margin", 0.113),
        ("Staff training takes 12 hours.", "start.training", 2.0),
        ("Oven delivery takes 20 weeks.", "start.delivery", 0.429),
    ],
)
def test_a_registered_figure_with_another_value_is_found_with_its_distance(said, claim_id, distance):
    [found] = contradictions(said, REGISTER)

    assert found.figure.claim.id == claim_id
    assert round(found.figure.distance(found.value), 3) == distance


@pytest.mark.parametrize(
    "said",
    [
        "The budget is EUR 240,000, or €0.24 million.",
        "About EUR 238,000 of the budget is spent by May.",
        "10% of the budget is EUR 24,000.",
        "The budget comes to EUR 5,000 per seat.",
        "Rent is EUR 3,200 a month.",
        "Deposits: EUR 6,400, two months of rent.",
        "Rent is EUR 3.200 a month.",
        "Rent is EUR 4,2 in another reading.",
        "The budget is EUR 240.000,00.",
        "12 of the 48 seats stand outside.",
        "The first 20 seats are ready in March.",
        "Ten more seats would need another permit.",
        "A table for four seats is a table too many.",
        "The gross margin is at least 62%.",
        "25% of margin is lost to waste.",
        "Staff training takes 4 hours.",
        "Oven delivery takes 10 weeks.",
        "The oven is fitted in 3 weeks.",
        "The oven has 3 decks.",
    ],
)
def test_the_same_value_a_part_a_rate_and_another_noun_contradict_nothing(said):
    assert contradictions(said, REGISTER) == ()


class Row(Answer):
    """A row of an answer."""

    text: str
    sample: str = ""


class Rows(Answer):
    """An answer with rows."""

    rows: list[Row]


def told(*texts: str, sample: str = "") -> tuple[str, ...]:
    return faults(Rows(rows=[Row(text=text, sample=sample) for text in texts]), GOAL, FACTS, REGISTER)


def test_an_answer_without_a_fault_is_not_sent_back():
    assert told("Rent is EUR 3,200 a month.", "48 seats, bread and lunch.") == ()


def test_each_kind_of_fault_is_told_once_however_often_it_stands_there():
    assert told(
        "The budget is EUR 260,000.", "The budget is EUR 260,000.", "Artisanal bread.", "By [insert date]."
    ) == (
        "- “budget is EUR 260,000” disagrees with the claim start.budget: 240000 EUR (off by 8%)",
        "- The goal bans the word “artisanal”; it must not be printed, not even quoted.",
        "- “[insert date]” is a placeholder: say what the goal or the claims say, or who finds it out by when.",
    )


def test_what_is_quoted_and_what_is_counted_elsewhere_is_not_the_plans_own():
    assert told("The landlord wrote “rent is EUR 5,000 a month”.") == ()
    assert told("Count them.", sample="three cafés with 60 seats") == ()


def test_no_more_is_told_than_a_model_can_mend_at_once():
    assert len(told(*(f"The budget is EUR {n},000." for n in range(300, 340)))) == MOST_TOLD


@pytest.mark.parametrize(
    ("goal", "says", "told"),
    [
        ("Wir eröffnen ein Café und wollen das Wort „nachhaltig“ nicht lesen.", "Eine nachhaltige Küche.", True),
        ("Wir eröffnen ein Café und wollen das Wort „nachhaltig“ nicht lesen.", "Die Nachhaltigkeitspflicht.", False),
        ('Queremos abrir um café em Lisboa. Não use a palavra "curado".', "Peças curadas à mão.", True),
        ("喫茶店を開きたい。「唯一無二」という言葉は使わないこと。", "唯一無二の体験です。", True),
    ],
)
def test_a_banned_word_is_found_as_its_language_inflects_it(goal, says, told):
    facts = read_facts(goal, date(2026, 11, 2))
    found = faults(Rows(rows=[Row(text=says)]), goal, facts, ())

    assert [line.startswith("- The goal bans the word") for line in found] == [True] * told
