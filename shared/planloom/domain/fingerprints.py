"""Fingerprints: what a stage's work, or one model call, was made from; the same fingerprint need not be made again."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from planloom.domain.claims import Claim


def stage_fingerprint(
    version: int, prompt: str, model_profile: str, claims: Iterable[Claim], artifacts: Mapping[str, str]
) -> str:
    """Hash all that a stage's result depends on; *artifacts* maps path to sha256."""
    seen = [claim.model_dump(mode="json") for claim in claims]
    return _hash([version, prompt, model_profile, seen, sorted(artifacts.items())])


def call_fingerprint(*asked: str) -> str:
    """Hash what one model call was asked: model profile, shared part, instructions, context, answer schema."""
    return _hash(list(asked))


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
