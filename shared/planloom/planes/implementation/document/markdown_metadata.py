"""What Markdown states of a plan beside its steps: goal, context, constraints, criteria, risks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from planloom.planes.implementation.document import markdown_words as words
from planloom.planes.implementation.document.markdown_outline import Line
from planloom.planes.implementation.document.schema import Document

Word = TypeVar("Word", bound=str)

_GOAL = 4000
_RISK_LEVELS = ("low", "medium", "high")
_BETWEEN_RISK_AND_MITIGATION = (" — ", " – ", " -> ", " → ", "Mitigation:", "mitigation:", " - ", ": ")


@dataclass
class PlanMetadata:
    """All that is not a step."""

    goal: list[str] = field(default_factory=list)
    context: Document = field(default_factory=dict)
    constraints: dict[str, list[str]] = field(
        default_factory=lambda: {"nonGoals": [], "compat": [], "qualityGates": []}
    )
    criteria: list[str] = field(default_factory=list)
    risks: list[Document] = field(default_factory=list)

    def fields(self) -> Document:
        """Return it as the schema has it; without a goal if the text has none."""
        return {
            **({"goal": cut(" ".join(self.goal), _GOAL)} if self.goal else {}),
            "context": self.context,
            "constraints": self.constraints,
            "acceptanceCriteria": self.criteria,
            "risks": self.risks,
        }

    def preamble(self, line: Line) -> None:
        """Take in a text under the title: rows such as ``Repo: name`` are context, the others the goal."""
        goal = [row for row in line.rows if not self._context(row)]
        self.goal += [" ".join(goal)] if goal else []

    def context_of(self, line: Line) -> bool:
        """Take in ``repo: name`` and the like; return False where *line* is no such thing."""
        taken = [self._context(row) for row in line.rows]
        return all(taken)

    def add(self, role: words.Role, line: Line) -> str | None:
        """Add a line of a section with that role; return why not where it has no place."""
        if role == "goal":
            self.goal.append(line.text)
        elif role in ("context", "assumptions"):
            if not self.context_of(line):
                self.context.setdefault("assumptions", []).append(line.text)
        elif role == "acceptanceCriteria":
            self.criteria.append(line.text)
        elif role == "risks":
            return self._risk(line.text)
        elif role == "qualityGates":
            return self._gate(line.text)
        else:
            self.constraints[role].append(line.text)
        return None

    def _context(self, row: str) -> bool:
        label, colon, value = row.partition(":")
        name = words.CONTEXT.get(label.casefold().strip()) if colon else None
        if not name or not value.strip():
            return False
        listed = [part.strip() for part in value.split(",") if part.strip()]
        self.context[name] = listed if name == "stack" else value.strip()
        return True

    def _gate(self, text: str) -> str | None:
        gate = first_of(words.GATES, text)
        if gate is None:
            return "quality gates are tests, lint, build, types and security"
        gates = self.constraints["qualityGates"]
        gates += [] if gate in gates else [gate]
        return None

    def _risk(self, text: str) -> str | None:
        level = "medium"
        label, colon, rest = text.partition(":")
        if colon and label.casefold().strip("() ") in _RISK_LEVELS:
            level, text = label.casefold().strip("() "), rest.strip()
        for mark in _BETWEEN_RISK_AND_MITIGATION:
            title, mitigation = (part.strip(" .;,") for part in text.partition(mark)[::2])
            if len(title) > 2 and len(mitigation) > 2:
                number = f"R{len(self.risks) + 1}"
                self.risks.append({"id": number, "level": level, "title": title, "mitigation": mitigation})
                return None
        return "a risk needs its mitigation: Risk — what is done about it"


def first_of(table: Mapping[str, Word], text: str) -> Word | None:
    """Return what *table* has for the first of its words that *text* contains, in the order of the table."""
    folded = text.casefold()
    return next((meaning for word, meaning in table.items() if word in folded), None)


def cut(text: str, most: int) -> str:
    """Return *text*, shortened to *most* characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
