"""How the author is asked to decide on findings and to restore the balance, and the answers."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.stages.patching import CHANGES
from planloom.planes.strategic.stages.repair import MOST_CHANGES, CannotHold

#: So many findings change a plan: readers prefer one that answers few of them to one that is complicated by all.
MOST_ACCEPTED = 8

DECIDE = f"""\
You are the author of this plan. You are shown the facts of the goal, your document, its tables (each row with an id),
what programs computed of them, all findings of critics, programs and the premortem, and last the ids of the findings on
which you decide now. Decide on each of these ids, and give one list of changes for all that you accept.

Read all findings before you decide on one. Those that say the same, or that one repair answers, are ruled on once: the
others are same_as that one.

A finding is accepted because the plan is better with it at its price, never out of politeness. Critics always find
something; a plan that answers all of them is one that nobody can read or carry out. So at most {MOST_ACCEPTED} findings
of all are accepted, and programs make no change for others: first what is wrong (a demand that is missed, a number that
does not agree, a day that cannot be kept, a rule that forbids it), then what could end the undertaking and has a cheap
remedy. They make the plan no longer and no more complicated: correct, move, cut or replace before you add. Whatever
else is true and worth knowing is rejected with what the plan does in that case already, or why it is not worth its
complexity; or it is open, if somebody must decide it. same_as is for what one repair answers, not for what is only
alike. Where your document is right and a row is only a cruder copy of it, the row is changed and not the plan.

All accepted changes together still fit the budget, the end and the demands of the goal: add up their amounts and days
before you answer. A small slack and the contingency are there to be used, on purpose and with a number, but each critic
has priced as if nobody else used them, and the contingency is one sum: what the changes take from it is one change of
its line, with their amounts added up in the reason, and what is left still covers the risks by their odds, as computed.
The concept stays unless a finding shows that it fails.

1. accepted, the weightiest first: the ids for which the plan changes. reason: what changes, what it costs in money and
   days, what that comes from. Where only the document changes, reason says what it says from now on.
2. rulings, one for each other id:
   - rejected: the finding is wrong, covered already (name the row), or its repair costs more than it saves: why, with
     the place or the figure that shows it.
   - open: nobody can know it yet, or somebody else must decide. question: so that one person can answer it; owner: the
     id of the role or party that answers; by: the day, before the package or gate that depends on it.
   - same_as: the id of another finding with the same repair; that one's ruling counts, and no reason is needed.
   Each reason is one to three sentences, with figures. No thanks, no promises.
   - Findings of the premortem are stories of failure: accepted means that the tables have what shows it in time, best
     in a row that is there: the trigger or response of a risk, a condition of a gate.
   - Findings of programs were left by the repair: repair the cause, never by narrower ranges, another due day or a
     lower contingency. What cannot hold as the goal stands is an open question of who decides, with the options.
3. changes: all that is accepted, as one patch without contradiction: each row and field is changed once, for all
   findings that touch it, and each change names in findings the ids that it serves. What one finding needs may already
   be done by the change for another. Work is placed where it fits: before what depends on it, when its role is free,
   with its cost line and the money on the day it is paid.
4. concept: only where an accepted finding changes it: what changes and why, with numbers.

{CHANGES}"""

BALANCE = f"""\
You are the author of this plan. You have decided on the findings, your changes were made, and programs have computed
the plan again. You are shown the facts, your document, the tables and computed values as they are now, your decisions
and changes, what of them was refused, the plan before and after in one table, and what is found now. Restore what the
changes made worse: chances, contingency, cash, budget, load. Repair the severe findings that are left where that costs
less than it saves. Do not start anew; what is not worse stays.

- changes: cut, use a cheaper or later alternative, move work to where it fits, put right what was refused. Each names
  in findings the ids of the decisions that it serves, if it serves any. Never narrower ranges, shorter durations or
  more certain inputs without a reason, a due day of the goal moved or contingency lowered to hide a gap.
- withdrawn: acceptances that are not worth what they turned out to cost: id of the finding, and the reason with the
  figures. What was changed only for them is undone by a program.
- cannot_hold: what still cannot hold without breaking a demand or a limit of the goal: id of the finding, what cannot
  hold (with the computed value and the due one), two or three options that would make it hold, each with its price, who
  decides, and by when. What you said earlier counts on: repeat none of it. now_holds: its numbers that hold now.
An honest no is worth more than a forced yes. Where all is well, leave the lists empty.

{CHANGES}"""

#: The number of findings in one answer: for models with long answers all that are possible, and for other models.
AT_ONCE, AT_ONCE_SHORT = 150, 14


class Acceptance(Answer):
    """A finding for which the plan changes."""

    finding: str = Field(max_length=12, description="Id of the finding: E4")
    reason: str = Field(default="", max_length=600)


class RulingAnswer(Answer):
    """The decision on a finding that is not accepted, or the same as another one."""

    finding: str = Field(max_length=12, description="Id of the finding: E4")
    verdict: Literal["rejected", "open"] = "rejected"
    reason: str = Field(default="", max_length=600)
    same_as: str = Field(default="", max_length=12, description="Id of the finding whose ruling counts for this one")
    question: str = Field(default="", max_length=300, description="open: what must be answered")
    owner: str = Field(default="", max_length=12, description="open: id of the role or party that answers")
    by: date | None = Field(default=None, description="open: the day by which it is answered")


class DecidedChange(Change):
    """A change of the tables, and the findings for which it is made."""

    findings: list[str] = Field(default_factory=list, max_length=40, description="Ids of the findings that it serves")


class Decisions(Answer):
    """The decision on each finding that was asked for, and what changes in the tables."""

    accepted: list[Acceptance] = Field(default_factory=list, max_length=MOST_ACCEPTED)
    rulings: list[RulingAnswer] = Field(default_factory=list, max_length=AT_ONCE)
    changes: list[DecidedChange] = Field(default_factory=list, max_length=MOST_CHANGES)
    concept: str = Field(default="", max_length=1500, description="What changes in the concept; empty: it stays")

    @property
    def findings(self) -> list[str]:
        """The ids of the findings that it decides on, as they were written."""
        return [*(each.finding for each in self.accepted), *(each.finding for each in self.rulings)]


class Withdrawal(Answer):
    """An acceptance that is taken back."""

    finding: str = Field(max_length=12, description="Id of the finding")
    reason: str = Field(default="", max_length=400)


class Balance(Answer):
    """What restores the balance of the plan after the decisions."""

    changes: list[DecidedChange] = Field(default_factory=list, max_length=MOST_CHANGES)
    withdrawn: list[Withdrawal] = Field(default_factory=list, max_length=40)
    cannot_hold: list[CannotHold] = Field(default_factory=list, max_length=12)
    now_holds: list[int] = Field(default_factory=list, max_length=12, description="Numbers of what you said earlier")
