"""Make the syntax of a program out of what the parser reduces."""

import math
import re
from typing import Any

from lark import Token, Transformer, v_args

from planloom.core.expressions import unquote
from planloom.planes.programs import syntax as s
from planloom.planes.programs.errors import ProgramError
from planloom.planes.programs.grammar import AGGREGATES

#: limit() takes at most so many rows.
MOST_ROWS = 1_000_000
CONTINUATIONS = ("wait", "cancel")
#: A handle; wait and cancel take ids of runs and plans too.
HANDLE = re.compile(r"^[\w:.-]{1,100}$", re.ASCII)


def place_of(token: Any) -> s.Place:
    """Return where a token is."""
    return s.Place(token.line or 1, token.column or 1) if isinstance(token, Token) else s.Place()


@v_args(inline=True)
class Build(Transformer[Token, Any]):
    """Turn what the parser reduces into the types of planloom.planes.programs.syntax."""

    def program(self, *statements: s.Statement | None) -> tuple[s.Statement, ...]:
        return tuple(each for each in statements if each is not None)

    def bound(self, name: Token, expression: s.Expression) -> s.Statement:
        if name in CONTINUATIONS or name in ("page", "each"):
            raise ProgramError(f"{name} is a word of the language. Bind to another name.", place_of(name))
        return s.Statement(expression, str(name), place_of(name))

    def returned(self, expression: s.Expression) -> s.Statement:
        return s.Statement(expression, "", getattr(expression, "at", s.Place()))

    # expressions

    def name(self, name: Token) -> s.Expression:
        return s.Named(str(name), place_of(name))

    def got(self, name: Token, value: s.Value) -> s.Expression:
        if name in ("page", *CONTINUATIONS):
            return s.Page(_handle(name, value), str(name), place_of(name))
        return s.Get(str(name), value, place_of(name))

    def combined(self, left: s.Expression, sign: Token, right: s.Expression) -> s.Expression:
        return s.Combine(left, str(sign), right, place_of(sign))

    def projected(self, of: s.Expression, *fields: Token) -> s.Expression:
        return s.Project(of, _names(fields), place_of(fields[0]))

    def filtered(self, of: s.Expression, word: Token, where: s.Condition) -> s.Expression:
        return s.Filter(of, where, place_of(word))

    def sorted(self, of: s.Expression, word: Token, *keys: s.SortKey) -> s.Expression:
        return s.Sort(of, keys, place_of(word))

    def key(self, down: Token | None, path: Token) -> s.SortKey:
        return s.SortKey(self.path(path), down is not None)

    def limited(self, of: s.Expression, _: Token, number: Token) -> s.Expression:
        if not number.isdigit() or not 1 <= int(number[:9]) <= MOST_ROWS or len(number) > 9:
            raise ProgramError(f"limit takes a whole number from 1 to {MOST_ROWS:,}.", place_of(number), ("a number",))
        return s.Limit(of, int(number), place_of(number))

    def grouped(self, of: s.Expression, word: Token, *fields: Token) -> s.Expression:
        return s.Aggregate(of, _names(fields), (), place_of(word))

    def aggregated(self, of: s.Expression, word: Token, *functions: s.Aggregation) -> s.Expression:
        return _aggregate(of, functions, word)

    def of_field(self, function: Token, field: Token) -> s.Aggregation:
        return s.Aggregation(str(function), self.path(field))

    def of_rows(self, *_: Token) -> s.Aggregation:
        return s.Aggregation("count")

    def distinct(self, of: s.Expression, word: Token, *fields: Token | None) -> s.Expression:
        return s.Distinct(of, _names(fields), place_of(word))

    def for_each(
        self, of: s.Expression, _: Token, entity: Token, name: Token, given: tuple[s.Argument, ...] | None
    ) -> s.Expression:
        return s.ForEach(of, str(entity), str(name), given or (), place_of(name), place_of(entity))

    def related(self, of: s.Expression, name: Token) -> s.Expression:
        return s.Related(of, str(name), place_of(name))

    def called_on(self, of: s.Expression, name: Token, given: tuple[s.Argument, ...] | None) -> s.Expression:
        arguments = given or ()
        if name == "get":
            if not isinstance(of, s.Named) or len(arguments) != 1 or arguments[0].name:
                raise ProgramError('get takes one id, for example Plan.get("…").', place_of(name), ("an id",))
            return s.Get(of.name, arguments[0].value, place_of(name))
        if name in AGGREGATES:
            return _aggregate(of, (_shorthand(name, arguments),), name)
        return s.Call(of, str(name), arguments, place_of(name))

    # arguments and values

    def arguments(self, *given: s.Argument) -> tuple[s.Argument, ...]:
        named = [each for each in given if each.name]
        for number, each in enumerate(named):
            if each.name in [other.name for other in named[:number]]:
                raise ProgramError(f"The argument {each.name} is given twice.", each.at)
        return given

    def given(self, value: s.Value) -> s.Argument:
        return s.Argument("", value)

    def given_by_name(self, name: Token, value: s.Value) -> s.Argument:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ProgramError(f"{name[:40]} is not the name of an argument.", place_of(name), ("a name",))
        return s.Argument(str(name), value, place_of(name))

    def number(self, token: Token) -> s.Literal:
        if len(token) > 40:
            raise ProgramError("The number has too many digits.", place_of(token), ("a number",))
        value = float(token) if any(sign in token for sign in ".eE") else int(token)
        if not math.isfinite(value):
            raise ProgramError("The number is too large.", place_of(token), ("a number",))
        return s.Literal(value, place_of(token))

    def text(self, token: Token) -> s.Literal:
        return s.Literal(unquote(token), place_of(token))

    def bare_text(self, token: Token) -> s.Literal:
        return s.Literal(str(token), place_of(token))

    def moment(self, token: Token) -> s.Moment:
        return s.Moment("".join(token.split()), place_of(token))

    def constant(self, token: Token) -> s.Literal:
        return s.Literal({"true": True, "false": False, "null": None}[str(token)], place_of(token))

    def path(self, token: Token) -> s.Ref:
        return s.Ref(str(token), place_of(token))

    def values(self, *items: s.Value | None) -> s.ListOf:
        return s.ListOf(tuple(each for each in items if each is not None))

    def pairs(self, *items: tuple[str, s.Value] | None) -> s.ObjectOf:
        return s.ObjectOf(tuple(each for each in items if each is not None))

    def pair(self, name: Token, value: s.Value) -> tuple[str, s.Value]:
        return (unquote(name) if name.type == "TEXT" else str(name)), value

    # conditions, as planloom.core.expressions names them

    def either(self, *parts: s.Condition) -> s.Condition:
        return parts[0] if len(parts) == 1 else s.Either(parts)

    def both(self, *parts: s.Condition) -> s.Condition:
        return parts[0] if len(parts) == 1 else s.Both(parts)

    def denied(self, part: s.Condition) -> s.Condition:
        return s.Not(part)

    def compared(self, left: s.Condition, sign: Token | None = None, right: s.Condition | None = None) -> s.Condition:
        if sign is None or right is None:
            return left
        return s.Compare(left, "=" if sign == "==" else str(sign), right)

    def called(self, name: Token, part: s.Condition) -> s.Condition:
        return s.Function(str(name), part)

    def listed(self, *items: s.Condition | None) -> s.Condition:
        return s.Conditions(tuple(each for each in items if each is not None))


def _names(fields: tuple[Token | None, ...]) -> tuple[s.Ref, ...]:
    given = [each for each in fields if each is not None]
    for number, each in enumerate(given):
        if each in given[:number]:
            raise ProgramError(f"{each} is named twice.", place_of(each))
    return tuple(s.Ref(str(each), place_of(each)) for each in given)


def _aggregate(of: s.Expression, functions: tuple[s.Aggregation, ...], word: Token) -> s.Expression:
    if len(set(functions)) < len(functions):
        raise ProgramError("A function is named twice.", place_of(word))
    if isinstance(of, s.Aggregate) and not of.functions:
        return s.Aggregate(of.of, of.by, functions, of.at)
    return s.Aggregate(of, (), functions, place_of(word))


def _shorthand(name: Token, arguments: tuple[s.Argument, ...]) -> s.Aggregation:
    if not arguments and name == "count":
        return s.Aggregation("count")
    if len(arguments) == 1 and not arguments[0].name and isinstance(arguments[0].value, s.Ref):
        return s.Aggregation(str(name), arguments[0].value)
    raise ProgramError(f"{name} takes one field, for example {name}(steps).", place_of(name), ("a field",))


def _handle(verb: Token, value: s.Value) -> str:
    handle = value.path if isinstance(value, s.Ref) else value.value if isinstance(value, s.Literal) else ""
    if not isinstance(handle, str) or not HANDLE.match(handle):
        example = f"{verb}(s0_{'pg' if verb == 'page' else 'o'}1)"
        raise ProgramError(f"{verb} takes one handle, for example {example}.", place_of(verb), ("a handle",))
    return handle
