"""Turn a program into a plan: names are looked up in the catalog, and what cannot run is named with its place."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from planloom.core.endpoint import Effect
from planloom.core.entities import Capability, CapabilityArgument, Entity, EntityField
from planloom.core.expressions import ExpressionInvalid
from planloom.core.expressions import parse as parse_condition
from planloom.planes.programs import conditions
from planloom.planes.programs import syntax as s
from planloom.planes.programs.arguments import Values
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.names import nearest, suggestion, unknown_member
from planloom.planes.programs.plan import BACKEND_OPS, Op, PlanNode, ProgramPlan, ProgramProblem
from planloom.planes.programs.print import print_condition
from planloom.planes.programs.shapes import UNKNOWN, Compiled, Shape
from planloom.planes.programs.verdict import Policy, decide

#: A plan has at most so many nodes, and says at most so many problems.
MOST_NODES, MOST_PROBLEMS = 5_000, 20


def compile_program(program: s.Program, catalog: Catalog, policy: Policy = Policy()) -> ProgramPlan:  # noqa: B008 - frozen
    """Return what *program* would do over *catalog*, with its verdict; nothing is read or called.

    What cannot run has the verdict ``needs_fix``, with ``problems``. A continuation is no plan: ValueError.
    """
    if program.continuation is not None:
        raise ValueError(f"{program.continuation.verb}(...) is a continuation, which has no plan.")
    compiler = _Compiler(catalog)
    compiler.run(program)
    return decide(compiler.result(), policy)


class _EnoughProblems(Exception):
    """So many problems were found that the rest is not looked at."""


class _Compiler:
    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.nodes: list[PlanNode] = []
        self.shapes: dict[str, Shape] = {}
        self.filters: dict[str, s.Condition] = {}
        self.places: dict[str, s.Place] = {}
        self.bindings: dict[str, str] = {}
        self.used: set[str] = set()
        self.returns: list[str] = []
        self.problems: list[ProgramProblem] = []
        self._last_change: tuple[str, ...] = ()
        self._since_change: list[str] = []

    def run(self, program: s.Program) -> None:
        """Compile all statements; the last one is returned where none is returned by itself."""
        try:
            for statement in program.statements:
                self._statement(statement)
        except _EnoughProblems:
            return
        if not self.returns and program.statements:
            last = program.statements[-1].name
            self.used.add(last)
            self.returns.append(self.bindings[last])

    def _statement(self, statement: s.Statement) -> None:
        node = self.expression(statement.expression)
        if not statement.name:
            self.returns.append(node)
        else:
            self._bind(statement, node)
        if len(self.nodes) > MOST_NODES:
            self.complain(f"The program has more than {MOST_NODES:,} operations. Split it.", statement.at)
            raise _EnoughProblems

    def result(self) -> Compiled:
        """Return what was compiled."""
        names = {node: name for name, node in self.bindings.items()}
        unused = [name for name in self.bindings if name not in self.used]
        return Compiled(
            catalog=self.catalog,
            nodes=self.nodes,
            shapes=self.shapes,
            filters=self.filters,
            places=self.places,
            names=names,
            returns=self.returns,
            problems=self.problems,
            unused=unused,
        )

    def _bind(self, statement: s.Statement, node: str) -> None:
        name = statement.name
        if name in self.bindings:
            self.complain(f"{name} is bound twice. Use another name.", statement.at)
        elif self.catalog.get(name):
            self.complain(f"{name} is the name of an entity. Bind to another name.", statement.at)
        self.bindings[name] = node

    def complain(self, message: str, at: s.Place, nearest: str = "") -> None:
        """Keep a problem; what it is about is compiled as rows of which nothing is known."""
        problem = ProgramProblem(message=message, line=at.line, column=at.column, nearest=nearest)
        if problem not in self.problems:
            self.problems.append(problem)
        if len(self.problems) >= MOST_PROBLEMS:
            # to look for the nearest names of thousands would take seconds
            raise _EnoughProblems

    def add(
        self, op: Op, shape: Shape, args: Mapping[str, Any], inputs: tuple[str, ...] = (), change: bool = False
    ) -> str:
        """Add a node; what reaches a backend comes after all changes before it, and a change after all reads too."""
        after = self._last_change if op in BACKEND_OPS else ()
        if change:
            after = tuple(self._since_change) or self._last_change
        after = tuple(each for each in after if each not in inputs)
        node = PlanNode(id=f"n{len(self.nodes) + 1}", op=op, args=dict(args), inputs=inputs, after=after)
        self.nodes.append(node)
        self.shapes[node.id] = shape
        if change:
            self._last_change, self._since_change = (node.id,), []
        elif op in BACKEND_OPS:
            self._since_change.append(node.id)
        return node.id

    # expressions

    def expression(self, it: s.Expression) -> str:
        """Return the node of an expression."""
        compiled: Callable[[Any], str] = _RULES[type(it)].__get__(self)
        return compiled(it)

    def entity(self, name: str, at: s.Place) -> Entity | None:
        """Return an entity, complaining where there is none."""
        entity = self.catalog.get(name)
        if entity is None:
            known = [*self.catalog.names, *self.bindings]
            said = f"There is no entity {name}. {suggestion(name, known)}"
            self.complain(said.strip(), at, nearest(name, known))
        return entity

    def _named(self, it: s.Named) -> str:
        if it.name in self.bindings:
            self.used.add(it.name)
            return self.bindings[it.name]
        entity = self.entity(it.name, it.at)
        if entity is None:
            return self.add("read", UNKNOWN, {"entity": it.name})
        if entity.list is None:
            self.complain(f'{entity.name} cannot be listed. Read one by its id: {entity.name}("…").', it.at)
        node = self.add("read", Shape.of(entity), {"entity": entity.name})
        self.places.setdefault(node, it.at)
        return node

    def _get(self, it: s.Get) -> str:
        entity = self.entity(it.entity, it.at)
        if entity is not None and entity.get is None:
            self.complain(f"{entity.name} cannot be read by its id.{_how_to_list(entity)}", it.at)
        values = Values(self)
        args = {"entity": it.entity, "id": values.encode(it.id, None, key=True)}
        return self.add(
            "get", Shape.of(entity, one=True) if entity else replace(UNKNOWN, one=True), args, values.inputs
        )

    def _page(self, it: s.Page) -> str:
        return self.add("page", UNKNOWN, {"handle": it.handle})

    def _filter(self, it: s.Filter) -> str:
        if isinstance(last := _projected_last(it), s.Project):
            return self.expression(last)
        of = self.expression(it.of)
        shape = self.shapes[of]
        values = Values(self, of)
        scope = conditions.Scope(shape.fields, self.bindings, values.use, self.complain)
        where = conditions.resolve(it.where, scope)
        text = print_condition(where)
        try:
            parse_condition(text)
        except ExpressionInvalid as error:
            self.complain(f"The condition cannot be used: {error}", it.at)
        node = self.add("filter", replace(shape, one=False), {"where": text}, (of, *values.others))
        self.filters[node] = where
        return node

    def _project(self, it: s.Project) -> str:
        of = self.expression(it.of)
        shape = self.shapes[of]
        self.check_fields(shape, it.fields)
        fields = [each.path for each in it.fields]
        return self.add("project", shape.only(fields), {"fields": fields}, (of,))

    def _sort(self, it: s.Sort) -> str:
        if isinstance(last := _projected_last(it), s.Project):
            return self.expression(last)
        of = self.expression(it.of)
        self.check_fields(self.shapes[of], (key.field for key in it.keys))
        keys = [f"-{key.field.path}" if key.down else key.field.path for key in it.keys]
        return self.add("sort", self.shapes[of], {"keys": keys}, (of,))

    def _limit(self, it: s.Limit) -> str:
        of = self.expression(it.of)
        return self.add("limit", self.shapes[of], {"rows": it.rows}, (of,))

    def _aggregate(self, it: s.Aggregate) -> str:
        of = self.expression(it.of)
        functions = it.functions or (s.Aggregation("count"),)
        shape = self.shapes[of]
        self.check_fields(shape, (*it.by, *(each.field for each in functions if each.field.path)))
        self._check_numbers(shape, functions)
        by = [each.path for each in it.by]
        fields = {name: shape.field(name) for name in by}
        fields |= {each.name: EntityField(name=each.name.replace(".", "_"), type="number") for each in functions}
        args = {"by": by, "functions": [[each.function, each.field.path] for each in functions]}
        return self.add("aggregate", Shape(None, fields, one=not it.by), args, (of,))

    def _check_numbers(self, shape: Shape, functions: tuple[s.Aggregation, ...]) -> None:
        for function, field in ((each.function, each.field) for each in functions):
            found = shape.fields and shape.fields.get(field.path)
            if found and function in ("sum", "avg") and found.type != "number":
                self.complain(f"{function} needs numbers, and {field.path} is a {found.type}.", field.at)

    def _distinct(self, it: s.Distinct) -> str:
        of = self.expression(it.of)
        self.check_fields(self.shapes[of], it.fields)
        return self.add("distinct", self.shapes[of], {"fields": [each.path for each in it.fields]}, (of,))

    def _combine(self, it: s.Combine) -> str:
        left, right = self.expression(it.left), self.expression(it.right)
        shapes = self.shapes[left], self.shapes[right]
        if all(shape.fields is not None for shape in shapes):
            entities = {shape.entity.name if shape.entity else "" for shape in shapes}
            if len(entities) > 1 or "" in entities:
                self.complain(f"{it.sign} takes rows of one entity on both sides.", it.at)
            for shape in shapes:
                if shape.entity and shape.fields is not None and shape.entity.key not in shape.fields:
                    self.complain(f"{it.sign} compares rows by {shape.entity.key}: keep that field.", it.at)
        key = next((shape.entity.key for shape in shapes if shape.entity), "id")
        return self.add("combine", replace(shapes[0], one=False), {"sign": it.sign, "key": key}, (left, right))

    def _related(self, it: s.Related) -> str:
        of = self.expression(it.of)
        shape = self.shapes[of]
        relation = shape.entity.relation(it.name) if shape.entity else None
        if relation is None:
            self._no_relation(shape, it)
            return self.add("related", UNKNOWN, {"relation": it.name}, (of,))
        self.check_fields(shape, (s.Ref(relation.field, it.at),))
        target = self.entity(relation.entity, it.at)
        result = Shape.of(target, one=shape.one and not relation.many) if target else UNKNOWN
        args = {"entity": relation.entity, "by": relation.by if relation.many else "", "field": relation.field}
        node = self.add("related", result, {**args, "many": not shape.one}, (of,))
        self.places.setdefault(node, it.at)
        return node

    def _no_relation(self, shape: Shape, it: s.Related) -> None:
        if shape.entity is None:
            # of an entity that does not exist, that has been said
            if shape.fields is not None or not self.problems:
                said = f"Only rows of an entity have relations: these have none called {it.name}."
                self.complain(said, it.at)
            return
        if shape.fields and it.name in shape.fields:
            said = f"{shape.entity.name} has no relation {it.name}. {it.name} is a field: write [{it.name}]."
            self.complain(said, it.at)
        else:
            self._unknown(shape.entity, "relation", it.name, it.at)

    def _unknown(self, entity: Entity, kind: str, name: str, at: s.Place) -> None:
        said, meant = unknown_member(entity, kind, name)
        self.complain(said, at, meant)

    def _call(self, it: s.Call) -> str:
        values = Values(self)
        key: Any = None
        if isinstance(it.of, s.Named) and it.of.name not in self.bindings:
            entity = self.entity(it.of.name, it.of.at)
        else:
            of = self.expression(it.of)
            shape, entity = self.shapes[of], self.shapes[of].entity
            if entity is not None and entity.capability(it.name) and not shape.one:
                right = f".for_each({entity.name}.{it.name}(each.id))"
                self.complain(f"{it.name} is called on many rows: use {right}.", it.at)
            if entity is not None:
                key = values.ref(of, entity.key)
        return self._called("call", entity, it.name, it.arguments, it.at, values, key)

    def _for_each(self, it: s.ForEach) -> str:
        of = self.expression(it.of)
        values = Values(self, of)
        rows = self.shapes[of].entity
        args = {"key": rows.key if rows else "id"}  # what its results are named by
        entity = self.entity(it.entity, it.entity_at)
        return self._called("for_each", entity, it.name, it.arguments, it.at, values, None, args)

    def _called(
        self,
        op: Op,
        entity: Entity | None,
        name: str,
        given: tuple[s.Argument, ...],
        at: s.Place,
        values: "Values",
        key: Any,
        more: Mapping[str, Any] | None = None,
    ) -> str:
        capability = entity.capability(name) if entity else None
        args: dict[str, Any] = {"entity": entity.name if entity else "", "capability": name, **(more or {})}
        if entity is None and not self.problems:
            self.complain(f"Only rows of an entity have capabilities: these have none called {name}.", at)
        if entity and capability is None:
            self._unknown(entity, "capability", name, at)
        if capability is not None:
            args["arguments"] = self._arguments(capability, given, at, values, key)
            args["effect"] = capability.effect.value
            if capability.starts:
                args |= {"starts": capability.starts, "started": capability.started}
        else:
            for each in given:
                values.encode(each.value, None)
        change = capability is not None and capability.effect is not Effect.READS
        shape = Shape(None, None, one=op == "call")
        return self.add(op, shape, args, values.inputs if op == "call" else (values.of, *values.others), change)

    def _arguments(
        self, capability: Capability, given: tuple[s.Argument, ...], at: s.Place, values: "Values", key: Any
    ) -> dict[str, Any]:
        declared = {each.name: each for each in capability.arguments}
        if capability.key:
            own = CapabilityArgument(name=capability.key, type="any", required=True)
            declared = {capability.key: own, **declared}
        found: dict[str, Any] = {}
        if capability.key and key is not None:
            found[capability.key] = key
        free = iter([name for name in declared if name not in found])
        for each in given:
            name = each.name or next(free, "")
            if name == "id" and "id" not in declared and capability.key:
                name = capability.key
            if name not in declared:
                self._unknown_argument(capability, name, declared, each.at if each.name else at)
                continue
            found[name] = values.encode(each.value, declared[name], key=name == capability.key)
        missing = [name for name, each in declared.items() if each.required and name not in found]
        if missing:
            self.complain(f"{capability.name} needs {', '.join(missing)}.", at)
        return dict(sorted(found.items()))

    def _unknown_argument(self, capability: Capability, name: str, declared: Mapping[str, Any], at: s.Place) -> None:
        if name:
            said = f"{capability.name} has no argument {name}. {suggestion(name, declared)}"
            self.complain(said.strip(), at, nearest(name, declared))
        else:
            self.complain(f"{capability.name} takes at most {len(declared)} arguments.", at)

    def check_fields(self, shape: Shape, paths: Iterable[s.Ref]) -> None:
        """Complain of *paths* that rows of *shape* do not have."""
        if shape.fields is None:
            return
        for each in paths:
            if each.path not in shape.fields and each.first not in shape.fields:
                known = tuple(shape.fields)
                said = f"The rows have no field {each.first}. {suggestion(each.first, known)}"
                self.complain(said.strip(), each.at, nearest(each.first, known))


def _projected_last(it: s.Expression) -> s.Expression:
    """Return *it* with fields named after filters and sorts, not before: these may use fields that are left out."""
    if not isinstance(it, s.Filter | s.Sort):
        return it
    of = _projected_last(it.of)
    return replace(of, of=replace(it, of=of.of)) if isinstance(of, s.Project) else it


def _how_to_list(entity: Entity) -> str:
    if entity.list is None:
        return ""
    needed = entity.list.needs
    return f' List them: {entity.name}.filter{{{needed[0]} = "…"}}.' if needed else f" Filter {entity.name} instead."


_RULES: Mapping[type, Any] = {
    s.Named: _Compiler._named,
    s.Get: _Compiler._get,
    s.Page: _Compiler._page,
    s.Filter: _Compiler._filter,
    s.Project: _Compiler._project,
    s.Sort: _Compiler._sort,
    s.Limit: _Compiler._limit,
    s.Aggregate: _Compiler._aggregate,
    s.Distinct: _Compiler._distinct,
    s.Combine: _Compiler._combine,
    s.Related: _Compiler._related,
    s.Call: _Compiler._call,
    s.ForEach: _Compiler._for_each,
}
