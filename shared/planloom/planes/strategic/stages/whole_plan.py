"""What a whole plan holds: how its authors are asked for it, at once or by section, in a form of their own."""

from dataclasses import dataclass

from planloom.planes.strategic.plans import Detail

#: Words of the whole plan with its tables, by level of detail.
WORDS: dict[Detail, str] = {"brief": "3,000 to 4,000", "standard": "7,500 to 9,000", "full": "7,500 to 9,000"}


@dataclass(frozen=True)
class PlanSection:
    """A part that every plan has: *holds* says what a reader looks for in it."""

    title: str
    holds: str


INTRODUCTION = """\
Write the whole plan for this goal in one go, in Markdown: the best plan that you can write, {words} words with its
tables. Those who decide, pay and do the work act on it without asking you. Readers will compare it with other plans for
the same goal, without knowing who wrote which: on whether each demand of the goal is met and can be traced, on numbers
that agree, on a schedule that holds, on how far it fits this case alone, on facts that are right or marked, on whether
one can act on it on the first morning, on risks with proportionate stop rules, and on economy: every paragraph and
every row is used by somebody.

You are shown the facts of the goal, verified, and, where they were written, the screening and five attacks on the
premise. An attack that hits changes the concept, or the plan says which test decides it before which gate.

Your point of view is that of {stance}. It decides where you look first and which concept you choose. It excuses no gap.

Think in this order before you write: how it works on its hardest day; what must therefore exist by when; who must agree
and on which day they meet; who does what, and is anybody needed twice at once; what it costs, and when money leaves and
comes in; what ends it. If the goal as stated cannot be reached, say so in the first lines and plan the nearest that
can.

Rules for the text:
- Write to those who asked, in the tone of their goal: a family reads of its feast, a board of its duty. What the thing
  is, and what it is for its people, comes before how it is secured.
- Each group of people, each place and each wish that the goal names is followed through: what happens for them and with
  them from the first day to the last, how they come, what they get to know, who looks after them.
- Headings, order, tables and their columns are yours: choose for each thing the form in which its reader uses it.
  Things are called by their names. No row numbers or codes that need a key, no abbreviations of your own.
- Plain, whole sentences that are understood at first reading, also when they are read aloud: arguments in paragraphs,
  facts of one kind in tables. No telegram style, no chains of figures in brackets, no cells that hold a paragraph:
  where there is too little room, leave out what matters less. What a thing is comes before how it behaves on a bad
  day.
- Where a statement about a number, an institution, a law, a price or a practice matters, the reader can tell where it
  comes from: what the goal says needs no mark; a computation shows how; otherwise it is marked once, in brackets, where
  it is first stated: (assumed), or (to verify: where or with whom). Below a table one line says it for its rows.
- Institutions, permits, laws, funding programmes, tariffs and habits of the place by their names, as far as you know
  them. What you know only roughly is given as a range and marked to verify.
- Physical solutions, not intentions: capacities, flows per hour, areas, distances, weights, minutes, and what is done
  when one of them is exceeded.
- Dates are days. Durations say working days or calendar days.
- Programs will compute the plan from what you write: give each task its owner, its length (with a range where you are
  not sure), what it waits for and how one sees that it is done; each cost its quantity, its rate and when it is paid;
  each source its day and condition; each approval its body, the day of its papers, its meeting and its answer.
- A rule, a limit, a threshold has one home, and each thing is said once.

What readers look for. None of it is a heading that you must have, all of it is found somewhere:

{sections}
"""

ERRORS = """\
Errors that plans for such goals had. Go through all of them before you answer, and correct the plan:
- money that is bound, a contract signed, material ordered before the answer or test that could forbid it, although
  the plan has a gate for it; the main promise tested only after most of the money is spent
- what the undertaking takes from what is there today (orders, people, rooms, other customers) and what that costs
- papers that are ready after the day on which they are due for their meeting; an approval dated between two meetings
- a task that starts before what it needs is done: a tender before its design, an order before its approval, a trial or
  opening before its licence, training before the people are hired, work in a closed season
- a product, a sum or a remainder that is stated and not worked out; a stock, a buffer or a reserve that is used up
  before what it is there for has ended
- one person in two tasks at the same time, or more days in a month than the month has; leave, illness and handover
  forgotten
- pay that ends before the work does; staff needed before opening and not paid; days paid for and never planned
- money spent before it is granted or on the account; a reserve or contingency spent twice, or smaller than what the
  risks cost together by their odds; sums that do not add up
- costs outside the budget: tax that cannot be recovered, insurance, fees, guarantees, interest, the second season, a
  postponement, dismantling, what the organisation's own people cost
- odds above 90% although durations were only judged; odds for the cost and none for the date; a buffer counted twice
- a stop rule or smaller version that takes effect because of a small thing, as a call that was missed
- a fallback that takes longer than the time left when its trigger is read; a trigger without a number or a day
- the same thing under two names, or with two values; a date in the text that differs from the table
- a first step that cannot be taken on its day, since what it needs is not there yet; a text that leaves to its sender
  what this plan knows
- a demand of the goal that no task fulfils; a fact, name or price that is neither from the goal nor marked
- sentences that would be true for any project
"""

SECTIONS = (
    PlanSection(
        "In short",
        "what will exist, for whom, by when and with which odds; the whole cost and where the money comes from; how "
        "it works in three sentences; what could end it; what of the goal cannot hold as stated, if anything; the "
        "three to six decisions that the reader must take first, each with its day; who does what in the first ten "
        "working days",
    ),
    PlanSection(
        "How it works on its hardest day",
        "what it is, in plain words, and why this way; how the goal is read where its words allow two readings, what "
        "depends on that, and where its wishes pull against each other; "
        "the hardest day or week of the finished undertaking, by the hour or step, with numbers: who "
        "and what arrives, where it waits, the narrowest point and its capacity against the load, what happens if "
        "the most important thing fails that day; then the ordinary day; what success is, measured how; what is in "
        "scope and what is out",
    ),
    PlanSection(
        "Decisions and gates",
        "four to eight decisions, a smaller version of the undertaking among their options, with at least one real "
        "alternative costed as far as the recommended one; who decides, by which day, what follows if nobody does; "
        "gates with their day, values that pass and who reads them, what is spent by then, what leaving costs",
    ),
    PlanSection(
        "Who must agree",
        "institutions, law and practice of the place: which rule applies, who decides in which meeting, days from "
        "papers to answer, what waits for it, what happens if it is refused; how strong opponents are and what they "
        "would gain; what was refused before, where you know it",
    ),
    PlanSection(
        "The work and its calendar",
        "30 to 60 tasks (a small undertaking: as many as it has) in a table, from preparation over approvals, "
        "purchase, hiring and trials to handover and closing, parallel where nothing forbids it; the longest chain "
        "and what shortens it; seasons, holidays and closed days; what happens if everything takes a quarter "
        "longer; your odds of each promised day, and what they rest on",
    ),
    PlanSection(
        "People",
        "who does what, when and how much, by role; the worst month of each role, days needed against days there; "
        "pay before opening; who stands in when the most important one is away for twenty working days",
    ),
    PlanSection(
        "Money",
        "every cost line with quantity and rate, sums, contingency with its basis, what nobody may touch; sources "
        "with days and conditions; cash by month or quarter with its lowest point; where it earns or costs by the "
        "year: the result of one unit and of the first years, working capital, break-even, and what moves it most",
    ),
    PlanSection(
        "Risks and assumptions",
        "the ten or so risks that are this undertaking's own, with odds, cost, trigger (number and day), response, "
        "who; stop rules that follow from how sure one can be by then, the smallest part stopped first; what is "
        "assumed or to be verified in one list: the statement, who finds out from whom, by when, what changes if it is "
        "otherwise; what can be claimed by then and what not; every demand, limit and refusal of the goal with what "
        "meets it and how one sees that",
    ),
    PlanSection(
        "The next ninety days, and the texts to send",
        "the weeks after the first days; then the two to five texts with which the work begins, whole, as "
        "quotations (lines that begin with >), each with from whom, to whom, by which day: the letter on which most "
        "waits, an order or call for offers, what is said on the telephone, a form or checklist of the day; only "
        "names and addresses that nobody knows yet are blanks",
    ),
)


def plan_instructions(stance: str, detail: Detail) -> str:
    """Return what an author of *stance* is asked for: the whole plan, and what its readers look for."""
    sections = "\n".join(f"{n}. {section.title}: {section.holds}." for n, section in enumerate(SECTIONS, 1))
    return f"{INTRODUCTION.format(words=WORDS[detail], stance=stance, sections=sections)}\n{ERRORS}"
