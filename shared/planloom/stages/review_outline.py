"""The review without a model: five lenses, each a set of checks of one section against another."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from planloom.domain.claims import Register
from planloom.knowledge.brief import Brief, amount_text, day_text
from planloom.knowledge.gates import due_day, gate_day, gate_text
from planloom.knowledge.quoting import clip, lower_first
from planloom.stages.data_collection import DataCollection
from planloom.stages.documents_answer import Documents
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.review_answer import FindingRow, FindingsAnswer
from planloom.stages.schedule_result import Schedule
from planloom.stages.team import Team
from planloom.stages.wbs import Wbs

#: Owners of more than this share of the critical path are where the plan hangs on one pair of hands.
MUCH_OF_THE_PATH = 0.4
MOST_PER_LENS = 4


@dataclass(frozen=True)
class Reviewed:
    """The sections that are set against each other."""

    brief: Brief
    register: Register
    plan: ProjectPlan
    schedule: Schedule
    wbs: Wbs
    team: Team
    data: DataCollection
    documents: Documents

    @property
    def lead(self) -> str:
        """The title of the role that answers for the whole."""
        return self.plan.plan.people[0].title

    @property
    def soon(self) -> str:
        """The day by which what is found should be settled."""
        return day_text(due_day(self.brief, 10))


def review(r: Reviewed, lens: str) -> FindingsAnswer:
    """Return what *lens* finds, heaviest first, and what holds."""
    lenses: dict[str, tuple[Callable[[Reviewed], Iterator[FindingRow]], Callable[[Reviewed], str]]] = {
        "dates": (_dates, _dates_sound),
        "money": (_money, _money_sound),
        "people": (_people, _people_sound),
        "demands": (_demands, _demands_sound),
        "evidence": (_evidence, _evidence_sound),
    }
    find, sound = lenses[lens]
    found = sorted(find(r), key=lambda finding: (-finding.loss, finding.title))
    return FindingsAnswer(findings=found[:MOST_PER_LENS], sound=clip(sound(r), 400))


def _dates(r: Reviewed) -> Iterator[FindingRow]:
    s = r.schedule
    if s.deadline and s.verdict in ("late", "tight"):
        late = s.verdict == "late"
        yield FindingRow(
            kind="contradiction" if late else "weakness",
            title="The computed end is after the deadline" if late else "The deadline holds only if nothing slips",
            place=f"Schedule, end {day_text(s.end)}",
            against=f"the goal, {day_text(s.deadline)}",
            text=clip(s.verdict_text, 600),
            consequence=f"80% confidence is reached on {day_text(s.p80)} only.",
            severity=5 if late else 4,
            likelihood=5 if late else 3,
            action=clip(s.advice[0], 400)
            if s.advice
            else "Decide which package of the critical path is cut or doubled.",
            role=r.lead,
            by=r.soon,
            check="The recomputed end lies before the deadline, or a new deadline is agreed in writing",
        )
    for milestone in s.milestones:
        if milestone.kind == "prompt" and milestone.target and (milestone.spare or 0) < 0:
            yield FindingRow(
                kind="contradiction",
                title=f"{clip(milestone.title, 90)} comes after its day",
                place=f"Schedule, {milestone.id} on {day_text(milestone.day)}",
                against=f"the goal, {day_text(milestone.target)}",
                text=f"The goal wants it by {day_text(milestone.target)}; the chain before it ends "
                f"{-(milestone.spare or 0)} working days later.",
                consequence="Whoever counts on that day must be told now, while the day can still be moved.",
                severity=4,
                likelihood=4,
                action="Start the first package of its chain earlier, cut it, or agree another day.",
                role=_owner(r, milestone.task),
                by=r.soon,
                check="The milestone's bar ends on or before its day, or a new day stands in writing",
            )
    yield from _lead_times(r)


def _lead_times(r: Reviewed) -> Iterator[FindingRow]:
    waits = [t for t in r.schedule.tasks if t.fixed and t.total_slack < t.pessimistic - t.likely]
    for task in sorted(waits, key=lambda t: (t.total_slack - (t.pessimistic - t.likely), t.id))[:1]:
        worse = round(task.pessimistic - task.likely)
        yield FindingRow(
            kind="weakness",
            title=f"{clip(task.title, 90)} can outlast its slack",
            place=f"Schedule, {task.id}, {task.total_slack} working days of slack",
            against=f"Task Durations, up to {task.pessimistic:g} working days",
            text=f"Others decide how long it takes. Likely are {task.likely:g} working days; if it takes "
            f"{task.pessimistic:g}, {worse - task.total_slack} of them fall on the end.",
            consequence=f"The end moves by up to {worse - task.total_slack} working days.",
            severity=4,
            likelihood=3,
            action="Ask for the decision date in writing when the papers go in, and hand them in as early as they are "
            "complete.",
            role=task.owner,
            by=day_text(task.start),
            check="A dated acknowledgement of complete papers is on file",
        )


def _dates_sound(r: Reviewed) -> str:
    s = r.schedule
    parallel = len(s.tasks) - len(s.critical_path)
    closed = f" No package starts on a closed day ({len(s.closed)} closed periods)." if s.closed else ""
    return (
        f"{len(s.tasks)} packages run from {day_text(s.start)} to {day_text(s.end)}, {parallel} of them beside the "
        f"critical path.{closed}"
    )


def _money(r: Reviewed) -> Iterator[FindingRow]:
    b = r.plan.budget
    if b.currency is None:
        yield FindingRow(
            kind="gap",
            title="No total is set",
            place="Project Plan, budget",
            text="The goal states no budget, so every line is a share and no limit can be checked in money.",
            consequence="Nobody can say whether a quote is too dear.",
            severity=4,
            likelihood=5,
            action="Name a total, or the most that may be lost, and turn shares into amounts.",
            role=r.lead,
            by=r.soon,
            check="The budget table shows amounts that sum to the total",
        )
        return
    responses = _claimed(r, "risks.response-cost")
    if responses > b.contingency:
        yield FindingRow(
            kind="contradiction",
            title="Risk responses cost more than the contingency holds",
            place=f"Risks, {amount_text(responses, b.currency)} of responses",
            against=f"Project Plan, contingency {amount_text(b.contingency, b.currency)}",
            text=f"The responses in the register add up to {amount_text(responses, b.currency)}; the contingency is "
            f"{amount_text(b.contingency, b.currency)}.",
            consequence=f"{amount_text(responses - b.contingency, b.currency)} would come out of the lines.",
            severity=4,
            likelihood=4,
            action="Drop the responses that save least, or move their cost into the lines that they protect.",
            role=_finance(r),
            by=r.soon,
            check="Sum of responses at most equal to the contingency",
        )
    if b.funding and b.gap > 0:
        yield FindingRow(
            kind="contradiction",
            title="Funding does not reach the total",
            place="Project Plan, funding",
            against="Project Plan, budget",
            text=f"Of {amount_text(b.total, b.currency)} the sources named leave {amount_text(b.gap, b.currency)} open.",
            consequence="The last lines of the budget have no money behind them.",
            severity=5,
            likelihood=4,
            action=f"Name a source for {amount_text(b.gap, b.currency)} or cut as much.",
            role=_finance(r),
            by=r.soon,
            check="Funding table sums to the total",
        )
    guessed = [line for line in b.lines if not line.stated]
    top = max(guessed, key=lambda line: (line.amount, line.id), default=None)
    if top:
        yield FindingRow(
            kind="weakness",
            title=f"{clip(top.title, 90)} rests on a share, not on a quote",
            place=f"Project Plan, {lower_first(clip(top.title, 60))}, {amount_text(top.amount, b.currency)}",
            text=f"It is the largest line that the goal does not state, {top.amount / b.total:.0%} of the total. Basis: "
            f"{clip(top.basis, 240)}.",
            consequence=f"10% on this line is {amount_text(top.amount * 0.1, b.currency)}, "
            f"{top.amount * 0.1 / b.contingency:.0%} of the contingency."
            if b.contingency
            else "There is no contingency.",
            severity=3,
            likelihood=4,
            action="Get three quotes for the same description and replace the share.",
            role=_finance(r),
            by=day_text(gate_day(r.brief, "prepare")),
            check="Three dated quotes on file, the line recalculated",
        )


def _money_sound(r: Reviewed) -> str:
    b = r.plan.budget
    if b.currency is None:
        return f"The {len(b.lines)} shares and the contingency sum to the whole; no amount is shown that nobody stated."
    total = sum(line.amount for line in b.lines) + b.contingency
    return (
        f"{len(b.lines)} lines and a contingency of {amount_text(b.contingency, b.currency)} sum to "
        f"{amount_text(total, b.currency)}, and the phases sum to the same."
    )


def _people(r: Reviewed) -> Iterator[FindingRow]:
    owners = Counter(task.owner for task in r.schedule.tasks if task.critical)
    total = sum(owners.values())
    if total:
        owner, count = min(owners.items(), key=lambda each: (-each[1], each[0]))
        if count / total > MUCH_OF_THE_PATH and count > 1:
            yield FindingRow(
                kind="weakness",
                title=f"{clip(owner, 60)} owns {count} of {total} packages of the critical path",
                place="Schedule, critical path",
                against=f"Team, {lower_first(clip(owner, 60))}",
                text=f"A week without {lower_first(owner)} is a week on the end in {count} places, from "
                f"{day_text(min(t.start for t in r.schedule.tasks if t.critical and t.owner == owner))} on.",
                consequence="Five working days of illness cost five working days at the end.",
                severity=4,
                likelihood=3,
                action="Name a stand-in for each of these packages and let them do one hand-over together.",
                role=r.lead,
                by=gate_text(r.brief, "prepare"),
                check="A name of a role beside each of these packages in the team section",
            )
    known = {post.title.lower() for post in r.plan.plan.people} | {m.member.title.lower() for m in r.team.roles}
    acts = {title.lower() for post in r.plan.plan.people for title in post.acts_as}
    strangers = sorted({package.owner for package in r.wbs.packages if package.owner.lower() not in known | acts})
    if strangers:
        owned = [package for package in r.wbs.packages if package.owner in strangers]
        yield FindingRow(
            kind="contradiction",
            title=f"{len(owned)} packages are owned by roles that the team does not have",
            place=f"Work Breakdown, {owned[0].id} and others",
            against="Team",
            text=f"Owners without a place in the team: {clip(', '.join(strangers), 200)}.",
            consequence="Nobody starts these packages unless somebody notices.",
            severity=4,
            likelihood=4,
            action="Give each to a role of the team, or add the role with its cost.",
            role=r.lead,
            by=r.soon,
            check="Every owner in the work breakdown stands in the team table",
        )
    for finding in r.team.review.findings[:1]:
        yield FindingRow(
            kind="gap" if finding.kind == "gap" else "weakness",
            title=f"Team: {finding.kind}",
            place="Team, review",
            text=clip(finding.text, 600),
            consequence="Work waits, or is done twice.",
            severity=3,
            likelihood=3,
            action=finding.action,
            role=finding.role,
            by=finding.when,
            check=finding.check,
        )


def _people_sound(r: Reviewed) -> str:
    heads = sum(role.member.count for role in r.team.roles)
    owners = {package.owner for package in r.wbs.packages}
    return (
        f"{len(r.team.roles)} roles with {heads} heads stand in the team; {len(owners)} of them own the work packages."
    )


def _demands(r: Reviewed) -> Iterator[FindingRow]:
    open_ = [trace for trace in r.wbs.traces if not trace.packages]
    for trace in open_[:2]:
        yield FindingRow(
            kind="gap",
            title="A demand of the goal has no work package",
            place="the goal",
            against="Work Breakdown",
            text=f"No package serves “{clip(trace.demand, 300)}”.",
            consequence="It is kept by luck, or not at all.",
            severity=4,
            likelihood=3,
            action="Add a package, or name the package whose test shows that it is kept.",
            role=r.lead,
            by=gate_text(r.brief, "design"),
            check="The demand stands beside a package in the tracing table",
        )
    vague = [c for c in r.plan.plan.criteria if not any(ch.isdigit() for ch in c.threshold)]
    for criterion in vague[:1]:
        yield FindingRow(
            kind="weakness",
            title="A measure of success has no figure",
            place=f"Project Plan, {clip(criterion.text, 100)}",
            text=f"Its threshold reads “{clip(criterion.threshold, 160)}”: two honest people could disagree whether it "
            "is met.",
            consequence="Success is argued about after the money is spent.",
            severity=3,
            likelihood=4,
            action="Write the value that passes and how it is counted.",
            role=criterion.role,
            by=gate_text(r.brief, "prepare"),
            check="A number and a unit stand in the threshold",
        )


def _demands_sound(r: Reviewed) -> str:
    served = sum(bool(trace.packages) for trace in r.wbs.traces)
    bans = len(r.brief.facts.bans)
    kept = f" and {bans} bans are kept as limits of scope" if bans else ""
    return f"{served} of {len(r.wbs.traces)} demands of the goal are traced to work packages{kept}."


def _evidence(r: Reviewed) -> Iterator[FindingRow]:
    build = gate_day(r.brief, "design")
    late = [row for row in r.data.data.items if row.deadline > build]
    for row in late[:1]:
        yield FindingRow(
            kind="contradiction",
            title="A question is answered after the decision that needs it",
            place=f"Data Collection, due {day_text(row.deadline)}",
            against=f"Project Plan, {gate_text(r.brief, 'design')}",
            text=f"“{clip(row.question, 200)}” decides: {clip(lower_first(row.decides), 220)}.",
            consequence="Building starts on a guess.",
            severity=4,
            likelihood=3,
            action=f"Bring it forward to {day_text(build)}, or decide on the simulated answer and say so.",
            role=row.role,
            by=day_text(build),
            check="A dated answer, or a decision that names the guess",
        )
    guesses = [claim for claim in r.register if claim.kind in ("assumption", "guess") and claim.test]
    if guesses:
        claim = guesses[0]
        yield FindingRow(
            kind="weakness",
            title=f"{len(guesses)} claims are assumed, not known",
            place=f"Register of claims, {claim.id}",
            text=f"The first of them: {clip(claim.text, 280)}.",
            consequence="Dates and amounts that follow from it move with it.",
            severity=3,
            likelihood=4,
            action=f"Test it: {clip(lower_first(claim.test or ''), 260)}.",
            role=claim.owner or r.lead,
            by=r.soon,
            check="The claim's kind reads fact, with its source",
        )
    found = [
        d.document for d in r.documents.documents if d.document.kind == "create" and d.document.by > r.schedule.end
    ]
    for document in found[:1]:
        yield FindingRow(
            kind="contradiction",
            title=f"{clip(document.title, 90)} is due after the end",
            place=f"Documents, due {day_text(document.by)}",
            against=f"Schedule, end {day_text(r.schedule.end)}",
            text=f"It serves: {clip(lower_first(document.purpose), 240)}. By then the work is over.",
            consequence="It is written for the file.",
            severity=2,
            likelihood=4,
            action="Move its date before the package that uses it, or drop it.",
            role=document.role,
            by=r.soon,
            check="Its date lies before the end",
        )


def _evidence_sound(r: Reviewed) -> str:
    facts = sum(claim.kind == "fact" for claim in r.register)
    return (
        f"{facts} of {len(r.register)} claims are facts with their place in the goal; the others say what they rest on."
    )


def _claimed(r: Reviewed, claim_id: str) -> float:
    claim = r.register.get(claim_id)
    try:
        return float(claim.value) if claim and claim.value else 0.0
    except ValueError:
        return 0.0


def _owner(r: Reviewed, task_id: str) -> str:
    return next((task.owner for task in r.schedule.tasks if task.id == task_id), r.lead)


def _finance(r: Reviewed) -> str:
    return r.brief.role_title("finance")
