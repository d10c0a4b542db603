"""What a check of a plan finds: errors that keep it from being stored, warnings that a planner would want to hear."""

from collections.abc import Iterable
from dataclasses import dataclass

#: More are not listed: a caller with so many corrects the first ones and asks again.
MOST_FINDINGS = 100
MORE = "MORE_FINDINGS"


@dataclass(frozen=True)
class Finding:
    """One finding: *path* is a JSON Pointer (RFC 6901) into the plan, *code* is stable, *hint* says what to correct."""

    path: str
    code: str
    message: str
    hint: str | None = None


@dataclass(frozen=True)
class Validation:
    """The outcome of a check; *errors* is empty where the plan may be stored."""

    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether the plan may be stored."""
        return not self.errors


def pointer(*parts: object) -> str:
    """Return the JSON Pointer of *parts*: ``/steps/3/dependsOn``."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def first_of(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the first findings, each once, and one that says so where there are more."""
    kept: dict[Finding, None] = {}
    for each in found:
        if len(kept) == MOST_FINDINGS and each not in kept:
            more = f"There are more than {MOST_FINDINGS}; only the first are listed."
            return (*kept, Finding("", MORE, more, "Correct these and check again."))
        kept[each] = None
    return tuple(kept)


def shown(value: object, most: int = 60) -> str:
    """Return *value* for a message: short, on one line."""
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"
