"""What a whole plan holds: how its authors are asked for it, at once or by section, in a form of their own."""

from dataclasses import dataclass

from planloom.planes.strategic.plans import Detail

#: Words of the whole plan with its tables, by level of detail.
WORDS: dict[Detail, str] = {"brief": "3,000 to 4,000", "standard": "8,000 to 9,500", "full": "8,000 to 9,500"}


@dataclass(frozen=True)
class PlanSection:
    """A part that every plan has: *holds* says what a reader looks for in it."""

    title: str
    holds: str


INTRODUCTION = """\
Write the whole plan for this goal in one go, in Markdown: complete, ready for use, the best plan that you can write,
{words} words, those in tables counted. It is written to those who asked, in the tone of their goal; those who decide,
pay and do the work act on it without asking you. Readers will compare it with other plans for the same goal, without
knowing who wrote which: on whether each demand of the goal is met and can be traced, on numbers that agree, on a
schedule that holds, on how far it fits this case alone, on facts that are right or marked, on whether one can act on it
on the first morning, on risks with proportionate stop rules, and on economy: every paragraph and every row is used by
somebody.

You are shown the facts of the goal and, where they were written, the screening and five attacks on the premise. An
attack that hits changes the concept, or the plan says which test decides it before which day; nobody reads the attacks
beside the plan. Your point of view is that of {stance}. It decides where you look first, and excuses no gap. If the
goal as stated cannot be reached, say so in the first lines and plan the nearest that can.

Headings, order and tables are yours, a form of its own for each thing. Plain, whole sentences that are understood at
first reading: arguments in paragraphs, facts of one kind in tables, no cell that holds a paragraph. Each group of
people and each wish that the goal names is followed through from the first day to the last: how they come, what they
get to know, who looks after them, what it costs. Things are done physically: capacities, flows, distances, minutes.
Institutions, laws, permits, tariffs and habits of the place have their names. What is neither in the goal nor computed
here is marked once, where it is first stated: (assumed), or (to verify: with whom). Dates are days. Each task has an
owner, a length, what it waits for and how one sees that it is done; each cost its quantity, rate and day; each approval
its body, papers, meeting and answer: programs read them from what you write. A rule has one home, a number one value.

What every plan has, in the form that fits it:

{sections}
"""

ERRORS = """\
Before you answer, follow the plan through once from its first day to its last, as those who carry it out, and correct:
- money bound before the answer that could forbid it; work before what it needs; papers after their meeting; an opening
  before its licence; closed seasons and holidays
- somebody in two places at once, or with more days than the month has; leave, illness, handover; what is taken from the
  work of today
- sums, products and counts that are stated and not worked out; a reserve that is spent twice or ends too early; pay
  that ends before the work; costs outside the budget (tax, insurance, fees, travel, a postponement)
- chances that do not agree with each other, or above 90% from durations that are only judged
- the most important supplier, room or person failing on the day; a fallback that takes longer than is left; a stop rule
  that a small thing sets off
- one thing with two values, two rules for one thing; a first step that cannot be taken on its day; a text to send that
  leaves to its sender what this plan knows; sentences that would be true for any project
"""

SECTIONS = (
    PlanSection(
        "In short",
        "what will exist, for whom, by when, and how sure that is; what it costs and where the money comes from; how "
        "it works; what could end it; what of the goal cannot hold as stated; the first decisions, each with its day; "
        "who does what in the first ten working days",
    ),
    PlanSection(
        "How it works",
        "what it is and why this way; how the goal is read where its words allow two readings; the hardest day or week "
        "by the hour or step with numbers, its narrowest point, and what happens if the most important thing fails; "
        "the ordinary day; what success is and how it is measured; what is in and what is out",
    ),
    PlanSection(
        "Decisions and gates",
        "the decisions with their options, one real alternative and a smaller version costed; who decides by when, "
        "what follows otherwise; gates with day, values that pass, what is spent by then, what leaving costs",
    ),
    PlanSection(
        "Who must agree",
        "institutions, law and practice of the place: who decides in which meeting, from papers to answer, what waits "
        "for it, what happens if it is refused; those who may be against it",
    ),
    PlanSection(
        "The work and its calendar",
        "the tasks in a table, from preparation to handover, parallel where nothing forbids it; the longest chain; "
        "seasons and closed days; what happens if everything takes a quarter longer",
    ),
    PlanSection(
        "People",
        "who does what, when and how much; the worst month; who stands in when the most important one is away",
    ),
    PlanSection(
        "Money",
        "every cost with quantity and rate, sums, contingency with its basis; sources with days and conditions; cash "
        "by month or quarter; where it earns or costs by the year: one unit, the first years, what moves them most",
    ),
    PlanSection(
        "Risks and assumptions",
        "this undertaking's own risks with chance, cost, trigger (number and day), response, who; stop rules, the "
        "smallest part first; what is assumed or to be verified, who finds out by when, and what changes otherwise; "
        "every demand, limit and refusal of the goal with what meets it",
    ),
    PlanSection(
        "The next ninety days, and the texts to send",
        "the weeks after the first days; the texts with which the work begins, whole, as quotations, each with from "
        "whom, to whom, by which day",
    ),
)


def plan_instructions(stance: str, detail: Detail) -> str:
    """Return what an author of *stance* is asked for: the whole plan, and what its readers look for."""
    sections = "\n".join(f"{n}. {section.title}: {section.holds}." for n, section in enumerate(SECTIONS, 1))
    return f"{INTRODUCTION.format(words=WORDS[detail], stance=stance, sections=sections)}\n{ERRORS}"
