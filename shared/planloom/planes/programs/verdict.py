"""The verdict of a dry run: whether a program may run, needs a second look, is denied or cannot run, and why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from planloom.core.endpoint import Effect
from planloom.core.frozen import Frozen
from planloom.planes.programs import syntax as s
from planloom.planes.programs.conditions import TIMES
from planloom.planes.programs.fetches import plan_fetches, unfiltered
from planloom.planes.programs.plan import PAGE_ROWS, Fetch, PlanNode, ProgramPlan, ProgramProblem, Verdict
from planloom.planes.programs.shapes import Compiled


class Policy(Frozen):
    """What an account's programs must not do: calls with these effects, and entities or capabilities by name.

    ``deny`` holds names such as ``Run`` and ``Run.delete``.
    """

    deny_effects: tuple[Effect, ...] = ()
    deny: tuple[str, ...] = ()


def decide(compiled: Compiled, policy: Policy) -> ProgramPlan:
    """Return the plan of what was compiled, with its bounds, its verdict and the reasons for it."""
    fetches = plan_fetches(compiled)
    judged = _Judged(compiled, fetches, _bounds(compiled, fetches))
    problems = [*compiled.problems, *judged.unreadable()]
    denied = list(judged.denied(policy))
    reasons = list(dict.fromkeys(judged.reasons()))
    verdict: Verdict = "needs_fix" if problems else "deny" if denied else "review" if reasons else "ok"
    said = {
        "needs_fix": [f"Line {each.line}, column {each.column}: {each.message}" for each in problems],
        "deny": denied,
    }
    return ProgramPlan(
        nodes=tuple(compiled.nodes),
        topological_order=tuple(node.id for node in compiled.nodes),
        returns=tuple(compiled.returns),
        names=compiled.names,
        labels={node.id: _label(node) for node in compiled.nodes},
        fetches=fetches,
        reads=tuple(judged.reads()),
        calls=tuple(judged.calls(reading=True)),
        changes=tuple(judged.calls(reading=False)),
        bounds={node: judged.bounds[node] for node in compiled.returns},
        verdict=verdict,
        reasons=tuple(said.get(verdict, reasons)),
        problems=tuple(problems),
        expensive=judged.expensive(),
    )


def _label(node: PlanNode) -> str:
    entity, args = node.args.get("entity", ""), node.args
    match node.op:
        case "read" | "get" | "related":
            return f"{node.op} {entity or args.get('relation', '')}"
        case "call":
            return f"{entity}.{args['capability']}"
        case "for_each":
            return f"for each {entity}.{args['capability']}"
        case "combine":
            return str(args["sign"])
        case _:
            return node.op


def _bounds(compiled: Compiled, fetches: dict[str, Fetch]) -> dict[str, int | None]:
    """Return how many rows each node has at most, None where that is not known."""
    bounds: dict[str, int | None] = {}
    for node in compiled.nodes:
        bounds[node.id] = _bound(node, [bounds[each] for each in node.inputs], fetches.get(node.id), compiled)
    return bounds


def _bound(node: PlanNode, inputs: list[int | None], fetch: Fetch | None, compiled: Compiled) -> int | None:
    if compiled.shapes[node.id].one:
        return 1
    if fetch is not None:
        return PAGE_ROWS if fetch.page else fetch.rows
    if node.op == "limit":
        return _least(inputs[0], node.args["rows"])
    if node.op == "combine":
        return _combined(node.args["sign"], *inputs[:2])
    if node.op == "page":
        return PAGE_ROWS
    return inputs[0] if inputs else None


def _least(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def _combined(sign: str, left: int | None, right: int | None) -> int | None:
    if sign == "union":
        return None if left is None or right is None else left + right
    return left if sign == "minus" else _least(left, right)


@dataclass
class _Judged:
    compiled: Compiled
    fetches: dict[str, Fetch]
    bounds: dict[str, int | None]

    def unreadable(self) -> Iterator[ProgramProblem]:
        """Return a problem for each list that lacks a comparison which its backend needs."""
        for node in self.compiled.nodes:
            fetch, entity = self.fetches.get(node.id), self.compiled.catalog.get(node.args.get("entity", ""))
            if fetch is None or entity is None or entity.list is None:
                continue
            given = {each.field for each in fetch.pushed if each.sign == "="} | {node.args.get("by", "")}
            missing = [name for name in entity.list.needs if name not in given]
            if missing:
                at = self.compiled.places.get(node.id, s.Place())
                said = f'{entity.name} is read by its {missing[0]}: {entity.name}.filter{{{missing[0]} = "…"}}.'
                yield ProgramProblem(message=said, line=at.line, column=at.column)

    def denied(self, policy: Policy) -> Iterator[str]:
        """Return what the policy denies."""
        for node in self.compiled.nodes:
            entity = node.args.get("entity", "")
            full = f"{entity}.{node.args['capability']}" if "capability" in node.args else entity
            denied = {entity, full} & set(policy.deny) or node.args.get("effect") in policy.deny_effects
            if denied:
                yield f"The account's policy denies {full}."

    def reasons(self) -> Iterator[str]:
        """Return why a person should look at the plan first."""
        for node in self.compiled.nodes:
            yield from self._of_node(node)
        for node_id in self.compiled.returns:
            yield from self._of_return(node_id)
        for name in self.compiled.unused:
            yield f"{name} is bound and never used."

    def _of_node(self, node: PlanNode) -> Iterator[str]:
        if self._reads_all(node):
            fetch = self.fetches[node.id]
            may = "is" if fetch.rows is None and not fetch.page else "may be"
            yield f"{node.args.get('entity') or node.args.get('relation')} {may} read whole{self._why(node)}."
        if node.op == "related" and node.args.get("many"):
            yield f"{node.args['entity']} is read for each of many rows."
        if node.op in ("aggregate", "sort", "distinct") and self.bounds[node.inputs[0]] is None:
            yield f"{node.op} works on a whole collection."
        if node.op == "for_each":
            yield f"{node.args['entity']}.{node.args['capability']} is called for each row{self._so_many(node)}."
        if self._changes(node):
            yield f"{node.args['entity']}.{node.args['capability']} {node.args['effect']} data."

    def _of_return(self, node_id: str) -> Iterator[str]:
        bound, shape = self.bounds[node_id], self.compiled.shapes[node_id]
        if bound is None:
            yield "The number of rows that are returned is not bounded. Add .limit(n)."
        if shape.whole and (bound is None or bound > PAGE_ROWS):
            name = shape.entity.name if shape.entity else ""
            yield f"All fields of many rows are returned. Name some: {name}[id, …]."

    def _why(self, node: PlanNode) -> str:
        fetch = self.fetches[node.id]
        names = unfiltered(self.compiled, fetch)
        return f": its backend does not filter by {', '.join(names)}" if names and not fetch.complete else ""

    def _so_many(self, node: PlanNode) -> str:
        bound = self.bounds[node.inputs[0]]
        return "" if bound is None else f", at most {bound:,}"

    def _reads_all(self, node: PlanNode) -> bool:
        """Return whether *node* reads page after page, to the end."""
        fetch, entity = self.fetches.get(node.id), self.compiled.catalog.get(node.args.get("entity", ""))
        if fetch is None or (entity and entity.list and entity.list.paging.style == "none"):
            return False  # a list without pages is one call
        return not fetch.complete or (fetch.rows is None and not fetch.page)

    def _changes(self, node: PlanNode) -> bool:
        return node.args.get("effect") in (Effect.CHANGES, Effect.DESTROYS)

    def expensive(self) -> bool:
        """Return whether the program should run without anybody waiting for it."""
        return any(
            self._reads_all(node)
            or (node.op == "related" and bool(node.args.get("many")))
            or (node.op == "for_each" and self._changes(node))
            for node in self.compiled.nodes
        )

    def reads(self) -> Iterator[str]:
        """Return a line for each node that reads."""
        for node in self.compiled.nodes:
            if node.op == "get":
                yield f"{node.args['entity']}: one row by its id"
            elif node.op == "page":
                yield f"page {node.args['handle']}"
            elif node.op in ("read", "related"):
                yield f"{node.args.get('entity', '')}: {self._extent(node)}"

    def _extent(self, node: PlanNode) -> str:
        fetch = self.fetches.get(node.id)
        if fetch is None:
            return "the related row" + (" of each row" if node.args.get("many") else "")
        said = f"the first {PAGE_ROWS} rows" if fetch.page else "all rows"
        if fetch.rows is not None:
            said = f"at most {fetch.rows:,} rows"
        said += " for each of many rows" if node.args.get("many") else ""
        said += f" where {self._named(' and '.join(fetch.where))}" if fetch.where else ""
        names = [] if fetch.complete else unfiltered(self.compiled, fetch)
        return f"{said} (the backend does not filter by {', '.join(names)})" if names else said

    def _named(self, condition: str) -> str:
        """Return *condition* with nodes by the names that the program gives them, and times as it writes them."""
        condition = re.sub(rf'\b{TIMES}\["([^"]+)"\]', r"\1", condition)
        return re.sub(r"\b_(n\d+)\.", lambda found: f"{self.compiled.names.get(found[1], found[1])}.", condition)

    def calls(self, reading: bool) -> Iterator[str]:
        """Return a line for each call that only reads, or else for each that changes something."""
        for node in self.compiled.nodes:
            if node.op in ("call", "for_each") and self._changes(node) is not reading:
                each = f" for each row{self._so_many(node)}" if node.op == "for_each" else ""
                effect = "" if reading else f" ({node.args.get('effect')})"
                yield f"{node.args['entity']}.{node.args['capability']}{each}{effect}"
