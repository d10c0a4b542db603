"""Stage 030: the HTML report over all that the other stages made, and the file that says the pipeline is complete."""

from collections.abc import Mapping

from pydantic import Field

from planloom.domain.artifacts import COMPLETE, QUALITY, REPORT
from planloom.domain.kept_answer import OUTLINE
from planloom.domain.usage import CURRENCY, Usage
from planloom.domain.wording import day_text
from planloom.facts.language import NAMES
from planloom.report.gantt import Arrow, Bar, Gantt, Line, Shade, draw
from planloom.stages.desk import Desk
from planloom.stages.parts.checked.checks import Quality, assess
from planloom.stages.parts.checked_draft import checked_draft
from planloom.stages.parts.quality_section import quality_card, quality_section
from planloom.stages.parts.report_cards import cards
from planloom.stages.parts.schedule_result import Milestone, ScheduledTask
from planloom.stages.schedule import Schedule
from planloom.stages.stage import Stage, StageResult

#: What a reader wants first comes first; section titles are those of the stages.
ORDER = (
    "executive_summary",
    "schedule",
    "pitch",
    "project_plan",
    "levers",
    "scenarios",
    "assumptions",
    "locations",
    "risks",
    "governance",
    "team",
    "related_resources",
    "data_collection",
    "documents",
    "swot_analysis",
    "expert_criticism",
    "wbs",
    "wbs_level3",
    "task_dependencies",
    "task_durations",
    "review_plan",
    "questions_answers",
    "premortem",
    "self_audit",
    "premise_attack",
    "pre_project_assessment",
    "purpose",
    "screening",
    "start",
)
OPEN = ("executive_summary", "schedule")


class Report(StageResult):
    """Stage 030's result."""

    html: str = Field(description="The page, of about a megabyte at most")
    annexes: Mapping[str, str] = Field(default_factory=dict, description="What became files beside the page, by path")
    sections: tuple[str, ...] = Field(description="Names of the stages shown, in order")
    quality: Quality = Field(description="What the checks of the whole plan found")


async def draft(desk: Desk) -> Report:
    """Check the whole plan and render it: everything shown is there already, and no model is asked."""
    # the page's libraries cost 0.1 s to import, which the other 29 stages need not pay
    from planloom.report.page import Page, Section, render

    schedule = desk.read("schedule", Schedule)
    quality = assess(checked_draft(desk, desk.texts), scored=not _outline_only(desk))
    sections = tuple(
        Section(
            id=name,
            number=desk.needs[name].key,
            title=desk.needs[name].title,
            markdown=desk.texts[name],
            gantt=_gantt(schedule) if name == "schedule" else None,
            open=name in OPEN,
        )
        for name in ORDER
    )
    page = Page(
        title=desk.brief.facts.title,
        plan_id=desk.about.plan_id,
        created=f"created on {day_text(desk.about.created_at.date())}",
        drafted_by=_drafted_by(desk),
        outline_only=_outline_only(desk),
        verdict=schedule.verdict_text,
        verdict_tone={"holds": "good", "tight": "warn", "late": "bad", "open": ""}[schedule.verdict],
        cards=(*cards(desk, schedule), quality_card(quality)),
        sections=sections,
        quality=quality_section(quality, {s.markdown_path: s.title for s in desk.needs.values()}),
        claims=tuple(desk.register),
        prompt=desk.prompt,
        facts=desk.brief.facts,
        footer=_footer(desk),
    )
    rendered = render(page)
    return Report(html=rendered.html, annexes=rendered.annexes, sections=ORDER, quality=quality)


def files(result: Report) -> Mapping[str, str]:
    """The report and its annexes, what the checks found, and the mark that the pipeline is complete."""
    return {
        REPORT: result.html,
        **result.annexes,
        QUALITY: result.quality.model_dump_json(indent=2) + "\n",
        COMPLETE: f"Complete: {len(result.sections)} sections in {REPORT}.\n",
    }


def _models(desk: Desk) -> tuple[str, ...]:
    """Return the models that answered for the plan, this stage's own calls included: after a resume, of both runs."""
    return tuple(dict.fromkeys((*desk.about.models, *desk.answered_by())))


def _outline_only(desk: Desk) -> bool:
    """Return whether no language model took part."""
    return set(_models(desk)) == {OUTLINE}


def _drafted_by(desk: Desk) -> str:
    if _outline_only(desk):
        return (
            f"{_language(desk)}Every section is computed from the facts found in your goal and from tables of what "
            "projects of this kind are made of. What it assumes is marked. Read it as a careful skeleton: names, "
            "prices and laws are for you to add, and a draft with a language model will go deeper."
        )
    models = ", ".join(_models(desk))
    return (
        f"{_language(desk)}Drafted by language models ({models}; profile {desk.about.model_profile}). Check what it "
        "states as fact."
    )


def _language(desk: Desk) -> str:
    """Say what of the report is not in the language of the goal; empty where that is English."""
    language = desk.brief.facts.language
    if language == "en":
        return ""
    seems = f"The goal seems to be in {NAMES.get(language, language)}. "
    if _outline_only(desk):
        return f"{seems}Without a language model planloom writes English alone, and quotes the goal as it is. "
    return f"{seems}Its sections are asked for in that language; headings and labels are English. "


def _footer(desk: Desk) -> str:
    return (
        f"Drafted by planloom with profile {desk.about.model_profile} ({', '.join(_models(desk))}), "
        f"{_cost(desk.about.usage + desk.spent())}. {len(desk.register)} claims registered."
    )


def _cost(spent: Usage) -> str:
    asked = f"{spent.calls - spent.retries} questions asked and answered"
    if not spent.input_tokens:
        return asked
    again = f" ({spent.retries} requests repeated)" if spent.retries else ""
    cached = f", {spent.cached_tokens:,} of them cached" if spent.cached_tokens else ""
    tokens = f"{spent.input_tokens:,} tokens read{cached}, {spent.output_tokens:,} written"
    return f"{asked}{again}: {tokens}, {_price(spent)}"


def _price(spent: Usage) -> str:
    if spent.unpriced == spent.calls:
        return "price not known"
    amount = f"{spent.price:,.2f}" if spent.price >= 1 else f"{spent.price:.4f}"
    return f"{CURRENCY} {amount}" + ("" if spent.price_known else " and requests whose price is not known")


def _gantt(schedule: Schedule) -> Gantt:
    critical = set(schedule.critical_path)
    lines = [Line(schedule.p80, f"80% by {day_text(schedule.p80)}", "confidence")]
    if schedule.deadline:
        lines.insert(0, Line(schedule.deadline, f"Deadline {day_text(schedule.deadline)}", "deadline"))
    return draw(
        [*(_milestone(m) for m in schedule.milestones), *(_bar(task) for task in schedule.tasks)],
        [
            Arrow(link.source, link.target, link.source in critical and link.target in critical)
            for link in schedule.links
        ],
        lines,
        [Shade(closed.first, closed.last, closed.reason) for closed in schedule.closed],
    )


def _milestone(milestone: Milestone) -> Bar:
    notes = [day_text(milestone.day)]
    if milestone.target:
        notes.append(f"asked for {day_text(milestone.target)}")
    late = milestone.spare is not None and milestone.spare < 0
    return Bar(
        milestone.id,
        milestone.title,
        "Milestones",
        milestone.day,
        milestone.day,
        "milestone",
        False,
        False,
        late,
        0,
        tuple(notes),
    )


def _bar(task: ScheduledTask) -> Bar:
    slack = "on the critical path" if task.critical else f"{task.total_slack} working days of slack"
    notes = (
        f"{day_text(task.start)} to {day_text(task.end)}, {task.duration} working days",
        f"{task.owner}; {slack}",
        f"estimate {task.optimistic:g} / {task.likely:g} / {task.pessimistic:g} days",
        f"done when: {task.test}",
    )
    return Bar(
        id=task.id,
        title=task.title,
        group=task.deliverable_title,
        start=task.start,
        end=task.end,
        critical=task.critical,
        outdoor=task.outdoor,
        slack=task.total_slack,
        notes=notes,
    )


STAGE = Stage(
    number=30,
    name="report",
    title="Report",
    needs=tuple(sorted(ORDER)),
    version=10,
    asks_model=False,
    result=Report,
    draft=draft,
    markdown=lambda result: f"See {REPORT}: {len(result.sections)} sections.",
    standard_files=False,
    extra_files=files,
    quality=lambda result: result.quality.summary,
)
