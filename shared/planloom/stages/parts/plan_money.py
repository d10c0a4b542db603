"""The money of the project plan: cost rows from tables and prompt, and the budget worked out from any cost rows."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from planloom.domain.budget import Budget, Funding, LineDraft, Pay, make_budget
from planloom.domain.facts import Money
from planloom.domain.wording import amount_text
from planloom.facts.quoting import clip, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import cap_text, caps, contingency, period, sources, stated_parts, total_amount
from planloom.knowledge.pay import is_pay
from planloom.knowledge.posts import Post, covering, heads_text, unpaid
from planloom.knowledge.tables import Cost
from planloom.stages.parts.plan_answer import CostRow, FundingRow, PhaseWindow, PlanAnswer

#: Without a budget the lines are parts of a thousand.
PARTS = 1000
#: Pay that ends when the place starts to earn: phases after the launch are paid from sales.
_BEFORE_INCOME = re.compile(r"\bbefore income\b|\buntil (?:the )?(?:opening|launch)", re.IGNORECASE)
#: In which phase most of a line is spent, by what it buys.
_SPENT_IN = (
    (r"survey|investigation|research|feasib|legal|deposit|registration|formation|option|founding", "prepare"),
    (r"medical|steward|fire watch|hospitality|house cost|catering", "launch"),
    (r"hosting|monitoring|toilets|fencing|licences and tools|software licence", "build launch"),
    (r"design|engineer|permit|fee|licen|insur|advice|consent|architect|protocol|curricul", "design"),
    (r"fit-out|equip|structure|works|foundation|material|machine|develop|construct|device|furnit|build|instrument"
     r"|stage|kitchen|oven|vehicle|temporary|flood line|walls?\b|gates?\b|pumps?\b|finish|landscape|install|cable"
     r"|roof|track", "build"),
    (r"stock|market|opening|launch|train|commission|travel|campaign|ticket|event|communicat|audit|test", "launch"),
    (r"working capital|evaluat|report|handover|close|defect|final", "close"),
)  # fmt: skip
_WORD = re.compile(r"[a-zà-ÿ][a-zà-ÿ-]{3,}")
MONTH_DAYS = 30.44
_LEAST_MONTHS = 0.5


def months_of(window: PhaseWindow) -> float:
    """Return the calendar months of *window*."""
    return max(((window.last - window.first).days + 1) / MONTH_DAYS, 0.1)


def cost_rows(brief: Brief, people: Sequence[Post], windows: Sequence[PhaseWindow]) -> list[CostRow]:
    """Return the lines of the budget: the prompt's parts as stated, then the table's shares; pay names its posts."""
    known = [cost for cost in brief.rows("costs", Cost) if not (cost.role and unpaid(brief))]
    rows = [_row(cost, people, windows) for cost in known]
    rows = _merge_pay(rows)
    _pay_the_rest(rows, people)
    rows = [_named(row, people) for row in rows]
    for part in stated_parts(brief):
        _state(rows, part)
    for cap in caps(brief):
        _limit(brief, rows, cap)
    return rows[:20]


def funding_rows(brief: Brief) -> list[FundingRow]:
    """Return the sources that the prompt names."""
    return [
        FundingRow(
            title=source.title,
            amount=source.amount,
            condition=source.condition or "None in the goal; to verify with the source before money is committed",
            basis=f"From the goal: {quote(source.said, 150)}",
        )
        for source in sources(brief)
    ][:10]


def work_out(brief: Brief, plan: PlanAnswer, windows: Sequence[PhaseWindow]) -> Budget:
    """Return the budget of *plan*: amounts from its weights, stated amounts and caps kept, pay after its people."""
    stated = total_amount(brief)
    total = PARTS if stated is None else stated
    share, basis = contingency(brief)
    drafts = [_draft(row, plan, windows, stated is not None) for row in _paid_once(plan.costs)]
    make = partial(
        make_budget,
        currency=brief.currency if stated is not None else None,
        total=total,
        contingency=round(total * share),
        contingency_stated=basis.startswith("From the goal"),
        phases=[(w.id, brief.phase(w.id).budget_share) for w in windows],
        funding=[Funding(title=f.title, amount=f.amount, condition=f.condition, basis=f.basis) for f in plan.funding],
        estimate_class=brief.archetype.estimate_class,
    )
    budget = make(drafts=drafts)
    more = {line.id for line in budget.lines if not is_pay(line.rate, budget.currency)}
    return make(drafts=[_more_than_pay(d) if d.id in more else d for d in drafts]) if more else budget


def _more_than_pay(draft: LineDraft) -> LineDraft:
    """A line whose rate nobody is paid buys more than its posts: it is no line of pay, and says so."""
    title = re.sub(r"^Pay: (.+)", r"\1, and further people and services", draft.title)
    basis = f"More than the posts cost: who and what else it buys is to be listed (to verify). {draft.basis}"
    return replace(draft, title=clip(title, 160), basis=clip(basis, 300), pay=None)


def _paid_once(rows: Iterable[CostRow]) -> list[CostRow]:
    """Leave each post in the first line that names it."""
    seen: set[str] = set()
    made = []
    for row in rows:
        made.append(row.model_copy(update={"posts": [p for p in row.posts if p not in seen]}))
        seen |= set(row.posts)
    return made


def _row(cost: Cost, people: Sequence[Post], windows: Sequence[PhaseWindow]) -> CostRow:
    paid = covering(people, cost.role) if cost.role else ()
    early = bool(paid) and bool(_BEFORE_INCOME.search(f"{cost.title} {cost.basis}"))
    phases = [w.id for w in windows if w.id != "close"] if early else [] if paid else _spent_in(cost.title)
    return CostRow(
        id=cost.id,
        title=clip(cost.title, 160),
        weight=cost.share,
        posts=[p.id for p in paid],
        phases=phases,
        basis=clip(cost.basis, 300),
    )


def _merge_pay(rows: Iterable[CostRow]) -> list[CostRow]:
    """One line for each group of people: a post that covers two functions is paid once."""
    made: list[CostRow] = []
    for row in rows:
        same = next((n for n, m in enumerate(made) if row.posts and set(m.posts) & set(row.posts)), None)
        if same is None:
            made.append(row)
            continue
        first = made[same]
        also = re.sub(r"^pay:\s*", "", row.title, flags=re.IGNORECASE)
        made[same] = first.model_copy(
            update={
                "title": clip(f"{first.title}; {also}", 160),
                "weight": first.weight + row.weight,
                "posts": list(dict.fromkeys((*first.posts, *row.posts))),
            }
        )
    return made


def _pay_the_rest(rows: list[CostRow], people: Sequence[Post]) -> None:
    """Put employees whom no line pays into the line that pays other employees, if there is one."""
    paid = {post for row in rows for post in row.posts}
    left = [p.id for p in people if p.hire == "employee" and p.id not in paid]
    employees = {p.id for p in people if p.hire == "employee"}
    for n, row in enumerate(rows):
        if left and employees & set(row.posts):
            rows[n] = row.model_copy(update={"posts": list(dict.fromkeys((*row.posts, *left)))[:12]})
            return


def _named(row: CostRow, people: Sequence[Post]) -> CostRow:
    """A line of pay is called by the people whom the prompt names, where it names them."""
    paid = [p for p in people if p.id in row.posts]
    if not paid or not all(p.stated for p in paid):
        return row
    counted = ", ".join(heads_text(p.title, p.count) for p in paid)
    if not row.title.lower().startswith("pay:"):
        return row.model_copy(update={"title": clip(f"{row.title} ({counted})", 160)})
    covered = re.sub(r"^pay:\s*", "", row.title, flags=re.IGNORECASE)
    return row.model_copy(
        update={"title": clip(f"Pay: {counted}", 160), "basis": clip(f"{row.basis} Covers {covered}", 300)}
    )


def _state(rows: list[CostRow], part: Money) -> None:
    """Fix the line that *part* speaks of; a part that fits none becomes a line of its own."""
    basis = clip(f"From the goal: {quote(part, 80)}{f' for {part.noun}' if part.noun else ''}; stays as stated", 300)
    n = _about(rows, part.noun)
    if n is not None and not rows[n].fixed:
        rows[n] = rows[n].model_copy(update={"fixed": round(part.high), "basis": basis})
        return
    title = part.noun[:1].upper() + part.noun[1:] if part.noun else "Part set aside in the goal"
    taken = {row.id for row in rows}
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40] or "part"
    name = next(s for k in range(1, 100) if (s := f"{slug}-{k}" if k > 1 else f"stated-{slug}"[:50]) not in taken)
    rows.insert(0, CostRow(id=name, title=clip(title, 160), weight=0.05, fixed=round(part.high), basis=basis))


def _limit(brief: Brief, rows: list[CostRow], cap: Money) -> None:
    """Bind the line that *cap* speaks of where it is for the whole; a cap per month or unit is quoted there."""
    n = _about(rows, cap.noun)
    if n is None or rows[n].fixed:
        return
    if period(brief, cap) == "once" and brief.total and cap.currency == brief.total.currency:
        basis = clip(f"{rows[n].basis} The goal caps it: {cap_text(brief, cap)}", 300)
        rows[n] = rows[n].model_copy(update={"cap": round(cap.high), "basis": basis})
    else:
        rows[n] = rows[n].model_copy(
            update={"basis": clip(f"{rows[n].basis} The goal allows {cap_text(brief, cap)}: {cap.noun}", 300)}
        )


def _about(rows: Sequence[CostRow], noun: str) -> int | None:
    wanted = title_words(noun)
    if "rent" in wanted:
        wanted |= {"deposit", "premise", "lease"}
    return next((n for n, row in enumerate(rows) if wanted & title_words(row.title)), None)


def title_words(text: str) -> set[str]:
    """Return the words of *text*, long ones cut: markets and marketing differ, accessibility and access too."""
    return {w[:9].rstrip("s") for w in _WORD.findall(text.lower())}


def _draft(row: CostRow, plan: PlanAnswer, windows: Sequence[PhaseWindow], stated: bool) -> LineDraft:
    within = [w for w in windows if w.id in row.phases] or list(windows)
    people = [p for p in plan.people if p.id in row.posts]
    load = {w.id: sum(part.fte for p in people for part in p.load if part.phase == w.id) for w in windows}
    worked = {w.id: load[w.id] * months_of(w) if w in within else 0.0 for w in windows}
    pay = None
    heads = sum(p.count for p in people)
    # a few days each say nothing about a rate by month: such a line is hours and expenses
    if sum(worked.values()) >= heads * _LEAST_MONTHS and heads:
        pay = Pay(posts=tuple(p.id for p in people), heads=heads, fte_months=round(sum(worked.values()), 1))
    # a little before and after, since deposits come early and retentions late
    near = {w.id: any(abs(windows.index(w) - windows.index(x)) == 1 for x in within) for w in windows}
    spend = {w.id: 1.0 if w in within else 0.05 * near[w.id] for w in windows}
    return LineDraft(
        id=row.id,
        title=row.title,
        weight=row.weight,
        seed=tuple((worked if pay else spend)[w.id] for w in windows),
        basis=row.basis,
        fixed=row.fixed if row.fixed and stated else None,
        cap=row.cap if row.cap and stated else None,
        pay=pay if pay and pay.fte_months else None,
    )


def _spent_in(title: str) -> list[str]:
    found = [phases for words, phases in _SPENT_IN if re.search(rf"\b(?:{words})", title, re.IGNORECASE)]
    return list(dict.fromkeys(phase for phases in found for phase in phases.split()))


def line_text(budget: Budget, amount: int) -> str:
    """Return *amount* as the budget prints it: in its currency, or as a share of a total that is not yet set."""
    return amount_text(amount, budget.currency) if budget.currency else f"{amount / PARTS:.1%}"
