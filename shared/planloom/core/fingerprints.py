"""Fingerprints: what a stage's work, or one model call, was made from; the same fingerprint need not be made again."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from pydantic import BaseModel


def stage_fingerprint(version: int, prompt: str, claims: Iterable[BaseModel], artifacts: Mapping[str, str]) -> str:
    """Hash all that a stage works from; *artifacts* maps path to sha256.

    Who drafts is left out: a resume with another model profile keeps what is finished (specification, 6.6).
    """
    seen = [claim.model_dump(mode="json") for claim in claims]
    return _hash([version, prompt, seen, sorted(artifacts.items())])


def call_fingerprint(*asked: str) -> str:
    """Hash what one model call was asked: stage version, shared part, instructions, context, answer schema."""
    return _hash(list(asked))


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
