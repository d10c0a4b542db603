"""A failed check alone says enough: a script that reads nothing else repairs the submission, whatever the check."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from planloom.planes.workflows.draft import CheckType
from planloom.planes.workflows.job import Plugins, WorkflowJob
from planloom.planes.workflows.records import Finding, NodeAttempt
from planloom.planes.workflows.states import Result
from tests.unit.workflows.drafts import draft, node
from tests.unit.workflows.fakes import Services

CRITERION = "It names a date."
ARTIFACT = {"name": "brief", "kind": "markdown", "pointer": "brief.md"}


def of_type(kind: str, **more: Any) -> dict[str, Any]:
    """A contract whose output has one field, *value*."""
    return {"type": "object", "properties": {"value": {"type": kind, "required": True, **more}}}


def check(kind: CheckType, /, **config: Any) -> dict[str, Any]:
    return {"completionChecks": [{"type": kind, "config": config}]}


BRIEF = {"deliverables": [{"name": "brief", "kind": "markdown"}]}
DEEP = {"type": "object", "properties": {"inner": of_type("array", items={"type": "integer"}) | {"required": True}}}
#: By check: the schema of the output, the rest of the contract, and what is wrong in the first submission.
WRONG: dict[str, tuple[dict[str, Any] | None, dict[str, Any], dict[str, Any]]] = {
    **{
        name: (of_type(*schema[:1], **schema[1]), {}, {"structuredOutput": {"value": wrong}})
        for name, schema, wrong in (
            ("type", ("string", {}), 5),
            ("enum", ("string", {"enum": ["email", "blog"]}), "fax"),
            ("const", ("string", {"const": "yes"}), "no"),
            ("minLength", ("string", {"minLength": 4}), "abc"),
            ("maxLength", ("string", {"maxLength": 2}), "abc"),
            ("minimum", ("integer", {"minimum": 3}), 1),
            ("maximum", ("integer", {"maximum": 3}), 5),
            ("exclusiveMinimum", ("number", {"exclusiveMinimum": 3}), 3),
            ("exclusiveMaximum", ("number", {"exclusiveMaximum": 3}), 3),
            ("multipleOf", ("integer", {"multipleOf": 5}), 7),
            ("minItems", ("array", {"minItems": 2, "items": {"type": "string"}}), []),
            ("maxItems", ("array", {"maxItems": 1}), [1, 2]),
            ("uniqueItems", ("array", {"uniqueItems": True}), [1, 1]),
            ("minProperties", ("object", {"minProperties": 2}), {"a": 1}),
            ("maxProperties", ("object", {"maxProperties": 1}), {"a": 1, "b": 2}),
            ("additionalProperties", ("object", {"properties": {}, "additionalProperties": False}), {"a": 1, "b": 2}),
        )
    },
    "missing": (of_type("string"), {}, {"structuredOutput": {}}),
    "no output": (DEEP, {}, {}),
    "deliverable": (None, BRIEF, {}),
    "kind of a deliverable": (None, BRIEF, {"artifacts": [ARTIFACT | {"kind": "pdf"}]}),
    "named deliverable": (None, BRIEF | check("deliverable", name="brief"), {}),
    "artifact": (None, BRIEF | check("artifact", kind="markdown", minCount=2), {"artifacts": [ARTIFACT]}),
    "size": (None, BRIEF | check("artifact", name="brief", minBytes=10), {"artifacts": [ARTIFACT]}),
    "size that is only claimed": (
        None,
        BRIEF | check("artifact", name="brief", minBytes=10),
        {"artifacts": [ARTIFACT | {"size": 10_000, "verified": True}]},
    ),
    "verified": (None, BRIEF | check("artifact", name="brief", verified=True), {"artifacts": [ARTIFACT]}),
    "expression": (None, check("expression", expression="output.score >= 3"), {"structuredOutput": {"score": 1}}),
    "artifacts in an expression": (
        None,
        BRIEF | check("expression", expression='artifacts.brief.description = "Final"'),
        {"artifacts": [ARTIFACT]},
    ),
    "status": (None, {}, {"status": "partial"}),
    "model-judge": (None, check("model-judge", criterion=CRITERION), {"structuredOutput": "Soon"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_failed_check_alone_is_enough_to_repair_a_submission(name: str) -> None:
    schema, contract, result = WRONG[name]
    services = Services(judges=True)
    flows = services.workflows
    retry = {"maxAttempts": 4, "retryOn": ["schema_validation_failed", "artifact_missing", "check_failed"]}
    named = {"outputSchemaRef": "s"} if schema else {}
    part = node("a", retryPolicy=retry, **named, **contract)
    run = flows.create("ann", draft(part, schemas={"s": schema} if schema else {}))
    outcomes = []
    for _ in range(4):
        flows.submit("ann", run.run_id, "a", Result.model_validate(result))
        attempt = judged(services, run.run_id)
        outcomes.append(attempt.outcome)
        if attempt.outcome == "accepted":
            break
        for finding in (each for made in attempt.checks for each in made.findings):
            result = repaired(result, finding, lambda size: upload(services, run.run_id, size))
    assert (outcomes[0], outcomes[-1]) == ("rejected", "accepted"), (outcomes, result)


def upload(services: Services, run_id: str, size: int) -> str:
    pointer, _ = services.workflows.new_upload("ann", run_id, "text/plain", size)
    services.uploads.content[pointer.removeprefix("planloom:")] = b"x" * size
    return pointer


def judged(services: Services, run_id: str) -> NodeAttempt:
    """Return the attempt, after a stub model has judged it where one is asked."""

    async def judge(criterion: str, text: str) -> tuple[bool, str]:
        return criterion in text, "It does not."

    async def work() -> None:
        plugins: Any = Plugins(None, None, None, judge)  # type: ignore[arg-type]
        await WorkflowJob(run_id, services.workflows, plugins).execute("workflow", None)  # type: ignore[arg-type]

    asyncio.run(work())
    found = [each for each in services.store.kept[run_id] if isinstance(each, NodeAttempt)]
    return found[-1]


def value_of(kind: str) -> Any:
    return {"string": "text", "array": [], "object": {}, "integer": 1, "number": 1.5}[kind]


def first(options: str) -> str:
    return options.split(", ")[0]


def filled(items: list[Any], least: str, kind: str) -> list[Any]:
    return [*items, *([value_of(kind)] * (int(least) - len(items)))]


#: What is expected, and what a script makes of the value at the path of the finding.
SCRIPT: list[tuple[str, Callable[..., Any]]] = [
    (r"One of: (.+)\.", lambda _, options: first(options)),
    (r"Exactly (.+)\.", lambda _, value: json.loads(value)),
    (r"At least (\d+) characters\.", lambda old, least: old.ljust(int(least), "x")),
    (r"At most (\d+) characters\.", lambda old, most: old[: int(most)]),
    (r"(\d+) or more\.", lambda _, number: int(number)),
    (r"(\d+) or less\.", lambda _, number: int(number)),
    (r"More than (\d+)\.", lambda _, number: int(number) + 1),
    (r"Less than (\d+)\.", lambda _, number: int(number) - 1),
    (r"A multiple of (\d+)\.", lambda _, number: int(number)),
    (r"At least (\d+) items\. Each: A value of type (\w+)\.", filled),
    (r"At most (\d+) items\.", lambda old, most: old[: int(most)]),
    (r"Items that differ", lambda old: list(dict.fromkeys(old))),
    (r"At least (\d+) fields\.", lambda old, least: old | {f"field{each}": 1 for each in range(int(least) - len(old))}),
    (r"At most (\d+) fields\.", lambda old, most: dict(list(old.items())[: int(most)])),
    (r"A value of type (\w+)", lambda _, kind: value_of(kind)),
    (r"The kind \"(.+)\"\.", lambda _, kind: kind),
    (r"The status \"(\w+)\"", lambda _, status: status),
    (r"An artifact with name \"(.+)\", kind \"(.+)\"", lambda old, name, kind: [*(old or ()), made(name, kind)]),
    (
        r"At least (\d+) of kind \"(.+)\"",
        lambda old, least, kind: [*old, *[made("more", kind)] * (int(least) - len(old))],
    ),
    (r"This must hold: output[\w.]+ >= (\d+)", lambda _, number: int(number)),
]


def made(name: str, kind: str) -> dict[str, Any]:
    return {"name": name, "kind": kind, "pointer": "made.md"}


def repaired(result: dict[str, Any], finding: Finding, upload: Callable[[int], str]) -> dict[str, Any]:
    """Return *result* as a script corrects it that knows nothing but the finding."""
    result = json.loads(json.dumps(result))
    if wanted := re.match(r"This must hold: artifacts\.(\w+)\.(\w+) = (.+)", finding.expected):
        artifact = next(each for each in result["artifacts"] if each["name"] == wanted[1])
        artifact[wanted[2]] = json.loads(wanted[3])
        return result
    parts = finding.path.strip("/").split("/")
    inner: Any = result
    for part in parts[:-1]:
        inner = inner[int(part)] if isinstance(inner, list) else inner.setdefault(part, {})
    last: Any = int(parts[-1]) if isinstance(inner, list) else parts[-1]
    if finding.expected == "Remove it.":
        del inner[last]
    elif "pload" in finding.expected:
        size = re.search(r"least (\d+) bytes", finding.expected)
        inner[last] = upload(int(size[1]) if size else 1)
    elif not finding.path:
        # a criterion in words, which a model judges
        result["structuredOutput"] = finding.expected
    else:
        pattern, repair = next((pattern, repair) for pattern, repair in SCRIPT if re.match(pattern, finding.expected))
        found = re.match(pattern, finding.expected)
        assert found
        old = inner[last] if isinstance(inner, list) else inner.get(last)
        inner[last] = repair(old, *found.groups())
    return result
