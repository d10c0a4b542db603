"""Stage 027: the questions of sceptical readers, answered from the plan with the place, or told as a finding."""

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.data_collection import DataCollection
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.governance import Governance
from planloom.stages.lenses import Lens, parts_through
from planloom.stages.parts.plan_sections import (
    BUDGET,
    BY_PHASE,
    CHASED,
    FRAME,
    FUNDING,
    MEASURES,
    PAY,
    PERMIT_DAYS,
    PERMITS,
    SCOPE,
    TOLD,
    WAITS,
    of_plan,
)
from planloom.stages.parts.questions_answer import QuestionRow
from planloom.stages.parts.questions_outline import outline_questions
from planloom.stages.parts.questions_sources import Sources
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.schedule_sections import DAYS, PATH, VERDICT
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage, StageResult
from planloom.stages.team import Team
from planloom.stages.text import bullets

#: One call for each reader, side by side: each asks what the others would not, and sees what it asks about.
READERS = (
    Lens(
        "time",
        "the one who must tell others the date: deadline, critical path, waiting times, first weeks",
        (PATH, of_plan(2200, WAITS, PERMIT_DAYS)),
    ),
    Lens(
        "money",
        "the one who pays: total, largest lines, what they rest on, contingency, when money can be drawn",
        (of_plan(3600, BUDGET, PAY, FUNDING, BY_PHASE),),
    ),
    Lens(
        "people",
        "those who do the work: who decides, who is missing, who carries too much, who stands in",
        (
            Excerpt("team", 3200, (Pick("Team"), Pick("Review of the team", ("Kind", "Finding", "Who", "When")))),
            Excerpt("governance", 1400, (Pick("Who decides", ("Body", "Decides", "Members", "Limit")),)),
        ),
    ),
    Lens(
        "use",
        "those it is made for: what changes for them, how success is measured, what is known about them",
        (
            of_plan(3400, SCOPE, MEASURES),
            Excerpt("data_collection", 1200, (Pick("Data to Collect", ("By", "Question", "Decides")),)),
        ),
    ),
    Lens(
        "leave",
        "those whose leave is needed: permits, neighbours, law, what happens when they say no",
        (of_plan(3600, PERMITS, CHASED, TOLD),),
    ),
)

INSTRUCTIONS = """\
You read this plan as {question}. You are friendly and hard to convince. Ask the four to seven questions that you would
really ask before you agree, and answer each from the plan.

- A question names something of this plan: a date, an amount, a place, a role. "Is the budget realistic?" is none;
  "What happens to the fit-out if the loan comes after 12 March?" is one.
- answer: what the plan says, with its figures, in two to four sentences, and place: the section where it stands.
- Where the plan does not say, set said to false, write "The plan does not say", what follows from that, and in action
  who settles it by when, and how one sees that it is settled.
Avoid: questions whose answer is yes; answers that praise the plan; figures that are not in it.
"""


class QuestionsAnswer(Answer):
    """The model's answer for one reader."""

    questions: list[QuestionRow] = Field(min_length=2, max_length=9)


class QuestionsAnswers(StageResult):
    """Stage 027's result: questions by reader, in the order of ``READERS``."""

    time: tuple[QuestionRow, ...] = ()
    money: tuple[QuestionRow, ...] = ()
    people: tuple[QuestionRow, ...] = ()
    use: tuple[QuestionRow, ...] = ()
    leave: tuple[QuestionRow, ...] = ()

    @property
    def unsaid(self) -> tuple[QuestionRow, ...]:
        """The questions that the plan does not answer."""
        asked = (*self.time, *self.money, *self.people, *self.use, *self.leave)
        return tuple(row for row in asked if not row.said)


async def draft(desk: Desk) -> QuestionsAnswers:
    """One call per reader, one round."""
    sources = Sources(
        brief=desk.brief,
        plan=desk.read("project_plan", ProjectPlan),
        schedule=desk.read("schedule", Schedule),
        governance=desk.read("governance", Governance),
        team=desk.read("team", Team),
        data=desk.read("data_collection", DataCollection),
    )
    answers = await parts_through(
        desk,
        READERS,
        INSTRUCTIONS,
        desk.excerpts(FRAME, VERDICT, DAYS),
        QuestionsAnswer,
        lambda reader: QuestionsAnswer(questions=outline_questions(sources, reader)),
    )
    return QuestionsAnswers(**{name: tuple(answer.questions) for name, answer in answers.items()})


def markdown(result: QuestionsAnswers) -> str:
    """What the plan does not say first; then question and answer by reader."""
    parts = ["# Questions and Answers"]
    if result.unsaid:
        parts += ["## What the plan does not say", bullets(f"{row.question} {row.action}" for row in result.unsaid)]
    for reader in READERS:
        who = reader.question.partition(":")[0]
        parts.append(f"## {who[:1].upper()}{who[1:]}")
        rows: tuple[QuestionRow, ...] = getattr(result, reader.name)
        for row in rows:
            parts += [f"### {row.question}", f"{row.answer} *({row.place})*"]
            if row.action:
                parts.append(f"**To do:** {row.action}")
    return "\n\n".join(parts)


STAGE = Stage(
    number=27,
    name="questions_answers",
    title="Questions and Answers",
    needs=(
        "data_collection",
        "governance",
        "project_plan",
        "schedule",
        "team",
    ),
    version=6,
    result=QuestionsAnswers,
    draft=draft,
    markdown=markdown,
)
