"""The schedule says whether dates are kept, with odds and what they rest on, and is readable by other programs."""

import asyncio
import csv
import io
from datetime import date
from typing import Any

import pytest

from planloom.models.model import Question
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.report.gantt import draw
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.gantt_data import arrows, bars, lines, shades
from planloom.planes.strategic.stages.results import Schedule
from planloom.planes.strategic.stages.schedule import STAGE, draft, verdict, verdict_text
from tests.unit.strategic.compute.sound import framed
from tests.unit.strategic.stages.computed_plans import a_plan, a_schedule, a_spine, given
from tests.unit.strategic.stages.contexts import make_context


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_schedule_is_computed_of_the_spine_that_the_review_left() -> None:
    asked: list[Question[Any]] = []
    result = run(make_context("schedule", results=given(), asked=asked))

    assert result.spine == a_spine()
    assert asked == []
    claims = {claim.id: claim.value for claim in result.claims}
    end = next(odds for odds in result.computed.odds if odds.what == "end")
    assert claims["schedule.end"] == result.computed.end.isoformat()
    assert claims["schedule.p80"] == end.p80.isoformat()
    assert end.due
    assert claims["schedule.deadline_slack"] == str((end.due - end.computed).days)


@pytest.mark.parametrize(
    ("end", "said"),
    [(date(2028, 10, 29), "holds"), (date(2027, 4, 5), "tight"), (date(2027, 1, 29), "late")],
)
def test_the_verdict_follows_the_computed_end_and_its_odds(end: date, said: str) -> None:
    assert verdict(a_plan(framed(a_spine(), end=end)).computed) == said


def test_without_a_date_of_the_whole_the_dated_demands_decide() -> None:
    plan = a_plan(framed(a_spine(), end=None))

    assert verdict(plan.computed) == "holds"
    assert "No day could be read in the goal" in verdict_text(plan)
    assert verdict(a_plan(a_spine().model_copy(update={"demands": ()})).computed) == "holds"
    undated = framed(a_spine(), end=None).model_copy(update={"demands": ()})
    assert verdict(a_plan(undated).computed) == "open"


def test_the_page_begins_with_the_verdict_and_names_what_decides_the_dates() -> None:
    schedule = a_schedule()
    page = STAGE.pages(schedule)["schedule"]
    titles = {package.id: package.title for package in schedule.spine.packages}

    assert page.splitlines()[2].startswith("**The date of the whole")
    assert all(f"| {name} {titles[name]} |" in page for name in schedule.computed.path)
    assert all(f"| {demand.text} |" in page for demand in schedule.spine.demands)


def test_the_files_hold_packages_cash_and_load() -> None:
    schedule = a_schedule()
    files = STAGE.files(schedule)

    packages = {row["id"]: row for row in rows_of(files["026-3-schedule.csv"])}
    assert packages.keys() == {package.id for package in schedule.spine.packages}
    assert packages["P8"]["needs"] == "P7 P5"
    assert packages["P6"]["start"] == str(next(p.start for p in schedule.computed.packages if p.id == "P6"))
    assert len(rows_of(files["026-5-cash.csv"])) == len(schedule.computed.months)
    assert len(rows_of(files["026-6-load.csv"])) == len(schedule.computed.loads)
    assert files["026-4-gantt.mmd"].count(":crit") == sum(p.critical for p in schedule.computed.packages)


def test_a_title_that_a_spreadsheet_would_run_is_escaped() -> None:
    spine = a_spine()
    packages = tuple(p.model_copy(update={"title": "=1+1"}) if p.id == "P1" else p for p in spine.packages)
    files = STAGE.files(a_schedule(spine.model_copy(update={"packages": packages})))

    assert rows_of(files["026-3-schedule.csv"])[0]["title"] == "'=1+1"


def test_the_chart_has_a_bar_for_each_package_gate_and_dated_demand() -> None:
    schedule = a_schedule()
    drawn = bars(schedule)

    assert {bar.id for bar in drawn if bar.kind == "task"} == {package.id for package in schedule.spine.packages}
    assert {bar.id for bar in drawn if bar.kind == "milestone"} == {"G1", "N1", "N2"}
    assert {(arrow.source, arrow.target) for arrow in arrows(schedule)} >= {("P1", "P2"), ("P7", "P8")}
    assert [line.kind for line in lines(schedule)] == ["deadline", "confidence"]
    assert draw(drawn, arrows(schedule), lines(schedule)).svg


def test_closed_stretches_of_the_goal_are_shaded_within_the_plan() -> None:
    august = Closure(text="August is closed", start=0, end=16, months=(8,))
    mondays = Closure(text="no Mondays", start=0, end=10, weekdays=(0,))

    shaded = shades(a_schedule(), (august, mondays))

    assert [(shade.first, shade.last) for shade in shaded] == [(date(2026, 8, 1), date(2026, 8, 31))]


def test_a_schedule_is_read_again_as_it_was_kept() -> None:
    schedule = a_schedule()

    again = Schedule.model_validate_json(STAGE.files(schedule)["026-1-schedule.json"])

    assert ComputedPlan(again.spine, again.computed).end == ComputedPlan(schedule.spine, schedule.computed).end
