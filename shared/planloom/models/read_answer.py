"""Parses and validates the reply of a model, and names the errors of an invalid one."""

import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from planloom.core.frozen import Answer
from planloom.models.chat_model import Reply
from planloom.models.errors import AnswerInvalid, AnswerLost, AnswerRefused, AnswerTruncated
from planloom.models.repair_answer import drop, repair, without_duplicates

logger = logging.getLogger(__name__)

A = TypeVar("A", bound=Answer)

#: Longer replies are not parsed; no stage needs as much.
MOST_CHARACTERS = 150_000

#: The most errors that are sent back to a model: with more, models fix none of them.
MOST_COMPLAINTS = 12
COMPLAINT_CHARACTERS = 200

#: A repair may reveal further errors; more rounds have no effect in practice.
ROUNDS = 4

_THOUGHT = "</think>"

#: Escaped control characters, which artifacts, tables and pages must not contain.
_CONTROLS = re.compile(r"(?<!\\)((?:\\\\)*)\\u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF])")


def read_answer(reply: Reply, answer: type[A]) -> A:
    """Return the answer in *reply*; errors that a program can repair are repaired.

    Raises AnswerRefused; AnswerTruncated and AnswerInvalid, whose ``rest`` is the answer without its invalid items.
    The message of AnswerInvalid names the remaining errors in at most ``MOST_COMPLAINTS`` lines; it contains no text of
    the model.
    """
    if reply.finish == "refused":
        raise AnswerRefused("the model refused to answer")
    text = _CONTROLS.sub(r"\1", reply.text[: MOST_CHARACTERS + 1])
    if reply.finish == "truncated":
        error: AnswerLost = AnswerTruncated("the answer was cut off at the token limit: write fewer words")
        error.rest = _rest(_parse_partial(text), answer)
        raise error
    if len(reply.text) > MOST_CHARACTERS:
        raise AnswerInvalid(f"the answer has {len(reply.text):,} characters; the limit is {MOST_CHARACTERS:,}")
    return _read(_json(text), answer)


def _read(text: str, answer: type[A]) -> A:
    try:
        value = from_json(text)
    except ValueError:
        value = None
    # text that is not JSON is validated unchanged, so that the message has the position of the error
    fit = _fitted(value, answer, repair) if isinstance(value, dict) else _validated(text, answer)
    if fit.answer is None:
        error = AnswerInvalid(_complaints(fit.errors))
        error.rest = _rest(value, answer)
        raise error
    if fit.fixed:
        logger.info("answer repaired", extra={"answer": answer.__name__, "repairs": fit.fixed})
    return _validated(json.dumps(without_duplicates(value)), answer).answer or fit.answer


@dataclass(frozen=True)
class _Fit(Generic[A]):
    """The result of validation: the answer, or else its errors; ``fixed`` is the number of repairs before."""

    answer: A | None
    errors: list[ErrorDetails]
    fixed: int = 0


def _validated(text: str, answer: type[A]) -> _Fit[A]:
    try:
        return _Fit(answer.model_validate_json(text), [])
    except ValidationError as error:
        return _Fit(None, error.errors(include_url=False, include_input=False))


def _fitted(value: Any, answer: type[A], fix: Callable[[Any, list[ErrorDetails]], int]) -> _Fit[A]:
    """Validate *value*, *fix* it and validate again, until it is valid or nothing more can be fixed."""
    fixed = 0
    for _ in range(ROUNDS):
        found = _validated(json.dumps(value), answer)
        new = fix(value, found.errors) if found.errors else 0
        if not new:
            break
        fixed += new
    return replace(found, fixed=fixed)


def _rest(value: Any, answer: type[A]) -> A | None:
    """Return the answer in *value* without its invalid items, None if too little is left."""
    if not isinstance(value, dict):
        return None
    _fitted(value, answer, repair)
    found = _fitted(value, answer, drop)
    return found.answer.leaving_out(max(found.fixed, 1)) if found.answer else None


def _parse_partial(text: str) -> Any:
    """Return what can be parsed of a truncated answer."""
    try:
        return from_json(text[text.find("{") :], allow_partial=True)
    except ValueError:
        return None


def _json(text: str) -> str:
    """Return the JSON object in *text*, which may be in a code fence or between sentences.

    Some servers put the reasoning of the model, or the end of it, before the answer.
    """
    found = _braced(text)
    return _braced(text.partition(_THOUGHT)[2]) if _THOUGHT in text and not _parses(found) else found


def _braced(text: str) -> str:
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _complaints(found: list[ErrorDetails]) -> str:
    lines = [f"{'.'.join(str(step) for step in each['loc']) or 'answer'}: {each['msg']}" for each in found]
    shown = [line[:COMPLAINT_CHARACTERS] for line in lines[:MOST_COMPLAINTS]]
    rest = len(lines) - len(shown)
    return "\n".join([*shown, f"and {rest} more errors"] if rest else shown)
