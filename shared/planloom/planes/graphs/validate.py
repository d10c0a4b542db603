"""Check a graph document: every finding with its place, a stable code, and what to write instead."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]
from pydantic import ValidationError

from planloom.core.expressions import ExpressionInvalid, parse
from planloom.core.json_text import deeper_than, is_text
from planloom.core.problems import Problem
from planloom.core.step_graph import GraphHasCycle, StepGraph
from planloom.planes.graphs.document import MOST_BYTES, MOST_STEPS, Graph, Step, ToolCall
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
    if deeper_than(document, DEEPEST):
        yield Problem(path="", code="TOO_DEEP", message=f"The document is nested more than {DEEPEST} deep.")
        return
    if not is_text(document):
        yield Problem(path="", code="NOT_TEXT", message="The document holds half a surrogate pair, which is no text.")
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
    before = _before(step_graph(graph))
    bound_by: dict[str, list[str]] = {}
    for step in graph.steps:
        if step.result_variable:
            bound_by.setdefault(step.result_variable, []).append(step.index)
    known = {*graph.variables, *given}
    for number, step in enumerate(graph.steps):
        for field, paths in paths_read(step):
            for path in dict.fromkeys(paths):
                pointer = f"/steps/{number}/{field}"
                yield from _variable(pointer, path, step, known, bound_by, before)
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


def _before(order: StepGraph) -> Mapping[str, Callable[[str], bool]]:
    """Return for each step whether another one must end before it, directly or through others.

    The steps before a step are the bits of a number: a set of names for each step of a long chain takes minutes.
    """
    bits = {step: 1 << place for place, step in enumerate(order.needs)}
    found: dict[str, int] = {}
    for step in (step for batch in order.batches() for step in batch):
        found[step] = 0
        for needed in order.needs[step]:
            found[step] |= bits[needed] | found[needed]
    return {step: partial(_has, reached, bits) for step, reached in found.items()}


def _has(reached: int, bits: Mapping[str, int], other: str) -> bool:
    return bool(reached & bits[other])


def _variable(
    pointer: str,
    path: str,
    step: Step,
    known: set[str],
    bound_by: Mapping[str, list[str]],
    before: Mapping[str, Callable[[str], bool]],
) -> Iterator[Problem]:
    try:
        name = variable_of(path)
    except ValueError as error:
        yield Problem(path=pointer, code="INVALID_REFERENCE", message=str(error))
        return
    binders = bound_by.get(name, [])
    own = pointer.endswith("on_failure/args") and step.index in binders
    of_item = step.for_each is not None and name in BOUND_BY_FOR_EACH
    if name in known or own or (of_item and pointer.endswith("/args") and not pointer.endswith("on_failure/args")):
        return
    if of_item and not binders:
        yield Problem(
            path=pointer,
            code="UNBOUND_VARIABLE",
            message=f"for_each binds “{name}” in args only: this is evaluated once for the step.",
            hint="Leave items out before, in the list that for_each refers to.",
        )
    elif not binders:
        yield Problem(
            path=pointer,
            code="UNBOUND_VARIABLE",
            message=f"Nothing binds the variable “{name}”.",
            hint=_nearest(name, {*known, *bound_by}) or "Add it to variables, or bind it with result_variable.",
        )
    elif not any(map(before[step.index], binders)):
        message, hint = f"Only the step itself binds “{name}”, after its call.", "Bind it in variables, or before."
        if others := [binder for binder in binders if binder != step.index]:
            message = f"Step {others[-1]} binds “{name}”, and step {step.index} does not wait for it."
            hint = f"Add “{others[-1]}” to depends_on."
        yield Problem(path=pointer, code="VARIABLE_NOT_READY", message=message, hint=hint, severity="warning")


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
    for path, call in _calls(graph):
        tools = catalog.find(call.tool, call.server)
        if len(tools) != 1:
            yield _no_tool(f"{path}/tool", call, catalog)
            continue
        tool = tools[0]
        key = (tool.server, tool.name)
        if key not in validators:
            validators[key] = _validator(tool.input_schema)
        validator = validators[key]
        if validator is not None:
            yield from _arguments(validator, call.args, f"{path}/args")


def _calls(graph: Graph) -> Iterator[tuple[str, Step | ToolCall]]:
    for number, step in enumerate(graph.steps):
        yield f"/steps/{number}", step
        if step.on_failure:
            yield f"/steps/{number}/on_failure", step.on_failure


def _no_tool(path: str, call: Step | ToolCall, catalog: Catalog) -> Problem:
    others = catalog.find(call.tool)
    servers = ", ".join(tool.server for tool in others)
    if others and call.server is None:
        return Problem(
            path=path,
            code="AMBIGUOUS_TOOL",
            message=f"Several servers have the tool “{call.tool}”: {servers}.",
            hint="Name one of them in server.",
        )
    if others:
        message, hint = f"The server “{call.server}” has no tool “{call.tool}”.", f"It is a tool of {servers}."
    else:
        message, hint = f"No server has the tool “{call.tool}”.", _nearest(call.tool, catalog.names)
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
