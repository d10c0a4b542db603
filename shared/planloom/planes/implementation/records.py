"""Implementation plans as the registry keeps them: the view of each, its revisions, its comments."""

import hashlib
import json
from collections import Counter
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from planloom.core.frozen import Frozen

StepStatus = Literal["todo", "doing", "blocked", "done"]
PlanType = Literal["feature", "refactor", "bugfix", "migration", "security", "performance", "chore"]
ChangeOp = Literal["add", "remove", "replace", "move"]

#: What a revision lists of its changes; the rest is in the difference of the two.
MOST_LISTED = 50
_EXCERPT = 200


class Touched(Frozen):
    """A place that a revision changed; *path*: JSON Pointer into the plan, for what was removed into the one before."""

    path: str
    op: ChangeOp
    step_id: str | None = None


class Revision(Frozen):
    """One revision of a plan, without the plan."""

    number: int = Field(ge=1)
    created_at: datetime
    author: str = Field(description="Account that saved it")
    note: str | None = None
    changes: tuple[Touched, ...] = Field(default=(), description="The first of them")
    change_count: int = 0
    sha256: str = Field(description="Of the plan in canonical JSON")
    source: dict[str, Any] | None = Field(default=None, description="As the caller sent it: mdHash, origin")
    schema_version: str


class RevisionDocument(Frozen):
    """One revision as the bucket keeps it: the truth, from which all else can be rebuilt."""

    plan_id: str
    account: str
    made_from: str | None = Field(default=None, description="The strategic plan that the plan was made from")
    revision: Revision
    plan: dict[str, Any]


class ImplementationPlan(Frozen):
    """The view of a plan: what lists and checks need, from one read of the table."""

    plan_id: str
    account: str
    title: str
    goal_excerpt: str
    plan_type: PlanType
    repo: str
    revision: int = Field(ge=1, description="The current one")
    created_at: datetime
    updated_at: datetime
    step_count: int
    status_counts: dict[StepStatus, int]
    made_from: str | None = Field(default=None, description="The strategic plan that it was made from")

    @property
    def status(self) -> StepStatus:
        """State of the plan: blocked if a step is, done if all are, doing once one is or was, else todo."""
        if self.status_counts.get("blocked"):
            return "blocked"
        if self.status_counts.get("done", 0) == self.step_count:
            return "done"
        return "doing" if self.status_counts.get("doing") or self.status_counts.get("done") else "todo"


class Comment(Frozen):
    """A remark on a plan or on one of its steps."""

    comment_id: str
    step_id: str | None = None
    text: str
    author: str = Field(description="Account that wrote it")
    created_at: datetime
    revision: int = Field(description="The plan's revision when it was written")


def view_of(document: RevisionDocument, created_at: datetime) -> ImplementationPlan:
    """Return the view of a plan whose current revision is *document*; *created_at* is when its first was saved."""
    plan = document.plan
    return ImplementationPlan(
        plan_id=document.plan_id,
        account=document.account,
        title=plan["title"],
        goal_excerpt=" ".join(plan["goal"].split())[:_EXCERPT],
        plan_type=plan["planType"],
        repo=plan["context"]["repo"],
        revision=document.revision.number,
        created_at=created_at,
        updated_at=document.revision.created_at,
        step_count=len(plan["steps"]),
        status_counts=dict(Counter(step["ui"]["status"] for step in plan["steps"])),
        made_from=document.made_from,
    )


def plan_sha256(plan: dict[str, Any]) -> str:
    """Return the SHA-256, in hex, of *plan* as JSON with sorted keys and without white space."""
    text = json.dumps(plan, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
