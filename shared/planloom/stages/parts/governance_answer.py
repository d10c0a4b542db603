"""What stage 012 asks for and what it makes: bodies, audit, set-up, escalation, monitoring, gaps."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class BodyRow(Answer):
    """A body or single decider."""

    title: str = Field(min_length=3, max_length=160)
    decides: str = Field(min_length=5, max_length=400, description="Decision rights: what it may decide alone")
    members: str = Field(min_length=2, max_length=300, description="Roles, never names of people")
    cadence: str = Field(min_length=3, max_length=160)
    quorum: str = Field(min_length=3, max_length=200)
    limit: str = Field(min_length=2, max_length=200, description="Up to which money or days it may decide")
    basis: str = Field(min_length=3, max_length=300, description="From the goal, or assumed and to verify with whom")


class BodiesAnswer(Answer):
    """First call: the bodies."""

    bodies: list[BodyRow] = Field(min_length=1, max_length=6)
    record: str = Field(min_length=10, max_length=400, description="How a decision is written down and found again")


class AuditRow(Answer):
    """Something that is checked by somebody who does not answer for it."""

    what: str = Field(min_length=5, max_length=300)
    evidence: str = Field(min_length=3, max_length=300, description="What the checker looks at")
    role: str = Field(min_length=2, max_length=120, description="Who checks; not the one who answers for it")
    when: str = Field(min_length=2, max_length=120)
    on_finding: str = Field(min_length=5, max_length=300)


class AuditAnswer(Answer):
    """What is audited."""

    audits: list[AuditRow] = Field(min_length=2, max_length=10)


class SetupRow(Answer):
    """One step in setting the governance up."""

    action: str = Field(min_length=5, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240)


class SetupAnswer(Answer):
    """The set-up plan."""

    steps: list[SetupRow] = Field(min_length=3, max_length=12)


class EscalationRow(Answer):
    """When a matter leaves one desk for the next."""

    matter: str = Field(min_length=5, max_length=300)
    limit: str = Field(min_length=2, max_length=200, description="Money, days or event at which it goes up")
    from_role: str = Field(min_length=2, max_length=120)
    to: str = Field(min_length=2, max_length=160)
    within: str = Field(min_length=2, max_length=200, description="Working days to the decision")
    meanwhile: str = Field(min_length=5, max_length=300, description="What goes on and what stops until then")


class EscalationAnswer(Answer):
    """The ladder."""

    rows: list[EscalationRow] = Field(min_length=2, max_length=12)


class IndicatorRow(Answer):
    """A figure that is watched, and at which value somebody acts."""

    indicator: str = Field(min_length=3, max_length=300)
    source: str = Field(min_length=3, max_length=200)
    frequency: str = Field(min_length=2, max_length=80)
    threshold: str = Field(min_length=2, max_length=240, description="Value at which somebody acts")
    action: str = Field(min_length=5, max_length=300)
    role: str = Field(min_length=2, max_length=80)


class MonitoringAnswer(Answer):
    """What is watched."""

    indicators: list[IndicatorRow] = Field(min_length=3, max_length=12)


class GapRow(Answer):
    """What the arrangement does not settle yet."""

    gap: str = Field(min_length=5, max_length=300)
    consequence: str = Field(min_length=5, max_length=300)
    action: str = Field(min_length=5, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240)


class GapsAnswer(Answer):
    """What is missing."""

    gaps: list[GapRow] = Field(min_length=1, max_length=8)


class Governance(StageResult):
    """Stage 012's result."""

    bodies: BodiesAnswer
    audit: AuditAnswer
    setup: SetupAnswer
    escalation: EscalationAnswer
    monitoring: MonitoringAnswer
    gaps: GapsAnswer
