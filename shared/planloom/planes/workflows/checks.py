"""Completion checks of a submission: each failed one says where, what was found, and what would pass."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from planloom.core.expressions import parse
from planloom.planes.workflows.draft import Cause, CompletionCheck, Node
from planloom.planes.workflows.records import CheckResult, Finding
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import UPLOADED, Artifact, Result

#: Findings of one check, and characters of a value that a message quotes.
MOST_FINDINGS, QUOTED = 20, 120
#: Findings of all checks of a submission, and characters of a check's description in its result.
MOST_IN_ALL, MOST_DESCRIBED = 100, 500
CAUSES: Mapping[str, Cause] = {
    "schema": "schema_validation_failed",
    "artifact": "artifact_missing",
    "deliverable": "artifact_missing",
}
OUTPUT = "/structuredOutput"
#: What makes an artifact verified.
UPLOAD = "Upload the content with createArtifactUpload and submit the pointer that it returns."


def evaluate(
    spec: Spec,
    node: Node,
    result: Result,
    given: Any,
    outputs: Mapping[str, Any],
    verdicts: Mapping[int, tuple[bool, str]],
) -> tuple[CheckResult, ...]:
    """Return what every check of *node* says about *result*.

    The output schema and the required deliverables are checked also where no check names them. *given* is the node's
    input, *outputs* hold the results of earlier nodes, *verdicts* what a model said, by the number of the check. Checks
    by people are not among the results: they follow when these have passed.
    """
    partial = result.status == "partial"
    found: list[CheckResult] = []
    for number, check in _all_checks(node):
        if check.type == "human" or (check.type == "model-judge" and number not in verdicts):
            continue
        if check.type == "model-judge":
            findings = list(_judged(node, check, verdicts[number]))
        else:
            findings = list(_RULES[check.type](spec, node, check, result, given, outputs))
        # what a partial result lacks does not hold it up; the next node still needs what its schema promises
        blocking = check.blocking and not (partial and check.type != "schema")
        most = MOST_FINDINGS if sum(len(each.findings) for each in found) < MOST_IN_ALL else 1
        found.append(
            CheckResult(
                type=check.type,
                description=check.description[:MOST_DESCRIBED],
                blocking=blocking,
                passed=not findings,
                cause=CAUSES.get(check.type, "check_failed") if findings else None,
                findings=tuple(findings[:most]),
            )
        )
    if partial and not node.allow_partial:
        found.append(_no_partial())
    return tuple(found)


def cause_of(failed: Sequence[CheckResult]) -> Cause:
    """Return the cause that policies look at where several checks failed: the schema first, then artifacts."""
    causes = {check.cause for check in failed}
    first: tuple[Cause, ...] = ("schema_validation_failed", "artifact_missing")
    return next((each for each in first if each in causes), "check_failed")


def people_who_check(node: Node) -> list[CompletionCheck]:
    """Return the checks by people of *node* in the order in which they are asked: those that block."""
    return [check for check in node.completion_checks if check.type == "human" and check.blocking]


def _all_checks(node: Node) -> Iterator[tuple[int, CompletionCheck]]:
    """Yield the checks with their numbers; those that the contract implies have the number -1."""
    checks = node.completion_checks
    schemas = [check.config.get("schemaRef") or node.output_schema_ref for check in checks if check.type == "schema"]
    if node.output_schema_ref and node.output_schema_ref not in schemas:
        yield -1, CompletionCheck(type="schema", description="The output matches the node's output schema")
    if any(each.required for each in node.deliverables) and not any(
        check.type == "deliverable" and "name" not in check.config for check in checks
    ):
        yield -1, CompletionCheck(type="deliverable", description="Every required deliverable is there")
    yield from enumerate(checks)


def _schema(
    spec: Spec, node: Node, check: CompletionCheck, result: Result, _given: Any, _outputs: Any
) -> Iterator[Finding]:
    ref: str = check.config.get("schemaRef") or node.output_schema_ref or ""
    if result.structured_output is None and spec.draft.schemas[ref].get("required") is False:
        return
    yield from schema_findings(spec, ref, result.structured_output, OUTPUT)


def schema_findings(spec: Spec, ref: str, value: Any, root: str) -> Iterator[Finding]:
    """Yield where *value*, which is at *root*, does not match the schema *ref*."""
    errors = sorted(spec.validator(ref).iter_errors(value), key=lambda each: [str(part) for part in each.path])
    for error in errors[:MOST_FINDINGS]:
        path = root + "".join(f"/{part}" for part in error.absolute_path)
        if error.validator == "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            for name in missing:
                schema = error.schema["properties"].get(name, {})
                yield Finding(path=f"{path}/{name}", message=f"{name} is missing.", expected=_wanted(schema))
            continue
        if error.validator == "additionalProperties":
            for name in sorted(set(error.instance) - set(error.schema.get("properties", ()))):
                yield Finding(
                    path=f"{path}/{name}", message=f"{name} is no field of the schema.", expected="Remove it."
                )
            continue
        if error.validator == "minItems":
            each = f" Each: {_wanted(error.schema['items'])}" if "items" in error.schema else ""
            expected = f"At least {error.validator_value} items.{each}"
            yield Finding(path=path, message=f"It is {_quoted(error.instance)}.", expected=expected)
            continue
        said = _EXPLAINED.get(str(error.validator))
        wanted = said(error.validator_value) if said else _wanted(error.schema)
        yield Finding(path=path, message=f"It is {_quoted(error.instance)}.", expected=wanted)


def _wanted(schema: Mapping[str, Any]) -> str:
    """Return what *schema* accepts, in words."""
    if "enum" in schema:
        return f"One of: {_listed(schema['enum'])}."
    kind = schema.get("type", "any value")
    kinds = " or ".join(kind) if isinstance(kind, list) else str(kind)
    said = f"A value of type {kinds}"
    if properties := schema.get("properties"):
        needed = schema.get("required") or [name for name, each in properties.items() if each.get("required") is True]
        said += f" with {_listed(needed)}" if needed else ""
    if schema.get("description"):
        said += f": {schema['description'][:QUOTED]}"
    return f"{said}."


_EXPLAINED: Mapping[str, Callable[[Any], str]] = {
    "enum": lambda values: f"One of: {_listed(values)}.",
    "const": lambda value: f"Exactly {_quoted(value)}.",
    "minLength": lambda least: f"At least {least} characters.",
    "maxLength": lambda most: f"At most {most} characters.",
    "minimum": lambda least: f"{least} or more.",
    "maximum": lambda most: f"{most} or less.",
    "exclusiveMinimum": lambda least: f"More than {least}.",
    "exclusiveMaximum": lambda most: f"Less than {most}.",
    "multipleOf": lambda step: f"A multiple of {step}.",
    "maxItems": lambda most: f"At most {most} items.",
    "uniqueItems": lambda _: "Items that differ from each other.",
    "minProperties": lambda least: f"At least {least} fields.",
    "maxProperties": lambda most: f"At most {most} fields.",
}


def _deliverable(
    _spec: Spec, node: Node, check: CompletionCheck, result: Result, _given: Any, _outputs: Any
) -> Iterator[Finding]:
    name = check.config.get("name")
    wanted = [each for each in node.deliverables if (each.name == name if name else each.required)]
    for each in wanted:
        named = [artifact for artifact in result.artifacts if artifact.name == each.name]
        expected = f'An artifact with name "{each.name}", kind "{each.kind}" and a pointer to its content.'
        if not named:
            message = f'No artifact is named "{each.name}". Submitted: {_names(result.artifacts)}.'
            yield Finding(path="/artifacts", message=message, expected=expected)
        elif all(artifact.kind != each.kind for artifact in named):
            place = result.artifacts.index(named[0])
            message = f'The kind of "{each.name}" is "{named[0].kind}".'
            yield Finding(path=f"/artifacts/{place}/kind", message=message, expected=f'The kind "{each.kind}".')
        for artifact in named:
            if artifact.pointer.startswith(UPLOADED) and not artifact.verified:
                place = result.artifacts.index(artifact)
                message = f'No content was sent for "{each.name}": the run has no upload {artifact.pointer[:QUOTED]}.'
                yield Finding(path=f"/artifacts/{place}/pointer", message=message, expected=UPLOAD)


def _artifact(
    _spec: Spec, _node: Node, check: CompletionCheck, result: Result, _given: Any, _outputs: Any
) -> Iterator[Finding]:
    config = check.config
    named = [
        each
        for each in result.artifacts
        if config.get("name") in (None, each.name) and config.get("kind") in (None, each.kind)
    ]
    kind = f' of kind "{config["kind"]}"' if "kind" in config else ""
    name = f' named "{config["name"]}"' if "name" in config else ""
    least = int(config.get("minCount", 1))
    if len(named) < least:
        message = f"{len(named)} artifacts{kind}{name} were submitted. Submitted: {_names(result.artifacts)}."
        yield Finding(path="/artifacts", message=message, expected=f"At least {least}{kind}{name}.")
    for each in named:
        path = f"/artifacts/{result.artifacts.index(each)}"
        least_bytes = config.get("minBytes")
        # the size of content elsewhere is only what its executor says
        if (config.get("verified") or least_bytes) and not each.verified:
            message = (
                f'The content of "{each.name}" is elsewhere and was not {"measured" if least_bytes else "hashed"}.'
            )
            expected = f"{UPLOAD} It needs at least {least_bytes} bytes." if least_bytes else UPLOAD
            yield Finding(path=f"{path}/pointer", message=message, expected=expected)
        elif least_bytes and (each.size or 0) < least_bytes:
            message = f'"{each.name}" has {each.size} bytes.'
            expected = f"At least {least_bytes} bytes: upload longer content and submit its pointer."
            yield Finding(path=f"{path}/pointer", message=message, expected=expected)


def _expression(
    _spec: Spec,
    _node: Node,
    check: CompletionCheck,
    result: Result,
    given: Any,
    outputs: Mapping[str, Any],
) -> Iterator[Finding]:
    expression = parse(check.config["expression"])
    artifacts = {each.name: each.model_dump(mode="json") for each in result.artifacts}
    values = {"input": given, "output": result.structured_output, "artifacts": artifacts, "outputs": outputs}
    if not expression.holds(values):
        found = [f"{name} is {_quoted(parse(name).value(values))}" for name in expression.names[:8]]
        message = f"{'; '.join(found) or 'The condition is false'}."
        first = next((name for name in expression.names if name.startswith("output.")), "")
        path = "/" + first.replace("output.", "structuredOutput.", 1).replace(".", "/") if first else ""
        yield Finding(path=path, message=message, expected=f"This must hold: {expression.text}")


def _judged(node: Node, check: CompletionCheck, verdict: tuple[bool, str]) -> Iterator[Finding]:
    passed, why = verdict
    if not passed:
        criterion = check.config.get("criterion") or "; ".join(node.success_criteria)
        yield Finding(path="", message=why[:1_000] or "The model says no.", expected=criterion)


def _no_partial() -> CheckResult:
    finding = Finding(
        path="/status",
        message='The status is "partial".',
        expected='The status "completed": this node does not allow a partial result. Use "failed" to give up.',
    )
    return CheckResult(type="schema", passed=False, cause="check_failed", findings=(finding,))


_RULES: Mapping[str, Callable[..., Iterable[Finding]]] = {
    "schema": _schema,
    "deliverable": _deliverable,
    "artifact": _artifact,
    "expression": _expression,
}


def _names(artifacts: Sequence[Artifact]) -> str:
    return ", ".join(f'"{each.name}" ({each.kind})' for each in artifacts[:10]) or "none"


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(_quoted(each) if not isinstance(each, str) else each for each in values[:20])


def _quoted(value: Any) -> str:
    if value is None:
        return "missing or null"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}… ({len(text)} characters)"
