"""The plan as the self-audit reads it: results and texts, and how a fix is worded."""

from collections.abc import Mapping
from dataclasses import dataclass

from planloom.domain.wording import day_text
from planloom.facts.quoting import lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day
from planloom.stages.governance import Governance
from planloom.stages.parts.computed_gates import phase_end_text
from planloom.stages.parts.review_answer import ReviewPlan
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.team import Team
from planloom.stages.wbs import Wbs

#: What the audit finds should be mended within so many working days of the start.
MENDED_WITHIN = 15


@dataclass(frozen=True)
class Audited:
    """The plan, as results and as texts."""

    brief: Brief
    plan: ProjectPlan
    schedule: Schedule
    wbs: Wbs
    team: Team
    governance: Governance
    review: ReviewPlan
    premortem: Premortem
    texts: Mapping[str, str]
    titles: Mapping[str, str]

    def fix(self, action: str, role: str | None = None) -> str:
        """Return *action* with who does it and by when."""
        who = role or self.brief.role_title("lead")
        return f"By {day_text(due_day(self.brief, MENDED_WITHIN))}, {lower_first(who)}: {action}."

    def gate(self, phase_id: str) -> str:
        """The end of a phase with its computed day."""
        return phase_end_text(self.brief, self.schedule, phase_id)
