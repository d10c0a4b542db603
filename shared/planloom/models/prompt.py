"""Builds prompts: first what all calls of a plan share, byte for byte the same, then what is particular to the call."""

from dataclasses import dataclass, replace
from typing import Any

from planloom.core.frozen import Answer
from planloom.models.model import Part, Question, schema_of

#: The longest invalid answer that is sent back to the model, in characters.
SHOWN_AGAIN = 6_000


@dataclass(frozen=True)
class Exchange:
    """An invalid answer, and the errors in it."""

    answer: str
    complaint: str


@dataclass(frozen=True)
class Prompt:
    """One request: ``system`` is shared by all calls of a plan, ``material`` by several of a stage; ``asked`` is
    particular to the call, ``earlier`` are its retries.

    ``schema`` is the JSON schema of the answer.
    """

    system: str
    asked: str
    schema: dict[str, Any]
    material: str = ""
    earlier: tuple[Exchange, ...] = ()

    @property
    def user(self) -> str:
        """The text of the user message: everything except ``system``."""
        return f"{self.material}\n\n{self.asked}".strip()

    def after(self, answer: str, complaint: str) -> "Prompt":
        """Return the prompt of a retry; it has only the last answer, so that retries do not add up."""
        shown = answer if len(answer) <= SHOWN_AGAIN else "(an answer too long to be repeated here)"
        asked = f"Your answer could not be used:\n{complaint}\nAnswer again, complete and corrected."
        return replace(self, earlier=(Exchange(shown or "(no answer)", asked),))


def prompt_of(question: Question[Answer]) -> Prompt:
    """Return the prompt of *question*: context before instructions, since models best follow what they read last."""
    material = "\n\n".join(_tagged(part) for part in question.context if part.text.strip())
    return Prompt(
        system=_escape_goal(question.shared),
        material=material,
        asked=question.instructions.strip(),
        schema=schema_of(question.answer),
    )


def _escape_goal(shared: str) -> str:
    """Return *shared* with one closing goal tag: text after a closing tag within the goal could pass as rules."""
    before, end, after = shared.rpartition("</goal>")
    return before.replace("</goal", "<\\/goal") + end + after


def _tagged(part: Part) -> str:
    # text after a closing tag within the material could pass as instructions
    text = part.text.strip().replace("</material", "<\\/material")
    return f'<material title="{part.title}">\n{text}\n</material>'
