"""The work packages that a prompt forces beside those of the tables: approvals, pilot, dated steps, measures, terms."""

import re
from collections.abc import Iterator, Sequence

from planloom.domain.facts import Day, Duration, Spanned
from planloom.facts.quoting import clip, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import sentence_of, success_sentences
from planloom.knowledge.forced_permits import Forced, forced_permits, package_key
from planloom.knowledge.tables import Leaf, Package
from planloom.knowledge.tracing import Page, matching_page, meets, page_of, stems, terms

#: What takes place on a day is measured after it, not after the release to open.
_EVENTS = ("event_days", "the_day")
#: A look back later than that is no part of a plan.
_MOST_MONTHS = 24


def forced_packages(brief: Brief, present: Sequence[Package]) -> tuple[Forced, ...]:
    """Return what the prompt forces and no package of *present* is: each key once, in a fixed order."""
    found: dict[str, Forced] = {}
    for forced in (
        *forced_permits(brief, present),
        *_pilot(brief, present),
        *_dated(brief, present),
        *_measures(brief, present),
    ):
        found.setdefault(forced.row.id, forced)
    return tuple(found.values())


def kept_terms(brief: Brief, present: Sequence[Package]) -> tuple[Forced, ...]:
    """Return the package that proves those demands and bans which no package of *present* meets; empty if all are."""
    pages = {p.id: page_of(p) for p in present}
    deadlines = [day.start for day in brief.facts.days if day.role == "deadline"]
    left = [
        term
        for term in terms(brief.facts)
        if not meets(term.text, pages) and not any(term.start <= start < term.end for start in deadlines)
    ]
    if not left:
        return ()
    leaves = [
        Leaf(
            title=f"Show that this term is kept: {quote(term, 90)}",
            test="Dated evidence in the file, or a signed exception",
        )
        for term in left[:3]
    ]
    rest = [Leaf(title=f"Show the same for {len(left) - 3} further terms of the goal", test="Each has dated evidence")]
    leaves += rest if len(left) > 3 else []
    leaves.append(
        Leaf(title="Hand the file of terms to whoever decides on acceptance", test="Receipt before the decision")
    )
    row = Package(
        id="kept_terms", title="Proof that the terms of the goal are kept", days=(2, 4, 7), role="quality", kind="test",
        after=("charter",), leaves=tuple(leaves[:4]),
    )  # fmt: skip
    return (Forced(row, beside="acceptance", before=("acceptance",), said=left[0]),)


def _pilot(brief: Brief, present: Sequence[Package]) -> Iterator[Forced]:
    said = brief.evidence(("pilot", "trial run", "test phase"))
    if said is None or any(re.search(r"pilot|trial", f"{p.id} {p.title}", re.IGNORECASE) for p in present):
        return
    leaves = (
        Leaf(
            title="Fix places, people, length and the figures that decide", test="One page, agreed before the first day"
        ),
        Leaf(title="Run the pilot and log every deviation", test="Log complete for each day of the pilot"),
        Leaf(
            title="Decide on the figures: go on, mend or stop",
            test="Signed decision with the figures beside the limits",
        ),
    )
    row = Package(
        id="pilot", title="Pilot with a decision on its figures", days=(20, 30, 50), role="operations", kind="test",
        after=("staffing", "procurement", "permits"), leaves=leaves,
    )  # fmt: skip
    yield Forced(row, beside="acceptance", before=("acceptance",), said=said)


def _dated(brief: Brief, present: Sequence[Package]) -> Iterator[Forced]:
    pages = {p.id: Page(p.id.replace("_", " "), p.title) for p in present}
    for day in brief.facts.days:
        if day.role != "milestone" or not quotable(brief.facts, [day]) or not _is_work(brief, day):
            continue
        if not matching_page(brief, day, pages) and len(stems(day.label)) > 1:
            label = clip(day.label[:1].upper() + day.label[1:], 100)
            leaves = (
                Leaf(
                    title=f"Agree what must be true by then: {quote(day, 80)}", test="Written down with who confirms it"
                ),
                Leaf(title="Reach it and have it confirmed", test="Confirmation dated before the milestone"),
            )
            row = Package(
                id=package_key(label),
                title=label,
                days=(5, 10, 20),
                role="lead",
                kind="operate",
                after=("charter",),
                leaves=leaves,
            )
            yield Forced(row, beside="acceptance", said=sentence_of(brief.facts, day))


def _is_work(brief: Brief, day: Day) -> bool:
    """Return whether *day* asks for work in the plan: not for a figure of success, a condition or a time after it."""
    counted = any(s.start <= day.start < s.end for s in success_sentences(brief.facts))
    return not counted and day.latest <= brief.end_assumed and not day.label.lower().startswith("if ")


def _measures(brief: Brief, present: Sequence[Package]) -> Iterator[Forced]:
    """The success figures are read as long after acceptance as the prompt says, at most twice, or on the pilot."""
    said = success_sentences(brief.facts)
    if not said:
        return
    piloted = any(p.id == "pilot" for p in present)
    horizons = sorted({(_working_days(d), _length(d)) for s in said for d in _after_start(brief, s)})[:2] or [(0, "")]
    for n, (lag, length) in enumerate(horizons, 1):
        leaves = (
            Leaf(
                title=f"Read the figures that the goal names: {quote(said[0], 80)}",
                test="Each figure with source, date and reader",
            ),
            Leaf(
                title="Compare with the limits and decide what changes",
                test="Signed note: reached, or what is done until when",
            ),
        )
        row = Package(
            id=f"success_read_{n}", title=f"Success figures read{f' after {length}' if length else ''}", days=(2, 4, 8),
            role="quality", kind="test", leaves=leaves,
            after=("acceptance", *_EVENTS) if lag or not piloted else ("pilot",),
        )  # fmt: skip
        yield Forced(row, beside="handover", lag=lag, said=said[0])


def _after_start(brief: Brief, said: Spanned) -> Iterator[Duration]:
    for duration in brief.facts.durations:
        inside = said.start <= duration.start < said.end and duration.role != "total"
        if inside and duration.unit in ("months", "years") and duration.calendar_days <= _MOST_MONTHS * 31:
            yield duration


def _working_days(duration: Duration) -> int:
    return round(duration.calendar_days * 5 / 7)


def _length(duration: Duration) -> str:
    count = f"{duration.high:g}"
    return f"{count} {duration.unit if duration.high != 1 else duration.unit[:-1]}"
