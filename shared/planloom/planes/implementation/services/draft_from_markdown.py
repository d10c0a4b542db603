"""Draft an implementation plan from Markdown, by rule."""

import hashlib
from typing import Any

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.document.findings import Validation
from planloom.planes.implementation.document.from_markdown import Draft
from planloom.planes.implementation.document.from_markdown import draft_from_markdown as read_markdown
from planloom.planes.implementation.document.schema import Document
from planloom.planes.implementation.services.check_implementation_plan import check_implementation_plan

MARKDOWN_CHARACTERS = 200_000


def draft_from_markdown(markdown: str, context: dict[str, Any] | None = None) -> tuple[Draft, Validation, Document]:
    """Return a draft of the plan that *markdown* describes, what is wrong with it, and its source for create_plan.

    *context* (repo, ref, stack) goes before what the text says. Nothing is stored.
    Raises InvalidArgument and PlanTooLarge.
    """
    if not markdown.strip() or len(markdown) > MARKDOWN_CHARACTERS:
        raise InvalidArgument(f"The Markdown must have 1 to {MARKDOWN_CHARACTERS:,} characters.", field="markdown")
    draft = read_markdown(markdown)
    draft.plan["context"] |= context or {}
    source = {"mdHash": hashlib.sha256(markdown.encode()).hexdigest(), "origin": "markdown"}
    return draft, check_implementation_plan(draft.plan, None), source
