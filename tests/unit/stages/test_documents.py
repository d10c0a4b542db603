"""Stage 018: at most twelve documents that matter, drafted with the plan's own figures."""

import pytest

from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def of(prompt):
    return section(prompt, "documents").documents


def draft_of(prompt, title):
    return {s.heading: s.says for s in next(d for d in of(prompt) if d.document.title == title).draft.sections}


@EVERY_GOAL
def test_at_most_twelve_to_create_and_to_find_each_with_its_own_title(prompt):
    rows = [d.document for d in of(prompt)]

    assert 4 <= len(rows) <= 12
    assert {r.kind for r in rows} == {"create", "find"}
    assert len({r.title for r in rows}) == len({r.id for r in rows}) == len(rows)


@EVERY_GOAL
def test_who_writes_a_document_does_not_approve_it(prompt):
    assert all(d.document.role != d.document.approval for d in of(prompt))


@EVERY_GOAL
def test_every_draft_says_something_under_every_heading(prompt):
    for made in of(prompt):
        says = [s.says for s in made.draft.sections]
        assert len(says) >= 2
        assert len(set(says)) == len(says), made.document.title


def test_what_the_goal_makes_a_condition_is_applied_for():
    loan = draft_of(CAFE, "Application for the bank loan")
    permit = draft_of(FLOOD_WALL, "Application for the coastal protection permit")

    assert "the lease is signed" in loan["What waits for it, and until when"]
    assert "Savings EUR 90,000" in loan["What it costs and who pays"]
    assert "tendering" in permit["What waits for it, and until when"]


def test_contracts_of_the_cafe_are_approved_by_both_partners():
    approvals = {d.document.title: d.document.approval for d in of(CAFE)}

    assert approvals["Agreement between the partners"] == "Both partners (above EUR 5,000)"


def test_a_document_to_find_says_where_and_how_recent():
    assert all(d.document.where for d in of(CAFE) if d.document.kind == "find")
