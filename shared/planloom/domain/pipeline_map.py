"""The pipeline as a map: every step's number, name, title and needs, without importing the thirty stages.

Whoever only says where a plan is (status, graph, watchdog) reads it here: the stages, with their knowledge and their
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


STEPS: tuple[Step, ...] = (
    Step(1, "start", "Start", ()),
    Step(2, "screening", "Screening", ("start",)),
    Step(3, "premise_attack", "Premise Attack", ("start",)),
    Step(4, "purpose", "Purpose", ("start",)),
    Step(5, "levers", "Levers and Decisions", ("purpose",)),
    Step(6, "scenarios", "Scenarios", ("levers",)),
    Step(7, "locations", "Locations and Currency", ("scenarios",)),
    Step(8, "risks", "Risk Register", ("scenarios",)),
    Step(9, "assumptions", "Assumptions", ("scenarios",)),
    Step(10, "pre_project_assessment", "Pre-project Assessment", ("locations", "risks", "assumptions")),
    Step(11, "project_plan", "Project Plan", ("locations", "risks", "assumptions")),
    Step(12, "governance", "Governance", ("project_plan",)),
    Step(13, "related_resources", "Related Resources", ("project_plan",)),
    Step(14, "team", "Team", ("project_plan",)),
    Step(15, "swot_analysis", "SWOT Analysis", ("project_plan",)),
    Step(16, "expert_criticism", "Expert Criticism", ("project_plan", "swot_analysis")),
    Step(17, "data_collection", "Data Collection", ("project_plan",)),
    Step(18, "documents", "Documents", ("project_plan",)),
    Step(19, "wbs", "Work Breakdown Structure", ("project_plan",)),
    Step(20, "pitch", "Pitch", ("scenarios", "project_plan")),
    Step(21, "task_dependencies", "Task Dependencies", ("project_plan", "wbs")),
    Step(22, "task_durations", "Task Durations", ("project_plan", "wbs")),
    Step(23, "wbs_level3", "Work Breakdown Structure, Level 3", ("project_plan", "wbs")),
    Step(
        24,
        "review_plan",
        "Review of the Plan",
        (
            "data_collection",
            "documents",
            "expert_criticism",
            "governance",
            "project_plan",
            "schedule",
            "team",
            "wbs",
        ),
    ),
    Step(
        25,
        "executive_summary",
        "Executive Summary",
        ("levers", "premortem", "project_plan", "review_plan", "risks", "scenarios", "schedule"),
    ),
    Step(26, "schedule", "Schedule", ("project_plan", "wbs", "task_dependencies", "task_durations", "wbs_level3")),
    Step(
        27,
        "questions_answers",
        "Questions and Answers",
        (
            "data_collection",
            "governance",
            "project_plan",
            "schedule",
            "team",
        ),
    ),
    Step(
        28,
        "premortem",
        "Premortem",
        (
            "expert_criticism",
            "project_plan",
            "schedule",
            "team",
            "wbs",
        ),
    ),
    Step(
        29,
        "self_audit",
        "Self-Audit",
        (
            "assumptions",
            "data_collection",
            "documents",
            "governance",
            "locations",
            "premortem",
            "project_plan",
            "review_plan",
            "risks",
            "schedule",
            "team",
            "wbs",
        ),
    ),
    Step(
        30,
        "report",
        "Report",
        (
            "assumptions",
            "data_collection",
            "documents",
            "executive_summary",
            "expert_criticism",
            "governance",
            "levers",
            "locations",
            "pitch",
            "pre_project_assessment",
            "premise_attack",
            "premortem",
            "project_plan",
            "purpose",
            "questions_answers",
            "related_resources",
            "review_plan",
            "risks",
            "scenarios",
            "schedule",
            "screening",
            "self_audit",
            "start",
            "swot_analysis",
            "task_dependencies",
            "task_durations",
            "team",
            "wbs",
            "wbs_level3",
        ),
    ),
)

_BY_KEY = {step.key: step for step in STEPS}


def step_with_key(key: str) -> Step | None:
    """Return the step with number *key* (``016``), or None where the pipeline has none."""
    return _BY_KEY.get(key)
