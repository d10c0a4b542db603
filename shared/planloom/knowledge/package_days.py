"""The work packages of a brief, and when the schedule starts each."""

from collections import Counter
from datetime import date

from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import gate_day
from planloom.knowledge.tables import Package
from planloom.knowledge.timetable import outline_timetable, outline_works
from planloom.knowledge.tracing import stems


def packages(brief: Brief) -> dict[str, Package]:
    """Return the packages of the work breakdown by the id of their row, in its order."""
    return {work.row.id: work.row for work in outline_works(brief)}


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
    """Return the day on which the schedule starts *package_id*; the end of launching for an unknown one."""
    placed = next((w.id for w in outline_works(brief) if w.row.id == package_id), None)
    return outline_timetable(brief).solved.tasks[placed].start if placed else gate_day(brief, "launch")
