"""What a model reads in a goal is verified: the quote, the value, the role; what fails is asked once and left out."""

import asyncio
from datetime import date

import pytest

from planloom.models.errors import AnswerInvalid
from planloom.planes.strategic.facts import answer as a
from planloom.planes.strategic.facts.reader import IF_BAN, read_goal
from planloom.planes.strategic.facts.rules import read_facts
from planloom.planes.strategic.facts.verify import Goal, verify

TODAY = date(2026, 11, 22)
GOAL = (
    "The cooperative of 212 members wants to open a cold store in Piura by 30 June 2028. We have 450,000 soles from "
    "the region and 150,000 soles from our own fund. Spoilage is 11 % today and must fall under 3 %. Nine members will "
    "be trained. No loan may be taken, and work must not start before 1 March 2027. The hearing is on 03/04/2027."
)


def _verified(**lists):
    reading = a.Reading(title="Cold store", subject="a cold store", objective="", kind="", table="none", **lists)
    return verify(reading, Goal(GOAL, "en", TODAY, lists.pop("country", None) or "PE"))


def _reason(**lists):
    (failure,) = _verified(**lists).failures
    return failure.reason


def _money(quote, low, role="funding", currency="PEN", high=None):
    return {"quote": quote, "low": low, "high": high or low, "currency": currency, "role": role}


def _day(quote, earliest, latest=None, role="deadline"):
    return {"quote": quote, "earliest": earliest, "latest": latest or earliest, "role": role}


def test_a_quote_with_its_value_becomes_a_fact_with_its_span():
    (money,) = _verified(money=[_money("450,000 soles from the region", 450_000)]).of("money")
    assert GOAL[money.start : money.end] == money.text == "450,000 soles from the region"
    assert (money.low, money.high, money.currency, money.role) == (450_000, 450_000, "PEN", "funding")


def test_a_quote_that_is_not_in_the_goal_fails():
    assert "not in the goal" in _reason(money=[_money("450,000 soles from the state", 450_000)])


def test_a_value_that_the_quote_does_not_give_fails():
    assert "reads as" in _reason(money=[_money("450,000 soles from the region", 45_000)])


def test_a_currency_that_the_goal_does_not_name_fails():
    assert _reason(money=[_money("450,000 soles from the region", 450_000, currency="EUR")])


def test_a_total_may_be_the_sum_of_the_parts_in_its_quote():
    quote = "450,000 soles from the region and 150,000 soles from our own fund"
    (money,) = _verified(money=[_money(quote, 600_000, "total")]).of("money")
    assert money.low == 600_000


def test_a_day_is_verified_and_what_may_not_begin_before_it_is_no_deadline():
    (day,) = _verified(days=[_day("by 30 June 2028", "2028-06-30")]).of("days")
    assert (day.earliest, day.role, day.ambiguous) == (date(2028, 6, 30), "deadline", False)
    assert "earliest" in _reason(days=[_day("must not start before 1 March 2027", "2027-03-01")])
    assert "reads as" in _reason(days=[_day("by 30 June 2028", "2028-06-29")])


@pytest.mark.parametrize(("year", "holds"), [(2025, False), (2026, True), (2027, True), (2029, False)])
def test_a_day_without_a_year_may_be_past(year, holds):
    goal = Goal("What the commission approved in October is for the whole program.", "en", TODAY)
    item = _day("approved in October", f"{year}-10-01", f"{year}-10-31", role="other")
    reading = a.Reading(title="", subject="", objective="", kind="", table="none", days=[item])
    assert bool(verify(reading, goal).of("days")) is holds


def test_a_count_of_people_is_in_its_quote():
    (role,) = _verified(
        people=[{"quote": "Nine members will be trained", "who": "members", "count": 9, "part": "served"}]
    ).of("roles")
    assert (role.count, role.title, role.part) == (9, "members", "served")
    assert _reason(people=[{"quote": "212 members", "who": "members", "count": 9, "part": "works"}])


def test_a_quantity_keeps_its_role_so_that_baseline_and_target_are_two_things():
    found = _verified(
        quantities=[
            {
                "quote": "Spoilage is 11 % today",
                "low": 11,
                "high": 11,
                "unit": "%",
                "noun": "spoilage",
                "role": "baseline",
            },
            {"quote": "must fall under 3 %", "low": 3, "high": 3, "unit": "%", "noun": "spoilage", "role": "target"},
        ]
    )
    assert [(q.low, q.role) for q in found.of("quantities")] == [(11, "baseline"), (3, "target")]


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [("2027-03-22", "2027-03-27", 1), ("2027-04-26", "2027-05-01", 1), ("2027-06-01", "2027-06-05", 0)],
)
def test_a_feast_that_moves_is_closed_on_its_days_by_either_easter(first, last, found):
    goal = Goal("Nothing happens in Holy Week, and half of the crew is away.", "en", TODAY, "MX")
    item = {"quote": "Nothing happens in Holy Week", "forbidden": True, "first": first, "last": last}
    reading = a.Reading(title="Line", subject="a line", objective="", kind="", table="none", closed=[item])
    assert len(verify(reading, goal).of("closures")) == found


@pytest.mark.parametrize(("share", "holds"), [(50, True), (0.5, True), (40, False)])
def test_a_share_may_be_stated_in_words(share, holds):
    goal = Goal("Half of the crew is away then.", "en", TODAY, "MX")
    item = {
        "quote": "Half of the crew",
        "low": share,
        "high": share,
        "unit": "%",
        "noun": "share of the crew that is away",
    }
    reading = a.Reading(title="Line", subject="a line", objective="", kind="", table="none", quantities=[item])
    assert bool(verify(reading, goal).of("quantities")) is holds


def test_a_ban_needs_words_that_rule_something_out():
    (ban,) = _verified(bans=[{"quote": "No loan may be taken", "kind": "approach", "what": "a loan"}]).of("bans")
    assert ban.what == "a loan"
    assert _reason(bans=[{"quote": "wants to open a cold store", "kind": "approach", "what": "a store"}])
    assert _reason(bans=[{"quote": "No loan may be taken", "kind": "word", "what": "synergy"}])


def test_a_place_that_the_goal_does_not_name_fails():
    assert _reason(places=[{"quote": "in Piura", "name": "Lima", "kind": "city", "country": "PE"}])


class Model:
    """Gives the answers in order and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    async def __call__(self, call, instructions, material, answer):
        self.asked.append((call, material))
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        place = {"quote": "Piura", "name": "Piura", "kind": "city", "country": "PE"}
        frame = {"title": "Cold store in Piura", "subject": "a cold store", "objective": "", "kind": "a cold store"}
        return answer.model_validate({**frame, "table": "construction", "places": [place], **given})


def _read(*answers):
    model = Model(*answers)
    return asyncio.run(read_goal(GOAL, TODAY, ("construction",), model)), model


def test_questions_of_rules_do_not_outlive_what_the_model_found():
    goal = "We build a clinic in Piura by 31 May 2028 or by 30 June 2028."
    assert [point.field for point in read_facts(goal, TODAY).open if point.field == "deadline"]
    model = Model({"days": [_day("by 31 May 2028", "2028-05-31")]}, {})
    facts = asyncio.run(read_goal(goal, TODAY, ("construction",), model))
    assert "deadline" not in [point.field for point in facts.open]


def test_what_fails_and_what_was_missed_is_asked_once_more_with_the_reason():
    first = {
        "money": [_money("450,000 soles from the region", 45_000)],
        "days": [_day("by 30 June 2028", "2028-06-30")],
    }
    again = {"money": [_money("450,000 soles from the region", 450_000)]}
    facts, model = _read(first, again)
    assert [call for call, _ in model.asked] == ["facts", "facts-again"]
    assert "450,000 soles from the region" in model.asked[1][1]
    assert "- days: “by 30 June 2028”" in model.asked[1][1].splitlines()
    assert "150,000" in model.asked[1][1]
    assert [(m.low, m.role) for m in facts.money] == [(450_000, "funding")]
    assert [d.role for d in facts.days] == ["deadline"]
    assert facts.unverified == ()
    assert facts.read_by == "model"


def test_a_body_that_the_goal_names_twice_is_one():
    goal = "Our trust decides. The school asks our trust every May, and Piura pays."
    parties = [{"quote": name, "name": name} for name in ("Our trust", "The school", "our trust")]
    facts = asyncio.run(read_goal(goal, TODAY, (), Model({"parties": parties}, {})))
    assert [body.name for body in facts.organisations] == ["Our trust", "The school"]


def test_a_place_has_a_region_of_its_country():
    place = {"quote": "in Piura", "name": "Piura", "kind": "city", "country": "PE", "region": "pia"}
    (found,) = _verified(places=[place]).of("places")
    assert (found.country, found.region) == ("PE", "PIA")
    (found,) = _verified(places=[{**place, "country": ""}]).of("places")
    assert found.region is None


def test_what_fails_twice_is_listed_and_not_used():
    wrong = {"money": [_money("450,000 soles from the region", 45_000, "total")]}
    facts, _ = _read(wrong, wrong)
    assert facts.money == ()
    assert [u.field for u in facts.unverified] == ["money"]


def test_a_clause_that_may_be_no_ban_is_asked_for_as_one_that_may_be():
    _, model = _read({"money": [_money("450,000 soles from the region", 450_000)]}, {})
    lines = model.asked[1][1].splitlines()
    (ban,) = (line for line in lines if "No loan may be taken" in line.split("in “…")[0])
    (amount,) = (line for line in lines if "“150,000" in line)
    assert IF_BAN in ban
    assert IF_BAN not in amount


@pytest.mark.parametrize(
    ("language", "goal", "unit", "holds"),
    [
        ("en", "Two friends join for the last week only.", "weeks", True),
        ("en", "Two friends join for several weeks.", "weeks", False),
        ("en", "Two friends join for three weeks.", "weeks", False),
        ("de", "Im ersten Jahr helfen uns zwei Leute.", "years", True),
    ],
)
def test_one_unit_of_time_may_be_named_without_a_number(language, goal, unit, holds):
    duration = {"quote": goal, "low": 1, "high": 1, "unit": unit, "role": "part", "what": "help"}
    reading = a.Reading(title="t", subject="s", objective="", kind="", table="", durations=[duration])
    assert bool(verify(reading, Goal(goal, language, TODAY)).of("durations")) is holds


def test_a_place_whose_name_says_more_than_the_goal_is_named_as_the_goal_does():
    goal = "We ride the Munda Biddi, Mundaring to Albany, next year."
    quote = "the Munda Biddi, Mundaring to Albany"
    names = ("Munda Biddi Trail, Western Australia", "Kep Track, Western Australia")
    places = [{"quote": quote, "name": name, "kind": "site", "country": "AU"} for name in names]
    found = verify(
        a.Reading(title="t", subject="s", objective="", kind="", table="", places=places), Goal(goal, "en", TODAY)
    )
    assert [place.name for place in found.of("places")] == [quote]
    assert len(found.failures) == 1


def test_funders_far_apart_give_the_total_that_they_add_up_to():
    money = [
        _money("450,000 soles from the region", 450_000),
        _money("150,000 soles from our own fund", 150_000),
        _money("Nine members will be trained", 600_000, "total"),
    ]
    facts, _ = _read({"money": money}, {})
    assert [(m.low, m.role) for m in facts.money] == [(450_000, "funding"), (150_000, "funding"), (600_000, "total")]


def test_two_totals_that_disagree_are_no_total():
    money = [
        _money("450,000 soles from the region", 450_000, "total"),
        _money("150,000 soles from our own fund", 150_000, "total"),
    ]
    facts, _ = _read({"money": money}, {})
    assert {m.role for m in facts.money} == {"other"}
    assert any("two values for total" in u.reason for u in facts.unverified)


def test_both_readings_of_a_slash_date_are_kept_where_nothing_decides():
    goal = "The hearing is on 03/04/2027."
    (day,) = verify(
        a.Reading(title="t", subject="s", objective="", kind="", table="", days=[_day("03/04/2027", "2027-04-03")]),
        Goal(goal, "en", TODAY),
    ).of("days")
    assert (day.earliest, day.latest, day.ambiguous) == (date(2027, 3, 4), date(2027, 4, 3), True)


def test_a_model_without_a_usable_answer_leaves_what_rules_read_and_says_so():
    facts, _ = _read(AnswerInvalid("nonsense"))
    assert facts.read_by == "rules"
    assert [u.reason for u in facts.unverified] == ["The model gave no usable answer: nonsense"]


@pytest.mark.parametrize("title", ["Ünrelated", "Cold store for 99 members"])
def test_a_title_that_is_not_made_of_the_goal_is_not_used(title):
    facts, _ = _read({"title": title}, {})
    assert facts.title != title


def test_random_items_are_all_left_out():
    facts, _ = _read(*[{"money": [_money("x y", 1)], "bans": [{"quote": "q", "kind": "word", "what": "w"}]}] * 2)
    assert (facts.money, facts.bans) == ((), ())


def test_turkish_names_and_bans_are_verified_in_the_form_that_the_sentence_gives_them():
    goal = 'Ara değerlendirme başhekimliğe sunulacak. Metinlerde "verimlilik" kelimesi geçmesin.'
    parties = [
        {"quote": "başhekimliğe sunulacak", "name": name, "decides": ""} for name in ("başhekimlik", "il müdürlüğü")
    ]
    bans = [{"quote": '"verimlilik" kelimesi geçmesin', "kind": "word", "what": "verimlilik"}]
    found = verify(
        a.Reading(title="t", subject="s", objective="", kind="", table="", parties=parties, bans=bans),
        Goal(goal, "tr", TODAY),
    )
    assert [each.name for each in found.of("organisations")] == ["başhekimlik"]
    assert [each.what for each in found.of("bans")] == ["verimlilik"]
