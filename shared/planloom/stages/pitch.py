"""Stage 020: one page for the one reader who can say yes."""

from planloom.domain.wording import day_text
from planloom.stages.desk import Desk
from planloom.stages.parts.chosen_scenario import chosen_scenario
from planloom.stages.parts.pitch_answer import ObjectionRow, Pitch, PitchAnswer
from planloom.stages.parts.pitch_outline import outline
from planloom.stages.parts.plan_sections import AMOUNTS, FRAME, FUNDING, GOAL, MEASURES, PARTIES, of_plan
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.scenarios import Scenarios
from planloom.stages.stage import Stage
from planloom.stages.text import table

__all__ = ["STAGE", "ObjectionRow", "Pitch", "PitchAnswer"]

INSTRUCTIONS = """\
Write the pitch: one page for the one reader who can say yes. First decide who that is from the goal: whoever must
still grant the money, the permit or the mandate; where all is granted already, whoever can still stop it. Write to
that reader's interest and fear, in their words: a bank reads debt service and security, a council reads voters and
liability, a funder reads numbers reached per unit of money, partners read their own months and savings.

Headline: what changes, for whom, by when, for how much, in one line without adjectives. What changes for whom. Why
now: what gets worse or dearer by waiting, dated. Why us: what these people and this design have that others lack; the
chosen scenario and what it gives up. What it costs and from whom. What comes back, measured how and when, with the
success figures of the plan. Two to five objections of exactly this reader, each answered from the plan with a figure
or an admission. The ask: one act with an amount or a paper and a date. The next step that commits nobody yet.
Nothing that is not in the plan; no promise that the plan marks as assumed without saying so.
"""


#: What changes, what it costs, who pays and on which condition, who can say no.
READS = of_plan(6000, GOAL, MEASURES, AMOUNTS, FUNDING, PARTIES)


async def draft(desk: Desk) -> Pitch:
    """One call, from the plan and the chosen scenario."""
    plan, scenarios = desk.read("project_plan", ProjectPlan), desk.read("scenarios", Scenarios)
    pitch = await desk.ask(
        "pitch",
        INSTRUCTIONS,
        (*desk.excerpts(FRAME, READS), desk.excerpt(chosen_scenario(desk, 2600))),
        PitchAnswer,
        lambda: outline(desk.brief, plan, scenarios),
    )
    return Pitch(pitch=pitch)


def markdown(result: Pitch) -> str:
    """Return the page."""
    pitch = result.pitch
    parts = [
        "# Pitch",
        f"For: {pitch.reader}",
        f"**{pitch.headline}**",
        f"**What changes.** {pitch.change}",
        f"**Why now.** {pitch.why_now}",
        f"**Why us.** {pitch.why_us}",
        f"**What it costs.** {pitch.costs}",
        f"**What comes back.** {pitch.returns}",
        table(("You will object", "The plan answers"), ((o.objection, o.answer) for o in pitch.objections)),
        f"**We ask.** {pitch.ask}",
        f"**Next step.** {pitch.next_step} ({pitch.next_role}, {day_text(pitch.next_by)})",
    ]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=20,
    name="pitch",
    title="Pitch",
    needs=("scenarios", "project_plan"),
    version=5,
    result=Pitch,
    draft=draft,
    markdown=markdown,
)
