"""Compile a draft: everything that would stop a run halfway is found before it starts."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from planloom.core.paths import parts_of
from planloom.core.problems import Problem
from planloom.planes.workflows.contracts import expression_problems, node_problems
from planloom.planes.workflows.draft import (
    MOST_BYTES,
    MOST_EDGES,
    MOST_NODES,
    MOST_SCHEMAS,
    Edge,
    Node,
    WorkflowPlanDraft,
)
from planloom.planes.workflows.found import error, nearest, one_of, warning
from planloom.planes.workflows.schemas import pointer_part, schema_problems
from planloom.planes.workflows.spec import Spec

#: Drafts may be nested so deep, and JSON values of a draft.
DEEPEST_DRAFT, DEEPEST_JSON = 3, 60
MOST_PROBLEMS = 200


def compile_draft(document: Any, *, judge: bool = False, depth: int = 1) -> tuple[Spec | None, list[Problem]]:
    """Return the specification that *document* compiles to, and what is wrong with it.

    The specification is None where a problem is an error. *judge* says whether a model is set up for checks.
    """
    problems = list(_too_large(document))
    if problems:
        return None, problems
    try:
        draft = document if isinstance(document, WorkflowPlanDraft) else WorkflowPlanDraft.model_validate(document)
    except ValidationError as misfit:
        return None, [_misfit(each) for each in misfit.errors(include_url=False)][:MOST_PROBLEMS]
    problems = list(_ids(draft))
    if any(each.severity == "error" for each in problems):
        return None, problems
    loops, cycles = _loops(draft)
    problems += cycles
    spec = Spec(draft, loops)
    for rule in (_entries, _schemas, _edges, node_problems):
        problems += rule(spec)
    if not judge:
        problems += _without_judge(spec)
    problems += _subworkflows(spec, judge, depth)
    failed = any(each.severity == "error" for each in problems)
    return None if failed else spec, problems[:MOST_PROBLEMS]


def stored_spec(document: Any) -> Spec:
    """Return the specification of a draft that compiled when it was stored: rules may have been added since."""
    draft = WorkflowPlanDraft.model_validate(document)
    return Spec(draft, _loops(draft)[0])


def _too_large(document: Any) -> Iterator[Problem]:
    if isinstance(document, WorkflowPlanDraft):
        return
    if not isinstance(document, dict):
        yield error("", "NOT_AN_OBJECT", "A draft is a JSON object with title, nodes, edges and entryNodeIds.")
        return
    level, depth = [document], 0
    while level and depth <= DEEPEST_JSON:
        depth += 1
        level = [
            each
            for value in level
            for each in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        ]
    if depth > DEEPEST_JSON:
        yield error("", "TOO_DEEP", f"The draft is nested more than {DEEPEST_JSON} deep.")
        return
    size = len(json.dumps(document, ensure_ascii=False, default=str).encode(errors="replace"))
    if size > MOST_BYTES:
        hint = "Keep instructions short and name documents instead of quoting them."
        yield error("", "TOO_LARGE", f"The draft has {size:,} bytes; at most {MOST_BYTES:,} are accepted.", hint)
    for name, most in (("nodes", MOST_NODES), ("edges", MOST_EDGES), ("schemas", MOST_SCHEMAS)):
        found = document.get(name)
        if isinstance(found, list | dict) and len(found) > most:
            yield error(f"/{name}", "TOO_MANY", f"The draft has {len(found):,} {name}; at most {most:,} are accepted.")


def _misfit(found: Mapping[str, Any]) -> Problem:
    code = {"missing": "MISSING_FIELD", "extra_forbidden": "UNKNOWN_FIELD"}.get(found["type"], "INVALID_FIELD")
    message = {"missing": "This field is missing", "extra_forbidden": "There is no such field"}.get(found["type"])
    path = "".join(f"/{pointer_part(str(part))}" for part in found["loc"])
    hint = ""
    if code == "UNKNOWN_FIELD":
        known = {
            field.alias or name
            for model in (Node, Edge, WorkflowPlanDraft)
            for name, field in model.model_fields.items()
        }
        hint = nearest(str(found["loc"][-1]), known)
    elif found["type"] == "literal_error":
        hint = one_of(str(found["input"])[:100], re.findall("'([^']*)'", found["ctx"]["expected"]))
    return error(path, code, f"{message or found['msg']}.", hint)


def _ids(draft: WorkflowPlanDraft) -> Iterator[Problem]:
    if not draft.nodes:
        yield error("/nodes", "NO_NODES", "The draft has no nodes.")
    if not draft.entry_node_ids:
        yield error("/entryNodeIds", "NO_ENTRY", "No node is named where the run starts.", "Name at least one.")
    yield from _duplicates("nodes", (node.id for node in draft.nodes))
    yield from _duplicates("edges", (edge.id for edge in draft.edges))
    ids = [node.id for node in draft.nodes]
    known = set(ids)
    for number, edge in enumerate(draft.edges):
        for end in ("source", "target"):
            name = getattr(edge, end)
            if name not in known:
                message = f"No node has the id “{name}”."
                yield error(f"/edges/{number}/{end}", "UNKNOWN_NODE", message, one_of(name, ids))
    for number, name in enumerate(draft.entry_node_ids):
        if name not in known:
            message = f"No node has the id “{name}”."
            yield error(f"/entryNodeIds/{number}", "UNKNOWN_NODE", message, one_of(name, ids))


def _duplicates(kind: str, ids: Iterable[str]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for number, name in enumerate(ids):
        if name in first:
            message = f"/{kind}/{first[name]} has the id “{name}” too."
            yield error(f"/{kind}/{number}/id", "DUPLICATE_ID", message, "Give each an id of its own.")
        first.setdefault(name, number)


def _loops(draft: WorkflowPlanDraft) -> tuple[frozenset[str], list[Problem]]:
    """Return the edges that lead back, found by a depth-first search from the entries, and loops without a bound."""
    outgoing: dict[str, list[tuple[int, Edge]]] = {node.id: [] for node in draft.nodes}
    for number, edge in enumerate(draft.edges):
        outgoing[edge.source].append((number, edge))
    bounded = {node.id for node in draft.nodes if node.max_iterations is not None}
    ended: set[str] = set()
    loops: set[str] = set()
    problems = []
    for start in (*draft.entry_node_ids, *outgoing):
        for number, edge, members in _back_edges(start, outgoing, ended):
            loops.add(edge.id)
            if edge.target not in bounded:
                problems.append(_unbounded(number, edge, members))
    return frozenset(loops), problems


def _back_edges(
    start: str, outgoing: Mapping[str, list[tuple[int, Edge]]], ended: set[str]
) -> Iterator[tuple[int, Edge, list[str]]]:
    """Yield each edge that leads back to a node on the path to it, with the loop that it closes."""
    if start in ended:
        return
    path = [start]
    stack = [iter(outgoing[start])]
    while stack:
        number, edge = next(stack[-1], (0, None))
        if edge is None:
            stack.pop()
            ended.add(path.pop())
        elif edge.target in path:
            yield number, edge, [*path[path.index(edge.target) :], edge.target]
        elif edge.target not in ended:
            path.append(edge.target)
            stack.append(iter(outgoing[edge.target]))


def _unbounded(number: int, edge: Edge, members: list[str]) -> Problem:
    shown = members if len(members) <= 10 else [*members[:5], "…", *members[-4:]]
    return error(
        f"/edges/{number}",
        "LOOP_WITHOUT_BOUND",
        f"These nodes wait for each other: {' → '.join(shown)}.",
        f"Set maxIterations on “{edge.target}”, or remove this edge.",
    )


def _entries(spec: Spec) -> Iterator[Problem]:
    reached: set[str] = set()
    for number, name in enumerate(spec.draft.entry_node_ids):
        reached |= {name} if name in reached else spec.after(name)
        if spec.incoming[name]:
            source = spec.incoming[name][0].source
            message = f"The entry “{name}” has an edge from “{source}”: it would start before that."
            hint = "Remove it from entryNodeIds, or remove the edge."
            yield error(f"/entryNodeIds/{number}", "ENTRY_HAS_SOURCE", message, hint)
    for number, node in enumerate(spec.draft.nodes):
        if node.id not in reached:
            message = f"No path leads from an entry to “{node.id}”: it would never run."
            hint = "Add an edge to it, or add it to entryNodeIds."
            yield error(f"/nodes/{number}", "UNREACHABLE_NODE", message, hint)


def _schemas(spec: Spec) -> Iterator[Problem]:
    used = set()
    for name, schema in spec.draft.schemas.items():
        yield from schema_problems(schema, f"/schemas/{pointer_part(name)}")
    for number, node in enumerate(spec.draft.nodes):
        refs = [("inputSchemaRef", node.input_schema_ref), ("outputSchemaRef", node.output_schema_ref)]
        refs += [
            (f"completionChecks/{place}/config/schemaRef", check.config.get("schemaRef"))
            for place, check in enumerate(node.completion_checks)
            if check.type == "schema"
        ]
        for place, ref in refs:
            used.add(str(ref))
            if ref is not None and ref not in spec.draft.schemas:
                message = f"The draft has no schema “{str(ref)[:100]}”."
                hint = one_of(str(ref), spec.draft.schemas) or "Add it to schemas."
                yield error(f"/nodes/{number}/{place}", "UNKNOWN_SCHEMA", message, hint)
    for name in spec.draft.schemas:
        if name not in used:
            message = f"No node uses the schema “{name}”."
            yield warning(f"/schemas/{pointer_part(name)}", "UNUSED_SCHEMA", message)


def _edges(spec: Spec) -> Iterator[Problem]:
    for number, edge in enumerate(spec.draft.edges):
        source = spec.nodes[edge.source]
        for target, path in edge.map.items():
            for text in (target, path):
                try:
                    parts_of(text)
                except ValueError as why:
                    yield error(f"/edges/{number}/map/{pointer_part(target)}", "INVALID_PATH", str(why))
        if edge.when is not None:
            if source.type != "decision":
                message = f"“{edge.source}” is no decision: its edges have no condition."
                hint = "Put a node of type decision between the two."
                yield error(f"/edges/{number}/when", "CONDITION_WITHOUT_DECISION", message, hint)
            yield from expression_problems(edge.when, f"/edges/{number}/when", spec, edge.source)
        if edge.id in spec.loops and source.type != "decision":
            message = "Nothing ends this loop but maxIterations, after which the run is blocked."
            yield warning(f"/edges/{number}", "LOOP_WITHOUT_DECISION", message, "Let a decision choose the edge.")


def _without_judge(spec: Spec) -> Iterator[Problem]:
    for number, node in enumerate(spec.draft.nodes):
        for place, check in enumerate(node.completion_checks):
            if check.type == "model-judge":
                path = f"/nodes/{number}/completionChecks/{place}"
                message = "No model is set up here, so that no model can judge."
                if check.blocking:
                    yield error(path, "NO_MODEL", message, "Set blocking to false, or use another check.")
                else:
                    yield warning(path, "NO_MODEL", f"{message} The check is left out.")


def _subworkflows(spec: Spec, judge: bool, depth: int) -> Iterator[Problem]:
    for number, node in enumerate(spec.draft.nodes):
        if node.subworkflow is None:
            continue
        path = f"/nodes/{number}/subworkflow"
        if depth >= DEEPEST_DRAFT:
            yield error(path, "TOO_DEEP", f"Drafts are nested more than {DEEPEST_DRAFT} deep.")
            continue
        _, problems = compile_draft(node.subworkflow, judge=judge, depth=depth + 1)
        yield from (each.model_copy(update={"path": path + each.path}) for each in problems)
