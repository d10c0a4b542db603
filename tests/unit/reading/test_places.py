"""Places: known ones, those that the prompt marks, and words that only look like places."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
CASES = [
    ("Open a café in Lisbon.", [("Lisbon", "city", "PT")]),
    ("Open a café in the Alfama quarter of Lisbon.", [("Alfama", "site", "PT"), ("Lisbon", "city", "PT")]),
    ("Plant trees in Turkana and Marsabit counties.", [("Turkana", "region", "KE"), ("Marsabit", "region", "KE")]),
    ("Clean Roskilde Fjord in Denmark.", [("Roskilde Fjord", "site", "DK"), ("Denmark", "country", "DK")]),
    ("Map the Aletsch glacier in Valais.", [("Aletsch glacier", "site", "CH"), ("Valais", "region", "CH")]),
    ("Build a dyke for the municipality of Thisted.", [("Thisted", "city", "DK")]),
    ("Turn the mill in the village of Ballyvaughan into a museum.", [("Ballyvaughan", "city", None)]),
    ("Build a bunker near Hedehusene, Denmark.", [("Hedehusene", "city", "DK"), ("Denmark", "country", "DK")]),
    ("Open an office in Ho Chi Minh City.", [("Ho Chi Minh City", "city", "VN")]),
    ("Open a shop in Rio de Janeiro.", [("Rio de Janeiro", "city", "BR")]),
    ("Restore a hut in the Alps.", [("Alps", "region", None)]),
    ("Start a school in rural Kenya.", [("Kenya", "country", "KE")]),
    ("Wir eröffnen ein Café in München.", [("München", "city", "DE")]),
    ("Vi åbner en café i Aarhus.", [("Aarhus", "city", "DK")]),
    ("A Lisbon-based bakery wants to open a shop in Porto.", [("Lisbon", "city", "PT"), ("Porto", "city", "PT")]),
    ("Found a choir in Galway.", [("Galway", "city", "IE")]),
    ("Open a ferry line between Denmark and England.", [("Denmark", "country", "DK"), ("England", "country", "GB")]),
    ("Open a clinic in Birmingham, Alabama.", [("Birmingham", "city", "US"), ("Alabama", "region", "US")]),
    ("Train farmers in the US.", [("US", "country", "US")]),
]


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_places_are_read_with_kind_and_country(prompt: str, wanted: list[tuple[str, str, str | None]]) -> None:
    assert [(p.name, p.kind, p.country) for p in read_facts(prompt, TODAY).places] == wanted


@pytest.mark.parametrize(
    "prompt",
    [
        "Be nice and finish reading in the bath.",
        "Give us a split of costs.",
        "Follow the Paris Agreement and the Geneva Convention.",
        "Ask London Business School.",
        "Read the New York Times.",
        "Send Victoria and Florence to the course.",
        "Jordan and Georgia lead the team.",
        "Write it in Python on Windows.",
        "Mobile phones come first.",
    ],
)
def test_words_and_names_that_hold_a_place_are_no_places(prompt: str) -> None:
    assert read_facts(prompt, TODAY).places == ()


def test_the_place_of_the_objective_leads_and_where_people_sit_comes_last() -> None:
    prompt = (
        "Build an app for nurses in Kenya. The team is four engineers in Nairobi. Pilot it in Mombasa; "
        "a supplier in Berlin prints the manuals."
    )

    assert [p.name for p in read_facts(prompt, TODAY).places] == ["Kenya", "Mombasa", "Nairobi", "Berlin"]
