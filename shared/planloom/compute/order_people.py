"""Findings on people before their time: hired after their work begins, paid for less than their work."""

from collections.abc import Iterator
from datetime import date, timedelta

from planloom.compute.cash import span_of
from planloom.compute.computed import Finding
from planloom.compute.found import finding, named
from planloom.compute.view import PlanView
from planloom.compute.words import content_words
from planloom.domain.quality import Severity
from planloom.domain.wording import day_text
from planloom.spine.rows import Line, Role

#: By how many calendar days pay may miss work before it matters: a month's end is not a package's end.
TOLERANCE = 7


def order_people_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings."""
    yield from _hired_late(view)
    for role in view.spine.roles:
        yield from _pay_misses_work(view, role)


def _hired_late(view: PlanView) -> Iterator[Finding]:
    """A hiring whose title names a role ends after the role's first package starts."""
    for role in view.spine.roles:
        words = content_words(role.title)
        for hiring, hired in view.packages("hiring"):
            if not words or not words <= content_words(hiring.title):
                continue
            earlier = view.before.of(hiring.id)
            work = [pair for pair in view.work(role.id) if pair[0].id not in earlier and pair[0].kind != "hiring"]
            if not work:
                continue
            package, first = min(work, key=lambda pair: (pair[1].start, pair[0].id))
            if first.start <= hired.end:
                yield finding(
                    "order.hired_late",
                    "medium",
                    [
                        (hiring, f"ends {day_text(hired.end)}"),
                        (package, f"starts {day_text(first.start)}, with {role.id}"),
                    ],
                    f"{named(hiring)} ends {day_text(hired.end)}; {named(role)} works in {named(package)} from "
                    f"{day_text(first.start)}.",
                    f"Let {package.id} need {hiring.id}, or say who does it until then.",
                )


def _pay_misses_work(view: PlanView, role: Role) -> Iterator[Finding]:
    """The staff lines of a role, one of them with own days, end before its last package or begin after its first.

    Roles whose lines have no days are paid with their packages.
    """
    lines = [line for line in view.spine.lines if line.kind == "staff" and line.role == role.id]
    work = view.work(role.id)
    if not work or not any(line.first or line.last for line in lines):
        return
    spans = [(span_of(line, view.schedule), line) for line in lines]
    (first, _), early = min(spans, key=lambda pair: (pair[0][0], pair[1].id))
    (_, last), late = max(spans, key=lambda pair: (pair[0][1], pair[1].id))
    begins = min(work, key=lambda pair: (pair[1].start, pair[0].id))
    ends = max(work, key=lambda pair: (pair[1].end, pair[0].id))
    if late.last and ends[1].end - last > timedelta(0):
        yield finding(
            "order.pay_ends_before_work",
            _severity(ends[1].end, last),
            [(late, f"paid until {day_text(last)}"), (ends[0], f"ends {day_text(ends[1].end)}, with {role.id}")],
            f"{named(late)} pays {named(role)} until {day_text(last)}; its work in {named(ends[0])} ends "
            f"{day_text(ends[1].end)}.",
            f"Pay {role.id} until {day_text(ends[1].end)}, or give {ends[0].id} to another role.",
        )
    if _begins_late(early, first, begins[1].start):
        yield finding(
            "order.pay_begins_after_work",
            _severity(first, begins[1].start),
            [
                (early, f"paid from {day_text(first)}"),
                (begins[0], f"starts {day_text(begins[1].start)}, with {role.id}"),
            ],
            f"{named(early)} pays {named(role)} from {day_text(first)}; its work in {named(begins[0])} starts "
            f"{day_text(begins[1].start)}.",
            f"Pay {role.id} from {day_text(begins[1].start)}, or give {begins[0].id} to another role.",
        )


def _begins_late(line: Line, first: date, begins: date) -> bool:
    return line.first is not None and first > begins


def _severity(later: date, earlier: date) -> Severity:
    return "medium" if (later - earlier).days > TOLERANCE else "low"
