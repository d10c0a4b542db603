"""The work packages of a brief and about when each starts, before the schedule is computed."""

from collections import Counter
from collections.abc import Mapping
from datetime import date

from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import gate_day, open_day
from planloom.knowledge.tables import Deliverable, Package
from planloom.knowledge.tracing import stems

#: The package whose end is the launch, in every archetype.
_LAUNCHED = "acceptance"


def packages(brief: Brief) -> dict[str, Package]:
    """Return the packages that apply, by id, in the order of the tables."""
    rows = brief.rows("deliverables", Deliverable)
    return {p.id: p for d in rows for p in d.packages if not p.when or brief.evidence(p.when)}


def package_title(brief: Brief, package_id: str) -> str:
    """Return the title of *package_id*, or the id in words where no such package applies."""
    found = packages(brief).get(package_id)
    return found.title if found else package_id.replace("_", " ")


def packages_about(brief: Brief, text: str, most: int = 3) -> list[Package]:
    """Return the packages that share most rare words with *text*, two at least, best first."""
    wanted = stems(text)
    words = {key: wanted & stems(_text(package)) for key, package in packages(brief).items()}
    often = Counter(word for found in words.values() for word in found)
    weight = {key: sum(1 / often[w] for w in found) for key, found in words.items() if len(found) > 1}
    known = packages(brief)
    return [known[key] for key in sorted(weight, key=lambda k: -weight[k])[:most]]


def _text(package: Package) -> str:
    return f"{package.title}. " + " ".join(f"{leaf.title}. {leaf.test}" for leaf in package.leaves)


def package_start(brief: Brief, package_id: str) -> date:
    """Return about when *package_id* starts: within its phase, as far in as its predecessors' likely days say.

    What acceptance waits for lies before the launch, whatever its phase; a day that the prompt sets for it is the
    latest. The schedule computes the date later; this one serves to say when a paper must be there. Unknown ids: the
    launch.
    """
    known, phases = packages(brief), _phases(brief)
    if package_id not in known:
        return gate_day(brief, "launch")
    ends: dict[str, float] = {}
    starts = {key: _start(known, key, ends) for key in known if phases[key] == phases[package_id]}
    first, last = min(starts.values()), max(_end(known, key, ends) for key in starts)
    share = (starts[package_id] - first) / ((last - first) or 1.0)
    begins, gate = _window(brief, phases[package_id])
    return open_day(brief, min(begins + share * (gate - begins), *_demanded(brief, known[package_id])))


def _phases(brief: Brief) -> dict[str, str]:
    """The phase of each package; before the launch for those of the last phase that acceptance waits for."""
    known = packages(brief)
    phases = {p.id: d.phase for d in brief.rows("deliverables", Deliverable) for p in d.packages if p.id in known}
    todo = [_LAUNCHED] if _LAUNCHED in known else []
    while todo:
        key = todo.pop()
        phases[key] = "launch" if phases[key] == "close" else phases[key]
        todo += [p for p in known[key].after if p in known]
    return phases


def _window(brief: Brief, phase: str) -> tuple[date, date]:
    ids = [p.id for p in brief.phases]
    n = ids.index(phase) if phase in ids else 0
    return (gate_day(brief, ids[n - 1]) if n else brief.start), gate_day(brief, ids[n])


def _demanded(brief: Brief, package: Package) -> list[date]:
    """The days by which the prompt wants what *package* is called by, and the last day of the plan."""
    words = stems(package.title)
    days = [d.latest for d in brief.facts.days if d.role == "milestone" and words & stems(d.label.split(" ")[0])]
    return [*days, date.max]


def _start(known: Mapping[str, Package], package_id: str, ends: dict[str, float]) -> float:
    return max((_end(known, p, ends) for p in known[package_id].after if p in known), default=0.0)


def _end(known: Mapping[str, Package], package_id: str, ends: dict[str, float]) -> float:
    if package_id not in ends:
        ends[package_id] = 0.0  # a circle in a table would never end otherwise
        ends[package_id] = _start(known, package_id, ends) + known[package_id].days[1]
    return ends[package_id]
