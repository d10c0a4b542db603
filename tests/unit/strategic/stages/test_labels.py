"""What programs print is in the language of the goal: days, amounts, heads, units; authors' words stay as they are."""

import asyncio

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.stages.chapter_tables import document_tables
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.labels import PHRASES, Labels, labels_of
from tests.unit.strategic.compute.sound import sound
from tests.unit.strategic.stages.contexts import make_context, make_goal

WORDS = {
    "Work": "Travail",
    "Owner": "Responsable",
    "working days": "jours ouvrés",
    "none": "aucune",
    "All lines": "Total",
    "Cash is short by EUR 1,200 in May 2028.": "Il manque EUR 1,200 en May 2028.",
}
FRENCH = Labels("fr", WORDS)


def test_days_amounts_and_units_of_values_are_in_the_language() -> None:
    assert FRENCH.value("2 October 2026") == "2 octobre 2026"
    assert FRENCH.value("May 2028") == "mai 2028"
    assert FRENCH.value("31 June 2028") == "31 juin 2028"
    assert FRENCH.value("XOF 412,000,000") == "412\u202f000\u202f000 XOF"
    assert FRENCH.value("5 working days") == "5 jours ouvrés"
    assert Labels("de").value("EUR 1,250.50 on 1 March 2027") == "1.250,5 EUR on 1. März 2027"
    assert Labels("ja").value("17 October 2027") == "2027年10月17日"


def test_heads_and_cells_of_tables_are_translated_and_the_words_of_authors_are_not() -> None:
    table = (
        "| Id | Work | Owner |\n|---|---|---|\n| P1 | Work for none of them | none |\n"
        "| | **All lines** | 2 May 2027 |\n"
    )
    assert FRENCH.table(table) == (
        "| Id | Travail | Responsable |\n|---|---|---|\n| P1 | Work for none of them | aucune |\n"
        "|  | **Total** | 2 mai 2027 |\n"
    )


def test_english_and_unknown_languages_stay_as_they_are() -> None:
    for language in ("en", "xx", "zz"):
        assert Labels(language, WORDS).value("5 working days, EUR 1,000") == "5 working days, EUR 1,000"


def french(asked: list, answers: dict) -> StageContext:
    goal = make_goal()
    facts = goal.facts.model_copy(update={"language": "fr"})
    return make_context("main_document", goal=Goal(goal.prompt, facts, goal.today), asked=asked, answers=answers)


def test_no_model_is_asked_for_english() -> None:
    asked: list = []
    assert asyncio.run(labels_of(make_context("main_document", asked=asked), [])) == Labels()
    assert asked == []


def test_every_head_is_asked_for_and_a_term_whose_digits_changed_stays_english() -> None:
    asked: list = []
    spine = sound()
    printed = [table.text for table in document_tables(ComputedPlan(spine, compute(spine, runs=20))).values()]
    answer = {"labels": [{"term": PHRASES[0], "text": "jours"}, {"term": PHRASES[1], "text": "jour 9"}]}
    labels = asyncio.run(labels_of(french(asked, {"labels": answer}), [*printed, "", "Odds of 5 July"]))
    assert labels == Labels("fr", {PHRASES[0]: "jours"})
    terms = asked[0].context[0].text
    assert all(head in terms for head in ("Owner", "Leaving costs", "Own lines", "Odds of 5 July"))


def test_where_the_model_gives_none_days_are_in_the_language() -> None:
    context = french([], {})
    assert asyncio.run(labels_of(context, [])).value("2 May 2027") == "2 mai 2027"
    assert context.lost == {}
