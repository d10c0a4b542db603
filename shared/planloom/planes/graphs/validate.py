"""Check a graph document: every finding with its place, a stable code, and what to write instead."""

import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]
from pydantic import ValidationError

from planloom.core.expressions import ExpressionInvalid, parse
from planloom.core.problems import Problem
from planloom.core.step_graph import GraphHasCycle, StepGraph
from planloom.planes.graphs.document import MOST_BYTES, MOST_STEPS, Graph, Step
from planloom.planes.graphs.variables import references, variable_of
from planloom.tools.tool import Catalog, Tool

#: Deeper documents are refused before they are read.
DEEPEST = 50
#: More findings than this are not listed: the first ones cause the others.
MOST_PROBLEMS = 100
#: What for_each binds in the arguments of its step.
BOUND_BY_FOR_EACH = frozenset({"item", "index"})


def load(document: Any) -> tuple[Graph | None, list[Problem]]:
    """Return the graph that *document* (parsed JSON) is, None where its shape is wrong, and what is wrong with it."""
    if problems := list(_too_large(document)):
        return None, problems
    try:
        graph = Graph.model_validate(document)
    except ValidationError as error:
        return None, [_misfit(each) for each in error.errors(include_url=False)[:MOST_PROBLEMS]]
    return graph, []


def validate(document: Any, catalog: Catalog | None = None, given: Iterable[str] = ()) -> list[Problem]:
    """Return what is wrong with *document*, errors first, at most MOST_PROBLEMS.

    *catalog* are the tools that it may call: without it tools and arguments are not checked. *given* are the names of
    variables that the caller of a run supplies.
    """
    graph, problems = load(document)
    return problems if graph is None else validate_graph(graph, catalog, given)


def validate_graph(graph: Graph, catalog: Catalog | None = None, given: Iterable[str] = ()) -> list[Problem]:
    """Return what is wrong with *graph*; see :func:`validate`."""
    found = [*_indices(graph), *_order(graph)]
    if not found:
        found += _variables(graph, set(given))
    if catalog is not None:
        found += _tools(graph, catalog)
    return sorted(found, key=lambda problem: problem.severity)[:MOST_PROBLEMS]


def step_graph(graph: Graph) -> StepGraph:
    """Return the order of the steps of a graph whose indices are valid."""
    return StepGraph.of((step.index, step.depends_on) for step in graph.steps)


def tools_used(graph: Graph, catalog: Catalog) -> dict[str, Tool]:
    """Return the tools that the steps of *graph* and their compensating calls name, by server and name."""
    calls = [(step.tool, step.server) for step in graph.steps]
    calls += [(step.on_failure.tool, step.on_failure.server) for step in graph.steps if step.on_failure]
    found = (catalog.find(name, server) for name, server in calls)
    return {f"{tools[0].server}/{tools[0].name}": tools[0] for tools in found if len(tools) == 1}


def _too_large(document: Any) -> Iterator[Problem]:
    if not isinstance(document, dict):
        yield Problem(path="", code="NOT_AN_OBJECT", message="A graph is a JSON object with steps.")
        return
    if _depth(document) > DEEPEST:
        yield Problem(path="", code="TOO_DEEP", message=f"The document is nested more than {DEEPEST} deep.")
        return
    size = len(json.dumps(document, ensure_ascii=False, default=str).encode())
    if size > MOST_BYTES:
        yield Problem(
            path="",
            code="TOO_LARGE",
            message=f"The graph has {size:,} bytes; at most {MOST_BYTES:,} are accepted.",
            hint="Pass large values as variables of the run, or let a step read them.",
        )
    steps = document.get("steps")
    if isinstance(steps, list) and len(steps) > MOST_STEPS:
        yield Problem(
            path="/steps",
            code="TOO_MANY_STEPS",
            message=f"The graph has {len(steps):,} steps; at most {MOST_STEPS:,} are accepted.",
            hint="Use for_each for calls that differ only by an item of a list.",
        )


def _depth(document: Any) -> int:
    """Return how deep *document* is nested, at most one more than is accepted."""
    level, depth = [document], 0
    while level and depth <= DEEPEST:
        depth += 1
        level = [
            each
            for value in level
            for each in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        ]
    return depth


def _misfit(error: Mapping[str, Any]) -> Problem:
    code = {"missing": "MISSING_FIELD", "extra_forbidden": "UNKNOWN_FIELD"}.get(error["type"], "INVALID_FIELD")
    hint = "Fields of a step: " + ", ".join(Step.model_fields) if code == "UNKNOWN_FIELD" else ""
    return Problem(path=_pointer(error["loc"]), code=code, message=f"{error['msg']}.", hint=hint)


def _pointer(parts: Iterable[Any]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def _indices(graph: Graph) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for number, step in enumerate(graph.steps):
        if step.index in first:
            yield Problem(
                path=f"/steps/{number}/index",
                code="DUPLICATE_INDEX",
                message=f"The step at /steps/{first[step.index]} has the index “{step.index}” too.",
                hint="Give every step an index of its own.",
            )
        first.setdefault(step.index, number)
    for number, step in enumerate(graph.steps):
        for place, needed in enumerate(step.depends_on):
            if needed not in first:
                yield Problem(
                    path=f"/steps/{number}/depends_on/{place}",
                    code="UNKNOWN_DEPENDENCY",
                    message=f"No step has the index “{needed}”.",
                    hint=_nearest(needed, first),
                )


def _order(graph: Graph) -> Iterator[Problem]:
    known = {step.index for step in graph.steps}
    try:
        StepGraph.of(
            (step.index, (needed for needed in step.depends_on if needed in known)) for step in graph.steps
        ).batches()
    except GraphHasCycle as cycle:
        at = next(number for number, step in enumerate(graph.steps) if step.index == cycle.members[0])
        yield Problem(
            path=f"/steps/{at}/depends_on",
            code="CYCLE",
            message=f"These steps wait for each other: {' → '.join(cycle.members)}.",
            hint="Remove one of these dependencies.",
        )


def _variables(graph: Graph, given: set[str]) -> Iterator[Problem]:
    order = step_graph(graph)
    bound_by = {step.result_variable: step.index for step in graph.steps if step.result_variable}
    known = {*graph.variables, *given}
    for number, step in enumerate(graph.steps):
        for field, paths in paths_read(step):
            for path in dict.fromkeys(paths):
                pointer = f"/steps/{number}/{field}"
                yield from _variable(pointer, path, step, known, bound_by, order)
        yield from _conditions(step, number)


def paths_read(step: Step) -> Iterator[tuple[str, list[str]]]:
    """Yield the fields of *step* that read variables, with the paths that they read."""
    yield "args", list(references(step.args))
    yield "for_each", list(references(step.for_each))
    if step.on_failure:
        yield "on_failure/args", list(references(step.on_failure.args))
    if step.when:
        try:
            yield "when", list(parse(step.when).names)
        except ExpressionInvalid:
            return  # reported by _conditions


def _variable(
    pointer: str, path: str, step: Step, known: set[str], bound_by: Mapping[str, str], order: StepGraph
) -> Iterator[Problem]:
    try:
        name = variable_of(path)
    except ValueError as error:
        yield Problem(path=pointer, code="INVALID_REFERENCE", message=str(error))
        return
    own = pointer.endswith("on_failure/args") and bound_by.get(name) == step.index
    if name in known or own or (step.for_each is not None and name in BOUND_BY_FOR_EACH):
        return
    if name not in bound_by:
        yield Problem(
            path=pointer,
            code="UNBOUND_VARIABLE",
            message=f"Nothing binds the variable “{name}”.",
            hint=_nearest(name, {*known, *bound_by}) or "Add it to variables, or bind it with result_variable.",
        )
    elif not _waits_for(order, step.index, bound_by[name]):
        yield Problem(
            path=pointer,
            code="VARIABLE_NOT_READY",
            message=f"Step {bound_by[name]} binds “{name}”, and step {step.index} does not wait for it.",
            hint=f"Add “{bound_by[name]}” to depends_on.",
            severity="warning",
        )


def _waits_for(order: StepGraph, step: str, other: str) -> bool:
    """Return whether *step* needs *other*, directly or through others."""
    seen: set[str] = set()
    todo = [step]
    while todo:
        needs = order.needs[todo.pop()]
        if other in needs:
            return True
        todo += [needed for needed in needs if needed not in seen]
        seen.update(needs)
    return False


def _conditions(step: Step, number: int) -> Iterator[Problem]:
    if step.when:
        try:
            parse(step.when)
        except ExpressionInvalid as error:
            yield Problem(path=f"/steps/{number}/when", code="INVALID_CONDITION", message=str(error))
    if isinstance(step.for_each, str) and not list(references(step.for_each)):
        yield Problem(
            path=f"/steps/{number}/for_each",
            code="NOT_A_LIST",
            message="for_each is a list or a reference to one.",
            hint="Write ${name} of a variable that holds a list.",
        )


def _tools(graph: Graph, catalog: Catalog) -> Iterator[Problem]:
    validators: dict[tuple[str, str], Draft202012Validator | None] = {}
    for number, step in enumerate(graph.steps):
        tools = catalog.find(step.tool, step.server)
        if len(tools) != 1:
            yield _no_tool(f"/steps/{number}/tool", step, catalog)
            continue
        tool = tools[0]
        key = (tool.server, tool.name)
        if key not in validators:
            validators[key] = _validator(tool.input_schema)
        validator = validators[key]
        if validator is not None:
            yield from _arguments(validator, step.args, f"/steps/{number}/args")


def _no_tool(path: str, step: Step, catalog: Catalog) -> Problem:
    others = catalog.find(step.tool)
    servers = ", ".join(tool.server for tool in others)
    if others and step.server is None:
        return Problem(
            path=path,
            code="AMBIGUOUS_TOOL",
            message=f"Several servers have the tool “{step.tool}”: {servers}.",
            hint="Name one of them in server.",
        )
    if others:
        message, hint = f"The server “{step.server}” has no tool “{step.tool}”.", f"It is a tool of {servers}."
    else:
        message, hint = f"No server has the tool “{step.tool}”.", _nearest(step.tool, catalog.names)
    return Problem(path=path, code="UNKNOWN_TOOL", message=message, hint=hint)


def _validator(schema: dict[str, Any]) -> Draft202012Validator | None:
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return None  # the server's fault: it checks the arguments itself
    return Draft202012Validator(schema)


def _arguments(validator: Draft202012Validator, args: dict[str, Any], path: str) -> Iterator[Problem]:
    for error in validator.iter_errors(args):
        whole = error.validator in ("required", "additionalProperties", "minProperties", "maxProperties")
        if not whole and next(references(error.instance), None) is not None:
            continue  # its value is known only when the step runs
        yield Problem(
            path=path + _pointer(error.absolute_path),
            code="INVALID_ARGUMENTS",
            message=f"{error.message[:300]}.",
            hint="The tool's input schema says what it takes.",
        )


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, [each for each in known if each], n=1)
    return f"Do you mean “{near[0]}”?" if near else ""
