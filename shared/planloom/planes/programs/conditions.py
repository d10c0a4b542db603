"""Conditions of filters against the fields that rows have: names resolved, types compared, what a backend can do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from planloom.core.entities import EntityField
from planloom.core.times import is_time
from planloom.planes.programs import syntax as s
from planloom.planes.programs.names import nearest, suggestion

#: Says what is wrong, at a place, with the name that may be meant.
Complain = Callable[[str, s.Place, str], None]
_ORDERED = ("<", "<=", ">", ">=")
#: What resolved conditions call the times that are relative to now.
TIMES = "_times"


@dataclass
class Scope:
    """What names mean in a condition: ``fields`` of the row, None where they are not known; ``bindings`` else.

    ``use`` returns what a binding is called in the resolved condition.
    """

    fields: Mapping[str, EntityField] | None
    bindings: Mapping[str, object]
    use: Callable[[s.Ref], str]
    complain: Complain

    def is_field(self, condition: s.Condition) -> bool:
        """Return whether *condition* is a field of the row."""
        return isinstance(condition, s.Ref) and self.fields is not None and condition.first in self.fields

    def field(self, condition: s.Condition) -> EntityField | None:
        """Return the field that *condition* is, None where it is none, or a path into one."""
        known = isinstance(condition, s.Ref) and self.fields and self.fields.get(condition.path)
        return known or None


def resolve(condition: s.Condition, scope: Scope) -> s.Condition:
    """Return *condition* with words that are no field as texts, and with bindings by the names that *scope* gives."""
    match condition:
        case s.Either():
            return s.Either(tuple(resolve(part, scope) for part in condition.parts))
        case s.Both():
            return s.Both(tuple(resolve(part, scope) for part in condition.parts))
        case s.Not():
            return s.Not(resolve(condition.of, scope))
        case s.Compare():
            return _compare(condition, scope)
        case s.Function():
            return s.Function(condition.name, resolve(condition.of, scope))
        case _:
            return _value(condition, scope)


def _value(condition: s.Condition, scope: Scope) -> s.Condition:
    match condition:
        case s.Conditions():
            return s.Conditions(tuple(resolve(item, scope) for item in condition.items))
        case s.Ref():
            return _name(condition, scope)
        case s.Moment():
            # a field of that name is meant before the time
            known = scope.fields is not None and condition.text in scope.fields
            return s.Ref(condition.text if known else f'{TIMES}["{condition.text}"]', condition.at)
        case _:
            return condition


def _name(ref: s.Ref, scope: Scope) -> s.Condition:
    if scope.fields is not None and ref.first in scope.fields:
        return ref
    if ref.first in scope.bindings:
        return s.Ref(scope.use(ref), ref.at)
    if scope.fields is None:
        return ref
    meant = nearest(ref.first, scope.fields)
    scope.complain(f"The rows have no field {ref.first}. {suggestion(ref.first, scope.fields)}", ref.at, meant)
    return ref


def _compare(it: s.Compare, scope: Scope) -> s.Condition:
    left_known, right_known = scope.is_field(it.left), scope.is_field(it.right)
    left, right = it.left, it.right
    if left_known or scope.fields is None or isinstance(left, s.Function) or _is_word(left, scope):
        right = _words(right, scope, _values_of(left, scope))
    elif right_known:
        left = _words(left, scope, _values_of(right, scope))
    field, value = (scope.field(left), right) if left_known else (scope.field(right), left)
    if field is not None:
        _check(field, it.sign, value, scope)
    return s.Compare(resolve(left, scope), it.sign, resolve(right, scope))


def _values_of(condition: s.Condition, scope: Scope) -> tuple[str, ...]:
    field = scope.field(condition)
    return field.values if field else ()


def _words(condition: s.Condition, scope: Scope, values: tuple[str, ...]) -> s.Condition:
    """Return *condition* with words that name nothing as texts: ``completed``, ``[failed, stopped]``.

    A word that is one of the *values* of the field that it is compared with is a text, whatever else has that name.
    """
    if isinstance(condition, s.Conditions):
        return s.Conditions(tuple(_words(item, scope, values) for item in condition.items))
    if isinstance(condition, s.Ref) and (condition.path in values or _is_word(condition, scope)):
        return s.Literal(condition.path, condition.at)
    return condition


def _is_word(condition: s.Condition, scope: Scope) -> bool:
    if not isinstance(condition, s.Ref) or condition.path != condition.first:
        return False
    return condition.path not in scope.bindings and condition.path not in (scope.fields or ())


def _check(field: EntityField, sign: str, value: s.Condition, scope: Scope) -> None:
    for literal in value.items if isinstance(value, s.Conditions) else (value,):
        if isinstance(literal, s.Moment) and field.type in ("number", "boolean"):
            scope.complain(f"{field.name} is a {field.type}, and {literal.text} is a time.", literal.at, "")
        if not isinstance(literal, s.Literal) or literal.value is None:
            continue
        given = literal.value
        if field.values and sign in ("=", "!=", "in") and given not in field.values:
            meant = nearest(str(given), field.values)
            said = f"{field.name} is never {given}. {suggestion(str(given), field.values)}"
            scope.complain(said, literal.at, meant)
        elif field.type == "time" and sign in _ORDERED and not is_time(given):
            said = f"{field.name} is a time: write one such as 2026-01-31, 2026-01-31T10:00Z, now-7d or today."
            scope.complain(said, literal.at, "")
        elif field.type in ("number", "boolean") and isinstance(given, str) and sign in ("=", "!=", "in", *_ORDERED):
            scope.complain(f"{field.name} is a {field.type}, and “{given[:40]}” is a text.", literal.at, "")


def conjuncts(condition: s.Condition) -> Iterator[s.Condition]:
    """Return the conditions that must all hold."""
    if isinstance(condition, s.Both):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def refs(condition: s.Condition) -> Iterator[s.Ref]:
    """Return the names in a condition."""
    match condition:
        case s.Ref():
            yield condition
        case s.Either() | s.Both():
            for part in condition.parts:
                yield from refs(part)
        case s.Conditions():
            for part in condition.items:
                yield from refs(part)
        case s.Not() | s.Function():
            yield from refs(condition.of)
        case s.Compare():
            yield from refs(condition.left)
            yield from refs(condition.right)


def renamed(condition: s.Condition, names: Mapping[str, str]) -> s.Condition:
    """Return *condition* with the first name of each path that *names* has replaced."""
    match condition:
        case s.Ref() if condition.first in names:
            return s.Ref(names[condition.first] + condition.path[len(condition.first) :], condition.at)
        case s.Either() | s.Both():
            return type(condition)(tuple(renamed(part, names) for part in condition.parts))
        case s.Conditions():
            return s.Conditions(tuple(renamed(part, names) for part in condition.items))
        case s.Not():
            return s.Not(renamed(condition.of, names))
        case s.Function():
            return s.Function(condition.name, renamed(condition.of, names))
        case s.Compare():
            return s.Compare(renamed(condition.left, names), condition.sign, renamed(condition.right, names))
        case _:
            return condition
