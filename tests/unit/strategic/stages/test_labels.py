"""What programs print is in the language of the goal: days, amounts, heads, units; authors' words stay as they are."""

import asyncio
import re
from datetime import date
from typing import Any

from planloom.models.model import Question
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.chapter_tables import TABLES, plan_tables
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.labels import PHRASES, Labels, labels_of, locale_of
from planloom.planes.strategic.stages.schedule import DATES, dates_table
from tests.unit.strategic.compute.sound import added, changed, framed, sound
from tests.unit.strategic.stages.computed_plans import a_plan, a_spine
from tests.unit.strategic.stages.contexts import make_context, make_goal

WORDS = {
    "Work": "Travail",
    "Owner": "Responsable",
    "working days": "jours ouvrés",
    "none": "aucune",
    "All lines": "Total",
    "Money is short by EUR 1,200 at most, in May 2028.": "Il manque EUR 1,200 au plus, en May 2028.",
}
FRENCH = Labels("fr", WORDS)


def test_days_amounts_and_units_of_values_are_in_the_language() -> None:
    assert FRENCH.value("2 October 2026") == "2 octobre 2026"
    assert FRENCH.value("May 2028") == "mai 2028"
    assert FRENCH.value("31 June 2028") == "31 juin 2028"
    assert FRENCH.value("XOF 412,000,000") == "412\u202f000\u202f000 XOF"
    assert FRENCH.value("5 working days") == "5 jours ouvrés"
    short = "Money is short by EUR 1,200 at most, in May 2028."
    assert FRENCH.value(short) == "Il manque 1\u202f200 EUR au plus, en mai 2028."
    assert Labels("de").value("EUR 1,250.50 on 1 March 2027") == "1.250,5 EUR on 1. März 2027"
    assert Labels("de").value("2.5 m2 × 1,300.75") == "2,5 m2 × 1.300,75"
    assert Labels("de").value("DIN 1090, § 1.5") == "DIN 1090, § 1.5"
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


def of_language(language: str, asked: list[Question[Any]], answers: Any) -> StageContext:
    goal = make_goal()
    facts = goal.facts.model_copy(update={"language": language})
    return make_context("main_document", goal=Goal(goal.prompt, facts, goal.today), asked=asked, answers=answers)


def test_no_model_is_asked_for_english() -> None:
    asked: list[Question[Any]] = []
    assert asyncio.run(labels_of(make_context("main_document", asked=asked), [])) == Labels()
    assert asked == []


def test_every_head_is_asked_for_and_a_term_whose_digits_changed_stays_english() -> None:
    asked: list[Question[Any]] = []
    spine = sound()
    printed = [*plan_tables(ComputedPlan(spine, compute(spine, runs=20))).values()]
    answer = {"labels": [{"term": PHRASES[0], "text": "jours"}, {"term": PHRASES[1], "text": "jour 9"}]}
    labels = asyncio.run(labels_of(of_language("fr", asked, {"labels": answer}), [*printed, "", "Odds of 5 July"]))
    assert labels == Labels("fr", {PHRASES[0]: "jours"})
    terms = asked[0].context[0].text
    assert all(head in terms for head in ("Owner", "Leaving costs (EUR)", "Done when", "Odds of 5 July"))


def test_where_the_model_gives_none_days_are_in_the_language() -> None:
    context = of_language("fr", [], {})
    assert asyncio.run(labels_of(context, [])).value("2 May 2027") == "2 mai 2027"
    assert context.lost == {}


def test_no_english_word_is_left_in_the_tables_of_another_language() -> None:
    plan = a_plan(spoken(everything()))
    tables = plan_tables(plan)
    printed = [dates_table(plan), *tables.values()]
    printed += [annex_table(name, plan) for name in ANNEX_TABLES]
    titles = [DATES, *(TABLES[name].title for name in tables)]
    labels = asyncio.run(labels_of(of_language("ja", [], translated), [*printed, *titles]))

    assert tables.keys() == TABLES.keys()
    shown = "\n".join((*map(labels.table, printed), *map(labels.value, titles)))
    assert set(re.findall(r"[A-Za-z]{2,}", shown)) == {"EUR"}


def translated(question: Question[Any]) -> dict[str, Any]:
    terms = question.context[0].text.splitlines()
    return {"labels": [{"term": term, "text": re.sub("[A-Za-z]+", "訳", term)} for term in terms]}


def everything() -> Spine:
    """Return the café with a row for each word that a program can print of it."""
    day = date(2026, 9, 1)
    paid: tuple[dict[str, Any], ...] = (
        {"kind": "running", "paid": "even", "first": day, "last": date(2026, 11, 2), "basis": "goal"},
        {"kind": "running", "paid": "start", "package": "P6", "basis": "verify"},
        {"kind": "one_off", "paid": "on_days", "days": [day], "basis": "computed"},
        {"kind": "one_off", "paid": "end", "days": [day], "shares": [0.4], "package": "P6"},
        {"kind": "tax", "paid": "start"},
        {"kind": "tax", "paid": "even"},
        {"kind": "tax", "paid": "end"},
        {"kind": "contingency"},
        {"kind": "reserve", "in_kind": True},
    )
    lines = [
        r.Line(id=f"L{n}", title="It", rate=10, quantity=2.5, unit="it", **more) for n, more in enumerate(paid, 20)
    ]
    needs = [
        r.Need(id="P1", kind="start_start", lag=1),
        r.Need(id="P16", lag=-5, calendar_days=True),
        r.Need(id="G1", or_day=day),
    ]
    spine = added(
        a_spine(),
        *lines,
        r.Source(id="F9", title="It", amount=10, status="assumed", condition="It", after="G1"),
        r.Source(id="F10", title="It", amount=10, in_kind=True),
        r.Demand(id="N9", text="It"),
        r.Upkeep(id="U9", title="It", likely=10, paid_by="F9"),
        r.Approval(id="A9", title="It", party="B1", only_if="It", frees=["P17"], papers=["A1"]),
        r.Package(id="P30", title="It", owner="R1", needs=needs, basis="verify", every_day=True, likely=9, high=20),
        r.Package(id="P31", title="It", owner="R2", not_before=day, fixed=True, done_when="It", before="It"),
        r.Package(id="P32", title="It", owner="R2", also=[r.Share(role="R1", days=2.5)], basis="computed", likely=99),
        r.Criterion(id="S9", measure="It", target="It", baseline="It", by=day),
    )
    spine = changed(spine, "P2", basis="goal")
    spine = changed(spine, "H1", test="", low="1", touches=["L2", "P2"])
    spine = changed(spine, "V3", done_when="It")
    spine = changed(spine, "D1", if_not="It", by=date(2026, 2, 2))
    spine = changed(spine, "G1", if_failed="It")
    spine = changed(spine, "K1", residual_days=5, trigger_by=day)
    spine = changed(spine, "R1", second="It", first=day, periods=[r.Period(first=day, last=day, people=2)])
    return framed(spine, out_of_scope=["It"], end=date(2027, 6, 1), closed=[r.Closed(what="It", first=day)])


def spoken(spine: Spine) -> Spine:
    """Return *spine* with every text of its authors in another language."""
    kept = {"id", "kind", "basis", "status", "paid", "key", "recommended", "currency", "worked", "start", "end"}

    def said(value: Any, field: str = "") -> Any:
        if isinstance(value, dict):
            return {name: each if name in kept else said(each, name) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [said(each, field) for each in value]
        return "X" if isinstance(value, str) and value and not re.fullmatch(r"[A-Z]\d+", value) else value

    return Spine.model_validate(said(spine.model_dump()))


def test_numbers_are_those_of_the_country_of_the_goal() -> None:
    villa_rica = f.Place(text="Villa Rica", start=0, end=0, name="Villa Rica", kind="city", country="PE")
    here, nowhere = (make_goal(language="es", places=places).facts for places in ((villa_rica,), ()))
    assert [Labels(locale_of(facts)).value("PEN 185,000") for facts in (here, nowhere)] == [
        "185,000 PEN",
        "185.000 PEN",
    ]
