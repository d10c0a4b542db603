"""What stage 014 asks for and what it makes: roles, their details, and a review of the whole team."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.parts.plan_answer import Load
from planloom.stages.stage import StageResult


class Member(Answer):
    """A role, from the posts of the project plan or added because work would have nobody."""

    id: str = Field(pattern=r"^[a-z0-9_-]{2,50}$")
    title: str = Field(min_length=2, max_length=80)
    count: int = Field(ge=1, le=500, description="Heads; as in the project plan where the post stands there")
    hire: Literal["existing", "employee", "contract", "volunteer"]
    work: str = Field(min_length=5, max_length=400, description="The work that needs it")
    without: str = Field(min_length=5, max_length=400, description="What goes wrong without it")
    load: list[Load] = Field(min_length=1, max_length=10)
    paid_from: str = Field(min_length=2, max_length=160, description="Budget line, or who pays otherwise")


class MembersAnswer(Answer):
    """First call: the roles."""

    members: list[Member] = Field(min_length=1, max_length=20)


class MemberDetail(Answer):
    """Second round, one call per role."""

    answers_for: str = Field(min_length=5, max_length=400, description="Results it answers for, with gate or date")
    must_know: str = Field(min_length=5, max_length=400, description="Skill or licence, and how it is tested")
    found: str = Field(min_length=5, max_length=400, description="How, where and until when the people are found")
    needed_by: str = Field(min_length=2, max_length=120, description="Date or gate")
    cover: str = Field(
        min_length=5, max_length=300, description="Who stands in when absent, and for how long that holds"
    )
    first_month: str = Field(min_length=5, max_length=400, description="First results, each with a check")


class Finding(Answer):
    """Third round: an overlap, a gap or a strain."""

    kind: Literal["overlap", "gap", "strain", "single point of failure"]
    text: str = Field(min_length=5, max_length=400)
    action: str = Field(min_length=5, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    when: str = Field(min_length=2, max_length=80)
    check: str = Field(min_length=5, max_length=240)


class ReviewAnswer(Answer):
    """Third round's answer."""

    findings: list[Finding] = Field(min_length=1, max_length=10)


class TeamRole(Answer):
    """A role and its details."""

    member: Member
    detail: MemberDetail


class Team(StageResult):
    """Stage 014's result."""

    roles: tuple[TeamRole, ...]
    review: ReviewAnswer
