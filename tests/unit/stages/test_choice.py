import asyncio

from planloom.stages.choice import STAGE, draft
from planloom.stages.results import Choice, Drafts, Graft, WholeDraft
from tests.unit.stages.contexts import make_context

BUILT = WholeDraft(stance="the builder", text="# Ferry\n\nOne boat, nine minutes.")
STEERED = WholeDraft(stance="the steward", text="# Ferry\n\nThe province must agree, and it meets in March.")
VERDICT = {
    "scores": [{"criterion": "numbers", "plan_a": 4, "plan_b": 2, "because": "The crossing is computed."}],
    "base": "A",
    "because": "It carries 60 bicycles.",
    "grafts": [
        {"title": "The province", "what": "It meets in March.", "place": "Who must agree", "because": "It decides."},
        {"title": "The quay", "what": "It floods.", "place": "Risks, K4", "because": "It is missing."},
    ],
}
WRITTEN = {
    "grafts": [
        {
            "number": 2,
            "pieces": [
                {"place": "Risks, after K4", "text": "| K5 | Flood |"},
                {"place": "Money, replaces L9", "text": "| L9 | Wall |"},
            ],
            "follows": "L12: 480.",
        },
        {"number": 9, "pieces": [{"place": "nowhere", "text": "not asked for"}]},
    ]
}


def context(*drafts, **given):
    return make_context("choice", results={"draft": Drafts(drafts=drafts)}, **given)


def test_the_author_of_the_base_writes_what_the_judge_takes_over():
    asked = []
    made = context(BUILT, STEERED, answers={"judge": VERDICT, "grafts": WRITTEN}, asked=asked)
    assert asyncio.run(draft(made)) == Choice(
        base=BUILT.text,
        stance="the builder",
        because="It carries 60 bicycles.",
        scores=("numbers: the base 4, the other draft 2. The crossing is computed.",),
        grafts=(
            Graft(title="The quay", place="Risks, after K4", text="| K5 | Flood |", because="It is missing."),
            Graft(
                title="The quay",
                place="Money, replaces L9",
                text="| L9 | Wall |",
                because="It is missing.",
                follows="L12: 480.",
            ),
        ),
    )
    assert [question.name for question in asked] == ["judge", "grafts"]


def test_the_judge_sees_both_drafts_whole_and_not_who_wrote_them():
    asked = []
    asyncio.run(draft(context(BUILT, STEERED, answers={"judge": VERDICT, "grafts": WRITTEN}, asked=asked)))
    judge, grafts = asked
    assert [part.text for part in judge.context][1:] == [BUILT.text, STEERED.text]
    assert not any("builder" in text for text in (judge.instructions, *(part.title for part in judge.context)))
    # what both calls see comes first, so that providers serve it from their caches
    assert grafts.context[:3] == judge.context


def test_no_graft_is_asked_for_where_the_judge_lists_none():
    asked = []
    result = asyncio.run(
        draft(context(BUILT, STEERED, answers={"judge": {**VERDICT, "base": "B", "grafts": []}}, asked=asked))
    )
    assert (result.base, result.grafts, len(asked)) == (STEERED.text, (), 1)


def test_grafts_are_as_the_judge_words_them_where_their_author_is_lost():
    made = context(BUILT, STEERED, answers={"judge": VERDICT})
    result = asyncio.run(draft(made))
    assert [graft.text for graft in result.grafts] == ["It meets in March.", "It floods."]
    assert list(made.lost) == ["grafts"]


def test_the_longer_draft_is_the_base_where_the_judge_is_lost():
    made = context(BUILT, STEERED)
    result = asyncio.run(draft(made))
    assert (result.base, result.stance, result.grafts) == (STEERED.text, "the steward", ())
    assert list(made.lost) == ["judge"]


def test_one_draft_is_the_base_without_a_call():
    asked = []
    result = asyncio.run(draft(context(BUILT, asked=asked)))
    assert (result.base, result.stance, asked) == (BUILT.text, "the builder", [])


def test_without_a_draft_nothing_is_chosen():
    result = asyncio.run(draft(context(outline_only=True)))
    assert result == Choice()
    assert list(STAGE.files(result)) == ["005-1-choice.json", "005-2-choice.md"]


def test_the_page_shows_what_is_taken_over():
    graft = Graft(title="The quay", place="Risks", text="# Flood\ntext", because="It is missing.")
    page = STAGE.pages(Choice(base="# Ferry", stance="the builder", because="It fits.", grafts=(graft,)))["choice"]
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# Choice",
        "## Taken over: The quay",
        "### Flood",
    ]
