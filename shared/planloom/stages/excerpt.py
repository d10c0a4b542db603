"""What a call reads of an earlier stage: which sections, which of their columns, in how many characters."""

from dataclasses import dataclass

from planloom.domain.sections import Pick, picked
from planloom.domain.shorten import shares, shorten

__all__ = ["Excerpt", "Pick"]


@dataclass(frozen=True)
class Excerpt:
    """Of what the stage *stage* reads as, at most *limit* characters: what *picks* name, in that order.

    A section that asks for less than its share leaves the rest to the others; what is longer loses its last rows
    or sentences.
    """

    stage: str
    limit: int
    picks: tuple[Pick, ...]

    def of(self, page: str) -> str:
        """Return the excerpt of *page*; the beginning of *page* where nothing that is named is there."""
        found = picked(page, self.picks) or [page]
        granted = shares([len(text) for text in found], self.limit - 2 * (len(found) - 1))
        return "\n\n".join(shorten(text, most) for text, most in zip(found, granted, strict=True))
