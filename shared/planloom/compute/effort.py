"""How much of its roles a package takes on each day that it counts."""

from typing import NamedTuple

from planloom.compute.network import mean_days, whole_days
from planloom.spine.rows import Package, Role

#: Kinds that wait for others: where no effort is given, they take none.
WAITING = frozenset({"delivery", "tender", "application"})

#: More than a role has by less than this is taken for rounding.
TOLERANCE = 1.05


class Use(NamedTuple):
    """People of *role* that a package takes while it runs."""

    role: str
    rate: float


def uses(package: Package, days: int, roles: dict[str, Role]) -> tuple[Use, ...]:
    """Return what *package* takes of its roles on each of *days*, its owner first; roles without work are left out.

    The owner's effort is spread evenly. Where none is given, the owner works on it as much as he or she is there, up to
    one person; not where every day counts and for WAITING, which take no work of their own.
    """
    found: dict[str, float] = {}
    if owner := roles.get(package.owner):
        found[owner.id] = _owned(package, days, owner)
    for share in package.also:
        if share.role in roles:
            found[share.role] = found.get(share.role, 0) + share.days / days
    return tuple(Use(role, _rounded(rate, roles[role].people)) for role, rate in found.items() if rate > 0)


def effort(package: Package, days: int, roles: dict[str, Role]) -> float:
    """Return the person-days of all roles of *package* where it takes *days*."""
    return round(sum(use.rate for use in uses(package, days, roles)) * days, 2)


def planned_days(package: Package) -> int:
    """Return the days that *package* takes by its estimate."""
    return whole_days(mean_days(package))


def _owned(package: Package, days: int, owner: Role) -> float:
    if package.effort:
        return package.effort / days
    waits = package.every_day or package.kind in WAITING
    return 0 if waits else min(1.0, owner.people)


def _rounded(rate: float, people: float) -> float:
    return people if people < rate <= people * TOLERANCE else rate
