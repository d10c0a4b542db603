"""The compiled specification of a workflow: immutable, with what the executor looks up for every fact."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from planloom.core.step_graph import StepGraph
from planloom.planes.workflows.draft import Edge, Node, WorkflowPlanDraft
from planloom.planes.workflows.schemas import to_json_schema

#: Types without a submission: the executor itself completes them. A decision of an agent or a user is submitted.
AUTOMATIC = frozenset({"join", "wait", "subworkflow"})


@dataclass(frozen=True, eq=False)
class Spec:
    """A compiled draft. ``loops`` are the ids of edges that lead back to a node with maxIterations."""

    draft: WorkflowPlanDraft
    loops: frozenset[str] = frozenset()
    _validators: dict[str, Draft202012Validator] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes by id, in written order."""
        return {node.id: node for node in self.draft.nodes}

    @cached_property
    def incoming(self) -> Mapping[str, Sequence[Edge]]:
        """The edges into each node that lead forward."""
        return self._edges("target", loops=False)

    @cached_property
    def outgoing(self) -> Mapping[str, Sequence[Edge]]:
        """All edges out of each node."""
        return self._edges("source", loops=True)

    def _edges(self, end: str, *, loops: bool) -> dict[str, list[Edge]]:
        found: dict[str, list[Edge]] = {node.id: [] for node in self.draft.nodes}
        for edge in self.draft.edges:
            if loops or edge.id not in self.loops:
                found[getattr(edge, end)].append(edge)
        return found

    def after(self, node: str) -> set[str]:
        """Return *node* and all nodes that are reached from it by edges that lead forward."""
        found, todo = {node}, [node]
        while todo:
            for edge in self.outgoing[todo.pop()]:
                if edge.id not in self.loops and edge.target not in found:
                    found.add(edge.target)
                    todo.append(edge.target)
        return found

    def batches(self) -> list[tuple[str, ...]]:
        """Return the nodes in batches that can run at the same time, without the edges that lead back."""
        needs = ((node, (edge.source for edge in edges)) for node, edges in self.incoming.items())
        return StepGraph.of(needs).batches()

    def validator(self, schema: str) -> Draft202012Validator:
        """Return the validator of a schema of the draft."""
        if schema not in self._validators:
            self._validators[schema] = Draft202012Validator(to_json_schema(self.draft.schemas[schema]))
        return self._validators[schema]

    @cached_property
    def sha256(self) -> str:
        """Hash of the whole draft."""
        return _hash(self.draft.model_dump(mode="json", exclude_defaults=True))

    def contract_hash(self, node: str) -> str:
        """Hash of what decides whether work on *node* in another specification is equal."""
        found = self.nodes[node]
        schemas = {ref: self.draft.schemas.get(ref) for ref in (found.input_schema_ref, found.output_schema_ref) if ref}
        edges = sorted((edge.source, sorted(edge.map.items()), edge.when or "") for edge in self.incoming[node])
        return _hash([found.model_dump(mode="json", exclude_defaults=True), schemas, edges])


def is_system(node: Node) -> bool:
    """Return whether the executor itself completes *node*."""
    return node.type in AUTOMATIC or (node.type == "decision" and node.owner.executor_type == "system")


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
