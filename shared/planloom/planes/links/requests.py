"""Requests of the endpoints of links."""

from typing import Annotated, Literal

from pydantic import Field

from planloom.core.endpoint import ApiModel, CamelModel
from planloom.planes.links.implementation_to_workflow import ROLE
from planloom.planes.links.link import Linked

Id = Annotated[str, Field(min_length=1, max_length=200, description="Id of the plan, graph or run")]
PlanId = Annotated[str, Field(max_length=100, description="Id of the plan")]
Start = Annotated[bool, Field(description="Start a run of the draft and link it with the plan; else only draft")]
Workstream = Annotated[
    str | None,
    Field(
        max_length=100,
        # names with dots are those of subworkflows
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]*$",
        description="Workstream of the run; the account's default by default",
    ),
]
Step = Annotated[str, Field(min_length=1, max_length=64)]


class ListLinks(ApiModel):
    """Of what."""

    plane: Linked = Field(description="Plane of it")
    id: Id


class EndRequest(ApiModel):
    """One end of a link."""

    plane: Linked = Field(description="Plane of it")
    id: Id


class AddLink(ApiModel):
    """What was made from what."""

    source: EndRequest = Field(description="What it was made from")
    target: EndRequest = Field(description="What was made from it")
    # at both ends together it must fit into an item of the table
    steps: dict[Step, Step] = Field(
        default_factory=dict, max_length=2_000, description="By node or step of the target, that of the source"
    )


class WorkflowOfPlan(CamelModel):
    """Which strategic plan, and who carries out its packages; plan_id is called as in its own interface."""

    plan_id: PlanId = Field(alias="plan_id")
    executor: Literal["user", "agent"] = Field(
        default="user", description="Whether roles are people or agents; people decide in any case"
    )
    start: Start = False
    workstream_id: Workstream = None


class WorkflowOfImplementationPlan(CamelModel):
    """Which implementation plan, and which role carries out steps without a lane."""

    plan_id: PlanId
    role: str = Field(default=ROLE, min_length=1, max_length=200, description="Agent of steps without a lane")
    start: Start = False
    workstream_id: Workstream = None


class GraphOfImplementationPlan(ApiModel):
    """Which implementation plan."""

    plan_id: PlanId
    create: bool = Field(default=False, description="Store the graph and link it with the plan; else only draft")
