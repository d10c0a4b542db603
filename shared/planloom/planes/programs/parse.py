"""Read a program; every text is either a program or an error with its place."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from lark import Lark, Token, UnexpectedInput
from lark.exceptions import VisitError
from lark.lark import PostLex

from planloom.planes.programs import syntax as s
from planloom.planes.programs.build import Build, place_of
from planloom.planes.programs.errors import ProgramError
from planloom.planes.programs.grammar import AGGREGATES, GRAMMAR, METHODS, SETS
from planloom.planes.programs.names import CALLS_ALIKE, nearest

#: A program has at most so many characters, brackets within brackets, and operations in one statement.
LONGEST, DEEPEST, LONGEST_CHAIN = 100_000, 32, 100
#: Names are at most so long.
LONGEST_NAME = 200

_SURROGATE = re.compile("[\ud800-\udfff]")

#: What an error calls the terminals of the grammar.
_WORDS = {
    "NAME": "a name",
    "PATH": "a field",
    "NUMBER": "a number",
    "TEXT": "a text in quotes",
    "CONSTANT": "true, false or null",
    "UUID": "an id",
    "TIME": "a time such as 2026-01-31",
    "MOMENT": "a time such as now-7d",
    "COMPARISON": "a comparison such as =",
    "_SEPARATOR": "a new line or ;",
    "$END": "the end",
    "FUNCTION_OF": "sum(field), avg(field), min(field) or max(field)",
    "COUNT": "count",
    "SET": "union, intersect or minus",
    "DESCENDING": "-",
    "DOT": ".",
    "COMMA": ",",
    "EQUAL": "=",
    "COLON": ":",
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "LBRACE": "{",
    "RBRACE": "}",
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "FUNCTION": "exists(field)",
    "FILTER": "a method such as filter",
}
_HIDDEN = {"SORT", "LIMIT", "GROUP_BY", "AGGREGATE", "DISTINCT", "FOR_EACH"}


def parse(text: str) -> s.Program:
    """Return the program that *text* is. Raises ProgramError, which says where, what was expected and meant."""
    if len(text) > LONGEST:
        raise ProgramError(f"The program has {len(text):,} characters; at most {LONGEST:,} are read. Split it.")
    if half := _SURROGATE.search(text):
        raise ProgramError("Half of a character is here. Send the text as UTF-8.", _place(text, half.start()))
    try:
        statements: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise _refused(text, error) from error
    except VisitError as error:
        raise error.orig_exc from None
    if not statements:
        raise ProgramError("The program is empty. Name an entity, for example: Plan.limit(10)", expected=("a name",))
    return _program(statements)


def _program(statements: tuple[s.Statement, ...]) -> s.Program:
    page = next((found for each in statements for found in _continuations(each.expression)), None)
    if page is None:
        return s.Program(statements)
    if len(statements) > 1 or statements[0].name or statements[0].expression is not page:
        raise ProgramError(f"{page.verb}(...) must be the whole program. Write it alone.", page.at)
    return s.Program((), s.Continuation(page.verb, page.handle))


def _continuations(it: s.Expression) -> Iterator[s.Page]:
    """Return each ``wait(...)`` and ``cancel(...)`` in an expression."""
    if isinstance(it, s.Page):
        if it.verb != "page":
            yield it
    elif isinstance(it, s.Combine):
        yield from _continuations(it.left)
        yield from _continuations(it.right)
    elif not isinstance(it, s.Named | s.Get):
        yield from _continuations(it.of)


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, start="program", parser="lalr", lexer="contextual", postlex=_Statements(), transformer=Build())


class _Statements(PostLex):
    """Drops line ends within brackets, and refuses what is nested or chained too deep."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = chained = 0
        for token in stream:
            kind = token.type
            if kind in ("LPAR", "LSQB", "LBRACE"):
                depth += 1
                _check(depth, DEEPEST, "Brackets are nested more than {} deep. Bind a part to a name.", token)
            elif kind in ("RPAR", "RSQB", "RBRACE"):
                depth -= 1
            elif kind == "_SEPARATOR":
                if depth > 0 and ";" not in token:
                    continue
                chained = 0
            elif kind in ("NAME", "PATH"):
                _check(len(token), LONGEST_NAME, "The name has more than {} characters.", token)
            if kind in ("DOT", "LSQB", "SET", "NOT"):
                chained += 1
                _check(chained, LONGEST_CHAIN, "The statement has more than {} parts. Bind a part to a name.", token)
            yield token


def _check(count: int, most: int, message: str, token: Token) -> None:
    if count > most:
        raise ProgramError(message.format(most), place_of(token))


def _place(text: str, offset: int) -> s.Place:
    return s.Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def _refused(text: str, error: UnexpectedInput) -> ProgramError:
    token = getattr(error, "token", None)
    ended = getattr(token, "type", "") == "$END" or error.line < 1
    if ended:
        offset = len(text)
        place = _place(text, offset)
    else:
        place, offset = s.Place(error.line, error.column), error.pos_in_stream or 0
    quote = text[offset : offset + 1]
    if quote in ('"', "'") and not re.compile(_parser().get_terminal("TEXT").pattern.to_regexp()).match(text, offset):
        return ProgramError(f"The quote {quote} is not closed. Put one at each end of the text.", place, (quote,))
    meant = _meant(text, offset)
    near = text[offset : offset + 12].partition("\n")[0]
    # a separator is refused where the next line cannot follow it
    hidden = {*_HIDDEN, "_SEPARATOR"} if near.startswith(";") else _HIDDEN
    parser: Any = error.interactive_parser
    expected = tuple(sorted({_WORDS.get(name, name) for name in parser.accepts() - hidden}))
    said = f"“{near}” is not expected here" if near.strip() else "the text ends too early"
    message = f"{said}. Write {_listed(expected)}." if expected else f"{said}."
    if meant:
        message += f" Did you mean {meant}?"
    return ProgramError(message, place, expected, meant)


def _listed(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _meant(text: str, offset: int) -> str:
    """Return the word of the language that the name at *offset*, or the one before it, is like."""
    at = re.compile(r"\w+").match(text, offset)
    before = re.search(r"(\w+)\s*\(?\s*$", text[max(0, offset - 60) : offset])
    known = (*METHODS, *AGGREGATES, *SETS)
    for found in (at and at.group(), before and before.group(1)):
        if found and found not in known and (meant := nearest(found, known, CALLS_ALIKE)):
            return meant
    return ""
