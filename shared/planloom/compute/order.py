"""Findings on order: what starts, binds or is taught before that which it depends on."""

from collections.abc import Callable, Iterator
from datetime import date

from planloom.compute.cash import BINDING
from planloom.compute.computed import Dated, Finding
from planloom.compute.found import finding, named
from planloom.compute.order_money import order_money_findings
from planloom.compute.order_people import order_people_findings
from planloom.compute.order_words import order_words_findings
from planloom.compute.view import PlanView
from planloom.domain.wording import day_text
from planloom.spine.rows import Approval, Package

#: What a licence is for.
LICENSED = ("trial", "opening", "operation")
#: What uses trained people.
OPENED = ("opening", "operation")


def order_findings(view: PlanView) -> list[Finding]:
    """Return all findings on order: of packages, of money, of people and of words."""
    checks: tuple[Callable[[PlanView], Iterator[Finding]], ...] = (
        _before_design,
        _before_approval,
        _before_licence,
        _bound_before_approval,
        _training_after_opening,
        _undone_too_late,
        order_money_findings,
        order_people_findings,
        order_words_findings,
    )
    return [found for check in checks for found in check(view)]


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
            # the designer, too, is found by tender: that goes before the design
            if package.id not in view.before.of(design.id) and dated.start <= drawn.end:
                yield finding(
                    f"order.{package.kind}_before_design",
                    "high" if package.kind == "tender" else "medium",
                    [(package, f"starts {day_text(dated.start)}"), (design, f"ends {day_text(drawn.end)}")],
                    f"{named(package)} starts {day_text(dated.start)} and does not wait for {named(design)}, which "
                    f"ends {day_text(drawn.end)}.",
                    f"Let {package.id} need {design.id}, or say in {package.id} what is asked for before the design.",
                )


def _before_approval(view: PlanView) -> Iterator[Finding]:
    """A package starts before the answer of an approval that frees it: its day is fixed."""
    for approval, answer in _answers(view):
        for id in approval.frees:
            dated = view.dated(id)
            if dated and dated.start < answer:
                package = view.rows[id]
                yield finding(
                    "order.before_approval",
                    "high",
                    [(package, f"starts {day_text(dated.start)}"), (approval, f"is answered {day_text(answer)}")],
                    f"{named(package)} starts {day_text(dated.start)}, before {named(approval)} is answered on "
                    f"{day_text(answer)}.",
                    f"Move {id} behind the answer, or hand the papers of {approval.id} in earlier.",
                )


def _before_licence(view: PlanView) -> Iterator[Finding]:
    """A trial, opening or operation starts before the approval that frees the opening of the same deliverable."""
    for approval, answer in _answers(view):
        for package, dated, freed in _unfreed(view, approval, LICENSED):
            if freed.kind in OPENED and dated.start < answer:
                yield finding(
                    "order.trial_before_licence",
                    "high",
                    [(package, f"starts {day_text(dated.start)}"), (approval, f"is answered {day_text(answer)}")],
                    f"{named(package)} starts {day_text(dated.start)}; {named(approval)}, which {named(freed)} waits "
                    f"for, is answered on {day_text(answer)}.",
                    f"Let {approval.id} free {package.id} too, or say what allows it before.",
                )


def _bound_before_approval(view: PlanView) -> Iterator[Finding]:
    """An order or contract binds money before an approval that later work of the same deliverable waits for.

    Of several approvals the last one to be answered is named.
    """
    last: dict[str, tuple[Package, date, Package, Approval, date]] = {}
    for approval, answer in _answers(view):
        for package, dated, freed in _unfreed(view, approval, ("order", "contract")):
            day = dated.start if BINDING[package.kind] == "start" else dated.end
            known = last.get(package.id)
            if day < answer and package.id in view.before.needed_by(freed.id) and (not known or answer > known[4]):
                last[package.id] = (package, day, freed, approval, answer)
    for package, day, freed, approval, answer in last.values():
        yield finding(
            "order.commitment_before_approval",
            "medium",
            [(package, f"binds on {day_text(day)}"), (approval, f"is answered {day_text(answer)}")],
            f"{named(package)} binds on {day_text(day)}; {named(freed)}, which uses it, may begin only after "
            f"{named(approval)} is answered on {day_text(answer)}.",
            f"Let {approval.id} free {package.id}; where it can be left at a known cost, a gate says so.",
        )


def _unfreed(view: PlanView, approval: Approval, kinds: tuple[str, ...]) -> Iterator[tuple[Package, Dated, Package]]:
    """Yield packages of *kinds* that *approval* does not free, with one of the same deliverable that it frees.

    What leads to its papers is left out: a trial may be what the authority wants to see.
    """
    freed = [view.rows[id] for id in approval.frees if view.dated(id)]
    papers = view.before.of_all(approval.papers)
    after = frozenset(approval.frees)
    for package, dated in view.packages(*kinds):
        if package.id in after or package.id in papers or view.before.of(package.id) & after:
            continue
        match = next((other for other in freed if _same(package, other)), None)
        if match:
            yield package, dated, match


def _training_after_opening(view: PlanView) -> Iterator[Finding]:
    """The training for a deliverable ends after its opening, and no training ends before."""
    openings = sorted(view.packages("opening"), key=lambda pair: pair[1].start)
    trainings = list(view.packages("training"))
    for package, dated in trainings:
        same = [pair for pair in openings if _same(package, pair[0])]
        opening = same[0] if same else None
        if opening is None and openings and openings[-1][1].start <= dated.end:
            opening = openings[-1] if len(openings) == 1 else None
        if opening is None or dated.end < opening[1].start:
            continue
        if not any(other.end < opening[1].start for _, other in trainings):
            yield finding(
                "order.training_after_opening",
                "medium",
                [(package, f"ends {day_text(dated.end)}"), (opening[0], f"starts {day_text(opening[1].start)}")],
                f"{named(package)} ends {day_text(dated.end)}; {named(opening[0])} starts "
                f"{day_text(opening[1].start)} and no training ends before.",
                f"Let {opening[0].id} need {package.id}.",
            )


def _undone_too_late(view: PlanView) -> Iterator[Finding]:
    """The last day to undo the recommended option is after an order, contract or build that the decision frees."""
    for decision in view.spine.decisions:
        chosen = next((o for o in decision.options if o.key == decision.recommended), None)
        if chosen is None or chosen.undo_by is None:
            continue
        for package, dated in view.packages(*BINDING, "build"):
            if package.id in decision.frees and dated.start < chosen.undo_by:
                yield finding(
                    "order.undo_after_commitment",
                    "medium",
                    [
                        (decision, f"option {chosen.key} can be undone until {day_text(chosen.undo_by)}"),
                        (package, f"starts {day_text(dated.start)}"),
                    ],
                    f"{named(decision)} says that option {chosen.key} can be undone at little cost until "
                    f"{day_text(chosen.undo_by)}; {named(package)} starts {day_text(dated.start)}.",
                    f"Set undo_by before {package.id} starts, or say what leaving {package.id} costs.",
                )


def _answers(view: PlanView) -> Iterator[tuple[Approval, date]]:
    for approval in view.spine.approvals:
        if approval.id in view.schedule.approvals:
            yield approval, view.schedule.approvals[approval.id]


def _same(one: Package, other: Package) -> bool:
    return bool(one.deliverable) and one.deliverable == other.deliverable and one.id != other.id
