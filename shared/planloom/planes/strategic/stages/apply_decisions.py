"""Apply the author's decisions to a spine: one patch, a row for each open question, and what is withdrawn undone."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.rows import OpenQuestion
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.balance import lowest_chance, worse
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.patching import next_id, patched
from planloom.planes.strategic.stages.repair import computed_of
from planloom.planes.strategic.stages.results import Patched, Ruling
from planloom.planes.strategic.stages.review_answers import Balance, DecidedChange, Decisions, RulingAnswer

#: After so many parts of an answer were tried, no part is halved again: each is computed, which takes some 0.1 s.
MOST_TRIED = 60
NOTHING = Balance()


@dataclass(frozen=True)
class Made:
    """The plan after decisions: the spine, what is computed of it, the rulings by finding, and the patches.

    ``whole``: nothing of what restores the balance was refused because the plan is worse with it.
    """

    spine: Spine
    computed: Computed
    rulings: Mapping[str, Ruling]
    patches: tuple[Patched, ...]
    whole: bool = True


def decided(context: StageContext, spine: Spine, decisions: Decisions, answer: Balance = NOTHING) -> Made:
    """Return the plan after *decisions*, without those that *answer* withdraws, and after its changes."""
    rulings = _by_finding(decisions, {finding_id(each.finding): each.reason for each in answer.withdrawn})
    spine, patch = _patched(context, "decisions", spine, decisions.changes, rulings)
    spine, kept = _with_questions(spine, rulings, decisions.rulings)
    # the days of open questions are those of a model: they are brought within bounds like all others
    spine, _ = repaired(spine, context.goal.today)
    patches = [patch]
    if answer.changes:
        spine, patch = _patched(context, "balance", spine, answer.changes, rulings)
        patches.append(patch)
    return Made(spine, computed_of(context, spine), kept, tuple(patches))


def _by_finding(given: Decisions, withdrawn: Mapping[str, str]) -> dict[str, Ruling]:
    """Return the first ruling on each finding, with the verdict of the one that it is the same as."""
    first: dict[str, Ruling] = {}
    for accepted in given.accepted:
        id_ = finding_id(accepted.finding)
        ruling = Ruling(finding=id_, verdict="accepted", reason=accepted.reason)
        if id_ in withdrawn:
            ruling = Ruling(finding=id_, verdict="rejected", reason=f"Accepted, then withdrawn: {withdrawn[id_]}")
        first.setdefault(id_, ruling)
    for other in given.rulings:
        id_, same_as = finding_id(other.finding), finding_id(other.same_as)
        first.setdefault(id_, Ruling(finding=id_, verdict=other.verdict, reason=other.reason, same_as=same_as))
    return {id_: _as_another(ruling, first) for id_, ruling in first.items()}


def _as_another(ruling: Ruling, given: Mapping[str, Ruling]) -> Ruling:
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
    rulings: Mapping[str, Ruling],
) -> tuple[Spine, Patched]:
    """Apply *changes*, but those for findings that are not accepted; the reason of each begins with its findings."""
    kept, refused = list[Change](), list[str]()
    for change in changes:
        served = [*map(finding_id, change.findings)]
        if served and all(id_ not in rulings or rulings[id_].verdict == "rejected" for id_ in served):
            where = ".".join(filter(None, (change.id, change.field)))
            refused.append(f"{change.op} {where}: it serves only what is not accepted ({', '.join(served)}).")
            continue
        reason = clip(": ".join(filter(None, (", ".join(served), change.reason))), 300)
        kept.append(Change(**change.model_dump(exclude={"findings"}) | {"reason": reason}))
    spine, patch = patched(title, spine, kept, context.goal.today)
    return spine, patch.model_copy(update={"refused": (*refused, *patch.refused)})


def _with_questions(
    spine: Spine, rulings: Mapping[str, Ruling], given: Iterable[RulingAnswer]
) -> tuple[Spine, dict[str, Ruling]]:
    """Return *spine* with a row for each open question, and the rulings with what they ask."""
    said: dict[str, str] = {}
    for answer in given:
        ruling = rulings[finding_id(answer.finding)]
        if ruling.verdict == "open" and not ruling.same_as and ruling.finding not in said:
            spine, said[ruling.finding] = _with_question(spine, ruling, answer)
    kept = {
        id_: ruling.model_copy(update={"question": said.get(ruling.same_as or id_, "")})
        for id_, ruling in rulings.items()
    }
    return spine, kept


def _with_question(spine: Spine, ruling: Ruling, answer: RulingAnswer) -> tuple[Spine, str]:
    rows = spine.by_id()
    row = OpenQuestion(
        id=next_id("Q", rows),
        text=answer.question or clip(ruling.reason, 300),
        why=clip(f"{ruling.finding}: {ruling.reason}", 300),
        owner=answer.owner if answer.owner in rows and answer.owner[:1] in "RB" else "",
        by=answer.by,
    )
    by = f"by {day_text(row.by)}" if row.by else ""
    said = " · ".join(filter(None, (f"{row.id} {row.text}", row.owner, by)))
    return spine.model_copy(update={"questions": (*spine.questions, row)}), said


def balanced(context: StageContext, spine: Spine, decisions: Decisions, answer: Balance, made: Made) -> Made:
    """Return *made*, the plan after *decisions*, with what of *answer* makes it no worse; why not the rest is said.

    All of it is tried at once, where the plan is worse with it each half, and so on down to changes that belong
    together. What was refused is tried once more when the others are made.
    """
    items = _items(answer)
    trial = _Trial(made, lambda kept: decided(context, spine, decisions, _part(answer, kept)))
    refused = trial.keep(items)
    if len(refused) < len(items):
        refused = trial.keep(refused)
    if not refused:
        return trial.made
    said = tuple(f"{_named(answer, item)}: the plan is worse with it, {trial.why[item]}" for item in refused)
    first, *rest = trial.made.patches
    last = rest[0] if rest else Patched(title="balance")
    last = last.model_copy(update={"refused": (*last.refused, *said)})
    return replace(trial.made, patches=(first, last), whole=False)


#: Numbers of changes of an answer that belong together; those of its withdrawals follow those of its changes.
Item = frozenset[int]


class _Trial:
    """The plan with what was kept so far, and why what was tried alone was not."""

    def __init__(self, made: Made, make: Callable[[Item], Made]) -> None:
        self.made = made
        self.why: dict[Item, str] = {}
        self._make, self._kept, self._best, self._left = make, Item(), made.computed, MOST_TRIED

    def keep(self, items: list[Item]) -> list[Item]:
        """Keep those of *items* with which the plan gets no worse; return the others."""
        if not items or not (said := self._tried(self._kept.union(*items))):
            return []
        if len(items) > 1 and self._left > 0:
            half = len(items) // 2
            return [*self.keep(items[:half]), *self.keep(items[half:])]
        self.why |= dict.fromkeys(items, said)
        return items

    def _tried(self, kept: Item) -> str:
        self._left -= 1
        made = self._make(kept)
        if said := worse(self._best, made.computed):
            return said
        self.made, self._kept = made, kept
        # chances that fall a little with each change are compared with the best, not with the last
        if lowest_chance(made.computed) >= lowest_chance(self._best) or worse(made.computed, self._best):
            self._best = made.computed
        return ""


def _items(answer: Balance) -> list[Item]:
    """Return what belongs together: changes of one row, and an added row with the changes that name it."""
    added = [change.id for change in answer.changes if change.op == "add"]
    groups: list[tuple[set[str], Item]] = []
    for number, change in enumerate(answer.changes):
        keys = {change.id, *(id_ for id_ in added if re.search(rf"\b{re.escape(id_)}\b", change.value))}
        joined = [group for group in groups if not keys.isdisjoint(group[0])]
        groups = [group for group in groups if group not in joined]
        groups.append((keys.union(*(each for each, _ in joined)), Item({number}).union(*(each for _, each in joined))))
    withdrawn = (Item({len(answer.changes) + number}) for number in range(len(answer.withdrawn)))
    return sorted((*(item for _, item in groups), *withdrawn), key=min)


def _part(answer: Balance, kept: Item) -> Balance:
    """Return the changes and withdrawals of *answer* that are *kept*."""
    first = len(answer.changes)
    changes = [change for number, change in enumerate(answer.changes) if number in kept]
    withdrawn = [each for number, each in enumerate(answer.withdrawn, first) if number in kept]
    return answer.model_copy(update={"changes": changes, "withdrawn": withdrawn})


def _named(answer: Balance, item: Item) -> str:
    part = _part(answer, item)
    changes = (f"{each.op} {'.'.join(filter(None, (each.id, each.field)))}" for each in part.changes)
    return ", ".join((*changes, *(f"withdrawal of {finding_id(each.finding)}" for each in part.withdrawn)))


def finding_id(written: str) -> str:
    """Return the id of a finding as the plan writes it."""
    return written.strip().upper()
