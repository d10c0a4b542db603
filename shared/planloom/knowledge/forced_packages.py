"""The work packages that a prompt forces beside those of the tables: approvals, pilot, dated steps, measures, terms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planloom.domain.facts import Spanned
from planloom.knowledge.brief import Brief
from planloom.knowledge.choose import speaks_of
from planloom.knowledge.dangers import Danger, dangers, sentence_of, success_sentences
from planloom.knowledge.quoting import clip, quotable, quote
from planloom.knowledge.tables import Leaf, Package, Permit
from planloom.knowledge.tracing import Page, best_matches, matching_page, meets, page_of, stems, terms
from planloom.reading.numbers import number, value_of

#: Working days where neither prompt nor table says: papers, decision, conditions.
_USUAL_LEAD = (15.0, 30.0, 60.0)
#: A decision of so many working days is taken on the finished thing.
_QUICK = 20
_PERMIT_WORDS = re.compile(
    r"(?:permit|permission|licen[cs]e|consent|certificate|clearance|approval|accreditation)s?$", re.I
)
_HORIZON = re.compile(
    r"\b(?:within|after|by the end of|over)\s+(?:the\s+)?(?P<number>[\w-]+)\s+(?P<unit>month|year|quarter)",
    re.IGNORECASE,
)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
_WORKING_DAYS = {"month": 21, "quarter": 63, "year": 252}
_MOST_MONTHS = 24


@dataclass(frozen=True)
class Forced:
    """A package that the prompt forces; it stands in the deliverable that holds the package *beside*."""

    row: Package
    beside: str
    before: tuple[str, ...] = ()
    lag: int = 0
    said: Spanned | None = None


def forced_packages(brief: Brief, present: Sequence[Package]) -> tuple[Forced, ...]:
    """Return what the prompt forces and no package of *present* is: each key once, in a fixed order."""
    found: dict[str, Forced] = {}
    for forced in (
        *_approvals(brief, present),
        *_pilot(brief, present),
        *_dated(brief, present),
        *_measures(brief, present),
    ):
        found.setdefault(forced.row.id, forced)
    return tuple(found.values())


def kept_terms(brief: Brief, present: Sequence[Package]) -> tuple[Forced, ...]:
    """Return the package that proves those demands and bans which no package of *present* meets; empty if all are."""
    pages = {p.id: page_of(p) for p in present}
    left = [term for term in terms(brief.facts) if not meets(term.text, pages)]
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


def _approvals(brief: Brief, present: Sequence[Package]) -> Iterator[Forced]:
    """Approvals that the prompt names, then permits that its words call, each with whom and what it holds up."""
    rows = brief.rows("permits", Permit)
    used = set[str]()
    for danger in dangers(brief.facts):
        if danger.kind != "approval" or any(_is_it(danger, p) for p in present):
            continue
        row = _permit_row(danger.thing, rows)
        used |= {row.title} if row else set()
        yield _approval(danger, row, present)
    for row in rows:
        if row.when and row.title not in used:
            yield _lead_time(row.title, row, present, (row.needed_for,), brief.called_by(row))


def _is_it(danger: Danger, package: Package) -> bool:
    decided = package.kind in ("permit", "legal", "finance")
    return decided and bool(package.when) and speaks_of(danger.thing, package.when)


def _permit_row(thing: str, rows: Sequence[Permit]) -> Permit | None:
    named = best_matches(thing, {row.title: Page(row.title, "") for row in rows}, most=1)
    called = (row for row in rows if row.when and speaks_of(thing, row.when))
    return next(called, None) or next((row for row in rows if row.title in named), None)


def _approval(danger: Danger, row: Permit | None, present: Sequence[Package]) -> Forced:
    party = danger.party or (row.authority if row else "")
    by = f" by {_the(party)}" if party else ""
    issued = _PERMIT_WORDS.search(danger.thing)
    title = f"{danger.thing} issued{by}" if issued else f"Approval of {_the(danger.thing)}{by}"
    held_up = best_matches(danger.gate, {p.id: page_of(p) for p in present}, most=1) if danger.gate else ()
    return _lead_time(title, row, present, (*held_up, *((row.needed_for,) if row else ())), danger.said)


def _lead_time(
    title: str, row: Permit | None, present: Sequence[Package], before: tuple[str, ...], said: Spanned | None
) -> Forced:
    """A decision that others take. One that comes quickly is asked for when its object is there, a slow one early."""
    papers = row.papers if row else "what the deciding body asks for"
    days = row.days if row else _USUAL_LEAD
    by_key = {p.id: p for p in present}
    early, late = by_key.get("permits"), next((by_key[key] for key in before if key in by_key), None)
    model = late if late and days[1] <= _QUICK else early
    leaves = (
        Leaf(title=clip(f"File the application: {papers}", 140), test="Dated receipt that names no missing paper"),
        Leaf(
            title="Obtain the decision and turn its conditions into tasks",
            test="Decision on file; each condition has an owner",
        ),
    )
    title = clip(title[:1].upper() + title[1:], 110)
    package = Package(
        id=_key(title), title=title, days=days, role="legal", kind="permit", fixed=True, leaves=leaves,
        after=model.after if model and model.after else ("charter",),
    )  # fmt: skip
    return Forced(package, beside="permits", before=before or ("acceptance",), said=said)


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
        if day.role != "milestone" or not quotable(brief.facts, [day]):
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
                id=_key(label),
                title=label,
                days=(5, 10, 20),
                role="lead",
                kind="operate",
                after=("charter",),
                leaves=leaves,
            )
            yield Forced(row, beside="acceptance", said=sentence_of(brief.facts, day))


def _measures(brief: Brief, present: Sequence[Package]) -> Iterator[Forced]:
    """The success figures are read as long after acceptance as the prompt says, at most twice, or on the pilot."""
    said = success_sentences(brief.facts)
    if not said:
        return
    piloted = any(p.id == "pilot" for p in present)
    horizons = sorted({(days, words) for s in said for days, words in _horizons(s.text)})[:2] or [(0, "")]
    for n, (lag, words) in enumerate(horizons, 1):
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
            id=f"success_read_{n}", title=f"Success figures read{f' {words}' if words else ''}", days=(2, 4, 8),
            role="quality", kind="test", leaves=leaves, after=("acceptance",) if lag or not piloted else ("pilot",),
        )  # fmt: skip
        yield Forced(row, beside="handover", lag=lag, said=said[0])


def _horizons(text: str) -> Iterator[tuple[int, str]]:
    for match in _HORIZON.finditer(text):
        count = _number(match["number"].lower())
        days = count * _WORKING_DAYS[match["unit"].lower()]
        if 0 < days <= _MOST_MONTHS * 21:
            yield days, f"after {count} {match['unit'].lower()}{'s' if count > 1 else ''}"


def _number(word: str) -> int:
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    return round(value_of(word)) if re.fullmatch(number("n"), word) else 0


def _the(phrase: str) -> str:
    return (
        phrase
        if re.match(r"(?:the|an?|each|every|all|any|its|their|our)\b", phrase, re.IGNORECASE)
        else f"the {phrase}"
    )


def _key(title: str) -> str:
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "x_" + "_".join(words)[:40].strip("_") if words else "x_step"
