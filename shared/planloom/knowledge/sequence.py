"""Which work package waits for which: what the tables and the prompt say, and that nothing is left hanging."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from planloom.domain.facts import Spanned
from planloom.facts.quoting import clip, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.tables import Deliverable
from planloom.knowledge.tracing import stems, terms
from planloom.knowledge.work_breakdown import Work

#: The package at which the whole is accepted; every archetype has it.
ACCEPTANCE = "acceptance"

#: The package that brings the people; every archetype has it.
STAFFING = "staffing"

_WHY = {
    "research": "rests on its findings",
    "design": "is worked out from its drawings and choices",
    "legal": "needs what is agreed there in writing",
    "permit": "may not start before that decision is on file",
    "finance": "needs the money to be clear first",
    "people": "is done by the people who come with it",
    "procurement": "needs what is ordered or delivered there",
    "build": "stands on what is built there",
    "test": "starts only once that has passed",
    "communication": "touches people who must be told first",
    "operate": "needs it running",
    "handover": "needs what is handed over",
}

#: What waits for what between tables that do not know each other: (waiting, waited for), where both are there.
_BETWEEN = (
    ("premises_contract", "lease_terms"),
    ("lease_handover", "premises_contract"),
    ("strip_out", "lease_handover"),
    ("funding_secured", "money_file"),
    ("money_reports", "funding_secured"),
    ("staffing", "hiring_profiles"),
    ("hiring_onboarding", "acceptance"),
    ("procurement", "tender_rehearsal"),
    ("concept", "weather_calendar"),
    ("detail", "water_basis"),
    ("water_drainage", "services"),
    ("nature_watch", "site_setup"),
    ("trial_days", "food_haccp"),
    ("trial_days", "food_recipes"),
    ("pilot", "care_training"),
    ("pilot", "phd_record"),
)


@dataclass(frozen=True)
class Order:
    """Finish-to-start: ``task`` starts *lag* working days after ``after`` has finished; both are ids such as 2.3."""

    task: str
    after: str
    lag: int
    why: str


def orders(brief: Brief, works: Sequence[Work]) -> tuple[Order, ...]:
    """Return the acyclic order of *works*: by task, then in the order of their rows.

    A package of the tables that the prompt does not call hands its predecessors on to whoever waits for it. A
    package that nothing waits for goes before acceptance, unless it comes after it: everything leads to an end.
    """
    found = {work.row.id: work for work in works}
    waits = _stated(brief, works)
    for work in works:
        for key in work.before:
            _add(waits, key, work.row.id)
    for task, after in _BETWEEN:
        _add(waits, task, after)
    _close_ends(works, waits)
    return tuple(
        Order(found[task].id, found[after].id, found[task].lag, _reason(brief, found[task], found[after]))
        for task in waits
        for after in _direct(waits, task)
    )


def successors(pairs: Iterable[tuple[str, str]], of: Iterable[str]) -> frozenset[str]:
    """Return all that wait, directly or not, for any of *of*; *pairs* are (waiting, waited for)."""
    following: dict[str, list[str]] = {}
    for task, after in pairs:
        following.setdefault(after, []).append(task)
    found: set[str] = set()
    todo = list(of)
    while todo:
        new = [t for t in following.get(todo.pop(), []) if t not in found]
        found.update(new)
        todo += new
    return frozenset(found)


#: What each package waits for, by key, in order and without repeats.
Waits = dict[str, dict[str, None]]


def _stated(brief: Brief, works: Sequence[Work]) -> Waits:
    """Return what each package waits for by its own row; never a cycle."""
    present = {work.row.id: work for work in works}
    known = _all_rows(brief)
    waits: Waits = {}
    for work in works:
        waits[work.row.id] = {}
    for work in works:
        for key in _resolved(work.row.after, present, known):
            _add(waits, work.row.id, key)
    return waits


def _add(waits: Waits, task: str, after: str) -> None:
    """Let *task* wait for *after*, unless that would close a circle, or one of them is not there."""
    # tables of a topic may close a circle with those of an archetype
    if task in waits and after in waits and task != after and task not in _upstream(waits, after):
        waits[task][after] = None


def _direct(waits: Waits, task: str) -> list[str]:
    """Return what *task* waits for directly: not what another of its predecessors waits for already."""
    return [key for key in waits[task] if not any(key in _upstream(waits, other) for other in waits[task])]


def _all_rows(brief: Brief) -> dict[str, tuple[str, ...]]:
    """Return what every package of the chosen tables waits for, also of those that the prompt does not call."""
    tables = (brief.archetype, *brief.topics)
    rows: list[Deliverable] = [d for table in tables for d in table.deliverables]
    return {p.id: p.after for d in reversed(rows) for p in d.packages}


def _resolved(
    keys: Iterable[str], present: Mapping[str, Work], known: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    todo, seen = list(keys), set[str]()
    while todo:
        key = todo.pop(0)
        if key in present:
            found[key] = None
        elif key not in seen:
            seen.add(key)
            todo += known.get(key, ())
    return tuple(found)


def _upstream(waits: Waits, key: str) -> set[str]:
    """Return all that *key* waits for, directly or not."""
    found: set[str] = set()
    todo = [key]
    while todo:
        new = [k for k in waits[todo.pop()] if k not in found]
        found.update(new)
        todo += new
    return found


def _close_ends(works: Sequence[Work], waits: Waits) -> None:
    """Let each package that nothing waits for, acceptance not being before it, go before its users or acceptance."""
    for work in works:
        key = work.row.id
        if not _is_loose(work, works, waits):
            continue
        users = _users(work, works, waits)
        for user in users:
            waits[user][key] = None
        if not users and not any(key in found for found in waits.values()):
            waits[ACCEPTANCE][key] = None


def _is_loose(work: Work, works: Sequence[Work], waits: Waits) -> bool:
    key = work.row.id
    if ACCEPTANCE not in waits or key == ACCEPTANCE or ACCEPTANCE in _upstream(waits, key):
        return False
    if key == STAFFING:
        return not any(w.row.kind == "build" and key in _upstream(waits, w.row.id) for w in works)
    return not any(key in found for found in waits.values())


def _users(work: Work, works: Sequence[Work], waits: Waits) -> tuple[str, ...]:
    """Return who uses what *work* makes where its row names nobody.

    Orders rest on a design of their deliverable, building on the team, and building that needs permits on every one.
    """
    mine = {*_upstream(waits, work.row.id), work.row.id}
    others = [w for w in works if w.row.id not in mine]
    if work.row.kind == "design":
        near = [w for w in others if w.row.kind in ("procurement", "build") and _deliverable(w) == _deliverable(work)]
    elif work.row.kind == "permit":
        decided = {w.row.id for w in works if w.row.kind == "permit"}
        near = [w for w in others if w.row.kind == "build" and decided & _upstream(waits, w.row.id)]
    elif work.row.id == STAFFING and work.phase in ("prepare", "design"):
        near = [w for w in others if w.row.kind == "build"]
    else:
        near = []
    entries = {w.row.id for w in near}
    # who already waits for another of them gets it through that one
    return tuple(w.row.id for w in near if not entries & _upstream(waits, w.row.id))


def _deliverable(work: Work) -> str:
    return work.id.split(".")[0]


def _reason(brief: Brief, task: Work, after: Work) -> str:
    """Say what passes from *after* to *task*: in the prompt's words for an approval, else the task of it that fits."""
    said = _clause(brief, after) if after.row.kind == "permit" else None
    if said:
        return f"{_WHY['permit']}: {quote(said, 160)}"
    if task.row.id == ACCEPTANCE and after.row.kind not in ("permit", "test"):
        return f"decides on the whole, this included: {clip(after.row.leaves[-1].test, 140)}"
    wanted = stems(f"{task.row.title} {task.row.leaves[0].title}")
    passed = max(after.row.leaves, key=lambda leaf: (len(wanted & stems(leaf.title)), leaf is after.row.leaves[-1]))
    return f"{_WHY[after.row.kind]}: {clip(passed.title, 140)}"


def _clause(brief: Brief, work: Work) -> Spanned | None:
    """Return the demand within the sentence that called for *work* that speaks most of it, fit to be quoted."""
    if work.said is None or not quotable(brief.facts, [work.said]):
        return None
    inside = [term for term in terms(brief.facts) if work.said.start <= term.start < work.said.end]
    wanted = stems(work.row.title)
    return max(inside, key=lambda term: len(wanted & stems(term.text)), default=work.said)
