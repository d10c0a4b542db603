import asyncio
from dataclasses import replace

import pytest

from planloom.models.errors import AnswerLost
from planloom.planes.strategic.stages.draft import STAGE, STANCES, draft, pages
from planloom.planes.strategic.stages.results import Drafts, WholeDraft
from planloom.planes.strategic.stages.text import demoted
from planloom.planes.strategic.stages.whole_plan import SECTIONS
from tests.unit.strategic.stages.contexts import PROMPT, make_context

TEXTS = {"screening": "Allowed.", "premise_attack": "Nobody has counted the bicycles."}
WHOLE = {"text": "# Ferry\n\n## In short\n\n" + "Sixty bicycles cross in nine minutes (computed).\n" * 99 + "It ends."}


def context(**given):
    return make_context("draft", texts=TEXTS, **given)


def by_section(**given):
    made = context(**given)
    return replace(made, about=replace(made.about, long_answers=False))


def section(question):
    return {"text": f"## {question.name}\n\n" + "The ramp takes four bicycles a minute. " * 10}


def test_two_authors_of_different_stance_each_write_the_whole_plan_from_facts_and_attacks():
    asked = []
    result = asyncio.run(draft(context(answers={"builder": WHOLE, "steward": WHOLE}, asked=asked)))
    assert result == Drafts(drafts=tuple(WholeDraft(stance=each, text=WHOLE["text"]) for each in STANCES.values()))
    assert [question.name for question in asked] == ["builder", "steward"]
    for question, stance in zip(asked, STANCES.values(), strict=True):
        assert PROMPT in question.shared
        assert [part.text for part in question.context][1:] == list(TEXTS.values())
        assert stance in question.instructions
        assert all(section.title in question.instructions for section in SECTIONS)


def test_a_brief_plan_has_one_author():
    asked = []
    result = asyncio.run(draft(context(answers={"builder": WHOLE}, detail="brief", asked=asked)))
    assert [each.stance for each in result.drafts] == [STANCES["builder"]]
    assert "3,000 to 4,000 words" in asked[0].instructions


def test_one_author_goes_on_where_the_other_is_lost():
    made = context(answers={"steward": WHOLE})
    result = asyncio.run(draft(made))
    assert [each.stance for each in result.drafts] == [STANCES["steward"]]
    assert list(made.lost) == ["builder"]


def test_the_stage_fails_where_all_authors_are_lost():
    with pytest.raises(AnswerLost):
        asyncio.run(draft(context()))


def cut_off(question):
    data = {"text": WHOLE["text"] + "\n\n## Money\n\n| L1 | Ste"} if question.name == "builder" else None
    return question.answer.model_validate(data).leaving_out(1) if data else None


@pytest.mark.parametrize("rest", [{"text": "## Money\n\n" + "The boat costs EUR 400,000 (assumed). " * 10}, None])
def test_a_plan_that_was_cut_off_is_continued_after_its_last_complete_section(rest):
    asked = []

    async def answer(question):
        asked.append(question)
        if found := cut_off(question):
            return found
        if rest is None:
            raise AnswerLost("no answer")
        return question.answer.model_validate(rest)

    made = replace(context(detail="brief"), answer=answer)
    text = asyncio.run(draft(made)).drafts[0].text
    assert [question.name for question in asked] == ["builder", "builder-rest"]
    assert asked[1].context[-1].text == WHOLE["text"]
    assert text == (f"{WHOLE['text']}\n\n{rest['text'].strip()}" if rest else cut_off(asked[0]).text)
    assert list(made.lost) == ([] if rest else ["builder", "builder-rest"])


def test_a_model_with_short_answers_writes_by_section_and_sees_all_earlier_ones_whole():
    asked = []
    result = asyncio.run(draft(by_section(answers=section, asked=asked, detail="brief")))
    names = [question.name for question in asked]
    assert names == [f"builder-{n}" for n in (*range(2, len(SECTIONS) + 1), 1)]
    for n, question in enumerate(asked):
        assert [part.text for part in question.context][3:] == [section(each)["text"].strip() for each in asked[:n]]
    in_order = sorted(asked, key=lambda question: question.name)
    assert result.drafts[0].text == "\n\n".join(section(question)["text"].strip() for question in in_order)


def test_a_plan_by_section_goes_on_without_a_section():
    made = by_section(answers=lambda q: None if q.name == "builder-6" else section(q), detail="brief")
    result = asyncio.run(draft(made))
    assert "builder-7" in result.drafts[0].text
    assert list(made.lost) == ["builder-6"]


@pytest.mark.parametrize("kept", [["builder-3", "builder-4"], ["builder-2", "builder-4", "builder-8"]])
def test_a_plan_without_its_concept_or_most_of_its_sections_is_none(kept):
    with pytest.raises(AnswerLost):
        asyncio.run(draft(by_section(answers=lambda q: section(q) if q.name in kept else None, detail="brief")))


def test_without_a_model_nobody_is_asked_and_the_page_says_what_belongs_there():
    asked = []
    result = asyncio.run(draft(context(outline_only=True, asked=asked)))
    assert (result, asked) == (Drafts(), [])
    assert list(STAGE.files(result)) == ["004-1-draft.json", "004-2-draft.md"]


def test_each_page_has_one_heading_of_the_first_level():
    drafts = Drafts(drafts=(WholeDraft(stance="a", text="# One\n## Two"), WholeDraft(stance="b", text="## Two")))
    made = pages(drafts)
    assert list(made) == ["draft", "second_draft"]
    assert [[line for line in page.splitlines() if line.startswith("# ")] for page in made.values()] == [
        ["# First draft"],
        ["# Second draft"],
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# A\ntext\n## B", "## A\ntext\n### B"),
        ("### A\n#### B", "## A\n### B"),
        ("## A\n```\n# no heading\n```", "## A\n```\n# no heading\n```"),
        ("no heading", "no heading"),
        ("# A\n###### B", "## A\n###### B"),
    ],
)
def test_headings_are_moved_together(text, shown):
    assert demoted(text) == shown
