"""The pipeline as a map: every step's number, name, title and needs, without importing the stages.

Whoever only says where a plan is (status, graph, watchdog) reads it here: the stages, with their
instructions, cost a tenth of a second of every cold start. A test holds the map to the registry in planloom.stages.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A stage's place in the pipeline, as its own file declares it."""

    number: int
    name: str
    title: str
    needs: tuple[str, ...]

    @property
    def key(self) -> str:
        """As table keys and step records name it: ``016``."""
        return f"{self.number:03}"

    @property
    def step(self) -> str:
        """As failures and logs name it: ``016-expert_criticism``."""
        return f"{self.key}-{self.name}"


#: In the order in which they run.
STEPS: tuple[Step, ...] = (
    Step(1, "start", "Start", ()),
    Step(2, "screening", "Screening", ("start",)),
    Step(3, "premise_attack", "Premise attack", ("start",)),
    Step(4, "draft", "Draft", ("start", "screening", "premise_attack")),
    Step(5, "choice", "Choice", ("start", "draft")),
    Step(11, "spine", "Tables of the plan", ("start", "draft", "choice")),
    Step(13, "repair", "Repair", ("start", "choice", "spine")),
    Step(16, "expert_criticism", "Expert criticism", ("start", "choice", "repair")),
    Step(24, "review_plan", "Review", ("start", "choice", "repair", "expert_criticism")),
    Step(26, "schedule", "Schedule", ("start", "review_plan")),
    Step(20, "main_document", "Main document", ("start", "choice", "review_plan", "schedule")),
    Step(21, "annexes", "Annexes", ("start", "schedule", "main_document")),
    Step(25, "executive_summary", "Executive summary", ("start", "review_plan", "schedule", "main_document")),
    Step(29, "self_audit", "Self-audit", ("start", "review_plan", "schedule", "main_document")),
    Step(
        30,
        "report",
        "Report",
        (
            "start",
            "screening",
            "premise_attack",
            "draft",
            "choice",
            "spine",
            "repair",
            "expert_criticism",
            "review_plan",
            "schedule",
            "main_document",
            "annexes",
            "executive_summary",
            "self_audit",
        ),
    ),
)

_BY_KEY = {step.key: step for step in STEPS}


def step_with_key(key: str) -> Step | None:
    """Return the step with number *key* (``016``), or None where the pipeline has none."""
    return _BY_KEY.get(key)
