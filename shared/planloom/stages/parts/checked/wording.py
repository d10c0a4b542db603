"""Check 8: placeholders, empty headings, sentences said again, lists that stop."""

import re
from collections import defaultdict
from collections.abc import Iterator

from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.quality.passages import Passage, sentences_of
from planloom.quality.placeholders import placeholder
from planloom.stages.parts.checked.draft import Draft

CHECK = "wording"
TITLE = "Placeholders, repetition, unfinished text"

#: A sentence shorter than this may be said twice; a longer one is copied.
LONG_WORDS = 14
#: Sentences that share so much of their runs of words are one sentence.
ALIKE = 0.85
RUN = 4
#: So many sentences of one section that stand in another one as well make it a copy.
COPIED_SHARE, COPIED_LEAST = 0.25, 4
_UNFINISHED = re.compile(r"(?:\betc\.?|\band so on\.?|(?<!\.)\.\.\.|[,;]|\b(?:and|or|the|of|with|including|such as))$")
#: Sections that condense or answer from others: what they repeat is what they are for.
_CONDENSING = re.compile(r"^\d{3}-\d-(?:pitch|review_plan|executive_summary|questions_answers|self_audit)\.md$")
#: A sentence with a figure says it again in the same words so that it stays the same figure.
_STATES_FIGURE = re.compile(r"\d[\d.,]*\d")
_LABEL = re.compile(r"(?:[A-Z]\d{1,2}[.:] )?[A-Z][^.:!?]{1,40}:")
_ITEM_ONLY = re.compile(r"\s*(?:[-*+]|\d+[.)])\s*")


def check(draft: Draft) -> Outcome:
    """High for a placeholder; medium for an empty heading, a section that copies another; low for the rest."""
    sentences = [(p, s) for p in draft.body if p.kind in ("prose", "item") for s in _own_sentences(p)]
    looked = f"{len(draft.body)} passages in {len(draft.pages)} sections"
    found = (*_placeholders(draft), *_headings(draft), *_unfinished(draft), *_repeated(draft, sentences))
    return Outcome(looked_at=looked, findings=found)


def _own_sentences(passage: Passage) -> list[str]:
    """Return the sentences of *passage* that quote nothing, since who quotes says whom, and state no figure."""
    return [s for s in sentences_of(passage.text) if not re.search("[“«„]", s) and not _STATES_FIGURE.search(s)]


def _placeholders(draft: Draft) -> Iterator[Finding]:
    for passage in draft.body:
        hit = placeholder(passage.own, draft.prompt)
        if hit:
            message = f"A placeholder was left in: “{hit}”."
            here = place(passage.file, passage.text)
            yield finding(CHECK, "high", message, here, place(passage.file, passage.context))


def _headings(draft: Draft) -> Iterator[Finding]:
    by_file: dict[str, list[Passage]] = defaultdict(list)
    for passage in draft.body:
        by_file[passage.file].append(passage)
    for file, found in by_file.items():
        for this, after in zip(found, [*found[1:], None], strict=True):
            if this.kind == "heading" and (after is None or (after.kind == "heading" and after.level <= this.level)):
                message = f"Nothing stands under the heading “{this.text}”."
                there = place(file, after.text if after else "end of the section")
                yield finding(CHECK, "medium", message, place(file, "#" * this.level + " " + this.text), there)


def _unfinished(draft: Draft) -> Iterator[Finding]:
    for file, text in draft.pages.items():
        if any(_ITEM_ONLY.fullmatch(line) for line in text.splitlines() if line.strip()):
            here = place(file, next(line for line in text.splitlines() if _ITEM_ONLY.fullmatch(line) and line.strip()))
            yield finding(CHECK, "low", "A list holds an item without words.", here, place(file, "the list around it"))
    for this, after in zip(draft.body, [*draft.body[1:], None], strict=True):
        announces = this.kind == "prose" and this.text.endswith(":") and not _follows(this, after)
        broken = this.kind in ("item", "prose") and _UNFINISHED.search(this.text)
        if announces or broken:
            message = (
                "A list is announced and does not follow." if announces else "A list or sentence stops unfinished."
            )
            there = place(this.file, after.text if after and after.file == this.file else "end of the section")
            yield finding(CHECK, "low", message, place(this.file, this.text), there)


def _follows(this: Passage, after: Passage | None) -> bool:
    return after is not None and after.file == this.file and after.kind != "heading"


def _repeated(draft: Draft, sentences: list[tuple[Passage, str]]) -> Iterator[Finding]:
    long = [(p, s) for p, s in sentences if len(s.split()) >= LONG_WORDS and s.rstrip(".") not in draft.prompt]
    copied: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for one, other in _alike(long):
        source, file = long[one][0].file, long[other][0].file
        if source == file or not (_CONDENSING.match(source) or _CONDENSING.match(file)):
            copied[source, file].append((one, other))
    for (source, file), found in copied.items():
        total = sum(p.file == file for p, _ in long)
        if file != source and len(found) >= COPIED_LEAST and len(found) >= COPIED_SHARE * total:
            (said, _), (again, _) = long[found[0][0]], long[found[0][1]]
            message = f"{len(found)} of {total} long sentences of {file} stand in {source} as well."
            yield finding(CHECK, "medium", message, place(file, again.text), place(source, said.text))
            continue
        yield from (_again(long[one], long[other]) for one, other in found if _is_prose(long[one], long[other]))


def _again(said: tuple[Passage, str], again: tuple[Passage, str]) -> Finding:
    message = f"A sentence is said again almost word for word: “{said[1][:200]}”"
    here, there = place(again[0].file, again[1]), place(said[0].file, said[1])
    return finding(CHECK, "low", message, here, there)


def _is_prose(said: tuple[Passage, str], again: tuple[Passage, str]) -> bool:
    """Return whether neither is a row of a form (“Trigger: ...”), whose rows are alike where what they speak of is."""
    return not any(passage.kind == "item" or _LABEL.match(sentence) for passage, sentence in (said, again))


def _alike(long: list[tuple[Passage, str]]) -> Iterator[tuple[int, int]]:
    """Yield index pairs of sentences that share ALIKE of their runs of words, each later one once."""
    runs = [_runs(sentence) for _, sentence in long]
    figures = [re.findall(r"\d[\d.,]*", sentence) for _, sentence in long]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for n, found in enumerate(runs):
        seen: dict[int, int] = defaultdict(int)
        for run in found:
            for earlier in holders[run]:
                seen[earlier] += 1
        for earlier, shared in seen.items():
            # other figures make another statement
            if figures[earlier] == figures[n] and shared >= ALIKE * max(len(found), len(runs[earlier])):
                yield earlier, n
                break
        for run in found:
            holders[run].append(n)


def _runs(sentence: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", sentence.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
