"""The sections that the review sets against each other."""

from dataclasses import dataclass

from planloom.domain.claims import Register
from planloom.domain.wording import day_text
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day
from planloom.stages.data_collection import DataCollection
from planloom.stages.parts.computed_gates import phase_end_text
from planloom.stages.parts.documents_answer import Documents
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.review_answer import FindingRow
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.team import Team
from planloom.stages.wbs import Wbs

#: What is found should be settled within so many working days of the start.
SETTLED_WITHIN = 10


@dataclass(frozen=True)
class Reviewed:
    """The sections, and who answers for what is found in them by when."""

    brief: Brief
    register: Register
    plan: ProjectPlan
    schedule: Schedule
    wbs: Wbs
    team: Team
    data: DataCollection
    documents: Documents

    @property
    def lead(self) -> str:
        """The title of the role that answers for the whole."""
        return self.brief.role_title("lead")

    @property
    def finance(self) -> str:
        """The title of the role that answers for the money."""
        return self.brief.role_title("finance")

    @property
    def soon(self) -> str:
        """The day by which what is found should be settled."""
        return day_text(due_day(self.brief, SETTLED_WITHIN))

    def finding(
        self, *, kind: str, weight: tuple[int, int], role: str | None = None, by: str | None = None, **said: str
    ) -> FindingRow:
        """Return a finding of *weight* (severity, likelihood); the lead settles it soon where nobody else does."""
        severity, likelihood = weight
        return fitted(
            FindingRow,
            kind=kind,
            severity=severity,
            likelihood=likelihood,
            role=role or self.lead,
            by=by or self.soon,
            **said,
        )

    def gate(self, phase_id: str) -> str:
        """The end of a phase with its computed day."""
        return phase_end_text(self.brief, self.schedule, phase_id)
