"""Stage 017: what must be found out, which decision hangs on it, and how to get a first answer beforehand."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day, gate_day, gate_text, open_day
from planloom.knowledge.mixed_rows import mixed_rows
from planloom.knowledge.success import Target, targets
from planloom.knowledge.tables import Data
from planloom.stages.desk import Desk
from planloom.stages.parts.plan_gates import slug
from planloom.stages.parts.plan_rows import nearest, rows
from planloom.stages.parts.plan_sections import BUDGET, CHASED, FRAME, MEASURES, PERMIT_DAYS, RESOURCES, of_plan
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table

INSTRUCTIONS = """\
Say what must be found out. Only questions whose answer changes a decision of this plan: name the decision and the value
at which it changes. The one that decides most, soonest, comes first.

Each: where the answer lies (a record, a place, people), the method, how much of it is enough and why, what it costs,
by when it must be there (before the gate that rests on it), who finds out and who accepts the answer, who is not the
same. Then how to get a first answer this week from what is known already: an estimate with its working, a published
figure of a comparable thing, a simulation with stated inputs; marked as assumed.
A baseline that can only be measured before the work begins is never left out. A success figure that nobody can read
from a record yet is a question here.
"""

#: What is measured, what is assumed of money and time, on what the work waits: what an answer could change.
READS = of_plan(6500, MEASURES, BUDGET, CHASED, PERMIT_DAYS, RESOURCES)

_COMPARES = re.compile(
    r"\b(?:before|than now|stops? (?:rising|growing)|no longer|falls?|rises?|reduc\w+|lower|improv\w+|increas\w+"
    r"|halv\w+|doubl\w+|as good as|better|fewer|less) \b|\bbefore$|\brising$",
    re.IGNORECASE,
)


class DataRow(Answer):
    """A question whose answer changes a decision."""

    id: str = Field(pattern=r"^[a-z0-9-]{2,50}$")
    question: str = Field(min_length=5, max_length=300)
    decides: str = Field(min_length=5, max_length=300, description="Which decision changes at which value")
    source: str = Field(min_length=3, max_length=300)
    method: str = Field(min_length=3, max_length=300)
    sample: str = Field(min_length=2, max_length=240, description="How much of it is enough")
    cost: int = Field(ge=0, description="Whole units of the plan's currency; 0 for own time")
    deadline: date
    role: str = Field(min_length=2, max_length=80, description="Who finds out")
    sign_off: str = Field(min_length=2, max_length=80, description="Who accepts the answer; not who finds out")
    simulate: str = Field(min_length=5, max_length=400, description="How to get a first answer before the data is in")


class DataAnswer(Answer):
    """The model's answer, the question that decides most first."""

    items: list[DataRow] = Field(min_length=3, max_length=12)


class DataCollection(StageResult):
    """Stage 017's result."""

    data: DataAnswer
    currency: str | None = Field(
        default=None, description="ISO 4217, of every cost; None where the goal sets no budget"
    )


async def draft(desk: Desk) -> DataCollection:
    """One call, from the project plan."""
    plan = desk.read("project_plan", ProjectPlan)
    found = await desk.ask(
        "data",
        INSTRUCTIONS,
        desk.excerpts(FRAME, READS),
        DataAnswer,
        lambda: outline(desk.brief, plan),
    )
    return DataCollection(data=found, currency=plan.budget.currency)


def outline(brief: Brief, plan: ProjectPlan) -> DataAnswer:
    """Return the baselines that the goal's measures need, then the questions of the tables; soonest first."""
    made = [*_baselines(brief), *(_tabled(brief, plan, row) for row in mixed_rows(brief, "data", Data))]
    distinct = list({row.id: row for row in reversed(made)}.values())[::-1][:12]
    return DataAnswer(items=sorted(distinct, key=lambda row: row.deadline))


def _baselines(brief: Brief) -> Iterator[DataRow]:
    """A measure that compares with before, or that has no figure, needs its first value before work begins."""
    for target in [t for t in targets(brief) if _COMPARES.search(t.text)][:3]:
        yield _baseline(brief, target)


def _baseline(brief: Brief, target: Target) -> DataRow:
    end = day_text(target.when)
    return DataRow(
        id=slug(f"baseline {target.text}"),
        question=clip(f"What is the value today, before anything changes: {lower_first(target.text)}?", 300),
        decides=clip(
            f"Whether success can be shown on {end}: without a first value, “{target.threshold}” means nothing", 300
        ),
        source=clip(f"The record that will also be read at the end: {target.method}", 300),
        method=clip(f"{target.method}; same people and weekdays, written down so that another repeats it", 300),
        sample="Two rounds at least four weeks apart; their difference is the noise that success must exceed",
        cost=0,
        deadline=gate_day(brief, brief.phases[0].id),
        role=target.role,
        sign_off=brief.role_title("lead") if target.role != brief.role_title("lead") else brief.role_title("finance"),
        simulate=clip(
            f"A guess of three people asked apart, spread stated, beside the goal's words {quote(target.said, 150)}",
            400,
        ),
    )


def _tabled(brief: Brief, plan: ProjectPlan, row: Data) -> DataRow:
    gate = gate_day(brief, row.phase)
    day = max(open_day(brief, gate - timedelta(days=14)), due_day(brief, 5))
    found = nearest(rows(plan), f"{row.question} {row.decides}")
    touched = f" It moves: {found.text}" if found else ""
    who = brief.role_title(row.role)
    other = next(r for r in ("lead", "finance", "quality") if brief.role_title(r) != who)
    return DataRow(
        id=slug(row.question),
        question=clip(row.question, 300),
        decides=clip(f"{row.decides.rstrip('.')}. Needed for {gate_text(brief, row.phase)}.{touched}", 300),
        source=clip(row.source, 300),
        method=clip(row.method, 300),
        sample=clip(row.sample, 240),
        cost=round(plan.budget.total * row.cost_share) if plan.budget.currency else 0,
        deadline=day,
        role=who,
        sign_off=brief.role_title(other),
        simulate=clip(row.simulate, 400),
    )


def markdown(result: DataCollection) -> str:
    """Return one table of what to find out and by when, and one of how to get a first answer."""
    items = result.data.items
    cost = sum(row.cost for row in items)
    parts = [
        "# Data to Collect",
        table(
            ("By", "Question", "Decides", "Source", "Method", "Enough is", "Cost", "Who", "Signed off by"),
            (
                (
                    day_text(r.deadline), r.question, r.decides, r.source, r.method, r.sample,
                    _cost(result.currency, r.cost), r.role, r.sign_off,
                )
                for r in items
            ),
        ),
        f"In all {_cost(result.currency, cost)}, from the lines that the answers serve." if cost else "",
        "## A first answer before the data is in",
        table(("Question", "Simulate or estimate"), ((r.question, r.simulate) for r in items)),
    ]  # fmt: skip
    return "\n\n".join(part.rstrip() for part in parts if part)


def _cost(currency: str | None, amount: int) -> str:
    return f"{currency} {amount:,}" if currency and amount else "own time"


STAGE = Stage(
    number=17,
    name="data_collection",
    title="Data Collection",
    needs=("project_plan",),
    version=5,
    result=DataCollection,
    draft=draft,
    markdown=markdown,
)
