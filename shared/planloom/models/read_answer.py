"""Turn a model's reply into a valid answer, or say in few words why it is none."""

import json
import re
from typing import TypeVar

from pydantic import ValidationError

from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerInvalid, AnswerRefused, AnswerTruncated
from planloom.models.chat_model import Reply

A = TypeVar("A", bound=Answer)

#: No answer that the stages ask for comes near it; what is longer is not even parsed.
MOST_CHARACTERS = 150_000

#: A model that sees more complaints than these mends none of them.
MOST_COMPLAINTS = 12
COMPLAINT_CHARACTERS = 200

_THOUGHT = "</think>"

#: Control characters escaped in JSON, which no artifact, table or page may hold.
_CONTROLS = re.compile(r"(?<!\\)((?:\\\\)*)\\u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF])")


def read_answer(reply: Reply, answer: type[A]) -> A:
    """Return the answer in *reply*. Raises AnswerRefused, AnswerTruncated, AnswerInvalid.

    The message of AnswerInvalid names what does not fit, in at most ``MOST_COMPLAINTS`` lines; it holds nothing of
    what the model said.
    """
    if reply.finish == "refused":
        raise AnswerRefused("it refused to answer")
    if reply.finish == "truncated":
        raise AnswerTruncated("its answer ran into the limit on its length: say the same in fewer words")
    if len(reply.text) > MOST_CHARACTERS:
        raise AnswerInvalid(f"its answer has {len(reply.text):,} characters; at most {MOST_CHARACTERS:,} are read")
    try:
        return answer.model_validate_json(_CONTROLS.sub(r"\1", _json(reply.text)))
    except ValidationError as error:
        raise AnswerInvalid(_complaints(error)) from None


def _json(text: str) -> str:
    """Return the object in *text*: models that are only asked for JSON like to put a fence or a sentence around it.

    Some think aloud first, and servers hand on what they thought, or the end of it.
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


def _complaints(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(str(step) for step in each['loc']) or 'answer'}: {each['msg']}" for each in found]
    shown = [line[:COMPLAINT_CHARACTERS] for line in lines[:MOST_COMPLAINTS]]
    rest = len(lines) - len(shown)
    return "\n".join([*shown, f"and {rest} more of the kind"] if rest else shown)
