"""Closures: when work is not possible, or only then."""

from datetime import date

import pytest

from planloom.domain.facts import Closure
from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
SUMMER, WINTER = (4, 5, 6, 7, 8, 9), (11, 12, 1, 2, 3)
CASES: list[tuple[str, bool, bool, dict[str, object]]] = [
    ("August is closed for holidays.", True, False, {"months": (8,)}),
    ("Construction may only disturb the shore between April and September.", False, True, {"months": SUMMER}),
    ("No work on Sundays.", True, False, {"weekdays": (6,)}),
    ("We may only work on weekends.", False, False, {"weekdays": (5, 6)}),
    ("Work is possible only on weekdays.", False, False, {"weekdays": (0, 1, 2, 3, 4)}),
    ("Flights to the ice are possible from mid-April to the end of August.", False, True, {"months": (5, 6, 7, 8)}),
    ("Lines can be set between October and mid-December only.", False, True, {"months": (10, 11)}),
    ("The road is often closed by snow from December to February.", True, True, {"months": (12, 1, 2)}),
    ("The road is closed from November to March.", True, True, {"months": WINTER}),
    ("Camps stop during the monsoon from June to September.", True, True, {"months": (6, 7, 8, 9)}),
    ("There will be no work in January and July.", True, False, {"months": (1, 7)}),
    ("The studio is closed on Mondays and Tuesdays.", True, False, {"weekdays": (0, 1)}),
    ("The site is closed from 20 December 2027 to 5 January 2028.", True, True,
     {"first": date(2027, 12, 20), "last": date(2028, 1, 5)}),
    ("The office is closed between Christmas and New Year.", True, False,
     {"first": date(2026, 12, 25), "last": date(2027, 1, 1)}),
    ("Planting is only possible between 15 March and 10 June.", False, True, {"months": (4, 5)}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "forbidden", "outdoor", "when"), CASES)
def test_a_closure_is_read(sentence: str, forbidden: bool, outdoor: bool, when: dict[str, object]) -> None:
    (found,) = read_facts(sentence, TODAY).closures

    wanted = Closure.model_validate(
        {"text": found.text, "start": found.start, "end": found.end, "forbidden": forbidden, "outdoor": outdoor, **when}
    )
    assert found == wanted


def test_a_reason_has_its_own_closure() -> None:
    prompt = "Panels can be mounted from September to June, since work on roofs in July and August is not allowed."

    found = [(c.forbidden, c.outdoor, c.months) for c in read_facts(prompt, TODAY).closures]

    assert found == [(False, True, (9, 10, 11, 12, 1, 2, 3, 4, 5, 6)), (True, True, (7, 8))]


@pytest.mark.parametrize(
    "sentence",
    [
        "The wall must be closed by 30 September 2029.",
        "No pile driving is allowed at night.",
        "The festival is in July.",
        "We may only use two rooms.",
        "The board meets on the first Monday of March.",
        "Winter sports are popular.",
        "Cutovers may only take place on weekends.",
        "Deliveries are possible only on weekdays.",
        "The general meeting is in March only.",
        "We set up a small winter camp from 1 October 2028 to 31 March 2029.",
        "There is no rescue by air between November and January.",
    ],
)
def test_dates_and_limits_are_no_closures(sentence: str) -> None:
    assert read_facts(sentence, TODAY).closures == ()
