"""What the stub server answers: which fault an attempt meets, what it leaves of the answer, and what is counted."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.stub_answers import Answerer
from bench.stub_faults import Fault, broken, without_enumerations
from bench.stub_random import RandomAnswerer
from bench.stub_replies import Tokens, error, reply
from bench.stub_requests import Asked

CHARACTERS_PER_TOKEN = 4


@dataclass
class Answering:
    """How requests are answered. ``faults`` gives each fault's share of the attempts, 0 to 1.

    They are chosen by the prompt and the number of the attempt, so that the same plan meets the same faults. With
    *once* only first attempts are struck, with *struck* only those models. *rejects* names output modes that are
    answered 400. A token is counted for four characters. With a *seed* answers are random values that their schemas
    allow (bench.stub_random), else *answerer* makes them.
    """

    faults: Mapping[Fault, float] = field(default_factory=dict)
    once: bool = False
    struck: frozenset[str] | None = None
    rejects: frozenset[str] = frozenset()
    retry_after: str = "0.1"
    seed: int | None = None
    answerer: type[Answerer] = Answerer
    _cached: set[str] = field(default_factory=set, init=False, repr=False)

    def fault(self, question: Asked, attempt: int) -> Fault | None:
        """Return what goes wrong with *attempt*, counted from 1."""
        if (self.once and attempt > 1) or (self.struck is not None and question.model not in self.struck):
            return None
        # one draw a fault, so that each alone and all together strike the same calls
        for kind, share in self.faults.items():
            if int(hashlib.sha256(f"{question.key}{attempt}{kind}".encode()).hexdigest()[:8], 16) / 2**32 < share:
                return kind
        return None

    def content(self, question: Asked, fault: Fault | None) -> tuple[int, list[str], bytes, Tokens]:
        """Return status, headers, body and tokens of the answer that *fault* leaves."""
        if question.mode in self.rejects:
            return 400, *error(question.wire, 400, "response_format is not supported"), Tokens()
        if fault == "rate_limit":
            headers, body = error(question.wire, 429, "slow down, sk-secret")
            return 429, [f"retry-after: {self.retry_after}", *headers], body, Tokens()
        if fault in ("server_error", "reset", "silence"):
            return 500, *error(question.wire, 500, "broken, sk-secret"), Tokens()
        if fault == "garbage":
            return 200, [], b"<html>sk-secret", Tokens()
        schema = without_enumerations(question.schema) if fault == "wrong_enum" else question.schema
        message, finish = broken(json.dumps(self._content(schema, question)), fault)
        tokens = self.tokens(question, str(message.get("content") or ""))
        return 200, [], reply(question, message, finish, tokens), tokens

    def _content(self, schema: dict[str, Any], question: Asked) -> Any:
        if self.seed is None:
            return self.answerer(schema, question.shown).answer()
        return RandomAnswerer(schema, f"{self.seed}{question.messages}").answer()

    def tokens(self, question: Asked, said: str) -> Tokens:
        """Count: what all calls share is written to the cache by the first of them, where that costs, and then read."""
        shared = len(question.system) // CHARACTERS_PER_TOKEN if question.caches else 0
        first = question.system not in self._cached
        self._cached.add(question.system)
        return Tokens(
            input=question.characters // CHARACTERS_PER_TOKEN,
            cached=0 if first else shared,
            written=shared if first and question.wire == "converse" else 0,
            output=len(said) // CHARACTERS_PER_TOKEN,
        )
