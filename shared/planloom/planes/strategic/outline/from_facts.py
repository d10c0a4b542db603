"""The rows of an outline that come from the facts of the goal, in its own words."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from planloom.core.wording import day_text
from planloom.planes.strategic.facts.fact import OpenPoint, Quantity, Spanned, money_text
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.quoting import clip, passages, quote
from planloom.planes.strategic.outline.demands import last_named
from planloom.planes.strategic.outline.from_kind import Usual
from planloom.planes.strategic.outline.numbered import numbered
from planloom.planes.strategic.spine import rows as r

#: The longest text that the fields of rows allow; a longer quote is cut at a word.
_TEXT = 300
_TO_CONFIRM = "Where it comes from, and when, is to be confirmed"
#: Days after the day of drafting by which open questions are to be answered.
ANSWERED_AFTER = timedelta(days=14)


def goal_roles(goal: Goal) -> tuple[r.Role, ...]:
    """Return the people whom the goal names for the work; rules cannot distinguish them from people who are served."""
    if goal.facts.read_by != "model":
        return ()
    titles = {role.title.casefold(): role for role in goal.facts.roles if role.part == "works"}
    return tuple(
        r.Role(id=f"R{n}", title=clip(role.title, 120), people=min(role.count, 500), filled_by=quote(role, 190))
        for n, role in enumerate(titles.values(), 1)
    )


def criteria(goal: Goal) -> tuple[r.Criterion, ...]:
    """Return the measures of success that the goal states, then its date and its budget."""
    rows = [
        r.Criterion(
            id="",
            measure=clip(found.measure, 200),
            baseline=clip(found.baseline, 120),
            target=clip(" ".join(part for part in (found.target, found.by_when) if part) or "to be set", 120),
        )
        for found in goal.facts.criteria
    ]
    rows += [_counted(q) for q in goal.facts.quantities if q.role == "target" and q.noun]
    if goal.deadline:
        by = "What the goal asks for is there"
        rows.append(r.Criterion(id="", measure=by, target="all of it", by=goal.deadline))
    if goal.total:
        rows.append(r.Criterion(id="", measure="Cost of the whole", target=f"at most {money_text(goal.total)}"))
    return numbered("S", rows, lambda row: row.measure)


def _counted(found: Quantity) -> r.Criterion:
    bound = {"at_least": "at least ", "at_most": "at most ", "about": "about "}.get(found.bound, "")
    value = f"{found.low:,.12g}" if found.low == found.high else f"{found.low:,.12g} to {found.high:,.12g}"
    return r.Criterion(id="", measure=clip(found.noun, 200), target=clip(f"{bound}{value} {found.unit}", 120))


def constraints(goal: Goal) -> tuple[r.Constraint, ...]:
    """Return what binds the plan, each quoted: bans, closures, limits, and what is decided already."""
    facts = goal.facts
    bans = (ban for ban in facts.bans if ban.kind == "approach")
    said: list[tuple[str, Iterable[Spanned]]] = [
        # rules read a limit as a ban
        ("Ruled out" if facts.read_by == "model" else "A ban or a limit", bans),
        ("When work is possible", facts.closures),
        ("A limit on money", (money for money in facts.money if money.role == "cap")),
        ("Decided already", facts.fixed),
    ]
    rows = [r.Constraint(id="", text=f"{what}: {quote(span, 260)}") for what, spans in said for span in spans]
    if any(ban.kind == "word" for ban in facts.bans):
        rows.append(r.Constraint(id="", text="Words that the goal bans are not printed"))
    return numbered("C", rows, lambda row: row.text)


def parties(goal: Goal, usual: Usual) -> tuple[r.Party, ...]:
    """Return who gives approvals, the bodies that the goal names as deciding, and those that meet."""
    facts = goal.facts
    decides = [(role.title, f"Decides: {quote(role, 250)}") for role in facts.roles if role.part == "decides"]
    rows = [
        r.Party(id="", name=clip(o.name, 160), part=clip(f"Decides: {o.decides}", 300))
        for o in facts.organisations
        if o.decides
    ]
    rows += [r.Party(id="", name=clip(title, 160), part=part) for title, part in decides if facts.read_by == "model"]
    rows += [r.Party(id="", name=clip(m.who, 160), meets=clip(m.rhythm, 160)) for m in facts.meetings]
    rows += [
        r.Party(id="", name=approval.party, part="Gives an approval, where one is needed")
        for approval in usual.kind.approvals
    ]
    return numbered("B", rows, lambda row: row.name)


def sources(goal: Goal, lines: Sequence[r.Line]) -> tuple[r.Source, ...]:
    """Return where the goal says that money comes from, and what of its budget has no source yet."""
    total = goal.total
    given = [m for m in goal.facts.money if m.role == "funding" and m.currency == goal.currency and m.high]
    rows = [
        r.Source(
            id="", title=clip(m.who or m.noun or quote(m, 100), 160), amount=m.high, condition=clip(m.condition, 240)
        )
        for m in given
    ]
    missing = (total.high if total and lines else 0) - sum(m.high for m in given)
    if missing > 1:
        what = "The rest of the budget" if rows else "The budget that the goal names"
        rows.append(r.Source(id="", title=what, amount=missing, condition=_TO_CONFIRM))
    return numbered("F", rows, lambda row: row.title)


def assumptions(goal: Goal, usual: Usual) -> tuple[r.Assumption, ...]:
    """Return what this reading of the goal assumes, then the usual assumptions of its kind."""
    rows = [_assumed(text, breaks, test) for text, breaks, test in _taken(goal, usual)]
    rows = [row.model_copy(update={"owner": usual.lead}) for row in rows]
    return numbered("H", [*rows, *usual.assumptions()], lambda row: row.text)


def _taken(goal: Goal, usual: Usual) -> Iterator[tuple[str, str, str]]:
    what = "Durations, lead times, odds and shares of cost"
    yield (
        f"{what} are planning values for {usual.kind.label}; none was measured for this goal",
        "Every date and every line changes",
        "Those who do the work estimate their packages, and offers replace the shares",
    )
    if goal.start_source == "to verify":
        yield (
            goal.start_text,
            "Every date moves",
            "The client confirms the first working day",
        )
    elif goal.start > goal.today:
        yield (
            f"Preparation too begins on {day_text(goal.start)}, which the goal names as a start",
            "Where that is the day of the main work, all before it must begin earlier, and the work comes too late",
            "The client says what begins on that day",
        )
    last = last_named(goal)
    if last and not goal.deadline:
        yield (
            f"There is time until {day_text(last)}, the last day that the goal names: no deadline could be read in it",
            "The packages are done faster or slower than they can be",
            "The client names the day by which the whole is due",
        )
    total = goal.total
    if total and total.assumed:
        yield (f"{quote(total, 80)} is in {total.currency}", "Every amount changes", "The client names the currency")
    if total and total.low != total.high:
        yield (
            f"The budget is the upper end of {money_text(total)}",
            "Every line is smaller",
            "The client names one sum",
        )


def _assumed(text: str, breaks: str, test: str) -> r.Assumption:
    return r.Assumption(id="", text=clip(text, 300), breaks=breaks, test=test)


def questions(
    goal: Goal, usual: Usual, rows: Sequence[r.Demand], found: Sequence[r.Source]
) -> tuple[r.OpenQuestion, ...]:
    """Return what the goal leaves open, what of it is unclear, and what nobody can know from a goal of its kind."""
    # counted from today: the start may be far away, and the answers decide what starts then
    by = goal.today + ANSWERED_AFTER
    asked = [*_asked(goal, rows, found), *usual.questions()]
    made = [
        r.OpenQuestion(id="", text=clip(t, _TEXT), why=clip(why, _TEXT), owner=usual.lead, by=by) for t, why in asked
    ]
    return numbered("Q", made, lambda row: row.text)


def _asked(goal: Goal, rows: Sequence[r.Demand], found: Sequence[r.Source]) -> Iterator[tuple[str, str]]:
    facts = goal.facts
    yield from ((point.question, _why(point)) for point in facts.open)
    yield from (
        (f"Which holds: {clash.what}?", "Two passages of the goal cannot both hold.") for clash in facts.contradictions
    )
    for unsure in facts.unverified:
        yield f"Is it so: {unsure.said or unsure.quote}?", f"It could not be verified in the goal: {unsure.reason}."
    if facts.unread:
        unread = "; ".join(quote(span, 80) for span in passages(facts, facts.unread))
        yield (
            f"What do these passages of the goal bind: {unread}?",
            "No fact holds them, and nothing is built on them.",
        )
    for row in rows:
        if row.due and not row.met_by:
            yield (
                f"Which work reaches this by {day_text(row.due)}: “{clip(row.text, 200)}”?",
                "No package of the outline is known to reach it.",
            )
    if any(source.condition == _TO_CONFIRM for source in found):
        yield "Where does the money come from, and when is it on the account?", "Orders wait for it."
    if goal.total is None and all(point.field != "total" for point in facts.open):
        yield "How much money is there for the whole?", "Without it the outline has no cost lines."


def _why(point: OpenPoint) -> str:
    if point.field == "total" and point.quote is None:
        return "No amount could be read as the budget of the whole. Without it the outline has no cost lines."
    return "The goal can be read in more than one way." if point.quote else "It could not be read in the goal."
