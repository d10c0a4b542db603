"""How likely dates are: the network placed many times with drawn durations, lead times and risks.

What the draws assume:

- Low and high of an estimate are its 10th and 90th percentiles, as the rows say; likely is its median. Around it runs a
  normal curve with a width of its own on each side, cut at DEVIATIONS.
- SHARED of the variance is common to all durations of a run: estimators err in one direction, and what delays one
  package (weather, a slow office, a tired team) delays others. Drawn independently, long chains look far too sure.
- Ranges of judged packages that are narrower than NARROW are drawn wider: nobody knows work that exactly. Fixed
  packages, and waiting of a set length, are taken as they are.
- Approvals draw their lead times; where a meeting decides, papers that miss it wait for the next one.
- A risk happens at its odds and delays all packages that it hits, from their ends, by its calendar days. Of packages
  that it hits one after the other, the later ones end by those days later than without it: the days do not add up.
- Risks of one cause happen together: where the less likely one happens, the more likely one does. Their days do not add
  up either: on each package the longest delay counts.
- An approval that is needed only if something is found is waited for in as many runs as its chance says.
- Fixed packages wait for what they need: on their day and unprepared is not done.
- People keep the order of work of the levelled schedule.

The share of runs that reach a day is not its probability, since the estimates themselves are judged: no chance exceeds
what :func:`most` gives. Source: Van Slyke 1963; Hubbard 2010 on calibrated ranges.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from math import ceil, sqrt
from random import Random

from planloom.planes.strategic.compute.calendars import day_of
from planloom.planes.strategic.compute.causes import together
from planloom.planes.strategic.compute.computed import Odds
from planloom.planes.strategic.compute.network import mean_days, whole_days
from planloom.planes.strategic.compute.schedule import NOT_NEEDED, Schedule
from planloom.planes.strategic.compute.view import Before
from planloom.planes.strategic.spine.rows import Package, Risk

RUNS = 1000

#: Share of the variance of each duration that all have in common.
SHARED = 0.3

#: High to low below which a judged range is suspicious, and what it is widened to, as shares of likely.
NARROW = 1.2
WIDENED = (0.9, 1.3)

#: The 90th percentile of the normal curve, in deviations, and where draws are cut.
NINETY = 1.2816
DEVIATIONS = 2.5

#: What a judged input allows, what each approval to be verified leaves of it, narrow ranges take, and the least.
JUDGED = 0.9
UNVERIFIED = 0.97
NARROW_TAKES = 0.1
LEAST = 0.6

STRESS = 1.25

_SEED = 1959
_JUDGED_BASES = ("assumed", "verify")


@dataclass(frozen=True)
class _Target:
    what: str
    of: tuple[str, ...]
    due: date | None
    begins: bool = False


@dataclass(frozen=True)
class _Delays:
    """What a cause delays: days by position, of those that it hits first, and of those that come after them."""

    first: Mapping[int, int]
    later: Mapping[int, int]


@dataclass(frozen=True)
class _Cause:
    """The chances of the risks of one cause, the most likely first, and what it delays if so many of them happen."""

    chances: tuple[float, ...]
    delays: tuple[_Delays, ...]

    def drawn(self, share: float) -> _Delays | None:
        """Return what it delays in a run that drew *share* (0 to 1); None where none of its risks happens."""
        happened = sum(share < chance for chance in self.chances)
        return self.delays[happened - 1] if happened else None


@dataclass(frozen=True)
class _Draw:
    """A length to draw: *likely*, a deviation on each side, and the least that it can be."""

    likely: float
    down: float
    up: float
    least: int

    def at(self, z: float) -> int:
        """Return the length *z* deviations from likely."""
        z = max(-DEVIATIONS, min(DEVIATIONS, z))
        return max(self.least, int(self.likely + z * (self.up if z > 0 else self.down) + 0.5))


def odds(schedule: Schedule, runs: int = RUNS) -> tuple[Odds, ...]:
    """Return the odds of each dated demand that something meets, of what each dated gate needs, and of the end.

    The end is that of the packages that demands with its day are met by; where there is no such demand, that of all
    packages but closing ones.

    *runs* is at least 1. The same schedule gives the same odds. ``computed`` is the day of the schedule, ``stressed``
    that with all durations and lead times times STRESS.
    """
    targets = [target for target in _targets(schedule) if target.of]
    network = schedule.network
    places = [[network.at[name] for name in target.of] for target in targets]
    found: list[list[int]] = [[] for _ in targets]
    for starts, ends in _runs(schedule, runs):
        for target, days, positions in zip(targets, found, places, strict=True):
            days.append(max([starts[at] + 1 if target.begins else ends[at] for at in positions]))
    began, ended = network.forward(_stressed(schedule), moves=True)
    stressed = ([start + 1 for start in began], ended)
    rests = _Rests(schedule)
    return tuple(
        _odds(schedule, target, sorted(days), max(stressed[not target.begins][at] for at in positions), rests)
        for target, days, positions in zip(targets, found, places, strict=True)
    )


def most(unverified: int, narrow: float) -> float:
    """Return the highest chance that may be stated.

    Judged inputs allow JUDGED; each of *unverified* approvals on the way leaves UNVERIFIED of it; *narrow* (the share
    of packages whose ranges are suspiciously narrow) takes up to NARROW_TAKES. Never below LEAST.
    """
    return round(max(LEAST, JUDGED * UNVERIFIED**unverified * (1 - NARROW_TAKES * narrow)), 2)


def is_narrow(package: Package) -> bool:
    """Return whether the range of *package* is judged and narrower than one can know it."""
    set_length = package.fixed or (package.every_day and package.low == package.high)
    return package.basis in _JUDGED_BASES and not set_length and package.high < NARROW * package.low


def _targets(schedule: Schedule) -> Iterable[_Target]:
    spine, at = schedule.spine, schedule.network.at
    for demand in spine.demands:
        if demand.due:
            met_by = tuple(n for n in dict.fromkeys(demand.met_by) if n in at)
            yield _Target(demand.id, met_by, demand.due, demand.begins)
    for gate in spine.gates:
        if gate.day:
            yield _Target(gate.id, tuple(n for n in dict.fromkeys(gate.needs) if n in at), gate.day)
    # what a demand asks for on the last day is the whole that is due then: other work may end later
    due = (d for d in spine.demands if d.due and d.due == spine.frame.end and not d.begins)
    asked = [n for d in due for n in d.met_by if n in at]
    # what is closed afterwards (accounts, take-down) does not delay what the goal asks for
    work = [package for package in spine.packages if package.kind != "closing"]
    needed = {need.id for package in work for need in package.needs}
    last = tuple(package.id for package in work if package.id not in needed)
    yield _Target("end", tuple(dict.fromkeys(asked)) or last or tuple(schedule.packages), spine.frame.end)


def _runs(schedule: Schedule, runs: int) -> Iterable[tuple[list[int], list[int]]]:
    """Yield the starts and the ends by position of each run."""
    random = Random(_SEED)  # noqa: S311  (draws of durations, not secrets)
    network = schedule.network
    draws = _draws(schedule)
    conditional = [(network.at[a.id], a.needed) for a in schedule.spine.approvals if a.only_if]
    causes = _causes(schedule)
    shared, alone = sqrt(SHARED), sqrt(1 - SHARED)
    gauss = random.gauss
    for _ in range(runs):
        common = shared * gauss(0, 1)
        lengths = [draw.at(common + alone * gauss(0, 1)) if draw else 0 for draw in draws]
        for at, chance in conditional:
            if random.random() >= chance:
                lengths[at] = NOT_NEEDED
        happened = [delays for cause in causes if (delays := cause.drawn(random.random()))]
        slips: dict[int, int] = {}
        for delays in happened:
            slips.update((at, slips.get(at, 0) + days) for at, days in delays.first.items())
        least: dict[int, int] = {}
        if any(delays.later for delays in happened):
            _, ends = network.forward(lengths, moves=True)
            for at in {at for delays in happened for at in delays.later}:
                late = (delays.later.get(at, 0) or delays.first.get(at, 0) for delays in happened)
                least[at] = ends[at] + sum(late)
        yield network.forward(lengths, slips, moves=True, least=least)


def _draws(schedule: Schedule) -> list[_Draw | None]:
    at = schedule.network.at
    draws: list[_Draw | None] = [None] * len(at)
    for package in schedule.spine.packages:
        low, likely, high = package.low, package.likely, package.high
        if is_narrow(package):
            low, high = min(low, WIDENED[0] * likely), max(high, WIDENED[1] * likely)
        draws[at[package.id]] = _draw(low, likely, high, 1)
    for row in schedule.spine.approvals:
        draws[at[row.id]] = _draw(row.low, row.likely, row.high, 0)
    return draws


def _draw(low: float, likely: float, high: float, least: int) -> _Draw:
    return _Draw(likely, max(0.0, likely - low) / NINETY, max(0.0, high - likely) / NINETY, least)


def _causes(schedule: Schedule) -> list[_Cause]:
    # operation, and what happens on its day, does not take longer for it
    delayed = {p.id for p in schedule.spine.packages if p.kind != "operation" and not p.fixed}
    found = []
    for group in together(schedule.spine.risks):
        risks = [risk for risk in group if risk.odds and risk.days and not delayed.isdisjoint(risk.hits)]
        risks.sort(key=lambda risk: -risk.odds)
        if risks:
            delays = (_delays(schedule, risks[:number], delayed) for number in range(1, len(risks) + 1))
            found.append(_Cause(tuple(risk.odds for risk in risks), tuple(delays)))
    return found


def _delays(schedule: Schedule, happened: Sequence[Risk], delayed: AbstractSet[str]) -> _Delays:
    network, days = schedule.network, dict[int, int]()
    for risk in happened:
        for at in (network.at[name] for name in risk.hits if name in delayed):
            days[at] = max(days.get(at, 0), risk.days)
    later = {at for at in days if days.keys() & (network.ancestors([at]) - {at})}
    return _Delays(
        {at: lost for at, lost in days.items() if at not in later}, {at: days[at] for at in days if at in later}
    )


def _stressed(schedule: Schedule) -> list[int]:
    lengths = list(schedule.lengths)
    for row in schedule.spine.packages:
        at = schedule.network.at[row.id]
        lengths[at] = max(lengths[at], whole_days(mean_days(row) * STRESS))
    for approval in schedule.spine.approvals:
        if not approval.only_if:
            lengths[schedule.network.at[approval.id]] = ceil(approval.likely * STRESS)
    return lengths


def _odds(schedule: Schedule, target: _Target, days: Sequence[int], stressed: int, rests: "_Rests") -> Odds:
    """Return the odds of *target*, whose runs ended before *days*, in order."""
    limit, rests_on = rests.of(target.of)
    chance = None
    if target.due:
        after = target.due.toordinal() + 1
        chance = min(limit, round(sum(day <= after for day in days) / len(days), 3))
    return Odds(
        what=target.what,
        of=target.of,
        due=target.due,
        computed=max(
            schedule.packages[name].start if target.begins else _last_day(schedule, name) for name in target.of
        ),
        p50=_percentile(days, 0.5),
        p80=_percentile(days, 0.8),
        chance=chance,
        most=limit,
        rests_on=rests_on,
        stressed=day_of(stressed - 1),
    )


def _last_day(schedule: Schedule, name: str) -> date:
    for days in (schedule.approvals, schedule.gates, schedule.decisions):
        if name in days:
            return days[name]
    return schedule.packages[name].end if name in schedule.packages else schedule.start


def _percentile(days: Sequence[int], share: float) -> date:
    return day_of(days[ceil(share * len(days)) - 1] - 1)


class _Rests:
    """What dates rest on: by what rows wait for, without the order that roles impose."""

    def __init__(self, schedule: Schedule) -> None:
        self._before = Before(schedule.spine)
        self._packages = {p.id: p for p in schedule.spine.packages}
        self._approvals = {a.id: a for a in schedule.spine.approvals}
        self._risks = {r.id: r.hits for r in schedule.spine.risks if r.odds and r.days}

    def of(self, names: Iterable[str]) -> tuple[float, str]:
        """Return the highest chance for *names* and what they rest on, in a sentence."""
        way = self._before.of_all(names)
        packages = [p for name, p in self._packages.items() if name in way]
        approvals = [a for name, a in self._approvals.items() if name in way]
        judged = [p for p in packages if p.basis in _JUDGED_BASES]
        narrow = [p for p in packages if is_narrow(p)]
        unverified = [a for a in approvals if a.basis in _JUDGED_BASES and not a.only_if]
        conditional = [a for a in approvals if a.only_if]
        risks = [name for name, hits in self._risks.items() if way.intersection(hits)]
        parts = [
            f"{len(judged)} of {len(packages)} durations are judged",
            _counted(unverified, "approval", "to verify"),
            _counted(conditional, "approval", "that may be needed"),
            _counted(risks, "risk", "on the way"),
            _counted(narrow, "narrow range", "drawn wider"),
        ]
        return most(len(unverified), len(narrow) / max(1, len(packages))), "; ".join(filter(None, parts)) + "."


def _counted(found: Sequence[object], what: str, more: str) -> str:
    return f"{len(found)} {what}{'' if len(found) == 1 else 's'} {more}" if found else ""
