"""Check: each rule is stated in one place; sentences with nearly the same words are reported."""

import re
from collections import defaultdict
from collections.abc import Iterator

from planloom.planes.strategic.quality.draft import Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome, finding, place
from planloom.planes.strategic.quality.passages import Passage, sentences_of

CHECK = "repeated"
TITLE = "Passages that are repeated"

#: A sentence with fewer words may be repeated; a longer one counts as copied.
LONG_WORDS = 14
#: Sentences that share this part of their runs of RUN words count as the same.
ALIKE = 0.85
RUN = 4
#: A section with this many sentences of another one is a copy.
COPIED_SHARE, COPIED_LEAST = 0.25, 4
#: Sections that summarise others or quote findings: repeating is their purpose.
_CONDENSING = re.compile(r"-(?:pitch|review_plan|executive_summary|questions_answers|self_audit|schedule)\.md$")
_LABEL = re.compile(r"(?:[A-Z]\d{1,2}[.:] )?[A-Z][^.:!?]{1,40}:")

Sentence = tuple[Passage, str]


def check(draft: Draft) -> Outcome:
    """Medium for a section that copies another, low for a single sentence."""
    long = [
        (passage, sentence)
        for passage in draft.body
        if passage.kind in ("prose", "item")
        for sentence in sentences_of(passage.text)
        if _counts(sentence, draft.prompt)
    ]
    return Outcome(looked_at=f"{len(long)} long sentences", findings=tuple(_findings(long)))


def _counts(sentence: str, prompt: str) -> bool:
    """Return whether *sentence* is long, and neither quotes nor repeats the goal."""
    return len(sentence.split()) >= LONG_WORDS and not re.search("[“«„]", sentence) and sentence[:-1] not in prompt


def _findings(long: list[Sentence]) -> Iterator[Finding]:
    copied: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for one, other in alike([sentence for _, sentence in long]):
        source, file = long[one][0].file, long[other][0].file
        if not (_CONDENSING.search(source) or _CONDENSING.search(file)):
            copied[source, file].append((one, other))
    for (source, file), found in copied.items():
        total = sum(passage.file == file for passage, _ in long)
        if file != source and len(found) >= COPIED_LEAST and len(found) >= COPIED_SHARE * total:
            (_, said), (_, again) = long[found[0][0]], long[found[0][1]]
            message = f"{len(found)} of {total} long sentences of {file} are in {source} as well."
            yield finding(CHECK, "medium", message, place(file, again), place(source, said))
        else:
            yield from (_again(long[one], long[other]) for one, other in found if _is_prose(long[one], long[other]))


def _again(said: Sentence, again: Sentence) -> Finding:
    message = f"A sentence is repeated almost word for word: “{said[1][:200]}”"
    return finding(CHECK, "low", message, place(again[0].file, again[1]), place(said[0].file, said[1]))


def _is_prose(*sentences: Sentence) -> bool:
    """Return whether none is a row of a form (“Trigger: ...”), whose rows are alike where what they describe is."""
    return not any(_LABEL.match(sentence) for _, sentence in sentences)


def alike(sentences: list[str]) -> Iterator[tuple[int, int]]:
    """Yield index pairs of sentences that share ALIKE of their runs of words, each later one once."""
    runs = [_runs(sentence) for sentence in sentences]
    figures = [re.findall(r"\d[\d.,]*", sentence) for sentence in sentences]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for n, found in enumerate(runs):
        seen: dict[int, int] = defaultdict(int)
        for run in found:
            for earlier in holders[run]:
                seen[earlier] += 1
        for earlier, shared in seen.items():
            # sentences with different figures are different statements
            if figures[earlier] == figures[n] and shared >= ALIKE * max(len(found), len(runs[earlier])):
                yield earlier, n
                break
        for run in found:
            holders[run].append(n)


def _runs(sentence: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", sentence.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
