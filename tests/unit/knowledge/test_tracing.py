"""Demands find the packages that meet them."""

from planloom.domain.facts import Ban, Demand
from planloom.knowledge.tracing import Page, best_matches, meets, stems, terms
from tests.unit.knowledge.planning import brief
from tests.unit.three_goals import CAFE

PAGES = {
    "lease": Page("premises contract. Contract for the premises", "Rent, term and break right agreed", "legal"),
    "oven": Page("oven line. Oven and extraction duct", "Test batches baked", "build"),
    "hiring": Page("staffing. Hiring and contracts", "Posts filled", "people"),
}


def test_forms_of_a_word_have_one_stem():
    assert stems("neighbours") == stems("neighbourhood")
    assert stems("bakers") == stems("baker")


def test_words_that_every_sentence_holds_are_no_stems():
    assert stems("that must have been there with them") == set()


def test_a_word_of_the_name_counts_more_than_one_of_the_text():
    pages = {"a": Page("oven", "rent"), "b": Page("rent", "oven")}
    assert best_matches("the rent", pages)[0] == "b"
    assert best_matches("an oven", pages)[0] == "a"


def test_a_word_that_all_hold_finds_nothing():
    pages = {name: Page("", "contract") for name in "abc"}
    assert best_matches("the contract", pages) == ()


def test_a_demand_finds_its_package_by_words():
    assert meets("Rent must not exceed EUR 3,200 a month", PAGES) == ("lease",)
    assert meets("the extraction duct is approved by the city", PAGES) == ("oven",)


def test_a_demand_without_a_shared_word_goes_by_what_it_is_about():
    assert meets("At least 20% of hours go to apprentices", PAGES) == ("hiring",)


def test_a_demand_that_nothing_meets_meets_nothing():
    assert meets("No pile driving at dawn", {"oven": PAGES["oven"]}) == ()


def test_terms_are_demands_and_ruled_out_approaches_once_each_and_no_banned_word():
    def span(text):
        start = CAFE.index(text)
        return {"text": text, "start": start, "end": start + len(text)}

    rent = Demand(**span("Rent must not exceed €3,200 a month"), strength="must")
    franchise = Ban(**span("franchise agreements"), kind="approach", what="franchise agreements")
    inside = Ban(**span("exceed €3,200"), kind="approach", what="a higher rent")
    word = Ban(**span("'artisanal'"), kind="word", what="artisanal")
    about_word = Demand(**span("Do not use the words 'artisanal' or 'curated'"), strength="must")
    facts = brief(CAFE).facts.model_copy(update={"demands": (rent, about_word), "bans": (franchise, inside, word)})
    assert terms(facts) == (rent, franchise)
