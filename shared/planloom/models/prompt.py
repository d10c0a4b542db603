"""What a model gets to read: first what the calls of a plan share, byte for byte the same, then the call's own."""

from dataclasses import dataclass, replace
from typing import Any

from planloom.domain.frozen import Answer
from planloom.models.model import Part, Question, schema_of

#: Of an answer that did not fit, as much is shown to the model again; longer ones are not worth their price.
SHOWN_AGAIN = 6_000


@dataclass(frozen=True)
class Exchange:
    """An answer that did not fit, and what was wrong with it."""

    answer: str
    complaint: str


@dataclass(frozen=True)
class Prompt:
    """One request: ``system`` is shared by all calls of a plan, ``material`` by several of a stage, ``asked`` is the
    call's own, ``earlier`` its retries.

    ``schema`` is the JSON schema of the answer.
    """

    system: str
    asked: str
    schema: dict[str, Any]
    material: str = ""
    earlier: tuple[Exchange, ...] = ()

    @property
    def user(self) -> str:
        """All that the call shows and asks beside ``system``."""
        return f"{self.material}\n\n{self.asked}".strip()

    def after(self, answer: str, complaint: str) -> "Prompt":
        """Return the prompt that asks again; only the last answer is shown, so that retries do not add up."""
        shown = answer if len(answer) <= SHOWN_AGAIN else "(an answer too long to be repeated here)"
        asked = f"Your answer could not be used:\n{complaint}\nAnswer again, complete and corrected."
        return replace(self, earlier=(Exchange(shown or "(no answer)", asked),))


def prompt_of(question: Question[Answer]) -> Prompt:
    """Return what *question* sends: context before instructions, since a model follows best what it reads last."""
    material = "\n\n".join(_shown(part) for part in question.context if part.text.strip())
    return Prompt(
        system=_closed(question.shared),
        material=material,
        asked=question.instructions.strip(),
        schema=schema_of(question.answer),
    )


def _closed(shared: str) -> str:
    """Return *shared* with one end of the goal: a goal that closes its own tag could pass off its rest as rules."""
    before, end, after = shared.rpartition("</goal>")
    return before.replace("</goal", "<\\/goal") + end + after


def _shown(part: Part) -> str:
    # material that closes its own tag could pass off the rest of itself as instructions
    text = part.text.strip().replace("</material", "<\\/material")
    return f'<material title="{part.title}">\n{text}\n</material>'
