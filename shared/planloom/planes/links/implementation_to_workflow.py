"""A workflow draft from an implementation plan: steps as nodes, verification as checks, rollback as failure policy.

A node has the id of its step (``S3``). Steps that are done are left out. What a step's executor submits says of each
verification whether it passed; the checks of the node look at that.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.document.schema import Document
from planloom.planes.links.drafted import Drafted
from planloom.planes.workflows.draft import (
    CompletionCheck,
    Deliverable,
    Edge,
    FailureRule,
    Node,
    Owner,
    RetryPolicy,
    WorkflowPlanDraft,
)

#: Role of the agent that carries out steps without a lane.
ROLE = "developer"
#: What a rollback of each type asks for.
ROLLBACKS: Mapping[str, str] = {
    "revert_commit_strategy": "Revert the commits of this step",
    "feature_flag_disable": "Disable the feature flag of this step",
}
#: Causes after which a step's changes may be half made.
UNDONE = ("check_failed", "executor_failed", "executor_lost", "timeout")


def workflow_of(plan: Document, role: str = ROLE) -> Drafted:
    """Return a draft of the steps that are not done; *plan* is valid. Raises InvalidArgument where all are done."""
    steps = [step for step in plan["steps"] if step["ui"]["status"] != "done"]
    if not steps:
        raise InvalidArgument("All steps of the plan are done. There is nothing left to execute.", field="plan_id")
    before = _open_needs(plan)
    ids = {step["id"] for step in steps}
    edges = [
        Edge(id=f"{need}-to-{step['id']}", source=need, target=step["id"])
        for step in steps
        for need in before[step["id"]]
    ]
    schemas = {f"result-{step['id']}": _schema(step) for step in steps}
    draft = WorkflowPlanDraft(
        title=plan["title"],
        objective=plan["goal"],
        schemas=schemas,
        nodes=tuple(_node(plan, step, role) for step in steps),
        edges=tuple(edges),
        entry_node_ids=tuple(step["id"] for step in steps if not before[step["id"]]),
    )
    done = len(plan["steps"]) - len(steps)
    notes = (f"{done} steps are done and left out.",) if done else ()
    return Drafted(draft, {name: name for name in sorted(ids)}, notes)


def _open_needs(plan: Document) -> dict[str, list[str]]:
    """Return by step the steps that it waits for and that are not done; those behind a done one were done before it."""
    done = {step["id"] for step in plan["steps"] if step["ui"]["status"] == "done"}
    return {step["id"]: [need for need in step["dependsOn"] if need not in done] for step in plan["steps"]}


def _node(plan: Document, step: Document, role: str) -> Node:
    verification = list(enumerate(step["verification"], 1))
    return Node(
        id=step["id"],
        type="action",
        label=step["title"],
        owner=Owner(executor_type="agent", ref=(step["ui"].get("lane") or role)[:200]),
        objective=step["intent"],
        instructions="\n".join(_instructions(plan, step)),
        output_schema_ref=f"result-{step['id']}",
        deliverables=tuple(_deliverables(step)),
        success_criteria=tuple(_verified(each) for _, each in verification),
        completion_checks=(
            CompletionCheck(type="schema", description="The result has its form", config={}),
            *(
                CompletionCheck(
                    type="expression",
                    description=_verified(each),
                    config={"expression": f"output.verification.v{number} = true"},
                )
                for number, each in verification
            ),
        ),
        retry_policy=RetryPolicy(max_attempts=1, retry_on=("check_failed", "schema_validation_failed")),
        failure_policy=tuple(_rollback(step)),
    )


def _schema(step: Document) -> dict[str, Any]:
    """Return the schema of a step's result: a summary, and whether each verification passed."""
    checks = {f"v{number}": {"type": "boolean", "required": True} for number, _ in enumerate(step["verification"], 1)}
    properties: dict[str, Any] = {"summary": {"type": "string", "required": True}}
    if checks:
        properties["verification"] = {"type": "object", "required": True, "properties": checks}
    return {"type": "object", "properties": properties}


def _instructions(plan: Document, step: Document) -> Iterator[str]:
    context = plan["context"]
    yield f"Repository {context['repo']} at {context['ref']} ({', '.join(context['stack'])})."
    for number, action in enumerate(step["actions"], 1):
        rest = {name: value for name, value in action.items() if name != "type"}
        yield f"{number}. {action['type'].replace('_', ' ')}: {json.dumps(rest, ensure_ascii=False)}"
    for target in step.get("targets", ()):
        yield f"Target: {target['type']} {target['value']}"
    if step["verification"]:
        yield "Submit structuredOutput with summary, and with verification: whether each of these passed."
    for number, each in enumerate(step["verification"], 1):
        yield f"v{number}: {_verified(each)}"
    if step.get("notes"):
        yield f"Notes: {step['notes']}"


def _verified(verification: Document) -> str:
    if verification["type"] == "add_test":
        return f"The {verification['kind']} test {verification['path']} exists and passes"
    end = "succeeds" if verification["expect"] == "success" else "fails"
    return f"`{verification['command']}` {end}"


def _deliverables(step: Document) -> Iterator[Deliverable]:
    seen = set()
    for output in step.get("outputs", ()):
        if output["type"] == "artifact" and output["value"] and output["value"] not in seen:
            seen.add(output["value"])
            yield Deliverable(
                name=output["value"][:200],
                kind=(output.get("kind") or "artifact")[:200],
                description=output.get("ref", ""),
            )


def _rollback(step: Document) -> Iterator[FailureRule]:
    texts = []
    for each in step.get("rollback", ()):
        note = f": {each['note']}" if each.get("note") else ""
        texts.append(f"{ROLLBACKS[each['type']]}{note}")
    if texts:
        for cause in UNDONE:
            yield FailureRule(on=cause, action="block", note=f"Roll back before you resume. {'. '.join(texts)}.")
