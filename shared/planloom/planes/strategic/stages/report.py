"""Stage 030: check the whole plan, and show it as one HTML page: main document, annexes, and how it was made."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from planloom.core.artifacts import COMPLETE, QUALITY, REPORT
from planloom.core.usage import CURRENCY, Usage
from planloom.core.wording import day_text
from planloom.planes.strategic.facts.language import NAMES
from planloom.planes.strategic.quality.checks import Quality, assess
from planloom.planes.strategic.quality.draft import Draft, Page, Part
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.report.card import Card
from planloom.planes.strategic.report.gantt import Gantt, draw
from planloom.planes.strategic.stages import gantt_data
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.quality_section import quality_card, quality_section
from planloom.planes.strategic.stages.report_cards import cards, tone
from planloom.planes.strategic.stages.results import Annexes, Schedule
from planloom.planes.strategic.stages.schedule import verdict_text
from planloom.planes.strategic.stages.stage import Stage, StageResult

if TYPE_CHECKING:
    from planloom.planes.strategic.report.page import Section

NEEDS = (
    "start", "screening", "premise_attack", "draft", "choice", "spine", "repair", "expert_criticism", "review_plan",
    "schedule", "main_document", "annexes", "executive_summary", "self_audit",
)  # fmt: skip
#: The sections of each part of the report, in order; one that is empty is left out.
ORDER: Mapping[Part, tuple[str, ...]] = {
    "main": (
        "executive_summary", "project_plan", "levers", "approvals", "calendar", "schedule", "team", "budget", "risks",
        "next_steps",
    ),
    "annex": (
        "pitch", "scenarios", "assumptions", "governance", "related_resources", "data_collection", "documents",
        "swot_analysis", "expert_criticism", "wbs", "wbs_level3", "task_dependencies", "task_durations", "review_plan",
        "questions_answers", "premortem", "self_audit", "premise_attack", "pre_project_assessment", "tables",
    ),
    "paper": ("repair", "choice", "screening", "start"),
}  # fmt: skip
#: Files of the plan beside the page, checked for what must not be printed: drafts that the main document replaces, and
#: the spine, whose tables the sections show.
SUPERSEDED = ("draft", "second_draft", "spine")
PARTS: Mapping[Part, tuple[str, str]] = {
    "main": ("Main document", "what a decision maker reads"),
    "annex": ("Annexes", "what the main document rests on, collapsed"),
    "paper": (
        "How this plan was made",
        "what was repaired and chosen, and what was read of the goal; its rows as data are in the files 011-...",
    ),
}


class Report(StageResult):
    """Stage 030's result."""

    html: str = Field(description="The page, of about a megabyte at most")
    annexes: Mapping[str, str] = Field(default_factory=dict, description="What became files beside the page, by path")
    sections: tuple[str, ...] = Field(description="Names of the sections shown, in order")
    quality: Quality = Field(description="What the checks of the whole plan found")


async def draft(context: StageContext) -> Report:
    """Check the whole plan and render it: everything shown is there already, and no model is asked."""
    # the page's libraries cost 0.1 s to import, which the other stages need not pay
    from planloom.planes.strategic.report import page

    schedule = context.read("schedule", Schedule)
    plan = ComputedPlan(schedule.spine, schedule.computed)
    checked = checked_draft(context)
    quality = assess(checked, scored=not context.about.outline_only)
    shown = {part: tuple(_sections(context, part)) for part in ORDER}
    rendered = page.render(
        page.Page(
            title=context.goal.facts.title,
            plan_id=context.about.plan_id,
            created=f"created on {day_text(context.about.created_at.date())}",
            drafted_by=_drafted_by(context),
            outline_only=context.about.outline_only,
            verdict=verdict_text(plan),
            verdict_tone=tone(plan),
            cards=(*cards(plan), quality_card(quality)),
            sections=(*shown["main"], *shown["annex"]),
            papers=shown["paper"],
            quality=quality_section(quality, checked.titles),
            claims=tuple(context.register),
            prompt=context.goal.prompt,
            facts=context.goal.facts,
            footer=_footer(context),
        )
    )
    names = tuple(section.id for sections in shown.values() for section in sections)
    return Report(html=rendered.html, annexes=rendered.annexes, sections=names, quality=quality)


def checked_draft(context: StageContext) -> Draft:
    """Return the plan as the checks read it: sections in the order of the report, superseded drafts last."""
    schedule = context.read("schedule", Schedule)
    parts: list[tuple[Part, str]] = [(part, name) for part, names in ORDER.items() for name in names]
    parts += [("paper", name) for name in SUPERSEDED]
    made = _made(context)
    annexed = context.read("annexes", Annexes)
    return Draft(
        prompt=context.goal.prompt,
        facts=context.goal.facts,
        today=context.goal.today,
        pages=tuple(
            Page(made[name][0].section_paths[name], made[name][1], part, context.texts[name])
            for part, name in parts
            if context.texts.get(name)
        ),
        spine=schedule.spine,
        computed=schedule.computed,
        missing={
            next(iter(stage.section_paths.values())): context.results[name].missing
            for name, stage in context.needs.items()
            if stage.sections and name in context.results and context.results[name].missing
        },
        unknown_figures=tuple(
            (made[chapter.name][0].section_paths[chapter.name], name)
            for chapter in annexed.chapters
            for name in chapter.unknown_figures
        ),
    )


def files(result: Report) -> Mapping[str, str]:
    """Return the report and its annexes, what the checks found, and the mark that the pipeline is complete."""
    return {
        REPORT: result.html,
        **result.annexes,
        QUALITY: result.quality.model_dump_json(indent=2) + "\n",
        COMPLETE: f"Complete: {len(result.sections)} sections in {REPORT}.\n",
    }


def _sections(context: StageContext, part: Part) -> Iterator["Section"]:
    """Yield the sections of *part* that have a text; the first of them says which part begins, and how long it is."""
    from planloom.planes.strategic.report.page import Section

    made = _made(context)
    names = [name for name in ORDER[part] if context.texts.get(name)]
    for name in names:
        yield Section(
            id=name,
            number=made[name][0].key,
            title=made[name][1],
            markdown=context.texts[name],
            gantt=_gantt(context) if name == "schedule" else None,
            open=part == "main",
            opens=_opening(part, [context.texts[shown] for shown in names]) if name == names[0] else None,
        )


def _opening(part: Part, texts: Collection[str]) -> Card:
    label, note = PARTS[part]
    return Card(label, f"{sum(map(count_words, texts)):,} words in {len(texts)} sections", note)


def _made(context: StageContext) -> Mapping[str, tuple[Stage[Any], str]]:
    """Return the stage and the title of each section that was needed, by the section's name."""
    return {section.name: (stage, section.title) for stage in context.needs.values() for section in stage.sections}


def _gantt(context: StageContext) -> Gantt:
    schedule = context.read("schedule", Schedule)
    return draw(
        gantt_data.bars(schedule),
        gantt_data.arrows(schedule),
        gantt_data.lines(schedule),
        gantt_data.shades(schedule, context.goal.facts.closures),
    )


def _models(context: StageContext) -> str:
    return ", ".join(context.about.models)


def _drafted_by(context: StageContext) -> str:
    if context.about.outline_only:
        return (
            f"{_language(context)}Every section is computed from the facts found in your goal and from a table of what "
            "undertakings of this kind are made of. What it assumes is marked. Read it as a skeleton: names, prices "
            "and laws are for you to add; a draft with a language model goes deeper."
        )
    return (
        f"{_language(context)}Drafted by language models ({_models(context)}; profile {context.about.model_profile}). "
        "Dates, sums and odds are computed by programs. Check what is marked “to verify”."
    )


def _language(context: StageContext) -> str:
    """Say what of the report is not in the language of the goal; empty where that is English."""
    language = context.goal.facts.language
    if language == "en":
        return ""
    seems = f"The goal seems to be in {NAMES.get(language, language)}. "
    if context.about.outline_only:
        return f"{seems}Without a language model planloom writes English alone, and quotes the goal as it is. "
    return f"{seems}Its sections are asked for in that language; headings and labels are English. "


def _footer(context: StageContext) -> str:
    about = context.about
    return (
        f"Drafted by planloom with profile {about.model_profile} ({_models(context)}), "
        f"{_cost(about.usage + context.spent())}. {len(context.register)} claims registered."
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


STAGE = Stage(
    number=30,
    name="report",
    title="Report",
    needs=NEEDS,
    version=15,
    result=Report,
    draft=draft,
    pages=lambda _: {},
    standard_files=False,
    extra_files=files,
    quality=lambda result: result.quality.summary,
    asks_model=False,
)
