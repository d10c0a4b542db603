"""What questions are answered from, and the two ways to answer: from the plan, or that it does not say."""

from dataclasses import dataclass

from planloom.domain.wording import day_text
from planloom.facts.quoting import lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day
from planloom.stages.data_collection import DataCollection
from planloom.stages.governance import Governance
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.questions_answer import QuestionRow
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.team import Team

SETTLED_WITHIN = 10


@dataclass(frozen=True)
class Sources:
    """The parts of the plan that questions are answered from."""

    brief: Brief
    plan: ProjectPlan
    schedule: Schedule
    governance: Governance
    team: Team
    data: DataCollection


def asked(question: str, answer: str, place: str) -> QuestionRow:
    """Return a question that the plan answers in the section *place*; both texts begin with a capital."""
    return fitted(QuestionRow, question=_capital(question), answer=_capital(answer), place=place)


def unsaid(s: Sources, question: str, follows: str, settles: str) -> QuestionRow:
    """Return a question that the plan does not answer: what *follows*, and what the lead *settles* by when."""
    by = day_text(due_day(s.brief, SETTLED_WITHIN))
    return fitted(
        QuestionRow,
        question=_capital(question),
        answer=f"The plan does not say. {follows}",
        place="Project Plan",
        said=False,
        action=f"By {by}, {lower_first(s.brief.role_title('lead'))}: {settles}.",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
