"""Digests of rows: a stored answer is used again while the digests of the rows that it names are unchanged."""

import hashlib
import json
from collections.abc import Mapping

from pydantic import BaseModel

from planloom.planes.strategic.spine.spine import Spine

#: The key of the digest of the frame, which is not a row.
FRAME = "frame"


def row_digests(spine: Spine) -> Mapping[str, str]:
    """Return the first 16 hexadecimal digits of the sha256 of each row's canonical JSON, by id, and of the frame."""
    return {FRAME: _digest(spine.frame), **{row.id: _digest(row) for row in spine.rows()}}


def _digest(model: BaseModel) -> str:
    canonical = json.dumps(model.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
