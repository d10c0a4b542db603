"""The zip of a plan's files."""

import io
import zipfile
from collections.abc import Mapping
from datetime import datetime


def zip_of(contents: Mapping[str, tuple[bytes, datetime]]) -> bytes:
    """Return a zip of *contents* (path to bytes and time), in order of path: equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(contents):
            content, at = contents[path]
            entry = zipfile.ZipInfo(path, at.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()
