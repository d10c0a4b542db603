"""What the section on the goal says: groups of facts, what is missing, and what was not understood."""

import re

from planloom.planes.strategic.facts.fact import Contradiction, Kind, Money, OpenPoint, Spanned, Unverified
from planloom.planes.strategic.report.goal_section import goal_section
from planloom.planes.strategic.report.page import render
from tests.unit.strategic.report.drawn import page
from tests.unit.strategic.report.test_goal_marks import GOAL, READ, facts, span


def test_facts_are_grouped_by_kind_and_what_is_missing_is_named():
    shown = goal_section(GOAL, READ)

    assert [(title, [item.label for item in items]) for title, items in shown["groups"]] == [
        ("money", ["total: EUR 90,000"]),
        ("dates and times", ["deadline: 4 March 2027 or 3 April 2027, two readings"]),
        ("bans", ["a word that the plan does not print"]),
        ("quantities", ["60 seats"]),
        ("demands", ["must: cost"]),
    ]
    assert shown["missing"] == ["people and bodies", "places"]


def test_what_was_not_understood_verified_or_settled_is_listed():
    read = facts(
        kind=Kind(words="opening of a café", by="caller"),
        unread=(Spanned(**span("48")),),
        unverified=(Unverified(field="money", said="EUR 1", quote="EUR 90,000", reason="Another value."),),
        contradictions=(Contradiction(what="Too late", quotes=(Spanned(**span("03/04/2027")),)),),
        open=(OpenPoint(question="Who decides?"),),
    )
    shown = goal_section(GOAL, read)

    assert shown["lists"] == [
        ("Not understood: numbers, dates and bans that no fact holds", ["“48”"]),
        ("Unverified: nothing is built on it", ["money: EUR 1 (“EUR 90,000”). Another value."]),
        ("Contradictions in the goal", ["Too late: “03/04/2027”"]),
        ("Open questions", ["Who decides?"]),
    ]
    assert shown["frame"][0] == ("Undertaking", "opening of a café (corrected by the caller)")


def test_the_page_marks_the_goal_and_lists_corrections_by_the_caller():
    hostile = "Spend EUR 5 on <b>'bold'\"</b> things."
    money = Money(
        **span("EUR 5 on <b>'bold'\"</b>", hostile), low=5, high=5, currency="EUR", role="cap", noun='<i>"x"</i>'
    )
    corrected = Money(text="EUR 6", start=0, end=0, by="caller", low=6, high=6, currency="EUR", role="total")
    read = READ.model_copy(update={"money": (money, corrected), "demands": (), "unread": ()})
    html = render(page(hostile, facts=read)).html
    section = html.partition('<section id="goal"')[2].partition("</section>")[0]

    marks = re.findall(r'<mark class="([^"]*)" title="([^"]*)">([^<]*)</mark>', section)
    assert marks == [
        (
            "k-money ",
            "cap: EUR 5, &lt;i&gt;&#34;x&#34;&lt;/i&gt;",
            "EUR 5 on &lt;b&gt;&#39;bold&#39;&#34;&lt;/b&gt;",
        )
    ]
    assert "total: EUR 6 <strong>corrected by the caller</strong>" in section
