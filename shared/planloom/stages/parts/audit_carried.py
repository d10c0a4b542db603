"""The audit's last themes: will it be carried, and can it be judged."""

import re
from collections import Counter
from collections.abc import Iterator

from planloom.facts.quoting import clip, lower_first
from planloom.stages.parts.audit_evidence import sentences
from planloom.stages.parts.audited import Audited
from planloom.stages.parts.countable import has_figure
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.self_audit_answer import CheckRow
from planloom.stages.text import ended

#: Owners of more than this share of the critical path cannot be missed for a month.
_MUCH = 0.4
_EXIT = re.compile(
    r"\b(?:stop rules?|no-go|give up|withdraw\w*|abandon\w*|walk away|wound up|wind(?:ing)? up|step back from)\b",
    re.IGNORECASE,
)
#: What makes a way out a rule: a value or a day at which it is taken.
_AT = re.compile(r"\b(?:below|above|under|over|more than|fewer than|less than|by|before|after|at) [^.]{0,30}\d", re.I)


def carried(a: Audited) -> Iterator[CheckRow]:
    """Check who cannot be missed, who chases what others give, who decides, and who watches."""
    yield _busiest(a)
    yield _others(a)
    yield _decides(a)
    yield _watched(a)


def _busiest(a: Audited) -> CheckRow:
    path = [task for task in a.schedule.tasks if task.critical]
    owners = Counter(task.owner for task in path)
    owner, count = min(owners.items(), key=lambda e: (-e[1], e[0])) if owners else ("nobody", 0)
    much = count > max(len(path) * _MUCH, 1)
    owned = ", ".join(task.id for task in path if task.owner == owner)
    return fitted(
        CheckRow,
        check=f"Could the plan go on if {lower_first(clip(owner, 80))} fell out for a month?",
        verdict="partly" if much else "yes",
        evidence=f"{owner} owns {count} of {len(path)} packages on the critical path ({clip(owned, 80)}), more "
        "than any other role.",
        place="Schedule",
        missing=f"A stand-in who has worked with {lower_first(owner)} on one of {clip(owned, 80)}" if much else "",
        fix=a.fix("names the stand-in and the package they share") if much else "",
    )


def _others(a: Audited) -> CheckRow:
    others = a.plan.plan.dependencies
    first = others[0]
    what = re.split(r"[:;]\s*“", first.what)[0]
    chased = all(row.role and row.by for row in others)
    return fitted(
        CheckRow,
        check="Does somebody chase everything that depends on others?",
        verdict="yes" if chased else "partly",
        evidence=f"{len(others)} dependencies; first: {lower_first(clip(what, 200))}, chased by "
        f"{lower_first(first.role)} until {first.by}; if late: {ended(lower_first(clip(first.if_late, 160)))}",
        place="Project Plan",
        missing="" if chased else "A role and a day for each",
        fix="" if chased else a.fix("writes both beside each dependency"),
    )


def _decides(a: Audited) -> CheckRow:
    rows = a.governance.escalation.rows
    first = rows[0]
    enough = len(rows) > 1
    return fitted(
        CheckRow,
        check="Is it settled who decides when plans change, and what goes on until then?",
        verdict="yes" if enough else "partly",
        evidence=f"{len(rows)} steps; first: {lower_first(clip(first.matter, 140))} goes to {lower_first(first.to)} "
        f"within {lower_first(clip(first.within, 90))}; until then: "
        f"{ended(lower_first(clip(first.meanwhile, 120)))}",
        place="Governance",
        missing="" if enough else "A step for what the first one cannot settle",
        fix="" if enough else a.fix("adds the second step"),
    )


def _watched(a: Audited) -> CheckRow:
    stories = a.premortem.stories
    known = {post.title.lower() for post in a.plan.plan.people} | {r.member.title.lower() for r in a.team.roles}
    known |= {title.lower() for post in a.plan.plan.people for title in post.acts_as}
    strange = [story for story in stories if story.watcher.lower() not in known]
    story = (strange or list(stories))[0]
    return fitted(
        CheckRow,
        check="Is each way to fail watched by somebody who is in the team?",
        verdict="yes" if not strange else "partly",
        evidence=f"{len(stories) - len(strange)} of {len(stories)} stories are; “{clip(story.tripwire, 160)}” is "
        f"watched by {lower_first(story.watcher)}, {story.look}.",
        place="Premortem",
        missing=f"{', '.join(sorted({s.watcher for s in strange}))} in the team" if strange else "",
        fix=a.fix("gives each tripwire to a role of the team") if strange else "",
    )


def judged(a: Audited) -> Iterator[CheckRow]:
    """Check figures of success, the goal's demands and bans, agreement between sections, and the way out."""
    yield _figures(a)
    yield from _demands(a)
    yield from _bans(a)
    yield _agree(a)
    yield _way_out(a)


def _figures(a: Audited) -> CheckRow:
    criteria = a.plan.plan.criteria
    vague = [c for c in criteria if not has_figure(c.threshold)]
    first = criteria[0]
    return fitted(
        CheckRow,
        check="Can a stranger tell from figures whether it succeeded?",
        verdict="yes" if not vague else "partly" if len(vague) < len(criteria) else "no",
        evidence=f"{len(criteria) - len(vague)} of {len(criteria)} measures have a figure; first: "
        f"“{clip(first.text, 140)}”, passed at {ended(lower_first(clip(first.threshold, 120)))}",
        place="Project Plan",
        missing=f"A figure for: {'; '.join(clip(c.text, 120) for c in vague[:3])}" if vague else "",
        fix=a.fix("writes the value that passes", vague[0].role) if vague else "",
    )


def _demands(a: Audited) -> Iterator[CheckRow]:
    traces = a.wbs.traces
    if not traces:
        return
    unserved = [trace for trace in traces if not trace.packages]
    shown = next((trace for trace in traces if trace.packages), traces[0])
    yield fitted(
        CheckRow,
        check="Does some work package serve each demand of the goal?",
        verdict="yes" if not unserved else "partly",
        evidence=f"{len(traces) - len(unserved)} of {len(traces)} demands are traced; one is "
        f"“{clip(shown.demand, 150)}” by {', '.join(shown.packages) or 'none'}.",
        place="Work Breakdown Structure",
        missing=f"Work for “{clip(unserved[0].demand, 300)}”" if unserved else "",
        fix=a.fix("adds the package, or names the test that shows it is kept") if unserved else "",
    )


def _bans(a: Audited) -> Iterator[CheckRow]:
    bans = [ban for ban in a.brief.facts.bans if ban.kind == "approach"]
    if not bans:
        return
    out = a.plan.plan.scope_out
    yield fitted(
        CheckRow,
        check="Are the goal's bans kept as limits of scope?",
        verdict="yes" if len(out) >= len(bans) else "partly",
        evidence=f"{len(bans)} bans in the goal, {len(out)} rows out of scope: "
        f"{ended(clip('; '.join(lower_first(row.text) for row in out[:3]), 340))}",
        place="Project Plan",
        missing="" if len(out) >= len(bans) else "A row for each ban",
        fix="" if len(out) >= len(bans) else a.fix("writes down what is out"),
    )


def _agree(a: Audited) -> CheckRow:
    apart = [f for f in a.review.findings if f.kind == "contradiction"]
    count = f"{len(apart)} contradiction{'' if len(apart) == 1 else 's'} to settle"
    return fitted(
        CheckRow,
        check="Do the sections agree with each other?",
        verdict="no" if apart else "yes",
        evidence=apart[0].text if apart else f"The review holds: {a.review.sound[0]}",
        place="Review of the Plan",
        missing=f"{count}: {'; '.join(lower_first(f.title) for f in apart[:3])}" if apart else "",
        fix=f"By {apart[0].by}, {lower_first(apart[0].role)}: {lower_first(apart[0].action)}" if apart else "",
    )


def _way_out(a: Audited) -> CheckRow:
    order = ("governance", "project_plan", "risks", "wbs", "premortem", "assumptions", "documents")
    said = [(s, name) for name in order for s in sentences(a.texts.get(name, "")) if _EXIT.search(s)]
    text, name = next((each for each in said if _AT.search(each[0])), said[0] if said else ("", "governance"))
    figured = bool(_AT.search(text))
    return fitted(
        CheckRow,
        check="Is it written when the work is given up, and who says so?",
        verdict="yes" if figured else "partly" if text else "no",
        evidence=f"“{text}”" if text else "No section says when the work is given up.",
        place=a.titles.get(name, "Governance"),
        missing="" if figured else "The figure or day at which it is given up, and who decides that",
        fix="" if figured else a.fix("writes down the figure and who may act on it"),
    )
