"""How much each node that lists rows must read, from what the nodes after it do with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from planloom.core.entities import Entity
from planloom.planes.programs import syntax as s
from planloom.planes.programs.conditions import TIMES, conjuncts, refs, renamed
from planloom.planes.programs.plan import Fetch, PlanNode, Pushed
from planloom.planes.programs.print import print_condition
from planloom.planes.programs.shapes import Compiled


def plan_fetches(compiled: Compiled) -> dict[str, Fetch]:
    """Return what to fetch, by node, for all nodes that list rows."""
    by_id = {node.id: node for node in compiled.nodes}
    consumers: dict[str, list[PlanNode]] = {node.id: [] for node in compiled.nodes}
    for node in compiled.nodes:
        for needed in node.inputs:
            consumers[needed].append(node)
    found: dict[str, Fetch] = {}
    for node in compiled.nodes:
        if _lists(node):
            chain = _Chain(compiled, by_id, consumers, found, node)
            chain.follow()
            found[node.id] = chain.fetch()
    return found


def _lists(node: PlanNode) -> bool:
    return node.op == "read" or (node.op == "related" and bool(node.args.get("by")))


@dataclass
class _Chain:
    """The nodes behind one that lists rows, as far as reading can do their work."""

    compiled: Compiled
    by_id: Mapping[str, PlanNode]
    consumers: Mapping[str, Sequence[PlanNode]]
    fetches: Mapping[str, Fetch]
    node: PlanNode
    wheres: list[s.Condition] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    absorbed: list[str] = field(default_factory=list)
    fields: tuple[str, ...] | None = None
    rows: int | None = None

    def follow(self) -> None:
        """Take over the work of each next node while it is the only one that takes the rows."""
        while (following := self._next()) is not None and self._absorb(following):
            self.absorbed.append(following.id)

    def fetch(self) -> Fetch:
        """Return what to fetch."""
        last = self.absorbed[-1] if self.absorbed else self.node.id
        returned = last in self.compiled.returns and not self.consumers[last]
        entity = self.compiled.catalog.get(self.node.args.get("entity", ""))
        parts = [part for where in self.wheres for part in conjuncts(where)]
        pushed = list(self._pushed(entity, parts)) if entity else []
        return Fetch(
            page=returned and not self.wheres and self.rows is None and not self.node.args.get("many"),
            rows=self.rows,
            where=tuple(map(print_condition, self.wheres)),
            pushed=tuple(pushed),
            complete=len(pushed) == len(parts) and self._complete(entity),
            fields=self.fields,
            absorbed=tuple(self.absorbed),
            needs=tuple(dict.fromkeys(self.needs)),
        )

    def _next(self) -> PlanNode | None:
        last = self.absorbed[-1] if self.absorbed else self.node.id
        found = self.consumers[last]
        if last in self.compiled.returns or len(found) != 1 or found[0].inputs[0] != last:
            return None
        return found[0]

    def _absorb(self, node: PlanNode) -> bool:
        if node.op == "project":
            self.fields = tuple(node.args["fields"])
            return True
        if node.op == "limit":
            self.rows = min(node.args["rows"], self.rows or node.args["rows"])
            return True
        others = node.inputs[1:]
        if node.op != "filter" or self.rows is not None or any(self._reaches(each) for each in others):
            return False
        names = {f"_{place}": f"_{each}" for place, each in enumerate(node.inputs) if place}
        self.wheres.append(renamed(self.compiled.filters[node.id], names))
        self.needs += others
        return True

    def _reaches(self, start: str) -> bool:
        """Return whether the rows of *start* come from this node: it cannot wait for them."""
        todo, seen = [start], {start}
        while todo:
            each = todo.pop()
            if each == self.node.id:
                return True
            fetch = self.fetches.get(each)
            more = (*self.by_id[each].inputs, *self.by_id[each].after, *(fetch.needs if fetch else ()))
            todo += [other for other in more if other not in seen]
            seen.update(more)
        return False

    def _pushed(self, entity: Entity, parts: Sequence[s.Condition]) -> Iterator[Pushed]:
        filters = entity.list.filters if entity.list else {}
        used = {filters.get(self.node.args.get("by", ""))}
        for part in parts:
            if not isinstance(part, s.Compare) or not isinstance(part.left, s.Ref):
                continue
            key = part.left.path if part.sign == "=" else f"{part.left.path} {part.sign}"
            parameter = filters.get(key)
            pushed = self._value(part, parameter) if parameter and parameter not in used else None
            if pushed:
                used.add(parameter)
                yield pushed

    def _value(self, part: s.Compare, parameter: str) -> Pushed | None:
        assert isinstance(part.left, s.Ref)
        known = {"field": part.left.path, "sign": part.sign, "parameter": parameter}
        match part.right:
            case s.Literal(value=value) if value is not None:
                return Pushed(**known, value=value)
            case s.Ref(path=path) if part.right.first == TIMES:
                return Pushed(**known, relative=path[len(TIMES) + 2 : -2])
            case s.Ref(path=path):
                node, _, rest = path.removeprefix("_").partition(".")
                if node in self.needs and self.compiled.shapes[node].one:
                    return Pushed(**known, node=node, path=rest)
        return None

    def _complete(self, entity: Entity | None) -> bool:
        by = self.node.args.get("by")
        return not by or bool(entity and entity.list and by in entity.list.filters)


def unfiltered(compiled: Compiled, fetch: Fetch) -> list[str]:
    """Return the names in the conditions of *fetch* that the backend does not compare."""
    pushed = {each.field for each in fetch.pushed}
    names = [ref.first for node in fetch.absorbed if node in compiled.filters for ref in refs(compiled.filters[node])]
    return [name for name in dict.fromkeys(names) if name not in pushed and not name.startswith("_")]
