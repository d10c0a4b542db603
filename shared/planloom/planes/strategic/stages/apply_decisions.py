"""Apply the author's decisions to a spine: one patch, a row for each open question, and what is withdrawn undone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.rows import OpenQuestion
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.patching import next_id, patched
from planloom.planes.strategic.stages.repair import computed_of
from planloom.planes.strategic.stages.results import Patched, Ruling
from planloom.planes.strategic.stages.review_answers import Balance, DecidedChange, Decisions, RulingAnswer


@dataclass(frozen=True)
class Made:
    """The plan after decisions: the spine, what is computed of it, the rulings by finding, and the patches."""

    spine: Spine
    computed: Computed
    rulings: Mapping[str, Ruling]
    patches: tuple[Patched, ...]


def decided(
    context: StageContext, spine: Spine, decisions: Decisions, withdrawn: Mapping[str, str] | None = None
) -> Made:
    """Return the plan after *decisions*, without what is *withdrawn* (reasons by finding)."""
    rulings = _by_finding(decisions.rulings, withdrawn or {})
    spine, patch = _patched(context, "decisions", spine, decisions.changes, rulings)
    spine, kept = _with_questions(spine, rulings)
    # the days of open questions are those of a model: they are brought within bounds like all others
    spine, _ = repaired(spine, context.goal.today)
    return Made(spine, computed_of(context, spine), kept, (patch,))


def _by_finding(given: Iterable[RulingAnswer], withdrawn: Mapping[str, str]) -> dict[str, RulingAnswer]:
    """Return the first ruling on each finding, with the verdict of the one that it is the same as."""
    first: dict[str, RulingAnswer] = {}
    for ruling in given:
        id_ = finding_id(ruling.finding)
        update: dict[str, str] = {"finding": id_, "same_as": finding_id(ruling.same_as)}
        if id_ in withdrawn and ruling.verdict == "accepted":
            update |= {"verdict": "rejected", "same_as": "", "reason": f"Accepted, then withdrawn: {withdrawn[id_]}"}
        first.setdefault(id_, ruling.model_copy(update=update))
    return {id_: _as_another(ruling, first) for id_, ruling in first.items()}


def _as_another(ruling: RulingAnswer, given: Mapping[str, RulingAnswer]) -> RulingAnswer:
    """Return *ruling* with verdict and reason of the one that it is the same as, whose id stays in ``same_as``."""
    seen, main = {ruling.finding}, ruling
    while main.same_as in given and main.same_as not in seen:
        seen.add(main.same_as)
        main = given[main.same_as]
    if main is ruling:
        return ruling.model_copy(update={"same_as": ""})
    reason = " ".join(filter(None, (f"As {main.finding}: {main.reason}", ruling.reason)))
    return ruling.model_copy(update={"same_as": main.finding, "verdict": main.verdict, "reason": reason})


def _patched(
    context: StageContext,
    title: str,
    spine: Spine,
    changes: Iterable[DecidedChange],
    rulings: Mapping[str, RulingAnswer],
) -> tuple[Spine, Patched]:
    """Apply *changes*, but those that serve rejected findings only; the reason of each begins with its findings."""
    kept, refused = list[Change](), list[str]()
    for change in changes:
        served = [id_ for id_ in map(finding_id, change.findings) if id_ in rulings]
        if served and all(rulings[id_].verdict == "rejected" for id_ in served):
            where = ".".join(filter(None, (change.id, change.field)))
            refused.append(f"{change.op} {where}: it serves only what is rejected ({', '.join(served)}).")
            continue
        reason = clip(": ".join(filter(None, (", ".join(served), change.reason))), 300)
        kept.append(Change(**change.model_dump(exclude={"findings"}) | {"reason": reason}))
    spine, patch = patched(title, spine, kept, context.goal.today)
    return spine, patch.model_copy(update={"refused": (*refused, *patch.refused)})


def _with_questions(spine: Spine, rulings: Mapping[str, RulingAnswer]) -> tuple[Spine, dict[str, Ruling]]:
    """Return *spine* with a row for each open question, and the rulings as they are kept."""
    said: dict[str, str] = {}
    for id_, ruling in rulings.items():
        if ruling.verdict == "open" and not ruling.same_as:
            spine, said[id_] = _with_question(spine, ruling)
    kept = {}
    for id_, ruling in rulings.items():
        fields = ruling.model_dump(include={"finding", "verdict", "reason", "same_as"})
        kept[id_] = Ruling(**fields, question=said.get(ruling.same_as or id_, ""))
    return spine, kept


def _with_question(spine: Spine, ruling: RulingAnswer) -> tuple[Spine, str]:
    rows = spine.by_id()
    row = OpenQuestion(
        id=next_id("Q", rows),
        text=ruling.question or clip(ruling.reason, 300),
        why=clip(f"{ruling.finding}: {ruling.reason}", 300),
        owner=ruling.owner if ruling.owner in rows and ruling.owner[:1] in "RB" else "",
        by=ruling.by,
    )
    by = f"by {day_text(row.by)}" if row.by else ""
    said = " · ".join(filter(None, (f"{row.id} {row.text}", row.owner, by)))
    return spine.model_copy(update={"questions": (*spine.questions, row)}), said


def balanced(context: StageContext, spine: Spine, decisions: Decisions, answer: Balance) -> Made:
    """Return the plan after *decisions* without those withdrawn, and after the changes of *answer*."""
    withdrawn = {finding_id(each.finding): each.reason for each in answer.withdrawn}
    again = decided(context, spine, decisions, withdrawn)
    rulings = _by_finding(decisions.rulings, withdrawn)
    after, patch = _patched(context, "balance", again.spine, answer.changes, rulings)
    return Made(after, computed_of(context, after), again.rulings, (*again.patches, patch))


def finding_id(written: str) -> str:
    """Return the id of a finding as the plan writes it."""
    return written.strip().upper()
