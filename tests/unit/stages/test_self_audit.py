"""Stage 029: no yes without evidence, and no evidence that does not answer the check."""

import pytest

from planloom.stages.parts.audit_evidence import WHOLE, find_evidence, sentences
from tests.unit.stages.drafting import stage
from tests.unit.stages.finished import finished
from tests.unit.stages.more_goals import MARATHON, NO_BUDGET
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, "marathon": MARATHON, "no budget": NO_BUDGET}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def checks(prompt):
    return finished(prompt)["self_audit"].checks


@EVERY_GOAL
def test_what_is_not_yes_says_what_is_missing_and_who_mends_it(prompt):
    for check in checks(prompt):
        assert bool(check.missing and check.fix) == (check.verdict != "yes"), check


@EVERY_GOAL
def test_what_is_quoted_stands_in_the_section_that_is_named(prompt):
    made = finished(prompt)
    sections = {stage(name).title: stage(name).markdown(made[name]) for name in stage("self_audit").needs}

    for check in checks(prompt):
        if check.evidence.startswith("“"):
            quoted = check.evidence[1:-1]
            assert check.place == "Review of the Plan" or quoted in set(sentences(sections[check.place])), check


@EVERY_GOAL
def test_no_check_is_passed_by_every_plan(prompt):
    assert {check.verdict for check in checks(prompt)} > {"yes"}


def test_contradictions_of_the_review_are_not_passed_over():
    check = next(c for c in checks(CAFE) if c.check == "Do the sections agree with each other?")
    apart = [f for f in finished(CAFE)["review_plan"].findings if f.kind == "contradiction"]

    assert check.verdict == ("no" if apart else "yes")
    assert not apart or check.evidence == apart[0].text


def test_closed_days_are_audited_by_the_dates_of_the_schedule():
    check = next(c for c in checks(FLOOD_WALL) if "days that the goal leaves open" in c.check)

    assert check.verdict == "yes"
    assert "0 packages start in one" in check.evidence


CHECK = "Is the cook trained on allergens before the first service?"


def test_a_sentence_that_holds_most_of_a_check_is_its_evidence():
    sections = {"team": "The cook is trained on allergens by the first day of service, and signs for it."}

    found = find_evidence(CHECK, sections, "team")

    assert found is not None
    assert found.share >= WHOLE
    assert found.text == sections["team"]


def test_words_in_common_by_chance_are_no_evidence():
    sections = {"team": "The cook orders flour for the week. Service starts at seven, on every open day."}

    assert find_evidence(CHECK, sections, "team") is None


def test_the_check_itself_listed_elsewhere_is_no_evidence():
    sections = {"governance": f"| audited | by |\n|---|---|\n| {CHECK} | cook |"}

    assert find_evidence(CHECK, sections, "team") is None


def test_the_section_where_it_belongs_is_asked_before_the_others():
    said = "The cook is trained on allergens before the first service."
    sections = {"documents": f"{said} A file holds the proof of it.", "team": f"Rule: {said}"}

    found = find_evidence(CHECK, sections, "team")

    assert found is not None
    assert found.section == "team"


def test_cells_and_items_are_sentences_and_headings_are_not():
    markdown = (
        "# A heading that is long enough to be one\n\n| a cell that says something whole | short |\n"
        "- **An item** that says something whole as well\n"
    )

    assert list(sentences(markdown)) == [
        "a cell that says something whole",
        "An item that says something whole as well",
    ]
