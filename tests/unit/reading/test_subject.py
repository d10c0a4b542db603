"""Subject and title: what is made, named in a few words."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
CASES = [
    ("Construct a bridge", "a bridge", "Bridge"),
    ("Give me a plan for a moon base", "a moon base", "Moon Base"),
    ("Plan my wedding in Tuscany for 80 guests", "the wedding for 80 guests", "Wedding for 80 Guests in Tuscany"),
    ("We want to open a 48-seat bakery café in Lisbon by May 2027.", "a 48-seat bakery café",
     "48-Seat Bakery Café in Lisbon"),
    ("Aalborg will protect the shore by building 1.4 km of flood wall.", "1.4 km of flood wall",
     "1.4 km of Flood Wall in Aalborg"),
    ("Build a mobile app that lets community nurses in rural Kenya record visits offline.",
     "a mobile app that lets community nurses in rural Kenya record visits offline",
     "Mobile App for Community Nurses in Rural Kenya"),
    ("I need to water my houseplants.", "watering the houseplants", "Watering the Houseplants"),
    ("Learn Spanish in 6 months", "learning Spanish", "Learning Spanish"),
    ("Reduce plastic waste in Odense schools by half", "the reduction of plastic waste",
     "Reduction of Plastic Waste in Odense"),
    ("The town of Ballina wants to turn the old mill into a library.",
     "the conversion of the old mill into a library", "Conversion of the Old Mill into a Library in Ballina"),
    ("Build a ferry line between Denmark and England.", "a ferry line", "Ferry Line between Denmark and England"),
    ("Explore a deep cave near Copenhagen, Denmark.", "exploring a deep cave", "Exploring a Deep Cave near Copenhagen"),
    ("Launch a 5-year, $10 billion initiative in Chile to construct a solar telescope.", "a solar telescope",
     "Solar Telescope in Chile"),
    ("Set up a 200-unit, men-only hotel in central Copenhagen.", "a 200-unit, men-only hotel",
     "200-Unit, Men-Only Hotel in Copenhagen"),
    ("Use drones to map the heath.", "the mapping of the heath", "Mapping of the Heath"),
    ("Our aim is to establish the legal, technical, and social basis for shared streets.",
     "the legal, technical, and social basis for shared streets",
     "Legal, Technical, and Social Basis for Shared Streets"),
    ("After the storm, rebuild the pier.", "the rebuilding of the pier", "Rebuilding of the Pier"),
    ("PhD thesis on coral bleaching", "PhD thesis on coral bleaching", "PhD Thesis on Coral Bleaching"),
    ("Corner Bakery Lisbon.", "Corner Bakery Lisbon", "Corner Bakery Lisbon"),
    ("# Solar for Leeds\n\nWe plan to install 200 kW of panels.", "200 kW of panels", "Solar for Leeds"),
    ("Migrate our 12 services to Frankfurt.", "the migration of 12 services", "Migration of 12 Services to Frankfurt"),
    ("Wir wollen in Berlin ein Café mit 40 Plätzen eröffnen.", "ein Café mit 40 Plätzen",
     "Café mit 40 Plätzen in Berlin"),
    ("Vi vil åbne en café med 40 pladser i Aarhus inden maj.", "en café med 40 pladser",
     "Café med 40 pladser i Aarhus"),
    ("Queremos abrir una cafetería de 40 plazas en Lisboa.", "una cafetería de 40 plazas",
     "Cafetería de 40 plazas en Lisboa"),
    ("Nous voulons ouvrir une boulangerie à Lyon avant juin.", "une boulangerie", "Boulangerie à Lyon"),
    ("新しい図書館を建てる", "新しい図書館を建てる", "新しい図書館を建てる"),
    ("Malaria is coming back. I live in Accra.", "the project", "Malaria is coming back"),
    ("", "the project", "Untitled Plan"),
    ("  \n ", "the project", "Untitled Plan"),
    ("?!", "the project", "Untitled Plan"),
    ("🎉🎉", "the project", "Untitled Plan"),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "subject", "title"), CASES)
def test_the_thing_is_named(prompt: str, subject: str, title: str) -> None:
    facts = read_facts(prompt, TODAY)

    assert (facts.subject, facts.title) == (subject, title)


@pytest.mark.parametrize(
    ("prompt", "objective"),
    [
        (
            "Our charity runs four shelters. In 2027 we will open a fifth shelter.",
            "In 2027 we will open a fifth shelter.",
        ),
        ("Floods come every year. Our goal is to raise the dyke.", "Our goal is to raise the dyke."),
        ("This plan does not build a road. Instead, we want to build a path.", "Instead, we want to build a path."),
        ("Project 'Otter'. Construct a fish pass. Use local stone.", "Construct a fish pass."),
        ("Host city is Vienna. Organise a chess congress.", "Organise a chess congress."),
    ],
)
def test_the_objective_is_the_sentence_that_says_what_is_to_be_done(prompt: str, objective: str) -> None:
    assert read_facts(prompt, TODAY).objective.text == objective


def test_a_long_objective_keeps_title_and_subject_in_bounds() -> None:
    facts = read_facts("Build " + "a very long and winding thing " * 40, TODAY)

    assert (len(facts.title) <= 90, len(facts.subject) <= 120) == (True, True)


@pytest.mark.parametrize(
    ("prompt", "subject"),
    [
        ("We want to find out, in a field study over four seasons, whether cover crops store carbon.", "a field study"),
        ("Our family wants to move from a rented flat in Zurich to a farmhouse.", "the move from a rented flat"),
    ],
)
def test_what_is_made_where_no_thing_is_named(prompt: str, subject: str) -> None:
    assert read_facts(prompt, date(2026, 11, 20)).subject == subject
