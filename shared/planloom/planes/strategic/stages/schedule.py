"""Stage 026: everything that programs compute of the final spine, and what it says of the goal's dates."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from planloom.core.wording import day_text
from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.compute.computed import Computed, Odds
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.compute.found import verdict as chance_verdict
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, ids, short_day, table
from planloom.planes.strategic.stages.computed_tables import MOST_WORDS, gap_text, odds_table
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.results import Review, Schedule
from planloom.planes.strategic.stages.row_names import with_names
from planloom.planes.strategic.stages.schedule_files import cash_csv, load_csv, mermaid_text, schedule_csv
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import ended

Verdict = Literal["holds", "tight", "late", "open"]

#: Packages with at most so many working days of float are listed beside the critical path, so many rows in all.
NEAR = 10
MOST_DECIDING = 18
#: The title of :func:`dates_table`.
DATES = "Dates and their odds"
_SAID: Mapping[Verdict, str] = {
    "holds": "is kept",
    "tight": "is kept as computed, but not safely",
    "late": "is not kept",
    "open": "is open",
}


async def draft(context: StageContext) -> Schedule:
    """Compute the spine that the review left; no model is asked."""
    spine = context.read("review_plan", Review).spine
    computed = compute(spine, context.goal.facts.closures)
    return Schedule(spine=spine, computed=computed, claims=tuple(_claims(spine, computed)))


def verdict(computed: Computed) -> Verdict:
    """Return whether the date of the whole is kept: open where none was found in the goal.

    Where the whole has none, the dated demand with the lowest odds decides.
    """
    dated = [odds for odds in computed.odds if odds.due]
    asked = [odds for odds in dated if odds.what == "end"] or [odds for odds in dated if odds.what.startswith("N")]
    if not asked:
        return "open"
    if any(odds.due and odds.computed > odds.due for odds in asked):
        return "late"
    return "holds" if all(chance_verdict(odds.chance or 0) == "holds" for odds in asked) else "tight"


def verdict_text(plan: ComputedPlan) -> str:
    """Return the verdict in sentences with its days, its odds and what they rest on."""
    end = plan.end
    if not end:
        return short_verdict(plan)
    days = f"Half of the runs end by {day_text(end.p50)}, four in five by {day_text(end.p80)}."
    stress = f"With all durations a quarter longer it is {day_text(end.stressed)}."
    rests = f"What the odds rest on: {ended(end.rests_on)}" if end.rests_on else ""
    return " ".join(part for part in (short_verdict(plan), days, rests, stress, _demands(plan)) if part)


def short_verdict(plan: ComputedPlan) -> str:
    """Return whether the date of the whole is kept, with the computed end and the odds."""
    end, last = plan.end, day_text(plan.computed.end)
    if not end or not end.due:
        return (
            f"No day could be read in the goal as that by which the whole is due. The plan ends on {last} as computed."
        )
    spare = (end.due - end.computed).days
    done = f"What is due then is done on {day_text(end.computed)} as computed"
    distance = f"{abs(spare)} calendar days {'before' if spare >= 0 else 'after'} it"
    odds = f" The odds of keeping it are {chance_text(end.chance)}." if end.chance is not None else ""
    rest = f" All other work ends on {last}." if plan.computed.end > end.computed else ""
    return f"The date of the whole, {day_text(end.due)}, {said_of(plan, end)}. {done}, {distance}.{odds}{rest}"


def said_of(plan: ComputedPlan, odds: Odds) -> str:
    """Return in words whether the due day of *odds* is kept; every text says it alike."""
    unlikely = chance_verdict(odds.chance or 0) in ("at risk", "does not hold")
    if unlikely and odds.due and odds.computed <= odds.due:
        return "is kept as computed, and missed in most runs"
    return _SAID[verdict(_only(plan.computed, odds))]


def dates_table(plan: ComputedPlan) -> str:
    """Return each day that the goal sets, with its computed day, the odds that its work is done then, and a verdict.

    The end of all work is left out where a demand has its day; empty without such days.
    """
    said = {odds.due for odds in plan.computed.odds if odds.what.startswith("N")}
    rows = (
        (
            clip("the whole" if odds.what == "end" else plan.title(odds.what), MOST_WORDS),
            short_day(odds.due),
            short_day(odds.computed),
            "" if odds.chance is None else chance_text(odds.chance),
            said_of(plan, odds),
        )
        for odds in plan.computed.odds
        if odds.due and (odds.what.startswith("N") or (odds.what == "end" and odds.due not in said))
    )
    return table(("Date", "Due", "Computed", "Odds in time", "Verdict"), rows)


def _demands(plan: ComputedPlan) -> str:
    """Say which dated demands beside the whole are missed as computed, and which are in doubt."""
    due = plan.spine.frame.end
    dated = [odds for odds in plan.computed.odds if odds.due and odds.due != due and odds.what.startswith("N")]
    verdicts = {odds.what: verdict(_only(plan.computed, odds)) for odds in dated}
    named = (("missed as computed", "late"), ("in doubt", "tight"))
    said = [f"{words}: {ids(n for n, v in verdicts.items() if v == which)}" for words, which in named]
    found = "; ".join(part for part in said if not part.endswith(": "))
    return f"Other dated demands {found}." if found else ""


def pages(result: Schedule) -> Mapping[str, str]:
    """The verdict first, then each dated demand, gate and the end with their odds, and the packages that decide."""
    plan = ComputedPlan(result.spine, result.computed)
    parts = [
        f"# Schedule\n\n**{verdict_text(plan)}**\n",
        f"## Days and their odds\n\n{odds_table(plan)}",
        f"## Packages that decide\n\n{_deciding(plan)}",
        "Every package with its days, float and check is in the calendar of all work and in 026-3-schedule.csv;\n"
        "gates, money and load in the chapters, by month in 026-5-cash.csv and 026-6-load.csv.\n",
    ]
    return {"schedule": with_names("\n".join(parts), plan.rows)}


def _deciding(plan: ComputedPlan) -> str:
    """Return the critical path, then what would become critical first."""
    path = [plan.dated[name] for name in plan.computed.path if name in plan.dated]
    near = sorted((p for p in plan.computed.packages if p not in path and p.slack <= NEAR), key=lambda p: p.slack)
    return table(
        ("Task", "Owner", "Start", "End", "Float (days)", "Waited last for"),
        [
            (
                plan.named(row.id),
                plan.title(plan.rows[row.id].owner),
                short_day(row.start),
                short_day(row.end),
                row.slack,
                plan.known_as(row.driver),
            )
            for row in [*path, *near][: max(MOST_DECIDING, len(path))]
        ],
    )


def _only(computed: Computed, odds: Odds) -> Computed:
    return computed.model_copy(update={"odds": (odds,)})


def _claims(spine: Spine, computed: Computed) -> Iterator[Claim]:
    plan = ComputedPlan(spine, computed)
    yield _claim("start", f"Work starts on {day_text(computed.start)}.", computed.start.isoformat(), "date")
    yield _claim("end", f"The plan ends on {day_text(computed.end)}.", computed.end.isoformat(), "date")
    if end := plan.end:
        yield _claim("p50", f"Half of the runs end by {day_text(end.p50)}.", end.p50.isoformat(), "date")
        yield _claim("p80", f"Four in five runs end by {day_text(end.p80)}.", end.p80.isoformat(), "date")
        if end.due:
            slack = (end.due - end.computed).days
            said = f"{abs(slack)} calendar days {'before' if slack >= 0 else 'after'} {day_text(end.due)}"
            yield _claim("deadline_slack", f"What is due then is done {said}.", str(slack), "calendar days")
    if computed.gap:
        yield _claim("gap", gap_text(plan), f"{computed.gap:.0f}", spine.frame.currency or "money")
    yield from _sums(plan, ("total", "sources"))


def _sums(plan: ComputedPlan, names: Iterable[str]) -> Iterator[Claim]:
    words = {"total": "All lines of cost together", "sources": "All sources of money together"}
    for name in names:
        if amount := plan.sums.get(name):
            text = f"{words[name]}: {plan.money(amount)}."
            yield _claim(name, text, f"{amount:.0f}", plan.spine.frame.currency or "money")


def _claim(slug: str, text: str, value: str, unit: str) -> Claim:
    test = "Edit a row of the spine and resume: it is computed again"
    return Claim(
        id=f"schedule.{slug}", text=text, kind="computed", value=value, unit=unit, source="stage:schedule", test=test
    )


STAGE = Stage(
    number=26,
    name="schedule",
    title="Schedule",
    needs=("start", "review_plan"),
    version=24,
    result=Schedule,
    draft=draft,
    pages=pages,
    sections=(Section("schedule", "Schedule"),),
    extra_files=lambda result: {
        "026-3-schedule.csv": schedule_csv(result),
        "026-4-gantt.mmd": mermaid_text(result),
        "026-5-cash.csv": cash_csv(result),
        "026-6-load.csv": load_csv(result),
    },
    asks_model=False,
)
