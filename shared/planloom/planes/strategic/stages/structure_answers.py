"""What the model is asked for when a plan becomes a spine: the answers, by group of tables, and their instructions."""

from dataclasses import dataclass
from datetime import date

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.stages.patching import CHANGES

#: The largest number of rows in a list of an answer, and of ids in a list of the index.
MOST, MOST_IDS = 40, 120


class Entry(Answer):
    """A row by its id and title."""

    id: str = Field(max_length=12, description="Letter and number: P12")
    title: str = Field(max_length=160, description="In the words of the plan, without days and amounts")


class Index(Answer):
    """The ids of the rows that others refer to."""

    decisions: list[Entry] = Field(default_factory=list, max_length=MOST, description="D")
    gates: list[Entry] = Field(default_factory=list, max_length=MOST, description="G")
    parties: list[Entry] = Field(default_factory=list, max_length=MOST, description="B")
    approvals: list[Entry] = Field(default_factory=list, max_length=MOST, description="A")
    roles: list[Entry] = Field(default_factory=list, max_length=MOST, description="R")
    deliverables: list[Entry] = Field(default_factory=list, max_length=MOST, description="V")
    packages: list[Entry] = Field(min_length=1, max_length=MOST_IDS, description="P")
    lines: list[Entry] = Field(default_factory=list, max_length=MOST_IDS, description="L")


class FrameTables(Answer):
    """What the undertaking is, and what it must reach."""

    frame: r.Frame
    criteria: list[r.Criterion] = Field(default_factory=list, max_length=MOST)
    constraints: list[r.Constraint] = Field(default_factory=list, max_length=MOST)
    demands: list[r.Demand] = Field(default_factory=list, max_length=MOST)
    deliverables: list[r.Deliverable] = Field(default_factory=list, max_length=MOST)


class DecisionTables(Answer):
    """Decisions and gates."""

    decisions: list[r.Decision] = Field(default_factory=list, max_length=MOST)
    gates: list[r.Gate] = Field(default_factory=list, max_length=MOST)


class PartyTables(Answer):
    """Who decides and who works."""

    parties: list[r.Party] = Field(default_factory=list, max_length=MOST)
    approvals: list[r.Approval] = Field(default_factory=list, max_length=MOST)
    roles: list[r.Role] = Field(default_factory=list, max_length=MOST)


class PlacedPackage(r.Package):
    """A work package, and when it is in the calendar of the plan's author, by which a program checks its needs."""

    starts: date | None = Field(default=None, description="The day on which the plan has it start; None: not said")
    ends: date | None = Field(default=None, description="The day on which the plan has it end; None: not said")


class PackageTable(Answer):
    """Work packages."""

    packages: list[PlacedPackage] = Field(min_length=1, max_length=MOST)


class LineTable(Answer):
    """Cost lines."""

    lines: list[r.Line] = Field(min_length=1, max_length=MOST)


class MoneyTables(Answer):
    """Where money comes from, and what the undertaking earns and costs by the year."""

    sources: list[r.Source] = Field(default_factory=list, max_length=MOST)
    streams: list[r.Stream] = Field(default_factory=list, max_length=MOST)
    upkeep: list[r.Upkeep] = Field(default_factory=list, max_length=MOST)


class RiskTables(Answer):
    """What can go wrong, what is taken to be true, and what nobody knows yet."""

    risks: list[r.Risk] = Field(default_factory=list, max_length=MOST)
    assumptions: list[r.Assumption] = Field(default_factory=list, max_length=MOST)
    questions: list[r.OpenQuestion] = Field(default_factory=list, max_length=MOST)


class NoRow(Answer):
    """Why something of the list needs no change."""

    number: int = Field(ge=1, le=MOST, description="As in the list")
    because: str = Field(max_length=240)


class Additions(Answer):
    """What the rows still lacked."""

    changes: list[Change] = Field(default_factory=list, max_length=MOST)
    no_rows: list[NoRow] = Field(default_factory=list, max_length=MOST)


@dataclass(frozen=True)
class Group:
    """Tables that one call fills in.

    *split* names the table that is asked for in portions, of MOST rows, or of *short* rows from a model that cannot
    give long answers.
    """

    name: str
    answer: type[Answer]
    notes: str
    split: str = ""
    short: int = 20


INDEX = """\
The plan is shown whole, in the form that its author chose, and beside it, where there is any, what its author takes
over into it. Programs will compute the plan; for that it becomes tables of rows. Colleagues fill in the tables next,
in parallel, without seeing each other's answers. Fix the ids that they use.

List each of these things that the plan holds, wherever it says it (in sentences, lists, tables of any form), each once:
decisions D, gates G, bodies outside the team that decide, give or suffer B, approvals A, roles of those who work R,
results V, tasks P, cost lines L. An id is the letter and a number. Where the plan itself numbers the things of a table
with that letter, each keeps its number, so that nobody confuses two numberings (what it calls G0 or G1b gets the next
free one); all others are numbered from 1 on in the order of the plan, whatever other codes the plan has.

- Tasks: what somebody does that has an owner, a day, a length, a cost or a check. An item of a list is one too
  ("Week 3: order the pumps, call the harbour master" are two). A large undertaking has 40 to 70, from the first morning
  to handover and closing; a small one as many as it truly has. What one role does in one go is one task, however many
  steps the plan names; where another role continues, something is waited for, or another cost begins, the next task
  begins. An order and its delivery are two where days pass between. A great event is one task on its day; its hours are
  none. What is only waiting for an approval is that approval. What merely describes the finished undertaking, an option
  that is not chosen, or what would be done if a risk happened, is no task, unless the plan does it in any case.
- Gates: a day on which somebody decides by values whether to continue. Decisions: a question with options that somebody
  answers. A vote or permission of somebody outside the team is an approval.
- Roles: everybody who does work of the plan, also who is only named in passing.
- Cost lines: what is paid until the plan ends, as finely as the plan gives amounts, contingency and reserve among them.
  A sum of others is none, what is paid out of the contingency either, nor what running costs after the end. A cost that
  is paid in parts is one.
- Results: four to twelve, each made by several tasks.

What is taken over counts as part of the plan, and what it replaces or contradicts is left out. One thing is one row,
however often and under whatever names the plan mentions it. Nothing is listed that the plan does not hold.
"""

EXTRACT = """\
The plan is shown whole, in the form that its author chose, with what its author takes over into it and the ids of its
rows. Write the tables named below as rows, for programs that compute dates, cash and odds from them.

- You transcribe. What the plan says of these tables, in sentences, lists or tables of any form, is in the rows with the
  plan's values. Nothing is planned that it does not hold: no further task, approval, cost or risk.
- What the plan leaves open and a program needs to compute (low and high around a value, person-days, what a task waits
  for, who owns it, when a line is paid, odds of a risk) you estimate as the author of this plan would, from its other
  values, its calendar and the practice of the trade. An estimate never contradicts the plan; its basis is assumed. Any
  other field of which the plan says nothing keeps its default.
- Where two places of the plan differ: what is taken over counts, also against places that only repeat what it replaces;
  then the place that deals with the matter, before one that mentions it.
- Rows of the list of ids have these ids; rows of other tables have the letter of their table and a number from 1 on.
  References are ids of the list.
- Texts are short and in the plan's words and language. Amounts are plain numbers in the plan's currency, days ISO
  dates. basis: goal, computed or verify where the plan marks it so, otherwise assumed.
"""

COMPLETE = f"""\
The plan is shown whole, with what its author takes over into it, then the rows that were made of it, then a numbered
list: what a program finds in the plan and in no row, and tasks whose rows lead to other days than the plan has. For
each number, either change the rows or say why they are right.

- The plan has it, and no row does: add the row. Look first whether another row is it already, under other words.
- A value is missing in a row, or differs from the plan: set that field.
- A task is computed for another day than the plan has. Look for what its row, or a row that it waits for, says wrongly:
  a task, approval or gate that it waits for is missing in its needs, or one is there for which it does not wait; a
  length is too short or too long; its owner has fewer people than the plan gives. Where the plan simply chose a later
  day, not_before is that day. Where the plan's day cannot be reached by what the plan itself says (it has forgotten
  that something goes before, or somebody is needed twice at once), the rows are right.
- It needs no row: a sum, an example, a step within a task, a price of what is not chosen, a figure that no field
  carries.
Whatever stays as it is goes into no_rows by its number, with the reason in a few words.

One change may serve several numbers. Every value is the plan's own; do not plan anew.

{CHANGES}"""

GROUPS = (
    Group(
        "frame",
        FrameTables,
        "frame, criteria, constraints, demands, deliverables. frame.concept: how it works on its hardest day, with its "
        "numbers, in at most 1,500 characters. frame.end and frame.budget only as the goal sets them. frame.worked: "
        "the weekdays on which it is worked. frame.closed: the public holidays that the facts list, within the plan's "
        "time, on which it does not work, and every closed day that the plan names, on these weekdays: one entry for "
        "each day or break and year, with the date that it has in that year. demands: every demand of the goal, in its "
        "words, and the tasks whose end fulfils it, or, with begins, whose start does; due only where the goal itself "
        "sets the day by which it is done, also by another one (a year later); a day before which nothing may start is "
        "its not_before. constraints: limits and rules by which the plan is bound; kept_by: ids of the rows that keep "
        "it.",
    ),
    Group(
        "decisions",
        DecisionTables,
        "decisions, gates. Options: cost is that of the whole undertaking with this option, in plain numbers, days the "
        "calendar days by which the end moves against the recommended one. decided_by: id of a role or body. frees: "
        "tasks that may start only after it. gates.needs: tasks done and approvals given by then; conditions: each "
        "measure with the value that passes. leaving_cost: beside what is paid by then.",
    ),
    Group(
        "parties",
        PartyTables,
        "parties, approvals, roles. meeting_days: all days that the plan names or that follow from the rhythm it "
        "states within the plan's time, at most sixty. approvals: low, likely, high are calendar days from complete "
        "papers to the answer; meeting is the day on which it is decided; papers: tasks that make them and approvals "
        "that come first; frees: tasks that wait for it; only_if and chance: an approval that is needed only if "
        "something is found. roles.people: full-time equivalents, as an average of the time that the role is there; a "
        "half-time post is 0.5; 0 where the plan does not say. heads: the persons who hold it: of four helpers for ten "
        "days a month each, heads is 4 and people 1.8. periods: where the plan gives a role more or fewer people for a "
        "time (a season, the weeks of a journey), that time with its people; roles.people then counts for the rest. "
        "Where two parties give one approval, it is that of the one that answers last.",
    ),
    Group(
        "packages",
        PackageTable,
        "packages. Low, likely and high are working days of elapsed work. Where the plan gives them in calendar days "
        "(drying, notice, delivery times, waiting, work that runs through weekends), every_day is true and they are "
        "these calendar days. likely: the plan's length, or the days between its start and its end; a task that is "
        "done once within a month or season takes its own days, not the month, and the waiting for an approval is in "
        "that approval's row, not in the length of who asks for it. low and high, where the plan has no range: what "
        "the author would give, wider for what others do, for weather and for what nobody did before. effort: "
        "person-days of the owner, also where every day counts; also: the person-days of other roles. needs: whatever "
        "must be done before it can start, whether the plan says so or it follows (what is not delivered is not "
        "installed): ids of tasks, and of approvals, gates and decisions. Only what it waits for directly; not what "
        "merely comes earlier in the calendar. lag: days that pass between, in working days (those of a calendar week "
        "for each week), or with calendar_days; a negative one where they overlap. The waiting time of an approval or "
        "for a meeting is no lag: that row has it. Where it waits for a row or a day, whichever is first, the day is "
        "or_day of the need. starts, ends: the days that the plan gives the task, or that follow from what it says (a "
        "week, a month; where only the day is said on which it is done, it starts its length before). They only check "
        "the rest. Programs compute its start, from needs, lengths and the days that its owner has, and must come "
        "close to these days. Compare, by the days of the plan, when the last of its needs is done with when it "
        "starts. Within a week of each other: its needs carry the start, and not_before stays empty, whatever dates "
        "the plan writes beside it. Later by more than a week, because of a season, a session, a delivery window, an "
        "event, the time of its owner, or only because the author has it done then: not_before is the day of the plan. "
        "Later because something else goes before: that is a need, or its lag. It needs nothing and does not start "
        "with the plan: not_before. fixed: only what happens on that very day, whatever else moves (an event, a "
        "session, a match, a vote). outdoor: only what the plan's closures of outdoor work bind. before: what the "
        "owner does before it can start. free_until: of an order, hold or contract that the plan says can be cancelled "
        "at no cost, until when. Write exactly these rows: {ids}.",
        split="packages",
    ),
    Group(
        "lines",
        LineTable,
        "lines. Amount is quantity times rate: a lump sum has quantity 1. A contingency or tax in percent is written "
        "as its amount. package or role: what it pays for; of several tasks the first, other_packages the rest. paid: "
        "start or end of that package, even from first to last, or on_days with the days and, unless they are equal, "
        "the share of each. A deposit before the rest (30% on 1 February, the rest at the end): paid end, with its day "
        "in days and 0.3 in shares. paid_by: where the money of a giver may pay for certain things alone, that party, "
        "on each of these lines, contingency among them. in_kind: hours of people who are paid anyway, or given goods. "
        "Write exactly these rows: {ids}.",
        split="lines",
        short=30,
    ),
    Group(
        "money",
        MoneyTables,
        "sources, streams, upkeep. A source that comes in parts is one row for each part. given_by: the party that "
        "gives it. in_kind: hours or goods that pay for lines in kind. sources.after: id of the approval, decision or "
        "gate that it depends on. streams: what is earned, or saved in money, by the year once it runs; volumes and "
        "prices of the first full year, so that volume times price is what a year brings (a monthly rent times 12); "
        "none where the plan earns nothing. upkeep: costs of every year whatever the volume, paid_by who pays them "
        "where the plan says it; what is a cost line before the end of the plan is not repeated here.",
    ),
    Group(
        "risks",
        RiskTables,
        "risks, assumptions, questions. odds and residual are shares from 0 to 1, cost and days what it costs if it "
        "happens, residual_days what it costs in spite of the response; hits: every task that it delays; same_cause: "
        "the first of the risks that are one loss under several names. trigger: with its number; trigger_by: the day "
        "on which it is read. package and line: those that carry and pay the response, other_lines where several pay. "
        "assumptions: what the plan takes to be true and tests, or could not do without, not each value that it marks "
        "as assumed; touches: ids of the rows that rest on it.",
    ),
)
