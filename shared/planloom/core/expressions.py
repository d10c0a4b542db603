"""The expression language of conditions, filters and checks: one for all planes.

``status = "ready" and count(items) > 0``: names are paths into the variables (``user.roles[0]``); values are texts in
quotes, numbers, ``true``, ``false``, ``null`` and lists in brackets. Comparisons are ``=`` (or ``==``), ``!=``, ``<``,
``<=``, ``>``, ``>=``, ``in``, ``contains``; they are joined by ``and``, ``or``, ``not`` and parentheses. Functions:
``count``, ``exists``, ``lower``. Two texts that are times (ISO 8601) are compared as times.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sized
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from planloom.core.paths import PathNotFound, value_at
from planloom.core.times import comparable

#: Longer texts are refused before they are parsed, and so is deeper nesting.
LONGEST = 2_000
DEEPEST = 40

#: Rules and terminals of conditions; the grammar of programs holds them too.
CONDITIONS = r"""
?either: both ("or" both)*                  -> either
?both: denied ("and" denied)*               -> both
?denied: "not" denied                       -> denied
       | compared
?compared: operand [COMPARISON operand]
?operand: "(" either ")"
        | FUNCTION "(" either ")"           -> called
        | "[" [either ("," either)*] "]"    -> listed
        | NUMBER                            -> number
        | TEXT                              -> text
        | CONSTANT                          -> constant
        | PATH                              -> path
COMPARISON: "==" | "=" | "!=" | "<=" | ">=" | "<" | ">" | /in\b/ | /contains\b/
FUNCTION.3: /(count|exists|lower)(?=\s*\()/
CONSTANT.2: /(true|false|null)\b(?![.\[])/
PATH: /(?!(?:and|or|not|in|contains)\b)[A-Za-z_][\w-]*(\.[\w-]+|\[-?\d+\]|\["[^"]+"\])*/
NUMBER: /-?\d+(\.\d+)?([eE][+-]?\d+)?/
TEXT: /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/
"""
GRAMMAR = "?start: either" + CONDITIONS + r"%ignore /\s+/"

Value = Callable[[Mapping[str, Any]], Any]


class ExpressionInvalid(ValueError):
    """The text is no expression; ``column`` counts from 1."""

    def __init__(self, message: str, column: int = 1) -> None:
        super().__init__(message)
        self.column = column


@dataclass(frozen=True)
class Expression:
    """A parsed expression. ``names`` are the paths that it reads."""

    text: str
    names: tuple[str, ...]
    _value: Value

    def value(self, variables: Mapping[str, Any]) -> Any:
        """Return its value for *variables*; a path to nothing is None, as in ``exists(a.b)``."""
        return self._value(variables)

    def holds(self, variables: Mapping[str, Any]) -> bool:
        """Return whether its value counts as true: not false, null, 0, or empty."""
        return bool(self.value(variables))


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """Return the expression that *text* is. Raises ExpressionInvalid, with the column and what was expected."""
    if len(text) > LONGEST:
        raise ExpressionInvalid(f"The expression has {len(text):,} characters; at most {LONGEST:,} are read.")
    if _depth(text) > DEEPEST:
        raise ExpressionInvalid(f"The expression is nested more than {DEEPEST} deep. Split it.")
    names: list[str] = []
    try:
        value = _Compiled(names).transform(_grammar().parse(text))
    except UnexpectedInput as error:
        # lark gives the end of the text the column of the last token
        ended = getattr(getattr(error, "token", None), "type", "") == "$END" or error.column < 1
        column = len(text) + 1 if ended else error.column
        near = text[column - 1 : column + 11]
        said = f"at “{near}”" if near.strip() else "at its end"
        raise ExpressionInvalid(
            f'The expression cannot be read {said} (column {column}). Write, for example, status = "ready".', column
        ) from error
    except VisitError as error:
        raise ExpressionInvalid(str(error.orig_exc)) from error
    return Expression(text, tuple(dict.fromkeys(names)), value)


def unquote(text: str) -> str:
    """Return the value of *text*, a text in quotes; within it the quote and the backslash follow a backslash."""
    return text[1:-1].replace("\\" + text[0], text[0]).replace("\\\\", "\\")


def _depth(text: str) -> int:
    most = depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        most = max(most, depth)
    return most + text.count("not ")


@cache
def _grammar() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="contextual")


@v_args(inline=True)
class _Compiled(Transformer[Token, Value]):
    """Turn the parse tree into one function of the variables."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self._names = names

    def either(self, *parts: Value) -> Value:
        return parts[0] if len(parts) == 1 else lambda v: any(part(v) for part in parts)

    def both(self, *parts: Value) -> Value:
        return parts[0] if len(parts) == 1 else lambda v: all(part(v) for part in parts)

    def denied(self, part: Value) -> Value:
        return lambda v: not part(v)

    def compared(self, left: Value, sign: Token | None = None, right: Value | None = None) -> Value:
        if sign is None or right is None:
            return left
        compare = _COMPARISONS[str(sign)]
        return lambda v: compare(left(v), right(v))

    def called(self, name: Token, part: Value) -> Value:
        function = _FUNCTIONS[str(name)]
        return lambda v: function(part(v))

    def listed(self, *parts: Value | None) -> Value:
        given = [part for part in parts if part is not None]
        return lambda v: [part(v) for part in given]

    def number(self, token: Token) -> Value:
        value = float(token) if any(sign in token for sign in ".eE") else int(token)
        return lambda _: value

    def text(self, token: Token) -> Value:
        value = unquote(token)
        return lambda _: value

    def constant(self, token: Token) -> Value:
        value = {"true": True, "false": False, "null": None}[str(token)]
        return lambda _: value

    def path(self, token: Token) -> Value:
        path = str(token)
        self._names.append(path)

        def read(variables: Mapping[str, Any]) -> Any:
            try:
                return value_at(variables, path)
            except PathNotFound:
                return None

        return read


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compared(left: Any, right: Any) -> bool:
        if isinstance(left, str) and isinstance(right, str):
            # times have one order, however each is written
            return compare(comparable(left), comparable(right))
        try:
            return compare(left, right)
        except TypeError:  # a text and a number have no order: neither is less
            return False

    return compared


def _equal(left: Any, right: Any) -> bool:
    # True == 1 in Python, not in JSON
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


class Column(list[Any]):
    """A list for ``in``: whether it has a value takes the same time however long it is."""

    def __init__(self, values: Iterable[Any]) -> None:
        super().__init__(values)
        self._known = {(isinstance(each, bool), each) for each in self if isinstance(each, Hashable)}

    def __contains__(self, value: object) -> bool:
        if isinstance(value, Hashable):
            return (isinstance(value, bool), value) in self._known
        return any(_equal(value, each) for each in self)


def _within(part: Any, whole: Any) -> bool:
    if isinstance(whole, Column):
        return part in whole
    if isinstance(whole, str):
        return isinstance(part, str) and part in whole
    return isinstance(whole, list | tuple | dict) and any(_equal(part, each) for each in whole)


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": _equal,
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    "<": _ordered(lambda left, right: left < right),
    "<=": _ordered(lambda left, right: left <= right),
    ">": _ordered(lambda left, right: left > right),
    ">=": _ordered(lambda left, right: left >= right),
    "in": _within,
    "contains": lambda left, right: _within(right, left),
}
_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "count": lambda value: len(value) if isinstance(value, Sized) else 0,
    "exists": lambda value: value is not None,
    "lower": lambda value: value.lower() if isinstance(value, str) else value,
}
