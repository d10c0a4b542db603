"""People and things of the project plan without a language model: posts, stakeholders, resources."""

import re
from collections.abc import Iterable, Iterator, Sequence

from planloom.domain.facts import Spanned
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers, success_sentences
from planloom.knowledge.gates import gate_day, gate_text
from planloom.knowledge.mandates import mandates
from planloom.knowledge.package_days import package_start, packages
from planloom.knowledge.parties import parties
from planloom.knowledge.posts import Post as Person
from planloom.knowledge.tables import Stakeholder
from planloom.stages.parts.plan_answer import Load, Post, Resource, StakeholderRow

_DECIDES = re.compile(
    r"\b(?:must|can stop|sign\w*|approv\w+|issue\w*|own(?:s)?|grant\w*|veto|go to|permit|decid\w+|fund\w*)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:ask(?:s|ed)?|want\w*|demand\w*|object\w*|oppos\w*|keep access|keep)\b", re.IGNORECASE)
_NEEDS = re.compile(r"\b(?:needs?|requires?|must work on|with an?|rated at|depends? on)\b", re.IGNORECASE)


def post_rows(people: Sequence[Person]) -> list[Post]:
    """Return the posts with their load in full-time equivalents by phase."""
    return [
        Post(
            id=person.id if len(person.id) > 1 else f"{person.id}-post",
            title=person.title,
            count=person.count,
            hire=person.hire,
            load=[Load(phase=phase, fte=fte) for phase, fte in person.fte.items()],
            acts_as=list(person.acts_as)[:12],
            basis=clip(person.basis, 300),
        )
        for person in people[:25]
    ]


def stakeholder_rows(brief: Brief, people: Sequence[Person]) -> list[StakeholderRow]:
    """Return those whom the prompt names, with the sentence that names them; then those of the table."""
    tabled = brief.rows("stakeholders", Stakeholder)
    named = list(_named(brief, people, tabled))[:6]
    known = {_stem(row.name) for row in named}
    rows = [r for r in tabled if not known & {_stem(w) for w in _names(r.name)}]
    return [*named, *(_tabled(brief, row) for row in rows)][:12]


def _named(brief: Brief, people: Sequence[Person], tabled: Sequence[Stakeholder]) -> Iterator[StakeholderRow]:
    """Parties of the prompt that are neither the team nor a body made up of others, each once."""
    seen = {_stem(person.title) for person in people if person.stated}
    seen |= {_stem(m.title) for m in mandates(brief) if m.kind == "body" and m.members}
    for sentence in quotable(brief.facts, brief.facts.sentences):
        for name in parties(sentence.text):
            stem = _stem(name)
            if stem not in seen and len(name) > 3:
                seen.add(stem)
                like = next((r for r in tabled if stem in {_stem(w) for w in r.name.split()}), None)
                yield _stakeholder(brief, name, sentence, like)


def _stakeholder(brief: Brief, name: str, said: Spanned, like: Stakeholder | None) -> StakeholderRow:
    decides, asks = bool(_DECIDES.search(said.text)), bool(_ASKS.search(said.text))
    words = f"In the goal: {quote(said, 190)}"
    return StakeholderRow(
        name=name[:1].upper() + clip(name, 150)[1:],
        interest=clip(f"{like.interest} {words}" if like else words, 300),
        power="high" if decides else "medium",
        concern="high" if asks or decides else "medium",
        tell=clip(_message(brief, name, said, like), 300),
        role=brief.role_title("lead" if decides else "outreach"),
    )


def _message(brief: Brief, name: str, said: Spanned, like: Stakeholder | None) -> str:
    """What they must be told: what they decide, what they asked for, else what their like is told, always dated."""
    first = brief.phases[0].id
    decided = next(
        (d for d in dangers(brief.facts) if d.kind == "approval" and name.lower() in d.said.text.lower()), None
    )
    limit = next((m for m in mandates(brief) if m.title.lower() == name.lower()), None)
    if limit:
        matter = limit.limit or limit.stops or limit.does
        return f"Each matter that is theirs ({matter}) with cost, days and the other choice, ten working days ahead"
    if decided and decided.thing:
        held = decided.gate or brief.words["launch"]
        return (
            f"Complete papers on the {decided.thing}, and what waits for it ({held}), before {gate_text(brief, first)}"
        )
    if _ASKS.search(said.text):
        return f"In writing before {gate_text(brief, 'design')}: how their demand is kept, and whom to call"
    if like:
        return like.tell
    return f"What changes for them and when, first on {day_text(gate_day(brief, first))}, then at each gate"


def _tabled(brief: Brief, row: Stakeholder) -> StakeholderRow:
    return StakeholderRow(
        name=clip(row.name, 160),
        interest=clip(row.interest, 300),
        power=row.power,
        concern=row.concern,
        tell=clip(row.tell, 300),
        role=brief.role_title("lead" if row.power == "high" else "outreach"),
    )


def resource_rows(brief: Brief) -> list[Resource]:
    """Return things that the prompt says are needed, its places, and what the procurement packages buy."""
    rows = [*_places(brief), *_needed(brief), *_bought(brief)]
    return list({row.what: row for row in reversed(rows)}.values())[::-1][:14]


def _places(brief: Brief) -> Iterator[Resource]:
    for place in brief.facts.places[:1] if brief.archetype.medium != "digital" else ():
        yield Resource(
            what=clip(f"A place in {place.name}: {brief.words['site']}", 200),
            how_much=clip(brief.words["capacity"], 160),
            when=clip(f"From {day_text(gate_day(brief, brief.phases[0].id))}", 80),
            how=clip(f"Named in the goal; {lower_first(brief.role_title('lead'))} secures the right to use it", 300),
        )


def _needed(brief: Brief) -> Iterator[Resource]:
    apart = [*success_sentences(brief.facts), *(m.said for m in mandates(brief))]
    found = [s for s in brief.facts.sentences if _NEEDS.search(s.text)]
    found = [s for s in found if not any(s.start <= a.start < s.end for a in apart)]
    counted = [q for q in brief.facts.quantities if q.noun and q.unit not in ("%",) and q.bound != "at_most"]
    order = gate_text(brief, "design")
    for sentence in quotable(brief.facts, found):
        inside = [q.text for q in counted if sentence.start <= q.start < sentence.end][:3]
        yield Resource(
            what=clip(f"What this asks for: {quote(sentence, 170)}", 200),
            how_much=clip(", ".join(inside) or "as the goal says", 160),
            when=clip(f"Ready by {day_text(gate_day(brief, 'build'))}", 80),
            how=clip(f"{brief.role_title('operations')} has it confirmed in writing before {order}", 300),
        )


def _bought(brief: Brief) -> Iterator[Resource]:
    for package in packages(brief).values():
        if package.kind == "procurement":
            yield Resource(
                what=clip(package.title, 200),
                how_much=clip(package.leaves[0].title, 160),
                when=clip(f"Ordered from {day_text(package_start(brief, package.id))}", 80),
                how=clip(f"{brief.role_title(package.role)}; accepted when: {package.leaves[0].test}", 300),
            )


def _names(text: str) -> Iterable[str]:
    return parties(text) or (text,)


def _stem(name: str) -> str:
    words = re.findall(r"[a-zà-ÿ]+", name.lower())
    return words[-1][:6].rstrip("s") if words else ""
