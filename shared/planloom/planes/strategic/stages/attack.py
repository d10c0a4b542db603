"""Stage 016: critics chosen for this goal attack the plan in parallel; beside them the premortem is written."""

import asyncio
from collections.abc import Iterable, Mapping

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.digests import row_digests
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages import premortem
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.findings_shown import SEVERITIES, by_severity, counted, known_text
from planloom.planes.strategic.stages.missing import computed
from planloom.planes.strategic.stages.repair import computed_of
from planloom.planes.strategic.stages.results import CriticFinding, Criticism, Repaired
from planloom.planes.strategic.stages.shown import PLAN_SHOWN, repair_said, whole_plan
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets, table

#: The largest number of findings of each critic.
MOST = 4

CRITICS = f"""\
Choose the critics of this plan: four to six people who would see what its author could not.

{PLAN_SHOWN}
- Two or three of them practise the trades on which this goal depends, each one who has seen such a thing fail. The
  others look at it as the one who gives or lends the money, the authority that must agree, those who would rather stop
  it, the one who begins on the first morning with nothing but this plan, those who have to operate it every day after
  the opening, those who live or work beside it and never asked for it, an auditor: one critic may stand for two of
  these, and what this goal does not have is left out.
- who: field and standing, never a name: "retired licensing officer of a listed quarter", not "a consultant".
- because: the part of this plan that only this critic can judge, with ids or figures of the plan.
- question: the one question that this critic asks first, so precise that the plan as it is answers it wrongly or not.
No two critics see the same thing.
"""

CRITIC = f"""\
You are the one critic whom the last of the material above names; leave to the others what they ask. Attack this plan
from your field: at most four findings, the costliest first. Fewer, if you have fewer; none that another project could
be given as well, and none that would change nothing of substance. The author weighs each of them: you advise, and
change nothing yourself. Figures are quoted from the document or the tables.

{PLAN_SHOWN}
Look for: what cannot be done physically, legally or by custom as it is planned; who falls between two responsibilities;
what is used before it is allowed; a rule of your field that the plan does not know; capacities at the worst hour; what
costs money or days and appears nowhere; what those concerned do instead of what the plan expects; a figure that nobody
of your field would believe, and the one they would; two places of the document that do not agree.
For each finding:
- ids: the rows that it is about. place: where it is, with the words or figures quoted from there.
- text: what is wrong there and how you know, in two or three sentences; a rule, price or practice that you name and do
  not know for certain is marked "to verify" with how. consequence: in money, days or people, with figures of the plan.
- severity: high if it can end the undertaking or break a demand of the goal; medium if it costs more than the
  contingency of its line or the slack of its package, or if a reader would be misled; low otherwise, and then it is
  left out.
- advice: the smallest change that repairs it: what the plan does instead, by whom, by when, and how one sees it. Put
  something right, earlier, smaller or away before you add anything: each task, rule and reserve more is read, paid and
  minded by somebody. Keep the concept of the plan where it can be kept; advice that would replace it begins by saying
  so, and what the plan would be then.
- price: what following the advice costs: the amount and the days, what moves with them, and for whom; and what pays
  for it where your field knows: a line that gets smaller, work that is left out. The contingency is one sum for all
  risks of the plan and all critics, and counts as spent: where nothing else pays, say so, and the author chooses.
  Advice that costs more than the consequence is not given.
No praise, no "consider", no advice to study something without who, by when and what follows from each result.
"""

NO_MODEL = """\
# Expert criticism

Critics chosen for this goal belong here: its trades, financier, authority, opponent, operator, neighbours and auditor.
Each gives findings with the place in the plan, the consequence and the change that they propose.
"""


class Critic(Answer):
    """Somebody who criticises the plan."""

    who: str = Field(min_length=3, max_length=160, description="Field and standing, never a name")
    because: str = Field(default="", max_length=300, description="What only this critic can judge in this plan")
    question: str = Field(default="", max_length=300, description="What this critic asks first")


class Critics(Answer):
    """The critics of this plan."""

    critics: list[Critic] = Field(min_length=1, max_length=6)


class FindingAnswer(Answer):
    """One finding of a critic."""

    ids: list[str] = Field(default_factory=list, max_length=12, description="Rows that it is about: P12, L3")
    place: str = Field(default="", max_length=400, description="Where, with the words or figures quoted")
    text: str = Field(min_length=10, max_length=800)
    consequence: str = Field(default="", max_length=500)
    severity: Severity
    advice: str = Field(default="", max_length=600)
    price: str = Field(default="", max_length=400, description="What the advice costs, in money and days")


class Findings(Answer):
    """What one critic finds."""

    findings: list[FindingAnswer] = Field(default_factory=list, max_length=MOST)


#: The critics if the model names none.
USUAL = tuple(
    Critic(who=who)
    for who in (
        "somebody who has built and run such an undertaking and seen one fail",
        "the financier",
        "the official of the authority that must agree",
        "the strongest opponent",
        "those who operate it every day",
        "those who live or work beside it",
        "an auditor",
    )
)


async def draft(context: StageContext) -> Criticism:
    """Ask for the critics, then each of them in parallel; the premortem is asked for beside both."""
    if context.about.outline_only:
        return Criticism()
    repaired = context.read("repair", Repaired)
    spine = repaired.spine
    shared = (*whole_plan(context, spine, computed_of(context, spine)), *repair_said(repaired), _left(repaired))
    rows = row_digests(spine)
    criticism, stories = await asyncio.gather(
        _criticism(context, spine, shared, rows),
        premortem.stories(context, shared, rows),
    )
    critics, findings = criticism
    return context.with_missing(
        Criticism(
            critics=tuple(f"{critic.who}: {critic.because}" if critic.because else critic.who for critic in critics),
            findings=numbered(by_severity(findings)),
            stories=stories,
        )
    )


def _left(repaired: Repaired) -> Part:
    return Part("what programs find in the tables now; the author knows it", known_text(repaired.after), by_id=True)


async def _criticism(
    context: StageContext, spine: Spine, shared: tuple[Part, ...], rows: Mapping[str, str]
) -> tuple[tuple[Critic, ...], list[CriticFinding]]:
    """Return the critics, and what those found whose answers were not lost."""
    chosen = await context.ask_part("critics", CRITICS, shared, Critics, rows=rows)
    if chosen is None:
        context.lost["critics"] = computed("the choice of critics")
    critics = tuple(chosen.critics) if chosen else USUAL
    everybody = Part("the critics of this plan", bullets(f"{critic.who}: {critic.question}" for critic in critics))
    answers = await asyncio.gather(
        *(
            context.ask_part(
                f"critic-{number}",
                CRITIC,
                (*shared, everybody, Part("the critic that you are", _shown(critic))),
                Findings,
                rows=rows,
                part=f"the criticism by {critic.who}",
            )
            for number, critic in enumerate(critics, 1)
        )
    )
    known = {"frame", *spine.by_id()}
    given = zip(critics, answers, strict=True)
    return critics, [_of(critic, found, known) for critic, answer in given if answer for found in answer.findings]


def _shown(critic: Critic) -> str:
    lines = (critic.who, critic.because and f"You judge: {critic.because}", critic.question and f"{critic.question}")
    return "\n".join(filter(None, lines))


def _of(critic: Critic, found: FindingAnswer, known: set[str]) -> CriticFinding:
    """Return *found* as a finding without its number, on rows that are there."""
    fields = found.model_dump(exclude={"ids"})
    written = (id_.strip().partition(".")[0] for id_ in found.ids)
    ids = tuple(dict.fromkeys(id_ for id_ in written if id_ in known))
    return CriticFinding(id="", critic=critic.who, ids=ids, **fields)


def numbered(found: Iterable[CriticFinding], after: int = 0) -> tuple[CriticFinding, ...]:
    """Return *found* with the ids E and the numbers from *after* + 1."""
    return tuple(finding.model_copy(update={"id": f"E{n}"}) for n, finding in enumerate(found, after + 1))


def pages(result: Criticism) -> Mapping[str, str]:
    """Return the findings, the severe ones first, and the premortem with its tripwires first."""
    if not (result.critics or result.findings or result.stories or result.missing):
        return {"expert_criticism": NO_MODEL, "premortem": premortem.NO_MODEL}
    return {"expert_criticism": _page(result), "premortem": premortem.page(result.stories)}


def _page(result: Criticism) -> str:
    parts = ["# Expert criticism", f"{len(result.critics)} critics, {counted(result.findings)}."]
    parts += [bullets(result.critics), "The author's decision on each finding is in the review."]
    for severity in SEVERITIES:
        rows = (
            (f.id, f.critic, ", ".join(f.ids), f.place, f.text, f.consequence, f.advice, f.price)
            for f in result.findings
            if f.severity == severity
        )
        shown = table(("Id", "Critic", "Rows", "Place", "Finding", "Consequence", "Advice", "Price"), rows)
        parts += [f"## {severity.capitalize()}", shown] if shown else []
    return "\n\n".join(part.rstrip() for part in parts if part)


STAGE = Stage(
    number=16,
    name="expert_criticism",
    title="Expert criticism",
    needs=("start", "choice", "repair"),
    version=35,
    result=Criticism,
    draft=draft,
    pages=pages,
    sections=(Section("expert_criticism", "Expert criticism"), Section("premortem", "Premortem", 3)),
)
