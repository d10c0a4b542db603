"""The example that getPlanDraftFormat returns, and what its fields mean where the schema does not say it."""

from typing import Any

NOTES = (
    "schemas: required: true is written in each property, not as a list in the object.",
    "owner: agents and users by role or name; a plugin is server/tool of your tool servers, or graph/ID.",
    "edges: an empty map passes every field of the result on; map {field: path} picks fields. Edges of a decision "
    "have when, an expression over input, output and outputs.<node>; the edge without when is taken if no other is.",
    "A loop needs maxIterations on the node that its edge leads back to.",
    "retryPolicy.maxAttempts counts retries after the first attempt, for the causes in retryOn; then failurePolicy "
    "says what happens: retry, replan, skip, block, fail or escalate. Without a rule the node is blocked.",
    "A human-approval shows its approvers the input of the node and the artifacts before it, pinned by a hash.",
)

EXAMPLE: dict[str, Any] = {
    "title": "Publish a release note",
    "objective": "Write a release note, have it approved, and publish it",
    "schemas": {
        "note": {
            "type": "object",
            "required": True,
            "properties": {
                "headline": {"type": "string", "required": True, "maxLength": 120},
                "words": {"type": "integer", "required": True},
            },
        }
    },
    "nodes": [
        {
            "id": "write",
            "type": "action",
            "label": "Write the note",
            "owner": {"executorType": "agent", "ref": "writer"},
            "objective": "Write the release note",
            "instructions": "Name what changed and whom it concerns.",
            "outputSchemaRef": "note",
            "deliverables": [{"name": "release-note", "kind": "markdown", "required": True}],
            "successCriteria": ["A customer understands it"],
            "completionChecks": [
                {
                    "type": "expression",
                    "description": "Not longer than 300 words",
                    "config": {"expression": "output.words <= 300"},
                    "blocking": True,
                }
            ],
            "retryPolicy": {"maxAttempts": 2, "retryOn": ["schema_validation_failed", "check_failed"]},
        },
        {
            "id": "approve",
            "type": "human-approval",
            "label": "Approve the note",
            "owner": {"executorType": "user", "ref": "editor"},
            "timeoutMs": 259_200_000,
            "failurePolicy": [{"on": "human_rejected", "action": "replan"}],
        },
        {
            "id": "publish",
            "type": "action",
            "label": "Publish the note",
            "owner": {"executorType": "agent", "ref": "publisher"},
            "objective": "Publish the approved note",
        },
    ],
    "edges": [
        {"id": "to-approval", "source": "write", "target": "approve", "map": {}},
        {"id": "to-publication", "source": "approve", "target": "publish", "map": {"note": "approved"}},
    ],
    "entryNodeIds": ["write"],
}
