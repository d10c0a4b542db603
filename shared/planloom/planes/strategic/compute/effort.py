"""The effort of each role in a package on each of its days."""

from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from planloom.planes.strategic.spine.rows import Package, Role

#: Kinds that take none of their owner's time without a given effort: they wait for others, or run beside other work.
BESIDE = frozenset({"delivery", "tender", "application", "operation", "communication"})

#: A package in which a role has less than this in a day does not keep anybody from other work.
ASIDE = 0.2

#: More than a role has by less than this share, or by less than that many person-days, is taken for rounding.
TOLERANCE = 1.05
SHORT_DAYS = 1.0


def at_once(role: Role) -> float:
    """Return how many people of *role* can work on one day, at the time with the most of them.

    Full-time equivalents are an average over the time that the role is there: on a day that needs them, all who hold it
    can work. Where nothing is known (0), there are enough.
    """
    return max(float(role.heads), role.most) if role.most else inf


class Use(NamedTuple):
    """People of *role* that a package takes while it runs."""

    role: str
    rate: float


def uses(package: Package, days: int, roles: Mapping[str, Role]) -> tuple[Use, ...]:
    """Return what *package* takes of its roles on each of *days*, its owner first; roles without work are left out.

    Effort is spread evenly. Where no effort is given, the owner works on it as much as he or she is there, up to one
    person; not where every day counts, and not for BESIDE. What is more than a role has by no more than rounding takes
    all of it.
    """
    found = _person_days(package, days, roles)
    return tuple(Use(role, _rate(taken, days, at_once(roles[role]))) for role, taken in found.items() if taken > 0)


def effort(package: Package, days: int, roles: Mapping[str, Role]) -> float:
    """Return the person-days of all roles of *package* where it takes *days*."""
    return round(sum(_person_days(package, days, roles).values()), 2)


def _person_days(package: Package, days: int, roles: Mapping[str, Role]) -> dict[str, float]:
    found: dict[str, float] = {}
    if owner := roles.get(package.owner):
        beside = package.every_day or package.kind in BESIDE
        found[owner.id] = package.effort or (0 if beside else min(1.0, owner.people or 1.0) * days)
    for share in package.also:
        if share.role in roles:
            found[share.role] = found.get(share.role, 0) + share.days
    return found


def _rate(taken: float, days: int, people: float) -> float:
    rounding = people and (taken <= people * days * TOLERANCE or taken - people * days < SHORT_DAYS)
    return min(people, taken / days) if rounding else taken / days
