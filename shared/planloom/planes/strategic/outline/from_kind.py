"""The rows of an outline that come from the table of its kind: packages at a pace, approvals, lines, risks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from planloom.planes.strategic.facts.fact import Money
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline.tables import Days, Kind, UsualPackage
from planloom.planes.strategic.spine import rows as r

#: The share of a package's days that its owner works on it: roles of an outline also do other work.
PART_TIME = 0.3


@dataclass(frozen=True)
class Pace:
    """How the usual days of packages are changed: those that stretch times *stretch*, all others times *squeeze*."""

    stretch: float = 1.0
    squeeze: float = 1.0


@dataclass(frozen=True)
class Usual:
    """The table of a kind with an id for each of its keys; where the goal has a deadline, the closing work is left out.

    The goal's day is that of what is delivered: what needs it comes after that day, and no day of the goal binds it.
    """

    kind: Kind
    goal: Goal
    roles_before: int = 0

    @cached_property
    def packages(self) -> tuple[UsualPackage, ...]:
        """The packages of the outline, in the order of the table."""
        left_out = self.closing if self.goal.deadline else ()
        return tuple(package for package in self.kind.packages if package not in left_out)

    @cached_property
    def closing(self) -> tuple[UsualPackage, ...]:
        """The packages that follow the one that delivers."""
        after = {self.kind.delivers}
        found: list[UsualPackage] = []
        # needs name packages that are earlier in the table
        for package in self.kind.packages:
            if after.intersection(package.needs):
                after.add(package.key)
                found.append(package)
        return tuple(found)

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """Ids by letter and key: ``P:charter``."""
        made = {p.deliverable for p in self.packages}
        keys = {
            "P": [p.key for p in self.packages],
            "V": [d.key for d in self.kind.deliverables if d.key in made],
        }
        found = {f"{letter}:{key}": f"{letter}{n}" for letter, all_ in keys.items() for n, key in enumerate(all_, 1)}
        roles = enumerate(self.kind.roles, self.roles_before + 1)
        return found | {f"R:{role.key}": f"R{n}" for n, role in roles}

    @property
    def delivers(self) -> str:
        """Id of the package whose end fulfils the goal."""
        return self.ids[f"P:{self.kind.delivers}"]

    @property
    def lead(self) -> str:
        """Id of the role that answers for the whole."""
        return self.ids["R:lead"]

    def roles(self) -> tuple[r.Role, ...]:
        """Return the roles; who fills them is not known."""
        return tuple(r.Role(id=self.ids[f"R:{x.key}"], title=x.title, work=x.work) for x in self.kind.roles)

    def deliverables(self) -> tuple[r.Deliverable, ...]:
        """Return the deliverables that a package makes."""
        rows = ((self.ids.get(f"V:{d.key}"), d) for d in self.kind.deliverables)
        return tuple(r.Deliverable(id=id, title=d.title, done_when=d.done_when) for id, d in rows if id)

    def rows(self, pace: Pace) -> tuple[r.Package, ...]:
        """Return the packages with their days at *pace*."""
        return tuple(self._package(package, pace) for package in self.packages)

    def _package(self, usual: UsualPackage, pace: Pace) -> r.Package:
        low, likely, high = _days(usual, pace)
        return r.Package(
            id=self.ids[f"P:{usual.key}"],
            title=usual.title,
            deliverable=self.ids[f"V:{usual.deliverable}"],
            kind=usual.kind,
            owner=self.ids[f"R:{usual.owner}"],
            low=low,
            likely=likely,
            high=high,
            effort=0 if usual.waits else max(0.5, round(PART_TIME * likely * 2) / 2),
            needs=[r.Need(id=self.ids[f"P:{key}"]) for key in usual.needs],
            outdoor=usual.outdoor,
            done_when=usual.done_when,
            basis="assumed",
        )

    def approvals(self, parties: Mapping[str, str]) -> tuple[r.Approval, ...]:
        """Return the approvals; *parties* are ids by name."""
        return tuple(
            r.Approval(
                id=f"A{n}",
                title=usual.title,
                party=parties[usual.party],
                low=round(usual.days[0]),
                likely=round(usual.days[1]),
                high=round(usual.days[2]),
                papers=self._kept(usual.papers),
                frees=self._kept(usual.frees),
                basis="verify",
            )
            for n, usual in enumerate(self.kind.approvals, 1)
        )

    def risks(self, contingency: str) -> tuple[r.Risk, ...]:
        """Return the usual risks; *contingency* is the id of the line that pays for responses, or empty."""
        return tuple(
            r.Risk(
                id=f"K{n}",
                cause=usual.cause,
                event=usual.event,
                effect=usual.effect,
                odds=usual.odds,
                days=usual.days if (hits := self._kept((usual.hits,))) else 0,
                hits=hits,
                owner=self.ids[f"R:{usual.owner}"],
                trigger=usual.trigger,
                response=usual.response,
                line=contingency,
                residual=round(usual.odds / 2, 2),
            )
            for n, usual in enumerate(self.kind.risks, 1)
        )

    def assumptions(self) -> Iterator[r.Assumption]:
        """Yield the usual assumptions, without ids."""
        for usual in self.kind.assumptions:
            yield r.Assumption(id="", text=usual.text, breaks=usual.breaks, test=usual.test, owner=self.lead)

    def questions(self) -> Iterator[tuple[str, str]]:
        """Yield the usual questions, each with why it is asked."""
        yield from ((usual.text, usual.why) for usual in self.kind.questions)

    def lines(self) -> tuple[r.Line, ...]:
        """Return the cost lines where the goal states a total: its own parts first, the rest by the usual shares."""
        total = self.goal.total
        if total is None or not total.high:
            return ()
        parts = _parts(self.goal, total)
        rest = total.high - sum(part.high for part in parts)
        digits = 0 if total.high >= 1000 else 2
        kept = round(rest * self.kind.contingency, digits)
        amounts = [round((rest - kept) * line.share, digits) for line in self.kind.lines]
        kept = round(rest - sum(amounts), digits)
        usual = list(zip(self.kind.lines, amounts, strict=True))
        rows = [
            *(
                r.Line(id="", title=part.noun[:1].upper() + part.noun[1:], rate=part.high, basis="goal",
                       package=self.delivers, paid="even")
                for part in parts
            ),
            *(
                r.Line(id="", title=line.title, rate=amount, paid="even", package=self._paid_with(line.package))
                for line, amount in usual if amount
            ),
            r.Line(id="", title="Contingency", rate=kept, kind="contingency"),
        ]  # fmt: skip
        return tuple(row.model_copy(update={"id": f"L{n}"}) for n, row in enumerate(rows, 1))

    def _paid_with(self, key: str) -> str:
        return self.ids.get(f"P:{key}", self.delivers)

    def _kept(self, keys: tuple[str, ...]) -> list[str]:
        return [self.ids[f"P:{key}"] for key in keys if f"P:{key}" in self.ids]


def _days(usual: UsualPackage, pace: Pace) -> Days:
    low, likely, high = usual.days
    if usual.waits:
        return usual.days
    if usual.stretches and pace.stretch > 1:
        return low, _whole(likely * pace.stretch), _whole(high * pace.stretch)
    # the days at risk are not scaled, however little time there is
    return low, max(low, _whole(likely * pace.squeeze)), high


def _whole(days: float) -> float:
    return float(max(1, round(days)))


def _parts(goal: Goal, total: Money) -> tuple[Money, ...]:
    """Return the parts of the budget that the goal states, as far as their sum fits into it.

    Rules cannot distinguish a part from any other amount.
    """
    if goal.facts.read_by != "model":
        return ()
    named = {m.noun.casefold(): m for m in goal.facts.money if m.role == "part" and m.noun and not m.per}
    parts = tuple(m for m in named.values() if m.currency == total.currency)
    return parts if sum(part.high for part in parts) < total.high else ()
