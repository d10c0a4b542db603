"""Who does the work: the people whom the prompt names, with its counts, then the functions that nobody covers."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from planloom.domain.facts import Role as StatedRole
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import BRIEFS, Brief
from planloom.knowledge.dangers import sentence_of
from planloom.knowledge.tables import Role

Hire = Literal["existing", "employee", "contract", "volunteer"]

#: What people call those who do the work of a function, beside the words of its title.
_ALSO_CALLED = {
    "lead": r"partners?|founders?|co-?founders?|owners?|director|project (?:lead|manager)|programme manager|couple"
    r"|siblings|coordinator|head of|principal|expedition leader|conductor|curator|product manager",
    "finance": r"accountant|bookkeeper|treasurer|controller|finance",
    "legal": r"lawyer|notary|counsel|legal|solicitor",
    "operations": r"operations|site manager|technical manager",
    "quality": r"tester|quality|inspector",
    "outreach": r"communications?|marketing|community manager|press",
}
_LEADS = re.compile(rf"\b(?:{_ALSO_CALLED['lead']})\b", re.IGNORECASE)
_BODIES = re.compile(
    r"\b(?:group|board|committee|council|association|panel|jury|assembly|meeting|department|authority|union|bank"
    r"|customers?|users?|guests?|visitors?|residents?|patients?|pupils|students?|households?|members|tenants"
    r"|loan officers?|(?:grid|network) operators?|case handlers?|landlords?|regulators?"
    r"|participants?|investors?|funders?|sponsors?|apprentices|children|parents|neighbours?|neighbors?|people)\b",
    re.IGNORECASE,
)
_SERVED = re.compile(r"\b(?:pilot with|lets?|helps?|serves?|reach(?:es)?|train|then)\s+(?:up to |about |the )?$", re.I)
_PART_TIME = re.compile(r"\b(?:part|half)[- ]time\b", re.IGNORECASE)
_OUTSIDE = re.compile(
    r"\b(?:accountant|bookkeeper|lawyer|notary|auditor|consultant|freelance\w*|architect|adviser|advisor|solicitor)\b",
    re.IGNORECASE,
)
_MANY = re.compile(r"(?:s|staff|people|crew|team|personnel)$")
_UNPAID = re.compile(
    r"\b(?:nobody|no one|none of us) (?:is|gets|will be) paid\b|\bno (?:paid staff|salaries|pay)\b"
    r"|\ball (?:are )?unpaid\b|\brun (?:only |entirely |purely )by volunteers\b",
    re.IGNORECASE,
)
_HIRED = re.compile(r"\b(?:hire|hires|hiring|recruit|employ|take on|permanent contracts?)\b", re.IGNORECASE)
_PLAIN = re.compile(
    r"(?:lead|head|manager|officer|senior|junior|chief|part|time|full|project|with|other|team|staff)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Post:
    """People of one function.

    ``fte`` is full-time equivalents of all heads together, by phase id; ``functions`` are ids of the table's roles
    that it covers, ``acts_as`` their titles where they differ from its own.
    """

    id: str
    title: str
    count: int
    hire: Hire
    fte: Mapping[str, float]
    work: str
    without: str
    basis: str
    stated: bool
    functions: tuple[str, ...] = ()
    acts_as: tuple[str, ...] = ()


@lru_cache(maxsize=BRIEFS)
def posts(brief: Brief) -> tuple[Post, ...]:
    """Return every post, those that the prompt names first; each function of the tables is covered by at least one."""
    functions = tuple({f.id: f for f in reversed(brief.rows("roles", Role))}.values())[::-1]
    named = stated_roles(brief)
    covers = _cover(named, functions, brief)
    made = [_stated_post(brief, role, covers[n]) for n, role in enumerate(named)]
    taken = {f.id for covered in covers for f in covered}
    made += [_table_post(brief, f) for f in functions if f.id not in taken and any(f.fte.values())]
    return tuple({post.id: post for post in reversed(made)}.values())[::-1]


def stated_roles(brief: Brief) -> tuple[StatedRole, ...]:
    """Return the people of the prompt who do the work: neither bodies that decide nor those whom the work serves."""
    found: dict[str, StatedRole] = {}
    for role in brief.facts.roles:
        before = brief.prompt[max(role.start - 24, 0) : role.start]
        listed = brief.prompt.count("(", 0, role.start) > brief.prompt.count(")", 0, role.start)
        if listed or _BODIES.search(role.title) or _SERVED.search(before) or not quotable(brief.facts, [role]):
            continue
        key = _slug(role.title)
        if key not in found or role.count > found[key].count:
            found[key] = role
    return tuple(found.values())


def heads_text(title: str, count: int) -> str:
    """Return a head count in words: 2 partners, head baker, 2 x lead engineer."""
    plain = lower_first(title)
    if count == 1:
        return plain
    return f"{count} {plain}" if _MANY.search(plain) else f"{count} x {plain}"


def covering(all_posts: Iterable[Post], function: str) -> tuple[Post, ...]:
    """Return the posts that cover the table role *function*."""
    return tuple(p for p in all_posts if function in p.functions)


def _cover(named: Sequence[StatedRole], functions: Sequence[Role], brief: Brief) -> list[list[Role]]:
    """Say which functions each stated role covers: by title first, then the lead's, then those of several heads."""
    covers: list[list[Role]] = [[] for _ in named]
    lead = next((n for n, role in enumerate(named) if _LEADS.search(role.title)), None)
    for function in functions:
        by_title = [n for n, role in enumerate(named) if _same_work(role.title, function)]
        hired = [n for n, role in enumerate(named) if _hire(brief, role) == "employee" and not covers[n]]
        if by_title:
            covers[by_title[0]].append(function)
        elif lead is not None and _lead_carries(function, brief):
            covers[lead].append(function)
        elif function.hire == "employee" and not function.when and max(function.fte.values(), default=0) > 1:
            for n in hired:
                covers[n].append(function)
    return covers


def _same_work(title: str, function: Role) -> bool:
    also = _ALSO_CALLED.get(function.id)
    if also and re.search(rf"\b(?:{also})\b", title, re.IGNORECASE):
        return True
    first = re.split(r"\b(?:and|of|for|in|or)\b|[,(]", function.title)[0]
    head = _stems(first.split()[-1]) if first.split() else set()
    shared = _stems(title) & _stems(function.title)
    return bool(shared) and head <= shared


def _lead_carries(function: Role, brief: Brief) -> bool:
    return function.id == "lead" or (function.hire == "existing" and not function.when and brief.scale == "small")


def _stated_post(brief: Brief, role: StatedRole, covered: Sequence[Role]) -> Post:
    said = sentence_of(brief.facts, role)
    title = _title(role.title, role.count)
    main = max(covered, key=lambda f: max(f.fte.values(), default=0.0), default=None)
    named_for = f"What the goal names it for: {quote(said, 160)}."
    return Post(
        id=_slug(title),
        title=title,
        count=max(role.count, 1),
        hire=_hire(brief, role),
        fte={p.id: _stated_fte(brief, role, covered, p.id) for p in brief.phases},
        work=main.work if main else named_for,
        without=main.without if main else f"What the goal gives to this role is done by nobody: {quote(said, 120)}.",
        basis=f"From the goal: {quote(said, 160)}",
        stated=True,
        functions=tuple(f.id for f in covered),
        acts_as=tuple(f.title for f in covered if f.title.lower() != title.lower()),
    )


def _stated_fte(brief: Brief, role: StatedRole, covered: Sequence[Role], phase: str) -> float:
    """All heads at the share of the functions that they cover; people to be hired come as the function's people do."""
    most = role.count * (0.5 if _PART_TIME.search(f"{role.text} {role.title}") else 1.0)
    wanted = sum(f.fte.get(phase, 0.0) for f in covered)
    if _hire(brief, role) == "employee":
        peak = max((max(f.fte.values(), default=0.0) for f in covered), default=0.0)
        # nobody knows when a post of its own kind starts: training while things are built, all days from the launch
        share = wanted / peak if peak else {"prepare": 0.0, "design": 0.0, "build": 0.25}.get(phase, 1.0)
        return round(min(most, most * share), 2)
    if not covered:
        return round(most if _hire(brief, role) == "existing" else most * 0.1, 2)
    return round(min(most, wanted), 2)


def _table_post(brief: Brief, function: Role) -> Post:
    fte = {p.id: function.fte.get(p.id, 0.0) for p in brief.phases}
    said = brief.called_by(function)
    quoted = said is not None and bool(quotable(brief.facts, [said]))
    why = f"because the goal says {quote(said, 140)}" if said and quoted else "because nobody named covers this work"
    return Post(
        id=_slug(function.title),
        title=clip(function.title, 80),
        count=max(math.ceil(max(fte.values(), default=1.0)), 1),
        hire="volunteer" if unpaid(brief) and function.hire != "contract" else function.hire,
        fte=fte,
        work=function.work,
        without=function.without,
        basis=f"Assumed, {why}",
        stated=False,
        functions=(function.id,),
    )


def unpaid(brief: Brief) -> bool:
    """Return whether the prompt says that nobody is paid."""
    return _UNPAID.search(brief.prompt) is not None


def _hire(brief: Brief, role: StatedRole) -> Hire:
    if "volunteer" in role.title.lower() or unpaid(brief):
        return "volunteer"
    if _OUTSIDE.search(role.title):
        return "contract"
    return "employee" if _HIRED.search(sentence_of(brief.facts, role).text) else "existing"


def _stems(title: str) -> set[str]:
    """The words of *title* that tell it apart, cut so that bakers and baker are one."""
    return {w[:6].rstrip("s") for w in re.findall(r"[a-zà-ÿ]{4,}", title.lower()) if not _PLAIN.match(w)}


def _title(words: str, count: int) -> str:
    text = clip(words, 78)
    if count > 1 and not _MANY.search(text):
        text = f"{text[:-1]}ies" if re.search(r"[^aeiou]y$", text) else f"{text}s"
    return text[:1].upper() + text[1:]


def _slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:50].strip("-") or "post"
