"""Show what differs between two plans: the prompt first, then section by section as people read them."""

import difflib
import re
from typing import Literal

from planloom.core.artifacts import PROMPT, Artifact
from planloom.core.errors import ArtifactTooLarge, InvalidArgument
from planloom.core.frozen import Frozen
from planloom.planes.strategic.pipeline_map import step_with_key
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.plan_file_info import contents_of

#: A section has some 20,000 characters; what is rewritten throughout is better read side by side than as a diff.
MOST_CHARACTERS = 40_000
#: A section alone comes whole; a Lambda answers with 6 MB at most, and over MCP a text travels twice.
MOST_ALONE = 500_000

_SECTION = re.compile(r"\d{3}-\d-(\w+)\.md")


class SectionDiff(Frozen):
    """How one text differs: lines added and removed, and a unified diff, cut where it is too long."""

    path: str
    title: str
    change: Literal["same", "changed", "added", "removed"]
    lines_added: int = 0
    lines_removed: int = 0
    diff: str = ""
    truncated: bool = False


class PlanDiff(Frozen):
    """How *other_plan_id* differs from *plan_id*, in order of the pipeline."""

    plan_id: str
    other_plan_id: str
    sections: tuple[SectionDiff, ...]


def diff_plans(plan_records: PlanRecords, account: str, plan_id: str, other_plan_id: str, step: str = "") -> PlanDiff:
    """Compare two plans of *account*; *step* (``016`` or ``016-expert_criticism``) names one section, uncut.

    Raises InvalidArgument, also for a *step* of which neither plan has a section; PlanNotFound, PermissionDenied,
    ContentUnavailable; ArtifactTooLarge for a section that differs in more than one call gives.
    """
    plan, other = own_plan(plan_records, account, plan_id), own_plan(plan_records, account, other_plan_id)
    ours, theirs = _texts(plan_records.plans, plan, step), _texts(plan_records.plans, other, step)
    if step and not ours and not theirs:
        raise InvalidArgument(
            f"Neither plan has a section of step '{step}'. Name a step as 016 or 016-expert_criticism; plan_graph "
            "lists them with their files.",
            field="step",
        )
    changed = {path for path in ours.keys() & theirs.keys() if ours[path].sha256 != theirs[path].sha256}
    before = contents_of(
        plan_records.files, plan, [file for path, file in ours.items() if path in changed or path not in theirs]
    )
    after = contents_of(
        plan_records.files, other, [file for path, file in theirs.items() if path in changed or path not in ours]
    )
    sections = [
        _compare(path, before[path][0] if path in before else None, after[path][0] if path in after else None)
        for path in sorted(ours.keys() | theirs.keys(), key=_order)
    ]
    sections = [_whole(section) if step else _cut(section) for section in sections]
    return PlanDiff(plan_id=plan.plan_id, other_plan_id=other.plan_id, sections=tuple(sections))


def diff_text(found: PlanDiff) -> str:
    """Return *found* as text to read: what is the same in one line, then each difference."""
    same = [section.title for section in found.sections if section.change == "same"]
    lines = [f"{found.plan_id} -> {found.other_plan_id}", f"the same: {', '.join(same) or 'nothing'}"]
    for section in found.sections:
        if section.change != "same":
            counts = f"+{section.lines_added} -{section.lines_removed}"
            lines += ["", f"## {section.title} ({section.change}, {counts})", section.diff.rstrip("\n")]
            lines += ["(cut here; ask for this step alone)"] if section.truncated else []
    return "\n".join(lines) + "\n"


def _texts(plans: PlanStore, plan: Plan, step: str) -> dict[str, Artifact]:
    key, _, name = step.partition("-")
    found = step_with_key(key)
    # a plan of an earlier pipeline has steps of other names, as its files are named
    whole = not name or (found is not None and found.name == name)
    files = (file for file in plans.all_files(plan.plan_id) if _is_section(file.path))
    return {file.path: file for file in files if file.path.startswith(key) and (whole or _name(file.path) == name)}


def _is_section(path: str) -> bool:
    return path == PROMPT or path.endswith(".md")


def _order(path: str) -> tuple[bool, str]:
    return path != PROMPT, path


def _compare(path: str, before: bytes | None, after: bytes | None) -> SectionDiff:
    title = _title(path)
    if before is None and after is None:
        return SectionDiff(path=path, title=title, change="same")
    change: Literal["changed", "added", "removed"] = (
        "added" if before is None else "removed" if after is None else "changed"
    )
    lines = list(difflib.unified_diff(_lines(path, before), _lines(path, after), f"a/{path}", f"b/{path}", lineterm=""))
    return SectionDiff(
        path=path,
        title=title,
        change=change,
        lines_added=sum(line.startswith("+") for line in lines[2:]),
        lines_removed=sum(line.startswith("-") for line in lines[2:]),
        diff="\n".join(lines),
    )


def _cut(section: SectionDiff) -> SectionDiff:
    if len(section.diff) <= MOST_CHARACTERS:
        return section
    return section.model_copy(update={"diff": section.diff[:MOST_CHARACTERS], "truncated": True})


def _whole(section: SectionDiff) -> SectionDiff:
    if len(section.diff) > MOST_ALONE:
        raise ArtifactTooLarge(
            f"The diff of {section.path} has {len(section.diff):,} characters; one call gives {MOST_ALONE:,}. Read the "
            "file of both plans in parts with plan_artifact_read.",
            size=len(section.diff),
            limit=MOST_ALONE,
        )
    return section


def _lines(path: str, content: bytes | None) -> list[str]:
    text = (content or b"").decode(errors="replace")
    # a prompt is prose, often on one line: sentence by sentence one sees what changed
    return re.split(r"(?<=[.!?])\s+", text) if path == PROMPT and text else text.splitlines()


def _title(path: str) -> str:
    if path == PROMPT:
        return "Prompt"
    return _name(path).replace("_", " ").capitalize() or path


def _name(path: str) -> str:
    found = _SECTION.fullmatch(path)
    return found[1] if found else ""
