"""How much of what is sent has been sent before, from its beginning: what providers' prompt caches can serve."""

from collections.abc import Iterable


def in_common_prefix(texts: Iterable[str]) -> int:
    """Return how many characters of *texts*, in order, an earlier one began with, up to the first that differs."""
    seen: list[str] = []
    shared = 0
    for text in texts:
        shared += max((alike(text, earlier) for earlier in seen), default=0)
        seen.append(text)
    return shared


def alike(text: str, other: str) -> int:
    """Return how many characters both begin with; by halves, since they are long and mostly alike."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text[:middle] == other[:middle] else (low, middle - 1)
    return low
