"""The approvals and permits that a prompt names or calls for, as work packages with a lead time that others set."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planloom.domain.facts import Spanned
from planloom.facts.quoting import clip
from planloom.knowledge.brief import Brief
from planloom.knowledge.choose import speaks_of
from planloom.knowledge.dangers import Danger, dangers
from planloom.knowledge.tables import Leaf, Package, Permit
from planloom.knowledge.tracing import Page, best_matches, page_of

#: Working days where neither prompt nor table says: papers, decision, conditions.
_USUAL_LEAD = (15.0, 30.0, 60.0)
Points = tuple[float, float, float]
_TOOK = re.compile(r"\b(?:took|takes?|lasts?|lasted|needs?|usually|lead time)\b", re.IGNORECASE)
_WORKING_DAYS = {"weeks": 5, "months": 21}
#: A decision of so many working days is taken on the finished thing.
_QUICK = 20
_NOT_OF_TABLES = "x_"
_PERMIT_WORDS = re.compile(
    r"(?:permit|permission|licen[cs]e|consent|certificate|clearance|approval|accreditation)s?$", re.I
)


@dataclass(frozen=True)
class Forced:
    """A package that the prompt forces; it stands in the deliverable that holds the package *beside*."""

    row: Package
    beside: str
    before: tuple[str, ...] = ()
    lag: int = 0
    said: Spanned | None = None


def forced_permits(brief: Brief, present: Sequence[Package]) -> Iterator[Forced]:
    """Approvals that the prompt names, then permits that its words call, each with whom and what it holds up."""
    rows = brief.rows("permits", Permit)
    used = set[str]()
    for danger in dangers(brief.facts):
        if danger.kind != "approval" or any(_is_it(danger, p) for p in present):
            continue
        # "needs approval" does not say of what: no row of the table is it
        row = None if _is_bare(danger.thing) else _permit_row(danger.thing, rows)
        used |= {row.title} if row else set()
        yield _approval(brief, danger, row, present)
    for row in rows:
        if row.when and row.title not in used:
            yield _lead_time(row.title, row, present, (row.needed_for,), brief.called_by(row))


def _is_bare(thing: str) -> bool:
    return bool(_PERMIT_WORDS.fullmatch(thing.strip()))


def _is_it(danger: Danger, package: Package) -> bool:
    decided = package.kind in ("permit", "legal", "finance")
    return decided and bool(package.when) and speaks_of(danger.thing, package.when)


def _permit_row(thing: str, rows: Sequence[Permit]) -> Permit | None:
    named = best_matches(thing, {row.title: Page(row.title, "") for row in rows}, most=1)
    called = (row for row in rows if row.when and speaks_of(thing, row.when))
    return next(called, None) or next((row for row in rows if row.title in named), None)


def _approval(brief: Brief, danger: Danger, row: Permit | None, present: Sequence[Package]) -> Forced:
    party = danger.party or (row.authority if row else "")
    by = f" by {_the(party)}" if party else ""
    issued = _PERMIT_WORDS.search(danger.thing)
    if _is_bare(danger.thing):
        title = f"{danger.thing}{by}"
    else:
        title = f"{danger.thing} issued{by}" if issued else f"Approval of {_the(danger.thing)}{by}"
    held_up = best_matches(danger.gate, {p.id: page_of(p) for p in present}, most=1) if danger.gate else ()
    said_days = _said_days(brief, danger.said)
    return _lead_time(title, row, present, (*held_up, *((row.needed_for,) if row else ())), danger.said, said_days)


def _said_days(brief: Brief, said: Spanned) -> Points | None:
    """The working days that the prompt itself expects: similar files took between ten and eighteen months."""
    inside = (d for d in brief.facts.durations if said.start <= d.start < said.end and d.unit in ("weeks", "months"))
    took = next((d for d in inside if _TOOK.search(d.label)), None)
    if took is None:
        return None
    low, high = (round(bound * _WORKING_DAYS[took.unit]) for bound in (took.low, took.high))
    return (low, (low + high) / 2, high)


def _lead_time(
    title: str,
    row: Permit | None,
    present: Sequence[Package],
    before: tuple[str, ...],
    said: Spanned | None,
    said_days: Points | None = None,
) -> Forced:
    """A decision that others take. One that comes quickly is asked for when its object is there, a slow one early."""
    papers = row.papers if row else "what the deciding body asks for"
    days = said_days or (row.days if row else _USUAL_LEAD)
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
        id=package_key(title), title=title, days=days, role="legal", kind="permit", fixed=True, leaves=leaves,
        after=model.after if model and model.after else ("charter",),
    )  # fmt: skip
    return Forced(package, beside="permits", before=before or ("acceptance",), said=said)


def _the(phrase: str) -> str:
    return (
        phrase
        if re.match(r"(?:the|an?|each|every|all|any|its|their|our)\b", phrase, re.IGNORECASE)
        else f"the {phrase}"
    )


def package_key(title: str) -> str:
    """Return the key of a package that no table names."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return _NOT_OF_TABLES + ("_".join(words)[:40].strip("_") if words else "step")


def is_of_prompt(key: str) -> bool:
    """Return whether *key* is of a package that the prompt alone brings."""
    return key.startswith(_NOT_OF_TABLES)
