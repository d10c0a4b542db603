"""Steps from lines of Markdown: what a line says is done to which files, how it is verified, what it waits for."""

from dataclasses import dataclass, field
from typing import Any

from planloom.planes.implementation.document import markdown_words as words
from planloom.planes.implementation.document.markdown_actions import (
    by_command,
    by_test,
    file_actions,
    is_command,
    is_path,
    other_action,
    target_of,
)
from planloom.planes.implementation.document.markdown_metadata import cut
from planloom.planes.implementation.document.markdown_outline import Block, Code, Item, Items, Line, Other
from planloom.planes.implementation.document.schema import Document

_TITLE, _INTENT = 140, 4000


@dataclass(frozen=True)
class Unplaced:
    """A piece of Markdown that found no place in the plan, and why."""

    line: int
    text: str
    reason: str


@dataclass
class DraftStep:
    """A step that is being read; *number* as written, *waits* the words behind "depends on", with their lines."""

    line: int
    title: str
    group: str
    section: int
    number: int | None = None
    in_order: bool = False
    done: bool = False
    intent: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    waits: list[tuple[str, int]] = field(default_factory=list)
    targets: list[Document] = field(default_factory=list)
    actions: list[Document] = field(default_factory=list)
    verification: list[Document] = field(default_factory=list)
    outputs: list[Document] = field(default_factory=list)
    rollback: list[Document] = field(default_factory=list)
    unplaced: list[Unplaced] = field(default_factory=list)

    def read(self, head: Line, blocks: "tuple[Block, ...] | list[Block]") -> None:
        """Read the line that names the step, and the text under it."""
        text, waits = split_waits(head.text)
        self.title = text or self.title
        if waits:
            self.waits.append((waits, head.line))
        self._act(Line(text, head.codes, head.line))
        for block in blocks:
            self._block(block)

    def _block(self, block: Block) -> None:
        if isinstance(block, Line):
            self._line(block)
        elif isinstance(block, Items):
            for item in block.items:
                self._item(item)
        elif isinstance(block, Code) and block.language in words.SHELLS:
            self.verification += [by_command(line) for line in block.text.splitlines() if line and line[0] != "#"]
        elif isinstance(block, Code):
            self.notes.append(block.text)
        elif isinstance(block, Other):
            self.unplaced.append(Unplaced(block.line, block.text, f"a step has no place for a {block.kind}"))

    def _item(self, item: Item) -> None:
        self._line(item.line)
        for block in item.blocks:
            self._block(block)

    def _line(self, line: Line) -> None:
        text, waits = split_waits(line.text)
        if waits:
            self.waits.append((waits, line.line))
        label, rest = _labelled(text)
        if label.startswith(words.VERIFY) and rest:
            self._verify(Line(rest, line.codes, line.line))
        elif label.startswith(words.ROLLBACK) and rest:
            kind = "feature_flag_disable" if "flag" in rest.casefold() else "revert_commit_strategy"
            self.rollback.append({"type": kind, "note": rest})
        elif label.startswith(words.OUTPUT) and rest:
            self.outputs.append({"type": "note", "value": rest})
        elif label.startswith(words.NOTE) and rest:
            self.notes.append(rest)
        elif text:
            self._act(Line(text, line.codes, line.line))
            self.intent.append(text)

    def _verify(self, line: Line) -> None:
        found = [by_command(code) for code in line.codes if is_command(code)]
        found += [by_test(code) for code in line.codes if is_path(code) and not is_command(code)]
        if not found:
            reason = "a verification needs a command or the path of a test, in backticks"
            self.unplaced.append(Unplaced(line.line, line.text, reason))
        self.verification += found

    def _act(self, line: Line) -> None:
        """Read targets and actions from the code spans of *line*."""
        verb = line.text.split(maxsplit=1)[0].casefold().strip(":,.") if line.text else ""
        paths = [code for code in line.codes if is_path(code) and not is_command(code)]
        self.verification += [by_command(code) for code in line.codes if is_command(code)]
        self.actions += file_actions(verb, paths, line.text)
        for code in line.codes:
            if target := target_of(code):
                self.targets += [target] if target not in self.targets else []
            if code not in paths and not is_command(code):
                self.actions += other_action(verb, code, line.text)

    def fields(self, step_id: str, after: list[str]) -> Document:
        """Return the step as the schema has it; without an action that could be read it looks for its title."""
        title = cut(self.title, _TITLE) if len(self.title) > 2 else f"Step {step_id[1:]}"
        intent = cut(" ".join(self.intent), _INTENT)
        made: dict[str, Any] = {
            "id": step_id,
            "kind": _kind(title),
            "title": title,
            "intent": intent if len(intent) > 2 else cut(self.title, _INTENT) if len(self.title) > 2 else title,
            "dependsOn": after,
            "targets": self.targets,
            "actions": self.actions or [{"type": "search", "query": title}],
            "verification": self.verification,
            "outputs": self.outputs,
            "rollback": self.rollback,
            "notes": "\n".join(self.notes),
            "ui": {"status": "done" if self.done else "todo", "group": self.group},
        }
        return {name: value for name, value in made.items() if value or name in ("dependsOn", "verification")}


def split_waits(text: str) -> tuple[str, str]:
    """Return *text* without its "depends on ...", and what stood behind that; nothing where there is none."""
    folded = text.casefold()
    for words_ in words.DEPENDS:
        at = folded.find(words_)
        if at >= 0:
            behind = text[at + len(words_) :].lstrip(": ")
            end = behind.find(")") if text[:at].rstrip().endswith("(") else -1
            rest = behind[end + 1 :] if end >= 0 else ""
            return (text[:at].rstrip(" (,;:–—-") + rest).strip(), behind[:end] if end >= 0 else behind.strip(" .")
    return text, ""


def _labelled(text: str) -> tuple[str, str]:
    label, colon, rest = text.partition(":")
    return (label.casefold().strip(), rest.strip()) if colon and len(label) < 30 else ("", "")


def _kind(title: str) -> str:
    for word in title.casefold().split():
        for start, kind in words.KINDS.items():
            if word.startswith(start):
                return kind
    return "implementation"
