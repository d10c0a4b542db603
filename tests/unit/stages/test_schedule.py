"""Stage 026: dates that a planner could sign, and a verdict that does not flatter."""

import csv
import io
from datetime import date
from itertools import pairwise

import pytest

from planloom.domain.facts import Closure
from planloom.knowledge.brief import make_brief
from planloom.stages.parts.schedule_dates import dated
from planloom.stages.parts.schedule_words import verdict_of, verdict_text
from planloom.stages.schedule import STAGE, computed
from tests.unit.stages.drafted import drafted
from tests.unit.stages.drafting import TODAY, draft
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

PROMPTS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP}


@pytest.fixture(scope="module")
def plans():
    return {name: drafted(prompt) for name, prompt in PROMPTS.items()}


@pytest.fixture(params=list(PROMPTS))
def schedule(request, plans):
    return plans[request.param]["schedule"]


def with_closures(plan, *conditions):
    """The schedule of *plan*, had its goal named other closures."""
    facts = read_facts(CAFE, TODAY)
    closures = tuple(Closure(text="no work then", start=0, end=12, **found) for found in conditions)
    brief = make_brief(CAFE, facts.model_copy(update={"closures": closures}), TODAY)
    made = dated(brief, plan["wbs"], plan["task_dependencies"], plan["task_durations"])
    return computed(brief, made, plan["wbs_level3"], plan["project_plan"], "By hand.")


def task(schedule, key):
    return next(t for t in schedule.tasks if t.key == key)


def test_no_task_starts_before_its_predecessors_have_ended(schedule):
    ends = {t.id: t.end for t in schedule.tasks}
    for t in schedule.tasks:
        assert t.start <= t.end
        assert t.start >= schedule.start
        assert all(ends[before] < t.start for before in t.predecessors)


def test_no_task_starts_on_a_closed_day(schedule, plans):
    kinds = {p.id: p.kind for plan in plans.values() if plan["schedule"] is schedule for p in plan["wbs"].packages}
    for t in schedule.tasks:
        assert t.start.weekday() < 5
        builds = t.outdoor and kinds[t.id] not in ("research", "design")
        closed = [p for p in schedule.closed if builds or not p.outdoor]
        assert not [p for p in closed if p.first <= t.start <= p.last], t.title


def test_slack_is_never_negative_and_free_slack_no_more_than_total(schedule):
    assert all(0 <= t.free_slack <= t.total_slack for t in schedule.tasks)
    assert all(t.critical == (t.total_slack == 0) for t in schedule.tasks if t.end <= schedule.end)


def test_the_critical_path_is_a_chain_of_critical_tasks_that_ends_at_the_end(schedule):
    by_id = {t.id: t for t in schedule.tasks}
    path = [by_id[name] for name in schedule.critical_path]
    assert all(t.critical for t in path)
    assert all(a.id in b.predecessors for a, b in pairwise(path))
    assert path[-1].end == schedule.end
    driving = {(link.source, link.target) for link in schedule.links if link.driving}
    assert {(a.id, b.id) for a, b in pairwise(path)} <= driving


def test_the_confidence_dates_agree_with_the_verdict(schedule):
    assert schedule.p50 <= schedule.p80
    assert schedule.end <= schedule.last_day
    if schedule.verdict == "holds":
        assert schedule.p80 <= schedule.deadline
        assert schedule.spare >= 0
    if schedule.verdict == "late":
        assert schedule.end > schedule.deadline
        assert schedule.spare < 0


def test_level_3_tasks_lie_within_their_packages_one_after_the_other(schedule):
    by_id = {t.id: t for t in schedule.tasks}
    for name, t in by_id.items():
        leaves = [leaf for leaf in schedule.leaves if leaf.task == name]
        assert leaves[0].start >= t.start
        assert leaves[-1].end == t.end
        assert all(a.start <= b.start and a.end <= b.end for a, b in pairwise(leaves))


def test_milestones_stand_where_their_packages_end(schedule):
    ends = {t.id: t.end for t in schedule.tasks}
    assert [m.id for m in schedule.milestones] == [f"M{n}" for n in range(1, len(schedule.milestones) + 1)]
    assert [m.day for m in schedule.milestones] == sorted(m.day for m in schedule.milestones)
    assert all(m.day == ends[m.task] for m in schedule.milestones)
    assert all((m.spare is None) == (m.target is None) for m in schedule.milestones)


def test_dates_and_slack_are_claimed(schedule):
    claims = {claim.id: claim.value for claim in schedule.claims}
    assert claims["schedule.end"] == schedule.end.isoformat()
    assert claims["schedule.p80"] == schedule.p80.isoformat()
    assert claims["schedule.deadline_slack"] == str(schedule.spare)
    for m in schedule.milestones:
        assert claims[f"schedule.milestone-{m.id.lower()}"] == m.day.isoformat()


def test_the_cafe_cannot_open_in_time_and_is_told_so(plans):
    schedule = plans["cafe"]["schedule"]
    assert schedule.verdict == "late"
    assert schedule.verdict_text.startswith("Cannot hold 1 May 2027: the computed end is")
    assert f"late by {-schedule.spare} working days" in schedule.verdict_text
    assert any("that others set" in line for line in schedule.advice)
    opening = next(m for m in schedule.milestones if m.target)
    assert (opening.target, opening.spare) == (date(2027, 5, 1), schedule.spare)


def test_the_loan_is_approved_before_the_lease_is_signed(plans):
    schedule = plans["cafe"]["schedule"]
    assert task(schedule, "funding_secured").end < task(schedule, "premises_contract").start
    assert task(schedule, "premises_contract").end < task(schedule, "lease_handover").start


def test_bakers_are_hired_weeks_and_not_months_before_they_bake(plans):
    schedule = plans["cafe"]["schedule"]
    hired = task(schedule, "staffing")
    assert hired.held_back
    assert 20 <= (schedule.end - hired.end).days <= 75


def test_what_others_decide_takes_as_long_as_they_take(plans):
    for plan in plans.values():
        for t in plan["schedule"].tasks:
            if t.fixed and t.key == "permits":
                assert t.duration >= 30


def test_the_flood_wall_is_built_in_the_open_season_only(plans):
    schedule = plans["flood wall"]["schedule"]
    kinds = {p.id: p.kind for p in plans["flood wall"]["wbs"].packages}
    outdoors = [t for t in schedule.tasks if t.outdoor and kinds[t.id] == "build"]
    assert len(outdoors) >= 3
    assert all(t.start.month in range(4, 10) and t.end.month in range(4, 10) for t in outdoors)
    assert any(t.waits_for_season for t in schedule.tasks)
    assert any(p.outdoor and p.first.month == 10 for p in schedule.closed)
    assert any("April to September" in note for note in schedule.calendar_notes)


def test_the_coastal_permit_is_there_before_the_tender(plans):
    schedule = plans["flood wall"]["schedule"]
    permit = next(t for t in schedule.tasks if t.title.startswith("Coastal protection permit"))
    assert permit.id in task(schedule, "procurement").predecessors


def test_the_pilot_is_compared_with_its_own_date(plans):
    schedule = plans["nurse app"]["schedule"]
    pilot = next(m for m in schedule.milestones if m.kind == "prompt")
    assert pilot.target == date(2027, 11, 30)
    assert pilot.task == task(schedule, "pilot").id
    assert pilot.spare >= 0


def test_the_work_starts_when_the_goal_says(plans):
    assert plans["nurse app"]["schedule"].start == date(2027, 3, 1)
    assert plans["flood wall"]["schedule"].start == date(2027, 1, 4)
    assert plans["cafe"]["schedule"].start == TODAY


def test_a_goal_without_a_deadline_gets_dates_and_no_verdict_on_one():
    schedule = draft("We want to open a bookshop with a reading room in Coimbra.", "schedule")["schedule"]
    assert (schedule.verdict, schedule.deadline, schedule.spare, schedule.chance) == ("open", None, None, None)
    assert "No deadline was found" in schedule.verdict_text
    assert [m.day for m in schedule.milestones if m.kind == "end"] == [schedule.last_day]


def test_closed_weekdays_and_a_closed_month_are_obeyed_together(plans):
    schedule = with_closures(plans["cafe"], {"weekdays": (0,)}, {"months": (2,)})
    assert all(t.start.weekday() != 0 and t.start.month != 2 for t in schedule.tasks)
    assert schedule.end > plans["cafe"]["schedule"].end
    assert [(p.first.month, p.last.month) for p in schedule.closed] == [(2, 2)] * len(schedule.closed)


def test_markdown_says_the_verdict_first_and_names_every_package(schedule):
    text = STAGE.markdown(schedule)
    assert text.splitlines()[2] == f"**{schedule.verdict_text}**"
    assert all(f"| {t.id} | " in text for t in schedule.tasks)
    assert schedule.method in text


def test_the_csv_holds_every_package_task_and_milestone(schedule):
    rows = list(csv.DictReader(io.StringIO(STAGE.files(schedule)["026-3-schedule.csv"])))
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids)) == len(schedule.tasks) + len(schedule.leaves) + len(schedule.milestones)
    first = next(row for row in rows if row["id"] == schedule.tasks[0].id)
    assert (first["start"], first["end"]) == (schedule.tasks[0].start.isoformat(), schedule.tasks[0].end.isoformat())
    assert all(None not in row and None not in row.values() for row in rows)


def test_a_title_that_a_spreadsheet_would_run_is_quoted(schedule):
    evil = schedule.tasks[0].model_copy(update={"title": "=HYPERLINK(1)"})
    files = STAGE.files(schedule.model_copy(update={"tasks": (evil, *schedule.tasks[1:])}))
    assert next(csv.DictReader(io.StringIO(files["026-3-schedule.csv"])))["title"] == "'=HYPERLINK(1)"


def test_the_gantt_marks_critical_packages_and_parts_no_field_by_a_title(schedule):
    lines = STAGE.files(schedule)["026-4-gantt.mmd"].splitlines()
    assert lines[0] == "gantt"
    bars = [line for line in lines if line.startswith("    ") and " :" in line]
    assert len(bars) == len(schedule.tasks) + len(schedule.milestones)
    assert all(line.count(":") == 1 and "#" not in line and ";" not in line for line in bars)
    assert sum(":crit, t" in line for line in bars) == sum(t.critical for t in schedule.tasks)


def test_15_2_the_schedule_is_the_same_for_the_same_goal(plans):
    again = draft(CAFE, "schedule")["schedule"]
    assert STAGE.files(again) == STAGE.files(plans["cafe"]["schedule"])


def test_closures_that_leave_no_day_are_named_and_the_dates_are_still_computed(plans):
    schedule = with_closures(plans["cafe"], {"months": tuple(range(1, 13))})
    assert any("too few working days" in note for note in schedule.calendar_notes)
    assert schedule.end == plans["cafe"]["schedule"].end


@pytest.mark.parametrize(
    ("deadline", "end", "p80", "verdict"),
    [
        (None, date(2027, 5, 3), date(2027, 6, 1), "open"),
        (date(2027, 6, 1), date(2027, 5, 3), date(2027, 6, 1), "holds"),
        (date(2027, 5, 20), date(2027, 5, 3), date(2027, 6, 1), "tight"),
        (date(2027, 5, 3), date(2027, 5, 3), date(2027, 6, 1), "tight"),
        (date(2027, 5, 2), date(2027, 5, 3), date(2027, 6, 1), "late"),
    ],
)
def test_the_verdict_looks_at_the_end_and_at_four_runs_of_five(deadline, end, p80, verdict):
    assert verdict_of(deadline, end, p80) == verdict


def test_a_tight_deadline_is_not_said_to_hold():
    day = date(2027, 5, 3)
    text = verdict_text(date(2027, 5, 4), day, day, date(2027, 6, 1), 0.4, 1)
    assert "only if little slips" in text
    assert "1 working day before it" in text
    assert "40% of the simulated runs" in text


FESTIVAL = (
    "Organise a two-day science festival for families in Graz on 18 and 19 September 2027 with 40 stands, 6,000 "
    "visitors and a budget of EUR 85,000 from the city and two sponsors. Volunteers run the stands. Ticket sales open "
    "on 1 May 2027."
)


@pytest.fixture(scope="module")
def festival():
    return draft(FESTIVAL, "schedule")["schedule"]


def test_a_festival_takes_place_on_its_days(festival):
    event = task(festival, "event_days")
    assert (event.start, event.end) == (date(2027, 9, 18), date(2027, 9, 19))
    assert festival.end == date(2027, 9, 19)
    assert festival.verdict_text.startswith("Takes place on 19 September 2027")
    assert festival.spare > 0


def test_a_stage_is_set_up_and_released_in_the_days_before(festival):
    for key in ("setup", "rehearsal", "acceptance"):
        assert (date(2027, 9, 18) - task(festival, key).end).days <= 14, key
    assert task(festival, "takedown").start > date(2027, 9, 19)


def test_the_tightest_chain_to_a_fixed_day_is_the_path(festival):
    by_id = {t.id: t for t in festival.tasks}
    path = [by_id[name] for name in festival.critical_path]
    assert path[-1].key == "event_days"
    assert path[0].predecessors == ()
    assert all(t.critical for t in path)
    assert all(a.id in b.predecessors for a, b in pairwise(path))
