"""What callers read of an operation: one line with a sign, and the same with short keys."""

from collections.abc import Callable
from typing import Any, Literal

from planloom.core.frozen import Frozen
from planloom.planes.programs.node_values import NodeProgress

Sign = Literal["+", "~", "=", "!", "x", "?"]
Phase = Literal["running", "succeeded", "cancelled", "failed"]
PHASES: dict[Sign, Phase] = {
    "+": "running",
    "~": "running",
    "=": "running",
    "!": "succeeded",
    "x": "cancelled",
    "?": "failed",
}
#: Seconds after which growth of rows within one step makes a new line.
GROWTH = 2.0
LONGEST_MESSAGE = 300


class OperationProgress(Frozen):
    """How far an operation is: step number *step* of *steps*, counted from 1, with so many *rows* so far."""

    step: int = 0
    steps: int = 0
    label: str = ""
    rows: int = 0


class Line(Frozen):
    """One line about an operation. ``n`` strictly increases from line to line of one operation."""

    handle: str
    sign: Sign
    n: int
    progress: OperationProgress = OperationProgress()
    commit: str = ""
    verdict: str = ""
    message: str = ""

    @property
    def text(self) -> str:
        """The line: `` `s0_o1` ~ 2/5 read Plan 42r``; a part without a number is left out."""
        parts = [f"`{self.handle}`", self.sign]
        if self.sign == "+":
            parts += [self.commit, self.verdict]
        elif self.sign in ("~", "="):
            parts += [_step(self.progress), self.progress.label]
        if self.sign in ("~", "!"):
            parts.append(_rows(self.progress))
        if self.sign == "?":
            parts.append(" ".join(self.message.split())[:LONGEST_MESSAGE])
        return " ".join(part for part in parts if part)

    def with_rows(self, rows: int) -> "Line":
        """Return the line with the number of rows that the operation returned."""
        return self.model_copy(update={"progress": self.progress.model_copy(update={"rows": rows})})

    @property
    def fenced(self) -> str:
        """The line in a fence of text, as Markdown."""
        return f"```text\n{self.text}\n```"

    @property
    def meta(self) -> dict[str, Any]:
        """The line with short keys: continuity and op of ``_meta.plasm``."""
        op: dict[str, Any] = {"n": self.n, self.sign: 1}
        if self.sign in ("~", "=") and self.progress.steps:
            op |= {"s": _step(self.progress), "l": self.progress.label}
        if self.sign in ("~", "!") and self.progress.rows:
            op["r"] = self.progress.rows
        if self.sign == "+" and self.commit:
            op["c"] = self.commit
        return {"continuity": {"p": PHASES[self.sign], "h": self.handle}, "op": op}


def _step(progress: OperationProgress) -> str:
    return f"{progress.step}/{progress.steps}" if progress.steps else ""


def _rows(progress: OperationProgress) -> str:
    return f"{progress.rows}r" if progress.rows else ""


class Coalescer:
    """Decides which progress of an evaluation makes a line.

    A change of step does, growth of rows within a step at most every two seconds. Steps run side by side: the one with
    the highest number counts, so that numbers never go back. *now* is a clock in seconds.
    """

    def __init__(self, now: Callable[[], float], start: OperationProgress = OperationProgress()) -> None:  # noqa: B008
        self._now = now
        self._last = start
        self._newest = start
        self._at: float | None = None

    def rest(self) -> OperationProgress | None:
        """Return the newest progress where no line was made of it."""
        return self._newest if self._newest != self._last else None

    def offer(self, seen: NodeProgress) -> OperationProgress | None:
        """Return the progress of a new line, or None where *seen* makes none."""
        progress = OperationProgress(step=seen.step, steps=seen.steps, label=seen.label, rows=seen.rows)
        if progress.step < self._last.step or progress == self._last:
            return None
        if (progress.step, progress.rows) > (self._newest.step, self._newest.rows):
            self._newest = progress
        changed = (progress.step, progress.steps, progress.label) != (
            self._last.step,
            self._last.steps,
            self._last.label,
        )
        now = self._now()
        if not changed and (progress.rows <= self._last.rows or (self._at is not None and now - self._at < GROWTH)):
            return None
        self._last, self._at = progress, now
        return progress
