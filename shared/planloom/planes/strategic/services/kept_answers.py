"""Answers of model calls as the bucket keeps them: each is read with its tag, and replaced only while it has it."""

import asyncio
import re
from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError

from planloom.core.artifacts import content_type_of
from planloom.core.file_store import FileStore
from planloom.core.frozen import Answer
from planloom.core.usage import Bill, Usage
from planloom.models.model import Question
from planloom.planes.strategic.kept_answer import KeptAnswer
from planloom.planes.strategic.plans import Plan

A = TypeVar("A", bound=Answer)

#: An answer is asked for anew whole where more rows than this were changed.
MOST_CHANGED = 20
_ID = re.compile(r"\b(?:[A-Z]\d{1,3}|frame)\b")


class KeptAnswers:
    """The answers of one plan, by the paths of their files."""

    def __init__(self, files: FileStore, plan: Plan) -> None:
        self._files = files
        self._plan = plan

    async def read(self, path: str) -> tuple[KeptAnswer | None, str | None]:
        """Return the answer that counts, None where none does, and the tag of what is there."""
        content, tag = await asyncio.to_thread(self._files.read_tagged, self._plan.plan_id, path) or (b"", None)
        try:
            kept = KeptAnswer.model_validate_json(content)
        except ValidationError:
            return None, tag  # cut short by a crash, or of an older shape: ask again
        return (kept if kept.first_run == self._plan.first_run else None), tag

    async def replace(self, path: str, kept: KeptAnswer, tag: str | None) -> bool:
        """Keep *kept* in the place of what has *tag*; return False where it was changed since."""
        content, kind = content_of(kept), content_type_of(path)
        return await asyncio.to_thread(self._files.replace, self._plan.plan_id, path, content, kind, tag)

    async def adopt(self, path: str, ours: KeptAnswer, answer: A, question: Question[A]) -> tuple[KeptAnswer, A]:
        """Take the answer that another worker of this stage kept meanwhile, so that both make the same of it."""
        theirs, _ = await self.read(path)
        their_answer = usable(theirs, ours.fingerprint, question)
        if theirs and their_answer is not None:
            return theirs, their_answer
        # of another question: of a run before this one, which has gone on for too long
        content, kind = content_of(ours), content_type_of(path)
        await asyncio.to_thread(self._files.write, self._plan.plan_id, path, content, kind)
        return ours, answer

    def note(
        self,
        call: str,
        before: KeptAnswer | None,
        usage: Usage,
        fingerprint: str = "",
        answer: Answer | None = None,
        rows: Mapping[str, str] | None = None,
    ) -> KeptAnswer:
        """Return what is to be kept of a call after it cost *usage*, on top of what it cost *before*.

        *rows* are the digests of the rows that *answer* depends on, by id.
        """
        requests = usage.requests if isinstance(usage, Bill) else ()
        return KeptAnswer(
            call=call,
            fingerprint=fingerprint,
            first_run=self._plan.first_run,
            usage=(before.usage if before else Usage()) + usage,
            requests=(*(before.requests if before else ()), *requests),
            answer=answer.model_dump(mode="json") if answer else {},
            rows={**(rows or {})},
            left_out=answer.items_left_out if answer else 0,
        )


def usable(kept: KeptAnswer | None, fingerprint: str, question: Question[A]) -> A | None:
    """Return what *kept* holds where it answers *question*, which has *fingerprint*; None otherwise.

    It does not where a row that it names was changed since or is gone. With ``question.updates``, it does unless more
    than MOST_CHANGED of the rows that it was shown were changed, removed or added.
    """
    if kept is None or kept.fingerprint != fingerprint:
        return None
    shown = {**dict.fromkeys(question.rows, ""), **kept.rows} if question.updates else kept.rows
    changed = {row: before for row, before in shown.items() if question.rows.get(row) != before}
    if len(changed) > (MOST_CHANGED if question.updates else 0):
        return None
    try:
        answer = question.answer.model_validate(kept.answer).leaving_out(kept.left_out)
        return answer.with_rows_changed(changed) if changed else answer
    except ValidationError:
        return None  # of an older shape: ask again


def rows_of(answer: Answer, question: Question[A]) -> dict[str, str]:
    """Return the rows of *question* that *answer* depends on: those whose ids it names; with ``updates``, all.

    A text for readers states values without the ids of their rows.
    """
    if question.updates:
        return dict(question.rows)
    named = set(_ID.findall(answer.model_dump_json()))
    return {row: question.rows[row] for row in sorted(named) if row in question.rows}


def content_of(kept: KeptAnswer) -> bytes:
    """Return the file of *kept*."""
    return (kept.model_dump_json(indent=2) + "\n").encode()
