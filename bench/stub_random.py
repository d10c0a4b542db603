"""Make random answers that a JSON schema allows: every bound holds, nothing fits the plan, and the ids are invented.

What a schema cannot say is broken on purpose: order, uniqueness, sums, and references to other items.
"""

import hashlib
import json
import random
import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from operator import add
from typing import Any

from planloom.models.chat_model import Reply
from planloom.models.prompt import Prompt

Schema = dict[str, Any]

WORDS = re.findall(
    r"\S+",
    "ledger harbour signal granite meadow copper window orchard lantern river timber anchor pepper marble Straße "
    "données 計画 план ñandú 12% 3.5 €400,000 2031-02-28 R99 A1 <b>bold</b> a|b `code` **x** [link](y) # - e.g. None",
)
SIGNS = (" ", " ", " ", ", ", ". ", "; ", "\n")
#: Most answers name days near the plan; some name the first and the last day that a date can be.
NEAR, EXTREME = (date(2024, 1, 1), 9_000), (date.min, date.max)
#: A model that refuses the goal ends the plan, as it must: no choice of a random answer.
REFUSAL = "refuse"
#: Without a bound a number may have so many digits.
DIGITS = 12
#: A class of characters or one escaped or plain character, and how often it comes.
_ATOM = re.compile(r"(\[[^\]]+\]|\\.|[^\\{}*+?])(\{\d+(?:,\d+)?\}|[*+?])?")


class RandomAnswerer:
    """Answers from one schema; the same schema and seed give the same answer."""

    def __init__(self, schema: Schema, seed: str) -> None:
        self._schema = schema
        self._random = random.Random(seed)

    def answer(self) -> Any:
        """Return an answer that the schema allows."""
        return self._value(self._schema)

    def _value(self, schema: Schema) -> Any:
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in schema:
                return self._value(self._random.choice(schema[choice]))
        if "$ref" in schema:
            return self._value(self._schema["$defs"][schema["$ref"].rpartition("/")[2]])
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._random.choice([each for each in schema["enum"] if each != REFUSAL])
        return self._typed(schema.get("type", "object"), schema)

    def _typed(self, kind: str, schema: Schema) -> Any:
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return [self._value(schema["items"]) for _ in range(self._size(schema, "Items", 6))]
        if kind == "string":
            return self._text(schema)
        if kind == "boolean":
            return self._random.random() < 0.5
        return None if kind == "null" else self._number(kind, schema)

    def _object(self, schema: Schema) -> dict[str, Any]:
        required = schema.get("required", ())
        parts = schema.get("properties", {}).items()
        return {name: self._value(part) for name, part in parts if name in required or self._random.random() < 0.7}

    def _size(self, schema: Schema, of: str, span: int) -> int:
        low = schema.get(f"min{of}", 0)
        high = schema.get(f"max{of}", low + span)
        return self._random.choice((low, high, self._random.randint(low, high)))

    def _number(self, kind: str, schema: Schema) -> float:
        low = float(schema["minimum"] if "minimum" in schema else schema.get("exclusiveMinimum", -(10.0**DIGITS)))
        high = float(schema.get("maximum", low + 10.0 ** self._random.randint(1, DIGITS)))
        if kind == "integer":
            return self._random.randint(int(low) + ("exclusiveMinimum" in schema), int(high))
        drawn = self._random.choice((low, high, self._random.uniform(low, high)))
        return float(high if drawn == low and "exclusiveMinimum" in schema else drawn)

    def _text(self, schema: Schema) -> str:
        if schema.get("format") == "date":
            first, days = NEAR
            near = first + timedelta(days=self._random.randrange(days))
            return (self._random.choice(EXTREME) if self._random.random() < 0.05 else near).isoformat()
        if "pattern" in schema:
            return self._matching(schema["pattern"])
        size = self._size(schema, "Length", 200)
        # a word and what follows it have at least two characters
        words, signs = (self._random.choices(each, k=size // 2 + 1) for each in (WORDS, SIGNS))
        text = "".join(map(add, words, signs))
        # a blank at either end is stripped, and might leave less than the least
        return text[:size].rstrip().ljust(size, "x")

    def _matching(self, pattern: str) -> str:
        made = ""
        for atom, often in _ATOM.findall(pattern.strip("^$")):
            low, high = _times(often)
            made += "".join(self._random.choice(_characters(atom)) for _ in range(self._random.randint(low, high)))
        return made


@dataclass
class RandomChat:
    """A chat model that answers at random. *broken* is the part of its questions, 0 to 1, that it never answers right.

    *spared* names the schemas whose questions are never broken.
    """

    seed: int
    broken: float = 0.0
    spared: frozenset[str] = frozenset()
    name: str = "random"
    prices: str = ""
    replies: int = 0

    async def reply(self, prompt: Prompt) -> Reply:
        """Answer *prompt*: the same for the same seed and prompt."""
        self.replies += 1
        question = _drawn(f"{self.seed}{prompt.user}")
        answer = RandomAnswerer(prompt.schema, f"{self.seed}{prompt.user}{prompt.earlier}").answer()
        # as models write it: escaped, a text would be longer than an answer may be
        text = json.dumps(answer, ensure_ascii=False)
        if prompt.schema.get("title") in self.spared or question.random() >= self.broken:
            return Reply(text, "complete", input_tokens=len(prompt.user) // 4, output_tokens=len(text) // 4)
        return question.choice(_broken(text))

    async def close(self) -> None:
        """Nothing is open."""


def _broken(text: str) -> list[Reply]:
    wrong_types = {name: {"of": [part]} for name, part in json.loads(text).items()}
    return [
        Reply(text[: len(text) // 2], "complete", 10, 10),
        Reply(text[: len(text) // 2], "truncated", 10, 10),
        Reply(json.dumps(wrong_types), "complete", 10, 10),
        Reply("I would rather not.", "complete", 10, 10),
        Reply("", "refused", 10, 0),
    ]


def _drawn(text: str) -> random.Random:
    return random.Random(hashlib.sha256(text.encode()).digest())


def _times(often: str) -> tuple[int, int]:
    if often.startswith("{"):
        low, _, high = often.strip("{}").partition(",")
        return int(low), int(high or low)
    return {"": (1, 1), "*": (0, 5), "+": (1, 5), "?": (0, 1)}[often]


@cache
def _characters(atom: str) -> list[str]:
    """Return the ASCII characters that *atom* matches."""
    return [chr(code) for code in range(33, 127) if re.fullmatch(atom, chr(code))]
