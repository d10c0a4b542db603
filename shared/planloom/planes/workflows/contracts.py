"""Checks of the contract of each node: owner against type, checks against deliverables, policies."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from planloom.core.expressions import ExpressionInvalid, parse
from planloom.core.paths import parts_of
from planloom.core.problems import Problem
from planloom.planes.workflows.draft import LONGEST_MS, ApprovalRule, CompletionCheck, Node
from planloom.planes.workflows.found import error, nearest, one_of, warning
from planloom.planes.workflows.schemas import pointer_part
from planloom.planes.workflows.spec import Spec, is_system

#: What expressions of checks and edges may read.
VARIABLES = ("input", "output", "artifacts", "outputs")
OWNERS = {
    "action": ("agent", "plugin", "user"),
    "human-approval": ("user",),
    "human-input": ("user",),
    "decision": ("system", "user", "agent"),
    "join": ("system",),
    "wait": ("system",),
    "subworkflow": ("system",),
}
#: Causes after which the work is done again, whatever maxAttempts says.
BY_PEOPLE = ("changes_requested", "human_rejected")
#: Fields that only nodes of one type have.
OF_TYPE = {"approval": "human-approval", "join": "join", "wait": "wait", "subworkflow": "subworkflow"}


def node_problems(spec: Spec) -> Iterator[Problem]:
    """Yield what is wrong with the contracts of *spec*."""
    for number, node in enumerate(spec.draft.nodes):
        path = f"/nodes/{number}"
        for rule in (_owner, _of_type, _deliverables, _results, _policies):
            yield from rule(spec, node, path)
        for place, check in enumerate(node.completion_checks):
            yield from _check(spec, node, check, f"{path}/completionChecks/{place}")


def _owner(_spec: Spec, node: Node, path: str) -> Iterator[Problem]:
    kind, allowed = node.owner.executor_type, OWNERS[node.type]
    if kind not in allowed:
        message = f"A node of type {node.type} cannot be owned by {kind}."
        hint = f"Its owner is one of: {', '.join(allowed)}."
        yield error(f"{path}/owner/executorType", "OWNER_DOES_NOT_FIT", message, hint)
    elif kind == "plugin":
        place, _, tool = node.owner.ref.partition("/")
        if not place or not tool:
            hint = "Write server/tool for a tool of your tool servers, or graph/ID for a stored graph."
            yield error(f"{path}/owner/ref", "INVALID_PLUGIN", f"“{node.owner.ref}” names no tool.", hint)
        elif not allowed_by(node, node.owner.ref):
            message = f"The node's toolPolicy does not allow its own tool “{node.owner.ref}”."
            yield error(f"{path}/toolPolicy", "TOOL_NOT_ALLOWED", message, "Add it to allow, or take it out of deny.")
    if node.arguments and kind != "plugin":
        yield error(f"{path}/arguments", "DOES_NOT_FIT_TYPE", "Only a plugin takes arguments.")


def allowed_by(node: Node, tool: str) -> bool:
    """Return whether the toolPolicy of *node* allows *tool*, written server/tool or by its name alone."""
    names = {tool, tool.partition("/")[2] or tool}
    policy = node.tool_policy
    return not names & set(policy.deny) and (not policy.allow or bool(names & set(policy.allow)))


def _of_type(spec: Spec, node: Node, path: str) -> Iterator[Problem]:
    for field, kind in OF_TYPE.items():
        if getattr(node, field) is not None and node.type != kind:
            yield error(f"{path}/{field}", "DOES_NOT_FIT_TYPE", f"Only a node of type {kind} has {field}.")
    if node.type == "decision":
        yield from _decision(spec, node, path)
    if node.type == "wait" and (node.wait is None or not (node.wait.until or node.wait.duration_ms or node.wait.event)):
        yield error(f"{path}/wait", "MISSING_FIELD", "A wait needs until, durationMs or event.")
    if node.type == "subworkflow" and node.subworkflow is None:
        yield error(f"{path}/subworkflow", "MISSING_FIELD", "A subworkflow needs the draft that runs.")
    if node.join and node.join.mode == "count" and node.join.count > len(spec.incoming[node.id]):
        message = f"The join waits for {node.join.count} edges and has {len(spec.incoming[node.id])}."
        yield error(f"{path}/join/count", "JOIN_NEVER_READY", message)
    if node.approval:
        yield from _approval(node, node.approval, path)


def _decision(spec: Spec, node: Node, path: str) -> Iterator[Problem]:
    edges = spec.outgoing[node.id]
    if not any(edge.when for edge in edges):
        message = "The decision has no edge with a condition."
        yield error(path, "DECISION_WITHOUT_CONDITION", message, "Add when to at least one of its edges.")
    elif all(edge.when for edge in edges):
        message = "If no condition holds, the run takes none of the edges."
        yield warning(path, "NO_DEFAULT_EDGE", message, "Add an edge without when.")


def _approval(node: Node, rule: ApprovalRule, path: str) -> Iterator[Problem]:
    people = rule.approvers or (node.owner.ref,)
    if rule.rule == "quorum" and rule.count > len(people):
        message = f"{rule.count} approvals are needed from {len(people)} approvers."
        yield error(f"{path}/approval/count", "QUORUM_NEVER_REACHED", message, "Name more approvers.")
    if len(set(people)) < len(people):
        yield error(f"{path}/approval/approvers", "DUPLICATE_ID", "An approver is named twice.")
    if bool(rule.escalate_after_ms) is not bool(rule.escalate_to):
        message = "An escalation needs both escalateAfterMs and escalateTo."
        yield error(f"{path}/approval", "MISSING_FIELD", message)
    elif set(rule.escalate_to) & set(people):
        message = "Escalate to people who are not approvers already."
        yield error(f"{path}/approval/escalateTo", "INVALID_FIELD", message)


def _deliverables(_spec: Spec, node: Node, path: str) -> Iterator[Problem]:
    names = [each.name for each in node.deliverables]
    for place, name in enumerate(names):
        if name in names[:place]:
            yield error(f"{path}/deliverables/{place}/name", "DUPLICATE_ID", f"“{name}” is named twice.")
    if node.deliverables and (is_system(node) or node.type == "human-approval"):
        message = f"A node of type {node.type} produces no artifacts."
        yield error(f"{path}/deliverables", "DOES_NOT_FIT_TYPE", message, "Move them to the node that makes them.")
    if node.completion_checks and (is_system(node) or node.type == "human-approval"):
        message = f"Nothing is submitted to a node of type {node.type}: its checks never run."
        yield warning(f"{path}/completionChecks", "CHECK_NEVER_RUN", message)


def _results(_spec: Spec, node: Node, path: str) -> Iterator[Problem]:
    if node.output_schema_ref and _takes_no_result(node):
        message = f"A node of type {node.type} takes no result: its output is not checked."
        hint = "Set inputSchemaRef of the node that follows, or remove it."
        yield warning(f"{path}/outputSchemaRef", "SCHEMA_NEVER_CHECKED", message, hint)
    if node.owner.executor_type == "plugin":
        for place, each in enumerate(node.deliverables):
            if each.required:
                yield _no_artifacts(node, f"{path}/deliverables/{place}")


def _takes_no_result(node: Node) -> bool:
    by_event = node.type == "wait" and node.wait is not None and node.wait.event is not None
    return node.type == "human-approval" or (is_system(node) and node.type != "subworkflow" and not by_event)


def _no_artifacts(node: Node, path: str) -> Problem:
    message = f"“{node.id}” is executed by a plugin, which returns no artifacts: this never passes."
    return error(path, "NEVER_PASSES", message, "Let an agent or a person after it make the artifact.")


def _policies(_spec: Spec, node: Node, path: str) -> Iterator[Problem]:
    causes: set[str] = set()
    for place, rule in enumerate(node.failure_policy):
        if rule.on in causes:
            message = f"An earlier rule is for {rule.on} too: this one never applies."
            yield warning(f"{path}/failurePolicy/{place}", "RULE_NEVER_APPLIES", message)
        causes.add(rule.on)
        if rule.action == "escalate" and not rule.to:
            message = "The rule has no person to escalate to."
            yield error(f"{path}/failurePolicy/{place}/to", "MISSING_FIELD", message, "Name people in to.")
        if rule.action == "retry" and node.retry_policy.max_attempts == 0 and rule.on not in BY_PEOPLE:
            message = "The rule says retry, and retryPolicy.maxAttempts is 0: the node is blocked instead."
            yield warning(f"{path}/failurePolicy/{place}", "NO_RETRIES", message, "Raise maxAttempts.")
    if node.retry_policy.retry_on and node.retry_policy.max_attempts == 0:
        message = "retryOn has causes, and maxAttempts is 0: nothing is retried."
        yield warning(f"{path}/retryPolicy", "NO_RETRIES", message, "Raise maxAttempts, or empty retryOn.")


def _check(spec: Spec, node: Node, check: CompletionCheck, path: str) -> Iterator[Problem]:
    config = check.config
    if check.type == "human" and not check.blocking:
        message = "A check by people that does not block asks nobody."
        yield warning(f"{path}/blocking", "CHECK_NEVER_RUN", message, "Set blocking to true, or remove the check.")
    rule = _CONFIGS.get(check.type)
    if rule:
        for each in rule(spec, node, config, path):
            advisory = each.code == "NEVER_PASSES" and not check.blocking
            yield each.model_copy(update={"severity": "warning"}) if advisory else each
    unknown = set(config) - _CONFIG_FIELDS[check.type]
    for name in sorted(unknown):
        hint = f"Fields: {', '.join(sorted(_CONFIG_FIELDS[check.type]))}."
        message = f"A check of type {check.type} has no “{name[:60]}”."
        yield error(f"{path}/config/{pointer_part(name)}", "UNKNOWN_FIELD", message, hint)


_CONFIG_FIELDS = {
    "schema": {"schemaRef"},
    "artifact": {"name", "kind", "minCount", "minBytes", "verified"},
    "deliverable": {"name"},
    "expression": {"expression"},
    "human": {"approvers", "rule", "count", "expiresAfterMs"},
    "model-judge": {"criterion"},
}


def _check_schema(_spec: Spec, node: Node, config: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if config.get("schemaRef") is None and node.output_schema_ref is None:
        message = "The check names no schema, and the node has no outputSchemaRef."
        yield error(f"{path}/config/schemaRef", "MISSING_FIELD", message)


def _check_artifact(_spec: Spec, node: Node, config: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if node.owner.executor_type == "plugin" and config.get("minCount", 1) != 0:
        yield _no_artifacts(node, path)
    names = {each.name for each in node.deliverables}
    for field, kind in (("name", str), ("kind", str), ("minCount", int), ("minBytes", int), ("verified", bool)):
        if field in config and not isinstance(config[field], kind):
            yield error(f"{path}/config/{field}", "INVALID_FIELD", f"{field} has the wrong type.")
    if isinstance(config.get("name"), str) and config["name"] not in names:
        message = f"“{config['name'][:100]}” is not a deliverable of the node."
        hint = "Add it to deliverables, so that its executor knows of it."
        yield warning(f"{path}/config/name", "NOT_A_DELIVERABLE", message, hint)


def _check_deliverable(_spec: Spec, node: Node, config: Mapping[str, Any], path: str) -> Iterator[Problem]:
    names = {each.name for each in node.deliverables}
    if not names:
        message = "The check is about deliverables, and the node has none."
        yield error(path, "NOT_A_DELIVERABLE", message, "Add deliverables, or remove the check.")
    elif node.owner.executor_type == "plugin":
        yield _no_artifacts(node, path)
    elif config.get("name") is not None and config["name"] not in names:
        message = f"“{str(config['name'])[:100]}” is not a deliverable of the node."
        yield error(f"{path}/config/name", "NOT_A_DELIVERABLE", message, nearest(str(config["name"]), names))


def _check_expression(spec: Spec, node: Node, config: Mapping[str, Any], path: str) -> Iterator[Problem]:
    text = config.get("expression")
    if not isinstance(text, str):
        yield error(f"{path}/config/expression", "MISSING_FIELD", "The check has no expression.")
    else:
        yield from expression_problems(text, f"{path}/config/expression", spec, node.id)


def _check_human(_spec: Spec, _node: Node, config: Mapping[str, Any], path: str) -> Iterator[Problem]:
    people = config.get("approvers")
    if not isinstance(people, list) or not people or not all(isinstance(each, str) and each for each in people):
        yield error(f"{path}/config/approvers", "MISSING_FIELD", "The check names no approvers.", "List names.")
    elif config.get("rule", "any") not in ("any", "all", "quorum"):
        yield error(f"{path}/config/rule", "INVALID_FIELD", "rule is any, all or quorum.")
    elif config.get("rule") == "quorum" and not _whole(config.get("count"), 1, len(set(people))):
        yield error(f"{path}/config/count", "QUORUM_NEVER_REACHED", f"count is between 1 and {len(set(people))}.")
    if "expiresAfterMs" in config and not _whole(config["expiresAfterMs"], 1, LONGEST_MS):
        yield error(f"{path}/config/expiresAfterMs", "INVALID_FIELD", "expiresAfterMs is at most one year.")


def _check_judge(_spec: Spec, node: Node, config: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if not isinstance(config.get("criterion"), str) and not node.success_criteria:
        message = "The check has no criterion, and the node has no successCriteria."
        yield error(f"{path}/config/criterion", "MISSING_FIELD", message)


_CONFIGS: Mapping[str, Callable[[Spec, Node, Mapping[str, Any], str], Iterator[Problem]]] = {
    "schema": _check_schema,
    "artifact": _check_artifact,
    "deliverable": _check_deliverable,
    "expression": _check_expression,
    "human": _check_human,
    "model-judge": _check_judge,
}


def expression_problems(text: str, path: str, spec: Spec, reader: str) -> Iterator[Problem]:
    """Yield what is wrong with an expression at *path*, which is evaluated when the node *reader* has its result."""
    try:
        names = parse(text).names
    except ExpressionInvalid as why:
        yield error(path, "INVALID_EXPRESSION", str(why))
        return
    for name in names:
        root, *rest = parts_of(name)
        if root not in VARIABLES:
            hint = f"Begin with one of: {', '.join(VARIABLES)}. A text needs quotes."
            yield error(path, "UNKNOWN_VARIABLE", f"“{name}” names no value.", hint)
        elif root == "outputs" and rest and rest[0] not in spec.nodes:
            message = f"No node has the id “{rest[0]}”."
            yield error(path, "UNKNOWN_NODE", message, one_of(rest[0], spec.nodes))
        elif root == "outputs" and rest and rest[0] in _after(spec, reader):
            own = rest[0] == reader
            message = f"“{rest[0]}” has not ended when this is evaluated, at “{reader}”: its output is never there."
            hint = "Read output instead." if own else f"Name a node before “{reader}”."
            yield error(path, "NEVER_PASSES", message, hint)


# the expressions of a node follow each other
@lru_cache(maxsize=1)
def _after(spec: Spec, node: str) -> set[str]:
    return spec.after(node)


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
