"""What holds for every text, whatever it says."""

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.reading import PIECES
from planloom.domain.facts import Facts, Spanned
from planloom.reading.facts import read_facts
from planloom.reading.page import MOST_FACTS
from tests.thorough import THOROUGH
from tests.unit import three_goals
from tests.unit.reading import goals

TODAY = date(2026, 11, 20)
#: Pieces that the readers look for, so that random texts come near to what they read.
_PIECES = st.sampled_from(
    [
        "€5 ",
        " £2m ",
        " DKK 186 million ",
        " between ",
        "2 and 3 million euros",
        " 1 May 2027 ",
        "03/04/2027",
        " by ",
        " until ",
        " in ",
        " from ",
        "May",
        "Q3 2027",
        " 18 months ",
        "two weeks",
        " every ",
        " must ",
        " must not ",
        " should ",
        " no ",
        " do not use the words ",
        " 'x' or 'y' ",
        ", and ",
        " or ",
        "; ",
        ". ",
        "\n",
        "\n- ",
        " at least ",
        " 62% ",
        " 60 nurses ",
        "1.4 km of wall ",
        " Lisbon ",
        " Kenya, ",
        "the Alfama quarter",
        " University of Bern ",
        "A/S ",
        " only between April and September ",
        " closed ",
        " on Sundays ",
        "a steering group of five ",
        "two bakers ",
        " hire ",
        "We want to open a café",
        " will build ",
        "banned words: a, b",
        "(",
        ")",
        "“",
        "”",
        "—",
        "–",
        "½",
        "٣",
        "²",
        "İ",
        "ß",
        "\u2028",
        "\x00",
        "힣",
        "🎉",
        "12.5.2027",
        "31/31/2027",
        "1,50,000",
        "1'000",
        "99999999999999999999",
        "0 months",
        "€0",
        "-5",
        "year 0",
        "the end of ",
        "half a million ",
        "dozen ",
        "winter ",
    ]
)
#: A quadratic reading of so much takes minutes, of a megabyte hours.
CHARACTERS = 1_000_000 if THOROUGH else 100_000

_TEXTS = st.one_of(st.text(max_size=300), st.lists(_PIECES, max_size=40).map("".join))


def _spanned(facts: Facts) -> Iterator[Spanned]:
    yield facts.objective
    for kind in type(facts).model_fields:
        value = getattr(facts, kind)
        if isinstance(value, tuple):
            yield from value


@settings(max_examples=150, deadline=None)
@given(_TEXTS)
def test_every_span_is_its_text(prompt: str) -> None:
    for fact in _spanned(read_facts(prompt, TODAY)):
        assert prompt[fact.start : fact.end] == fact.text


@settings(max_examples=60, deadline=None)
@given(_TEXTS, st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31)))
def test_no_text_and_no_day_makes_the_reader_raise(prompt: str, today: date) -> None:
    facts = read_facts(prompt, today)

    assert 1 <= len(facts.title) <= 90


@settings(max_examples=60, deadline=None)
@given(_TEXTS)
def test_the_same_text_and_day_give_the_same_facts(prompt: str) -> None:
    assert read_facts(prompt, TODAY).model_dump_json() == read_facts(prompt, TODAY).model_dump_json()


@settings(max_examples=60, deadline=None)
@given(_TEXTS)
def test_one_amount_one_length_and_one_start_at_most_are_those_of_the_whole(prompt: str) -> None:
    facts = read_facts(prompt, TODAY)

    assert len({(m.low, m.high) for m in facts.money if m.role == "total"}) <= 1
    assert sum(d.role == "total" for d in facts.durations) <= 1
    assert sum(d.role == "start" for d in facts.days) <= 1


@settings(max_examples=60, deadline=None)
@given(_TEXTS)
def test_bounds_are_in_order(prompt: str) -> None:
    facts = read_facts(prompt, TODAY)

    assert all(f.low <= f.high for f in (*facts.money, *facts.durations, *facts.quantities))
    assert all(d.earliest <= d.latest for d in facts.days)


@settings(max_examples=40, deadline=None)
@given(_TEXTS)
def test_facts_survive_being_stored(prompt: str) -> None:
    facts = read_facts(prompt, TODAY)

    assert Facts.model_validate_json(facts.model_dump_json()) == facts


@pytest.mark.parametrize("piece", PIECES)
def test_whatever_is_repeated_is_read_to_its_end(piece: str) -> None:
    # a reader that takes quadratic time hangs here; how fast they are is measured by bench.reading
    prompt = piece * (CHARACTERS // len(piece))

    facts = read_facts(prompt, TODAY)

    assert facts.objective.end <= len(prompt)


def test_long_prose_is_read_to_its_end() -> None:
    prose = "\n".join((three_goals.CAFE, three_goals.FLOOD_WALL, three_goals.NURSE_APP, goals.GLACIER, goals.WEDDING))
    prompt = (prose + "\n") * (CHARACTERS // len(prose))

    facts = read_facts(prompt, TODAY)

    assert facts.money[0].text == "€240,000"
    # of each kind the first few hundred are kept: in a megabyte they are reached long before its end
    assert len(facts.money) == MOST_FACTS or facts.money[-1].start > len(prompt) - len(prose) - 1
