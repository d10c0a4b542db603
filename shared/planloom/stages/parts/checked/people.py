"""Check 7: head counts and roles: the team is that of the plan and of the goal, and every owner is in it."""

import re
from collections.abc import Iterator

from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.stages.parts.checked.draft import GOAL_FILE, PLAN_FILE, TEAM_FILE, Draft, Post

CHECK = "people"
TITLE = "Head counts and roles"

#: Nobody in particular.
VAGUE = re.compile(
    r"^(?:the )?(?:(?:whole |project |core )?team|all|every(?:one|body)|any(?:one|body)|some(?:one|body)|tb[da]|n/?a|"
    r"none|management|stakeholders?|to be (?:determined|decided|named|assigned)|various|us|we|-|—)$",
    re.I,
)
_SPLIT = re.compile(r"\s*(?:,|;|/|&|\band\b|\bwith\b|\bor\b|\bfor\b|\bof\b|\()\s*")


def check(draft: Draft) -> Outcome:
    """High for head counts that disagree; medium for an owner whom neither plan, team nor goal knows."""
    looked = f"{len(draft.posts)} posts, {len(draft.team)} roles of the team, {len(draft.owned)} owners"
    return Outcome(looked_at=looked, findings=(*_counts(draft), *_goal(draft), *_owners(draft)))


def _counts(draft: Draft) -> Iterator[Finding]:
    team = {_key(post.title): post for post in draft.team}
    for post in draft.posts:
        same = team.get(_key(post.title))
        here = place(PLAN_FILE, f"People | {post.title} | {post.count}")
        if same is None:
            message = f"The project plan counts “{post.title}” ({post.count}); the team does not hold it."
            yield finding(CHECK, "medium", message, place(TEAM_FILE, "no such role"), here)
        elif same.count != post.count:
            message = f"“{post.title}”: {post.count} heads in the project plan, {same.count} in the team."
            yield finding(CHECK, "high", message, place(TEAM_FILE, f"{same.title}: {same.count}"), here)


def _goal(draft: Draft) -> Iterator[Finding]:
    posts = {_key(post.title): post for post in draft.posts}
    for role in draft.facts.roles:
        post = posts.get(_key(role.title))
        if post and role.count > 1 and post.count != role.count:
            message = f"The goal says {role.count} for “{role.title}”; the project plan counts {post.count}."
            here = place(PLAN_FILE, f"People | {post.title} | {post.count}")
            yield finding(CHECK, "high", message, here, place(GOAL_FILE, role.text))


def _owners(draft: Draft) -> Iterator[Finding]:
    known = {_key(role) for role in draft.roles}
    words = {word for key in known for word in key.split()}
    told: set[str] = set()
    for owned in draft.owned:
        if owned.role in told or _is_known(owned.role, known, words):
            continue
        told.add(owned.role)
        message = f"“{owned.role}” answers for something here and is neither in the team nor in the goal."
        there = place(TEAM_FILE, _listed(draft.team))
        yield finding(CHECK, "medium", message, place(owned.file, f"{owned.role}: {owned.text}"), there)


def _is_known(role: str, known: set[str], words: set[str]) -> bool:
    """Return whether each of the roles named is known: by its title, or as part of a longer one."""
    if VAGUE.match(role.strip()):
        return False
    if _key(role) in known:
        return True
    parts = [key for key in (_key(part) for part in _SPLIT.split(role)) if key]
    return bool(parts) and all(part in known or set(part.split()) <= words for part in parts)


def _key(title: str) -> str:
    """Return *title* so that singular and plural, articles and hyphens are one."""
    words = re.sub(r"[^\w]+", " ", title.lower()).split()
    return " ".join(word.rstrip("s") for word in words if word not in ("the", "a", "an", "our", "each"))


def _listed(team: tuple[Post, ...]) -> str:
    return "; ".join(f"{post.title}: {post.count}" for post in team)
