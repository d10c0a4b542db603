"""The review's third lens: who owns the work against who is in the team."""

from collections import Counter
from collections.abc import Iterator

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.stages.parts.review_answer import FindingRow
from planloom.stages.parts.reviewed import Reviewed

#: Owners of more than this share of the critical path are where the plan hangs on one pair of hands.
MUCH_OF_THE_PATH = 0.4


def people(r: Reviewed) -> Iterator[FindingRow]:
    """Find work that hangs on one role, work of roles that are not there, and what the team's review found."""
    yield from _one_pair_of_hands(r)
    yield from _strangers(r)
    yield from _team_findings(r)


def _one_pair_of_hands(r: Reviewed) -> Iterator[FindingRow]:
    path = [task for task in r.schedule.tasks if task.critical]
    owners = Counter(task.owner for task in path)
    if not owners:
        return
    owner, count = min(owners.items(), key=lambda each: (-each[1], each[0]))
    if count < 2 or count / len(path) <= MUCH_OF_THE_PATH:
        return
    owned = sorted((task for task in path if task.owner == owner), key=lambda task: (task.start, task.id))
    yield r.finding(
        kind="weakness",
        title=f"{clip(owner, 60)}: {count} of {len(path)} packages of the critical path",
        place=f"Schedule, critical path from {owned[0].id} to {owned[-1].id}",
        against=f"Team, {lower_first(clip(owner, 60))}",
        text=f"From {day_text(owned[0].start)} to {day_text(owned[-1].end)} a week without {lower_first(owner)} is a "
        f"week on the end in {count} places: {', '.join(f'{t.id} {lower_first(t.title)}' for t in owned[:4])}.",
        consequence="Five working days of illness cost five working days at the end.",
        weight=(4, 3),
        action=f"Name a stand-in for {', '.join(t.id for t in owned[:4])} and let them do one hand-over together.",
        by=day_text(owned[0].start),
        check="A second role beside each of these packages in the team section",
    )


def _strangers(r: Reviewed) -> Iterator[FindingRow]:
    known = {post.title.lower() for post in r.plan.plan.people} | {m.member.title.lower() for m in r.team.roles}
    acts = {title.lower() for post in r.plan.plan.people for title in post.acts_as}
    owned = [package for package in r.wbs.packages if package.owner.lower() not in known | acts]
    if not owned:
        return
    strangers = sorted({package.owner for package in owned})
    yield r.finding(
        kind="contradiction",
        title=f"{len(owned)} packages are owned by roles that the team does not have",
        place=f"Work Breakdown, {', '.join(package.id for package in owned[:6])}",
        against="Team",
        text=f"Owners without a place in the team: {clip(', '.join(strangers), 200)}.",
        consequence=f"{owned[0].title} does not start unless somebody notices.",
        weight=(4, 4),
        action="Give each to a role of the team, or add the role with its cost.",
        check="Every owner in the work breakdown stands in the team table",
    )


def _team_findings(r: Reviewed) -> Iterator[FindingRow]:
    for finding in r.team.review.findings[:1]:
        about = f"of {clip(finding.text.partition(':')[0], 80)}" if ":" in finding.text[:80] else "in the team"
        yield r.finding(
            kind="gap" if finding.kind == "gap" else "weakness",
            title=f"{finding.kind.capitalize()} {about}",
            place="Team, review",
            text=finding.text,
            consequence=f"Until it is settled, work {about} waits or is done twice.",
            weight=(3, 3),
            action=finding.action,
            role=finding.role,
            by=finding.when,
            check=finding.check,
        )


def people_sound(r: Reviewed) -> str:
    """Say what holds of the people."""
    heads = sum(role.member.count for role in r.team.roles)
    owners = {package.owner for package in r.wbs.packages}
    return (
        f"{len(r.team.roles)} roles with {heads} heads stand in the team; {len(owners)} roles own the "
        f"{len(r.wbs.packages)} work packages."
    )
