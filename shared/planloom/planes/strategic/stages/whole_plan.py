"""What a whole plan holds: how its authors are asked for it, section by section, and how its tables look."""

from dataclasses import dataclass

from planloom.planes.strategic.plans import Detail

#: Words of the whole plan by level of detail, as asked for.
WORDS: dict[Detail, str] = {
    "brief": "about 3,500 words",
    "standard": "6,500 to 7,500 words",
    "full": "6,500 to 7,500 words",
}
#: The share of the words of each section in a brief plan.
BRIEF = 0.5


@dataclass(frozen=True)
class PlanSection:
    """A section that every author writes: *holds* says what it must hold, *words* the length of its text."""

    title: str
    words: int
    holds: str


INTRODUCTION = """\
You write the whole plan for this goal in Markdown: {words} of text. Tables, and the texts to send in the last
section, are as long as they need to be and not counted. These lengths, and the numbers of tasks, rows and texts below,
are for an undertaking with staff, a budget and approvals: one that a few people do themselves takes a third to a half
of the words, and as many rows and texts as it truly has. Those who decide, pay and do the work act on it without asking
you. Readers will compare it with other plans for the same goal, without knowing who wrote which.

You are shown the facts of the goal, verified, and, where they were written, the screening and five attacks on the
premise. Answer every attack in the plan: change the concept, or say which test decides it before which gate.

Your point of view is that of {stance}. It decides where you look first and which concept you choose. It excuses no
gap: every section below is yours.

Think in this order before you write: how it works on its hardest day; what must therefore exist by when; who must agree
and on which day they meet; who does what, and is anybody needed twice at once; what it costs, and when money leaves
and comes in; what ends it. If the goal as stated cannot be reached, say so in the first lines and plan the nearest that
can.

Rules for the text:
- The reader can tell of every number and of every statement about an institution, a law, a price or a practice where
  it comes from: the goal, a computation, an assumption, or something to verify. In a table the column Mark says it for
  the row; a line below a table without one says what of it is not assumed. In the text the mark stands once, in
  brackets, where the value is defined: (goal), (computed: its computation), (assumed), (to verify: where or with
  whom). Everywhere else the same value stands without a mark. The marks are in the language of the goal, always the
  same words.
- Institutions, permits, laws, funding programmes, tariffs and habits of the place by their names, as far as you know
  them. What you know only roughly is given as a range and marked to verify.
- Physical solutions, not intentions: capacities, flows per hour, areas, distances, weights, minutes, and what is done
  when one of them is exceeded.
- Dates are days; month names alone only where the plan truly leaves the day open. Durations of tasks are working days
  or calendar days, as the tasks' table says; lead times of approvals are calendar days.
- Programs compute from your tables: the dates of all tasks, the odds of each due day, cash by month, what is sunk by
  each gate, the load of each role. Give what they compute from. Where the text needs such a value, or the goal asks
  for it (money by quarter), give your estimate and mark it (assumed): it is put right later.
- Tables are strict, since programs read them: the columns given, in this order, one row for each thing, no merged
  cells, one value per cell or low / likely / high, currency in the heading, 0 or "none" rather than an empty cell.
  Their headings are in the language of the goal; the words that stand for a kind (one-off, none, SS) are as here. Rows
  are numbered with their letter: S success criteria, C constraints, N demands of the goal, D decisions, G gates,
  B bodies, A approvals, R roles, V results, P tasks, L cost lines, F sources of money, O earnings, U yearly costs,
  K risks, H assumptions, Q open questions. Refer to a row by this number everywhere, and never to one that is missing.
- A rule, a limit or a threshold has one home; other places refer to it, to a section by its title.
- The plan's title is a # heading, its sections are ## headings, in the order below. What follows a section's title is
  what it holds; lines with a dash are its tables and their columns.

{sections}
"""

ERRORS = """\
Errors that plans for such goals had. Go through all of them before you answer, and correct the plan:
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
- a fallback that takes longer than the time left when its trigger is read; a trigger without a number or a day
- the same thing under two names, or with two values; a date in the text that differs from the table
- a first step that cannot be taken on its day, since what it needs is not there yet; a text that leaves to its sender
  what this plan knows
- a demand of the goal that no task fulfils; a fact, name or price that is neither from the goal nor marked
- sentences that would be true for any project
"""

SECTIONS = (
    PlanSection(
        "The plan in short",
        450,
        """\
What will exist, for whom, by when and with which odds; the whole cost and where the money comes from; how it works in
three sentences; what could end it; what of the goal cannot hold as stated, if anything. Then the three to six decisions
that the reader must take first; then who does what in the first ten working days, from the morning on which the plan
starts.
- Decisions: Decision | Recommended | Who decides | By | If nobody decides
- First ten working days: Day and date | What | Who (role) | With what (a text of the last section, a number, a file) |
  Done when""",
    ),
    PlanSection(
        "How it works on its hardest day",
        1000,
        """\
The concept. Take the hardest day or week of the finished undertaking, and go through it by the hour or step with
numbers: who and what arrives, where it waits, the narrowest point and its capacity against the load, what happens if
the most important thing fails that day. Then the ordinary day; the site or system, its measures, the technique chosen.
What is in scope, what is out.
- Success criteria: No. | Measure | Today | Target | By | Read by whom, from what""",
    ),
    PlanSection(
        "Decisions and gates",
        900,
        """\
Four to eight decisions, a smaller version of the undertaking among their options. At least one real alternative to the
concept is costed as far as the recommended one. Each decision has a ### heading with its number and question, and below
it the table of its options; the recommended option and why; who decides, by which day; what follows if nobody does;
which tasks wait for it.
- Options: Option | What it is | Cost of the whole | Calendar days that the end moves | Effect on success and risk |
  Last day to undo
- Gates: No. | Gate | Day | Tasks done by then | Tasks that wait | Cost of leaving, beside what is paid by then |
  Who decides | If not
- Checks at the gates, one row for each, to be ticked off on the day: Gate (number) | Measure | Passes at (value) |
  Read by whom, from what""",
    ),
    PlanSection(
        "Who must agree",
        800,
        """\
Institutions, law and practice of the place: which rule applies, who decides, what was refused before where you know it,
how strong opponents are and what they would gain.
- Bodies: No. | Body | What it decides or wants | Rhythm and days of its meetings | Papers due (calendar days before) |
  What it must hear, from whom
- Approvals: No. | Approval | Body | Calendar days from papers to answer, low / likely / high | Tasks that make its
  papers | Papers due on | Meeting on | Tasks that wait | Money released | If refused | Mark
- Constraints: No. | What binds the plan | From where | Kept by (numbers of rows)""",
    ),
    PlanSection(
        "The work and its calendar",
        1000,
        """\
40 to 80 tasks (a brief plan: 25 to 40), with approvals, procurement, hiring, trials, handover and closing. Tasks that
do not need each other run in parallel. After the tables: the longest chain in words and what shortens it; what happens
if everything takes a quarter longer; which seasons, holidays and closed days count. Where a stock, a queue, cash or
somebody's time runs low on the way, a table by week until it has recovered. Before the table of tasks, one sentence
says on which weekdays this plan is worked: Monday to Friday, or those on which its people have time for it. A task
that runs through days on which the others rest (a journey, a watch, drying, notice) counts calendar days.
- Phases: Phase | From - to | What runs meanwhile, and who carries it | Ends when
- By week, where it is needed: Week | In | Out | Left | Least allowed
- Results: No. | Result | Done when
- Tasks: No. | Task | Result | Owner (role) | Days low / likely / high (working days; with c
  calendar days: 3c / 4c / 6c) | Person-days (owner; other roles) |
  After (tasks, approvals, gates, decisions: P3, P6 +5, A2 +30c, P7 SS+2, G1 or 4 May 2027; lag in working days, with c
  in calendar days; SS for start with start; or: whichever is first) | Not before, or fixed on |
  Done when (an order or a hold that can be cancelled at no cost: until when) | Cost line
- Dates: Demand or gate | Due | Task whose end counts | Your odds, and what they rest on""",
    ),
    PlanSection(
        "People",
        500,
        """\
Load of each role in its worst month: days needed against days there. Pay before opening, by role. Who stands in when
the most important one is away for twenty working days. No names of persons that are not in the goal.
- Roles: No. | Role | Filled from where | From - to | Full-time equivalents (with
  other ones for a time: 0.2; 1 from - to) | Cost of a day | Second holder of its keys,
  files and passwords | What fails without it""",
    ),
    PlanSection(
        "Money",
        1400,
        """\
Sum, estimate class, contingency with its basis, a reserve that nobody may touch. Where the undertaking earns, or costs
by the year: the result of one unit and of the first three years, the working capital, the break-even, and which driver
moves it most; otherwise one sentence instead of the last two tables.
- Cost lines: No. | Line | Quantity | Unit | Rate | Amount | Kind (one-off, staff, running, tax, contingency, reserve) |
  Task or role | Paid when (start, end, evenly from - to, days, or parts: 30% 2027-02-01, rest end) | Mark
- Sources, one row for each instalment: No. | Source | Amount | On the account on | Condition | Depends on (row) |
  Status
- Earnings: No. | What | Unit counted | Units in the first full year low / likely / high | Price low / likely / high |
  Cost of one unit | From | Months to full volume | Paid after days
- Yearly costs: No. | Cost | A year low / likely / high | From | Paid by""",
    ),
    PlanSection(
        "Risks and assumptions",
        650,
        """\
Ten to fourteen risks, specific before generic. When to stop for good. All demands and limits of the goal, in its words.
- Risks: No. | Cause | Event | Effect | Odds | Cost | Calendar days | Tasks hit | Owner | Trigger (number and day) |
  Response (task and cost line) | Odds after
- Assumptions: No. | Assumption | Low / likely / high | What breaks | Rows that rest on it | Test | Owner | By
- Open questions: No. | Question | What hangs on it | Who | By
- Demands: No. | Demand | Due | Tasks that fulfil it""",
    ),
    PlanSection(
        "The next ninety days, and the texts to send",
        300,
        """\
The weeks after the first ten working days, as a table. Then the texts with which the work begins, whole, so that they
go out as they are: four to six that tasks of these weeks need, whichever of these this goal has: the request or letter
on which most waits, an order or call for offers with quantities and terms, what is said on the telephone with the
answers to ask for, a notice to those concerned, the form or checklist that is filled in on the day. Each has a ###
heading with what it is; below it a line with to whom, from which role, by which day, for which task; then the text
itself as a quotation, each line of it beginning with "> ", without marks and row numbers. Only names of persons and
addresses that nobody knows yet are blanks (___). 150 to 350 words each; in a brief plan two texts.
- Next ninety days: Week (from - to) | What | Role | Done when""",
    ),
)


def plan_instructions(stance: str, detail: Detail) -> str:
    """Return what an author of *stance* is asked for: the whole plan, its sections with their words."""
    share = BRIEF if detail == "brief" else 1
    sections = "\n\n".join(
        f"{n}. {section.title} ({section.words * share:,.0f} words)\n{section.holds}"
        for n, section in enumerate(SECTIONS, 1)
    )
    return f"{INTRODUCTION.format(words=WORDS[detail], stance=stance, sections=sections)}\n{ERRORS}"
