"""Findings on order: work, commitments and training that come before what they depend on."""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from planloom.planes.strategic.compute.cash import BINDING, bound_day
from planloom.planes.strategic.compute.computed import Dated, Finding
from planloom.planes.strategic.compute.found import all_of, content_words, named
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.spine.rows import Approval, Package

#: What a licence is for.
LICENSED = ("trial", "opening", "operation")
#: What uses trained people.
OPENED = ("opening", "operation")


def _before_design(view: PlanView) -> Iterator[Finding]:
    """A tender, contract or order of a deliverable starts before the design of the same deliverable ends."""
    designs = list(view.packages("design"))
    works = {need.id for package, _ in view.packages("build", "delivery") for need in package.needs}
    for package, dated in view.packages("tender", "contract", "order"):
        # other contracts may have nothing to do with what is drawn
        if package.kind != "tender" and package.id not in works:
            continue
        for design, drawn in designs:
            if not _same(package, design) or design.id in view.before.of(package.id):
                continue
            # the tender for the designer comes before the design
            if package.id not in view.before.of(design.id) and dated.start <= drawn.end:
                check = f"order.{package.kind}_before_design"
                yield view.finding(check, package, design, start=dated.start, end=drawn.end)


def _before_approval(view: PlanView) -> Iterator[Finding]:
    """A package starts before the answer of an approval that frees it: its day is fixed."""
    for approval, answer in view.answers():
        for id in approval.frees:
            dated = view.dated(id)
            until = (need.or_day for need in view.rows[id].needs if need.id == approval.id) if dated else ()
            if dated and dated.start < answer and not any(day and day <= dated.start for day in until):
                yield view.finding("order.before_approval", view.rows[id], approval, start=dated.start, answer=answer)


def _before_licence(view: PlanView) -> Iterator[Finding]:
    """A trial, opening or operation starts before the approval that frees the opening of the same deliverable.

    What another approval of the same party frees has its licence: this one renews it.
    """
    for approval, answer in view.answers():
        for package, dated, freed in _unfreed(view, approval, LICENSED):
            if freed.kind in OPENED and dated.start < answer and not _licensed(view, package, approval):
                yield view.finding(
                    "order.trial_before_licence",
                    package,
                    approval,
                    freed=named(freed),
                    start=dated.start,
                    answer=answer,
                )


def _licensed(view: PlanView, package: Package, approval: Approval) -> bool:
    reached = {package.id, *view.before.of(package.id)}
    others = (each for each in view.spine.approvals if each.id != approval.id and each.party == approval.party)
    return any(not reached.isdisjoint((each.id, *each.frees)) for each in others)


def _bound_before_approval(view: PlanView) -> Iterator[Finding]:
    """An order or contract binds money before an approval that later work of the same deliverable waits for.

    Of several approvals the last one to be answered is named.
    """
    last: dict[str, tuple[Package, date, Package, Approval, date]] = {}
    for approval, answer in view.answers():
        for package, dated, freed in _unfreed(view, approval, ("order", "contract")):
            day = bound_day(package, dated)
            known = last.get(package.id)
            early = day and day < answer and package.id in view.before.needed_by(freed.id)
            if day and early and (not known or answer > known[4]):
                last[package.id] = (package, day, freed, approval, answer)
    for package, day, freed, approval, answer in last.values():
        yield view.finding(
            "order.commitment_before_approval", package, approval, freed=named(freed), day=day, answer=answer
        )


def _unfreed(view: PlanView, approval: Approval, kinds: tuple[str, ...]) -> Iterator[tuple[Package, Dated, Package]]:
    """Yield packages of *kinds* that *approval* does not free, with one of the same deliverable that it frees.

    What leads to its papers is left out: a trial may be what the authority wants to see.
    """
    freed = [view.rows[id] for id in approval.frees if view.dated(id)]
    if approval.releases or len({package.deliverable for package in freed}) > 1:
        return  # a grant or a vote on several things is no licence of one
    papers, after = view.before.of_all(approval.papers), frozenset(approval.frees)
    for package, dated in view.packages(*kinds):
        match = next((other for other in freed if _same(package, other)), None)
        if match and package.id not in after | papers and not view.before.of(package.id) & after:
            yield package, dated, match


def _training_after_opening(view: PlanView) -> Iterator[Finding]:
    """The training for a deliverable ends after its opening, and no training ends before."""
    openings = sorted(view.packages("opening"), key=lambda pair: pair[1].start)
    trainings = list(view.packages("training"))
    for package, dated in trainings:
        same = [pair for pair in openings if _same(package, pair[0])]
        for opening, opened in (same or (openings if len(openings) == 1 else []))[:1]:
            if dated.end < opened.start or any(other.end < opened.start for _, other in trainings):
                continue
            yield view.finding("order.training_after_opening", package, opening, end=dated.end, start=opened.start)


def _undone_too_late(view: PlanView) -> Iterator[Finding]:
    """The last day to undo the recommended option is before the decision, or after work that the decision frees."""
    for decision in view.spine.decisions:
        chosen = decision.chosen
        if chosen is None or chosen.undo_by is None:
            continue
        if decision.by and chosen.undo_by < decision.by:
            yield view.finding("order.undo_before_decision", decision, f"{decision.id} by", chosen=chosen)
        for package, dated in view.packages(*BINDING, "build"):
            if package.id in decision.frees and dated.start < chosen.undo_by > (package.free_until or dated.start):
                yield view.finding("order.undo_after_commitment", decision, package, chosen=chosen, start=dated.start)


def _wrong_milestone(view: PlanView) -> Iterator[Finding]:
    """The words of a demand name exactly one other deliverable, and none of what meets it."""
    words = {row.id: content_words(row.title) for row in view.spine.deliverables}
    counts = Counter(word for mine in words.values() for word in mine)
    # the words of each deliverable's title that no other has
    words = {id: frozenset(word for word in mine if counts[word] == 1) for id, mine in words.items()}
    for demand in view.spine.demands:
        met: list[Package] = [view.rows[id] for id in demand.met_by if view.dated(id)]
        spoken = content_words(demand.text)
        # a demand without a day is no milestone
        if (
            not demand.due
            or not met
            or any(spoken & (content_words(p.title) | words.get(p.deliverable, frozenset())) for p in met)
        ):
            continue
        # one word in common may be a coincidence
        others = [id for id, mine in words.items() if mine & spoken and 2 * len(mine & spoken) >= len(mine)]
        if len(others) == 1 and others[0] not in {package.deliverable for package in met}:
            part = met[0].deliverable or "no deliverable"
            yield view.finding("order.wrong_milestone", demand, met[0], view.rows[others[0]], part=part)


def _same(one: Package, other: Package) -> bool:
    return bool(one.deliverable) and one.deliverable == other.deliverable and one.id != other.id


order_findings = all_of(
    _before_design, _before_approval, _before_licence, _bound_before_approval, _training_after_opening,
    _undone_too_late, _wrong_milestone,
)  # fmt: skip
