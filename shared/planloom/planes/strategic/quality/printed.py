"""Check: words that the goal bans, placeholders, and headings with nothing under them."""

from collections import defaultdict
from collections.abc import Iterator

from planloom.planes.strategic.quality.banned_words import banned_words
from planloom.planes.strategic.quality.draft import GOAL_FILE, Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome, finding, place
from planloom.planes.strategic.quality.passages import Passage
from planloom.planes.strategic.quality.placeholders import placeholder
from planloom.planes.strategic.quality_score import Severity

CHECK = "printed"
TITLE = "Banned words, placeholders, empty headings"


def check(draft: Draft) -> Outcome:
    """High for a banned word or a placeholder, low where the page is superseded; medium for an empty heading."""
    looked = f"{len(draft.passages)} passages in {len(draft.pages)} sections"
    return Outcome(looked_at=looked, findings=(*_words(draft), *_placeholders(draft), *_headings(draft)))


def _words(draft: Draft) -> Iterator[Finding]:
    """Yield the first passage of each page that prints a banned word."""
    reported = set()
    for passage in draft.passages:
        for ban in banned_words(passage.text, draft.facts):
            if (passage.file, ban.what) not in reported:
                reported.add((passage.file, ban.what))
                message = f"The goal bans the word “{ban.what}”, and the plan prints it."
                here, there = place(passage.file, passage.text), place(GOAL_FILE, ban.text)
                yield finding(CHECK, _severity(draft, passage), message, here, there)


def _placeholders(draft: Draft) -> Iterator[Finding]:
    for passage in draft.passages:
        hit = placeholder(passage.own, draft.prompt)
        if hit:
            message = f"A placeholder was left in: “{hit}”."
            here, there = place(passage.file, passage.text), place(passage.file, passage.context)
            yield finding(CHECK, _severity(draft, passage), message, here, there)


def _severity(draft: Draft, passage: Passage) -> Severity:
    return "low" if draft.parts[passage.file] == "paper" else "high"


def _headings(draft: Draft) -> Iterator[Finding]:
    by_file: dict[str, list[Passage]] = defaultdict(list)
    for passage in draft.body:
        by_file[passage.file].append(passage)
    for file, found in by_file.items():
        for this, after in zip(found, [*found[1:], None], strict=True):
            if this.kind == "heading" and (after is None or (after.kind == "heading" and after.level <= this.level)):
                message = f"The heading “{this.text}” has no text."
                there = place(file, after.text if after else "end of the section")
                yield finding(CHECK, "medium", message, place(file, "#" * this.level + " " + this.text), there)
