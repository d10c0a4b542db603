"""Check 10: what somebody must do says who, by when, and how one sees that it is done."""

import re
from collections import Counter
from collections.abc import Iterator

from planloom.domain.quality import Severity
from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.stages.parts.checked.draft import GOAL_FILE, Action, Draft
from planloom.stages.parts.checked.people import VAGUE

CHECK = "actions"
TITLE = "Actions with role, date and check"

#: Below these shares of complete actions the section cannot be acted on.
MOST_WITHOUT, MANY_WITHOUT = 0.5, 0.8
#: Fewer characters say in no language when, or how one sees it.
SHORTEST = 3
_DATED = re.compile(
    r"\d|\b(?:gate|before|until|after|at|once|when|week|month|day|opening|start|signing|signature|approval|launch|"
    r"phase|quarter|january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.I,
)
_NO_DATE = re.compile(r"^(?:as (?:soon as possible|needed|required)|asap|ongoing|continuous(?:ly)?|regularly|soon|"
                      r"tb[da]|n/?a|later|immediately|throughout|-|—|none)\.?$", re.I)  # fmt: skip
_NO_CHECK = re.compile(r"^(?:(?:it is |task |work )?(?:done|complete[d]?|finished|successful(?:ly)?(?: completed)?)|"
                       r"tb[da]|n/?a|yes|ok|-|—|none|to be (?:determined|defined))\.?$", re.I)  # fmt: skip


def check(draft: Draft) -> Outcome:
    """By the share of complete actions: medium below 80%, high below 50%; each incomplete one low, by section."""
    language = draft.facts.language
    without = [(action, missing) for action in draft.actions if (missing := lacking(action, language))]
    complete = len(draft.actions) - len(without)
    looked = f"{complete} of {len(draft.actions)} actions have role, date and check"
    return Outcome(looked_at=looked, findings=(*_share(draft, without, complete), *_each(without)))


def lacking(action: Action, language: str = "en") -> tuple[str, ...]:
    """Return which of role, date and check *action* does not have, as far as one sees that in *language*.

    Words that name a gate or a day are known in English alone; one word says in German, and a few characters say in
    Japanese, what takes two words there.
    """
    by, check = action.by.strip(), action.check.strip()
    dated = bool(_DATED.search(by)) if language == "en" else len(by) >= SHORTEST
    checked = len(check.split()) >= 2 if language == "en" else len(check) >= SHORTEST
    lacks = {
        "role": not action.role.strip() or bool(VAGUE.match(action.role.strip())),
        "date": action.day is None and (bool(_NO_DATE.match(by)) or not dated),
        "check": not checked or bool(_NO_CHECK.match(check)),
    }
    return tuple(name for name, is_so in lacks.items() if is_so)


def _share(draft: Draft, without: list[tuple[Action, tuple[str, ...]]], complete: int) -> Iterator[Finding]:
    share = complete / len(draft.actions) if draft.actions else 0.0
    if share >= MANY_WITHOUT:
        return
    files = Counter(action.file for action, _ in without)
    worst = files.most_common(1)[0][0] if files else GOAL_FILE
    text = without[0][0].text if without else "no action in any section"
    message = f"Only {share:.0%} of {len(draft.actions)} actions say who, by when and how one sees that it is done."
    severity: Severity = "high" if share < MOST_WITHOUT else "medium"
    yield finding(CHECK, severity, message, place(worst, text), place(GOAL_FILE, draft.facts.objective.text))


def _each(without: list[tuple[Action, tuple[str, ...]]]) -> Iterator[Finding]:
    for action, missing in without:
        message = f"An action has no {' and no '.join(missing)}: “{action.text[:200]}”"
        here = place(action.file, action.text)
        there = place(action.file, f"role: {action.role}; by: {action.by}; check: {action.check}")
        yield finding(CHECK, "low", message, here, there)
