"""The Range header (RFC 9110, 14.2): which part of a file one call asks for."""

import re

from planloom.core.errors import RangeNotSatisfiable

_ONE = re.compile(r"bytes=(\d*)-(\d*)", re.ASCII | re.IGNORECASE)


def part_of(header: str | None, size: int) -> tuple[int, int] | None:
    """Return start and length of the part that *header* asks for of *size* bytes; None where the whole is meant.

    What is no range of bytes, or several at once, is ignored, as the RFC allows.
    Raises RangeNotSatisfiable for a range that starts after the end.
    """
    found = _ONE.fullmatch((header or "").replace(" ", ""))
    if found is None or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if first == "":
        start, end = max(size - _number(last), 0), size - 1
    else:
        start, end = _number(first), min(_number(last) if last else size - 1, size - 1)
        if last and _number(last) < start:
            return None
    if start >= size or (first == "" and _number(last) == 0):
        raise RangeNotSatisfiable(f"The file has {size} bytes; the range starts after its end.", size=size)
    return start, end - start + 1


def _number(digits: str) -> int:
    # Python does not convert thousands of digits, and no file has a size of nineteen
    return int(digits.lstrip("0")[:19] or "0")
