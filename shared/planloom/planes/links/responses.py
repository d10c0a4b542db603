"""Responses of the endpoints of links."""

from datetime import datetime
from typing import Any

from pydantic import Field

from planloom.core.endpoint import ApiModel, CamelModel
from planloom.core.problems import Problem
from planloom.planes.links.link import Link, Linked


class EndInfo(ApiModel):
    """One end of a link."""

    plane: Linked
    id: str


class LinkInfo(ApiModel):
    """That the target was made from the source."""

    source: EndInfo
    target: EndInfo
    steps: dict[str, str] = Field(description="By node or step of the target, that of the source")
    created_at: datetime


class LinkList(ApiModel):
    """Links of one thing, oldest first."""

    links: list[LinkInfo]


class WorkflowDraft(CamelModel):
    """A workflow draft."""

    draft: dict[str, Any] = Field(description="A PlanDraft: change it as you like, then call createExecutionPlan")
    steps: dict[str, str] = Field(description="By node, the step or row of the plan that it comes from")
    notes: list[str] = Field(description="What the draft could not express")
    problems: list[Problem] = Field(description="What validation found; an error prevents a run")
    run_id: str | None = Field(description="The run that was started")


class GraphDraft(ApiModel):
    """A graph."""

    graph: dict[str, Any]
    left_out: list[str] = Field(description="Steps that are done or name no tool")
    problems: list[Problem]
    graph_id: str | None = Field(description="Id of the graph that was stored")


def link_info(link: Link) -> LinkInfo:
    """Return what callers see of a link."""
    return LinkInfo(
        source=EndInfo(plane=link.source.plane, id=link.source.id),
        target=EndInfo(plane=link.target.plane, id=link.target.id),
        steps=link.steps,
        created_at=link.created_at,
    )
