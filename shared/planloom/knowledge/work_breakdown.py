"""The work breakdown of one prompt: the tables' packages that apply, and those that the prompt itself forces."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from planloom.domain.facts import Spanned
from planloom.knowledge.brief import Brief
from planloom.knowledge.choose import speaks_of
from planloom.knowledge.forced_packages import forced_packages, kept_terms
from planloom.knowledge.forced_permits import Forced
from planloom.knowledge.posts import Post, covering, posts
from planloom.knowledge.small_works import is_very_small, small_works
from planloom.knowledge.tables import Deliverable, Package, Row

#: What an answer may hold; a work breakdown that nobody can survey is none.
MOST_DELIVERABLES = 14
MOST_PACKAGES = 12

R = TypeVar("R", bound=Row)
Filled = tuple[Deliverable, tuple[Package, ...]]


@dataclass(frozen=True)
class Work:
    """A work package: ``id`` is its place in the WBS (2.3), ``owner`` the title of a role.

    ``before`` holds keys of packages that wait for it beside what their own rows say, ``lag`` the working days
    between its predecessors and its start, ``said`` the sentence of the prompt that calls for it.
    """

    id: str
    row: Package
    phase: str
    owner: str
    before: tuple[str, ...] = ()
    lag: int = 0
    said: Spanned | None = None


@dataclass(frozen=True)
class Bundle:
    """A deliverable with its work packages; ``id`` is its place in the WBS."""

    id: str
    row: Deliverable
    works: tuple[Work, ...]


def bundles(brief: Brief) -> tuple[Bundle, ...]:
    """Return the work breakdown of *brief* in order of phases: deliverables with their packages, every key once."""
    rows = _deliverables(brief)
    forced = forced_packages(brief, tuple(p for _, packages in rows for p in packages))
    made = _numbered(brief, rows, forced)
    terms = kept_terms(brief, tuple(work.row for bundle in made for work in bundle.works))
    return _numbered(brief, rows, (*forced, *terms)) if terms else made


def works(brief: Brief) -> tuple[Work, ...]:
    """Return all work packages of *brief*, in order of id."""
    return tuple(work for bundle in bundles(brief) for work in bundle.works)


def owner_of(brief: Brief, role: str) -> str:
    """Return how the role *role* of the tables is called in this plan."""
    return _owners(brief, posts(brief))(role)


def applying(brief: Brief, rows: Iterable[R]) -> tuple[R, ...]:
    """Return those of *rows* whose conditions the prompt meets: rows within other rows bring their own."""

    def applies(row: R) -> bool:
        called = not row.when or speaks_of(brief.prompt, row.when)
        return called and not (row.unless and speaks_of(brief.prompt, row.unless))

    return tuple(row for row in rows if applies(row))


def _deliverables(brief: Brief) -> list[Filled]:
    """Deliverables in order of phases; a key that archetype and topic both have stays where it came first."""
    order = {phase.id: n for n, phase in enumerate(brief.phases)}
    seen: set[str] = set()
    found: dict[str, Filled] = {}
    # the archetype's own come first: a topic adds to its work, and gives way where there is too much
    rows = sorted(brief.rows("deliverables", Deliverable), key=lambda d: not _is_of_archetype(brief, d))
    for row in rows:
        packages = tuple(p for p in applying(brief, row.packages) if p.id not in seen)
        seen |= {p.id for p in packages}
        first, before = found.get(row.id, (row, ()))
        found[row.id] = (first, (*before, *packages))
    filled = [pair for pair in found.values() if pair[1]][:MOST_DELIVERABLES]
    ordered = sorted(filled, key=lambda pair: order.get(pair[0].phase, 0))
    return small_works(brief, ordered) if is_very_small(brief) else ordered


def _is_of_archetype(brief: Brief, row: Deliverable) -> bool:
    return any(row.id == own.id for own in brief.archetype.deliverables)


def _numbered(brief: Brief, rows: Iterable[Filled], forced: Iterable[Forced]) -> tuple[Bundle, ...]:
    team = posts(brief)
    owner = _owners(brief, team)
    made = []
    for number, (deliverable, packages) in enumerate(rows, 1):
        home = {p.id for p in packages}
        own = [
            Work("", _with_posts(p, team), deliverable.phase, owner(p.role), p.before, said=brief.called_by(p))
            for p in packages
        ]
        own += [
            Work("", f.row, deliverable.phase, owner(f.row.role), f.before, f.lag, f.said)
            for f in forced
            if f.beside in home
        ]
        placed = (replace(w, id=f"{number}.{n}") for n, w in enumerate(own[:MOST_PACKAGES], 1))
        made.append(Bundle(str(number), deliverable, tuple(placed)))
    return tuple(made)


def _owners(brief: Brief, team: Sequence[Post]) -> Callable[[str], str]:
    """Return how a table's role is called in this plan: by the post that covers it, as the team section says."""

    def owner(role: str) -> str:
        post = next(iter(covering(team, role)), None)
        return post.title if post else brief.role_title(role)

    return owner


def _with_posts(row: Package, team: Sequence[Post]) -> Package:
    """Return the hiring package with the posts that the prompt wants filled."""
    hired = [p for p in team if p.stated and p.hire == "employee"]
    if row.id != "staffing" or not hired:
        return row
    return row.model_copy(update={"title": f"{row.title}: {', '.join(map(_heads, hired))}"[:120]})


def _heads(post: Post) -> str:
    title = post.title.lower()
    if post.count == 1:
        return title
    return f"{post.count} {title}" if re.search(r"(?:s|staff|people|crew|team)$", title) else f"{post.count} {title}s"
