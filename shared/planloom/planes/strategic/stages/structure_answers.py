"""What the model is asked for when a plan becomes a spine: the answers, by group of tables, and their instructions."""

from dataclasses import dataclass

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.stages.patching import CHANGES

MOST = 40


class Entry(Answer):
    """A row by its id and title."""

    id: str = Field(max_length=12, description="Letter and number: P12")
    title: str = Field(max_length=160, description="As the plan has it, without its number")


class Index(Answer):
    """The ids of the rows that others refer to."""

    decisions: list[Entry] = Field(default_factory=list, max_length=MOST, description="D")
    gates: list[Entry] = Field(default_factory=list, max_length=MOST, description="G")
    parties: list[Entry] = Field(default_factory=list, max_length=MOST, description="B")
    approvals: list[Entry] = Field(default_factory=list, max_length=MOST, description="A")
    roles: list[Entry] = Field(default_factory=list, max_length=MOST, description="R")
    deliverables: list[Entry] = Field(default_factory=list, max_length=MOST, description="V")
    packages: list[Entry] = Field(min_length=1, max_length=MOST, description="P: the first 40")
    more_packages: list[Entry] = Field(default_factory=list, max_length=MOST, description="P: those after the first 40")
    lines: list[Entry] = Field(default_factory=list, max_length=MOST, description="L: the first 40")
    more_lines: list[Entry] = Field(default_factory=list, max_length=MOST, description="L: those after the first 40")


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


class PackageTable(Answer):
    """Work packages."""

    packages: list[r.Package] = Field(min_length=1, max_length=MOST)


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
    """Tables that one call fills in; *split* names the one that is asked for in portions of *size* rows."""

    name: str
    answer: type[Answer]
    notes: str
    split: str = ""
    size: int = 20


INDEX = """\
The plan is shown whole, and beside it, where there is any, what its author takes over into it. Programs will compute
the plan; for that it becomes tables of rows. Colleagues fill in the tables next, in parallel. Fix the ids that they
use.

List every row of these tables that the plan holds, in its tables or in its text, each once: decisions D, gates G,
bodies outside the team that decide, give or suffer B, approvals A, roles of those who work R, results V, tasks P, cost
lines L. Keep the plan's own numbers; a row without one, or whose number is taken, gets the next free number of its
letter. What is taken over counts as part of the plan: what it replaces is left out. One thing is one row, however it is
called. What is only waiting for an approval is that approval and no task. A task or role that only the text names is
listed where the plan says who does it and how long it takes; otherwise it becomes an open question, which is not listed
here. A source or cost that is paid in parts
stays one row here, unless the plan numbers the parts. Sums are no cost lines.
"""

EXTRACT = """\
The plan is shown whole, with what its author takes over into it and the ids of its rows. Write the tables named below
as rows, for programs that compute dates, cash and odds from them.

You transcribe; you do not plan anew. Every row of the plan that belongs to these tables is there, none is added, and
every value is the plan's. Where two places of the plan differ, what is taken over counts, then the table, then the
text; look in what is taken over also for sentences that change a row elsewhere. A field of which the plan says
nothing keeps its default; only what a word of the plan implies (the kind of a task, work outdoors, low and high
around a likely value) you judge yourself. Rows that the list of ids names have its ids; others have the letter of
their table and a number, the plan's own where it has one. References are ids of the list, or of the plan's own
numbering for rows that the list does not hold. Texts are short and in the plan's words. Amounts are plain numbers in
the plan's currency, days ISO dates. basis: goal, computed, assumed or verify, as the plan marks it.
"""

COMPLETE = f"""\
The plan is shown whole, with what its author takes over into it, then the rows that were made of it, then a numbered
list: what a program finds in the plan, or must find there, and in no row. For each number, either change the rows or
say why no row needs it.

- The plan has it, and no row does: add the row. Look first whether another row is it already, under other words.
- A value is missing in a row, or differs from it: set that field.
- It needs no change: it follows from others (a sum, a computed date, odds, cash of a month), it is an example, a step
  within a task, or a figure that no field carries. Then its number goes into no_rows, with the reason in a few words.

One change may serve several numbers. Every value is the plan's own; do not plan anew.

{CHANGES}"""

GROUPS = (
    Group(
        "frame",
        FrameTables,
        "frame, criteria, constraints, demands, deliverables. frame.concept: how it works on its hardest day, with "
        "its numbers, in at most 1,500 characters. frame.end and frame.budget only as the goal sets them. "
        "frame.worked: the weekdays on which the plan says that it is worked. frame.closed: the public holidays and "
        "closed days that the plan names, of these weekdays. demands: every "
        "demand of the goal, in its words, and the tasks whose end fulfils it; due only where the goal itself sets "
        "the day by which it is done; a day before which nothing may start is its not_before. constraints.kept_by: "
        "ids of the rows that keep it.",
    ),
    Group(
        "decisions",
        DecisionTables,
        "decisions, gates. Options: cost is that of the whole undertaking with this option, in plain numbers, days "
        "the calendar days by which the end moves against the recommended one. decided_by: id of a role or body. "
        "frees: tasks that may start only after it. gates.needs: tasks done and approvals given by then; "
        "conditions: its checks. leaving_cost: beside what is spent by then.",
    ),
    Group(
        "parties",
        PartyTables,
        "parties, approvals, roles. meeting_days: all days that the plan names or that follow from the rhythm it "
        "states within the plan's time, at most sixty. approvals: low, likely, high are calendar days from complete "
        "papers to the answer; meeting is the day on which it is decided; papers: tasks that make them and approvals "
        "that come first; frees: tasks that wait for it; only_if and chance: an approval that is needed only if "
        "something is found. roles.people: full-time equivalents, as an average of the time that the role is there; a"
        " half-time post is 0.5; 0 where the plan does not say. periods: where the plan gives a role more or fewer "
        "people for a time (a season, the weeks of a journey), that time with its people; roles.people then counts for "
        "the rest. Where two parties give one approval, it is that of "
        "the one that answers last.",
    ),
    Group(
        "packages",
        PackageTable,
        "packages. Low, likely and high are working days of elapsed work. Where the plan gives them in calendar days ("
        "3c / 4c / 6c; drying, notice, waiting, work that runs through weekends), every_day is true and they are these "
        "calendar days. effort: person-days of the owner, also where every day counts; also: the person-days of other "
        "roles. needs: from the plan's column After; lag in working days (those of a calendar week for each week), or "
        "with calendar_days. A "
        "lag that is the waiting time of an approval or a meeting is left out with the need that carries it, if that "
        "row waits for the same task: programs take it from there. Days that pass after a gate, a decision or an "
        "approval are a need of its id with its lag; where it waits for a row or a day, whichever is first, the day is "
        "or_day of the need. outdoor: only what the plan's "
        "closures of outdoor work bind. Computed dates of the plan are not copied: not_before is only for a season, a"
        " session, a delivery window or a start that the plan sets; fixed where it happens on that very day. before: "
        "what the owner does before it can start. free_until: of an order, hold or contract that the plan says can be "
        "cancelled at no cost, until when. Write exactly these rows: {ids}.",
        split="packages",
    ),
    Group(
        "lines",
        LineTable,
        "lines. Amount is quantity times rate: a lump sum has quantity 1. A contingency or tax in percent is written "
        "as its amount. package or role: what it pays for; of several tasks the first, other_packages the rest. paid:"
        " start or end of that package, even from first to last, or on_days with the days and, unless they are equal,"
        " the share of each. A deposit before the rest (30% 2027-02-01, rest end): paid end, with its day in days and "
        "0.3 in shares. in_kind: hours of people who are paid anyway, or given goods. Write exactly these rows: "
        "{ids}.",
        split="lines",
        size=30,
    ),
    Group(
        "money",
        MoneyTables,
        "sources, streams, upkeep. A source that comes in parts is one row for each part: the first has the plan's "
        "number, the others the next free ones. in_kind: hours or goods that pay for lines in kind. sources.after: id"
        " of the approval, decision or gate that it depends on. streams: what is earned, or saved in money, by the "
        "year once it runs; volumes and prices of the first full year, so that volume times price is what a year "
        "brings (a monthly rent times 12); none where the plan earns nothing. upkeep: costs of every year whatever "
        "the volume, paid_by who pays them where the plan says it; what is a cost line before the end of the plan is "
        "not repeated here.",
    ),
    Group(
        "risks",
        RiskTables,
        "risks, assumptions, questions. odds and residual are shares from 0 to 1, cost and days what it costs if it "
        "happens, residual_days what it costs in spite of the response; hits: every task that it delays; "
        "same_cause: the first of the risks that are one loss under several names. trigger: "
        "with its number; trigger_by: the day on which it is read. package and line: those that carry and pay the "
        "response, other_lines where several pay. assumptions.touches: ids of the rows that rest on it.",
    ),
)
