import asyncio

import pytest

from planloom.planes.strategic.stages.choice import STAGE, draft, merged
from planloom.planes.strategic.stages.results import Choice, Drafts, Graft, WholeDraft
from tests.unit.strategic.stages.contexts import make_context

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
                {"at": "One boat, nine minutes", "how": "after", "text": "The quay floods."},
                {"at": "words of another plan", "how": "replaces", "text": "| L9 | Wall |"},
            ],
        },
        {"number": 9, "pieces": [{"at": "nowhere", "how": "after", "text": "not asked for"}]},
    ]
}


def context(*drafts, **given):
    return make_context("choice", results={"draft": Drafts(drafts=drafts)}, **given)


def test_the_author_of_the_base_writes_what_the_judge_takes_over():
    asked = []
    made = context(BUILT, STEERED, answers={"judge": VERDICT, "grafts": WRITTEN}, asked=asked)
    first, second = (
        Graft(
            title="The quay",
            place="One boat, nine minutes",
            how="after",
            text="The quay floods.",
            because="It is missing.",
            placed=True,
        ),
        Graft(
            title="The quay",
            place="words of another plan",
            how="replaces",
            text="| L9 | Wall |",
            because="It is missing.",
        ),
    )
    made = asyncio.run(draft(made))
    assert made == Choice(
        base=f"{BUILT.text}\n\nThe quay floods.",
        stance="the builder",
        because="It carries 60 bicycles.",
        scores=("numbers: the base 4, the other draft 2. The crossing is computed.",),
        grafts=(first, second),
    )
    assert "| L9 | Wall |" in made.beside
    assert "The quay floods." not in made.beside
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


@pytest.mark.parametrize(
    ("how", "text", "expected"),
    [
        (
            "replaces",
            "| P1 | Tug |",
            "# A\n\nOne boat.\n\n| No. | Task |\n|---|---|\n| P1 | Tug |\n| P2 | Quay |\n\nThe end.",
        ),
        (
            "after",
            "| P3 | Ice |",
            "# A\n\nOne boat.\n\n| No. | Task |\n|---|---|\n| P1 | Boat |\n| P3 | Ice |\n| P2 | Quay |\n\nThe end.",
        ),
    ],
)
def test_a_graft_of_a_row_replaces_it_or_stands_below_it(how, text, expected):
    base = "# A\n\nOne boat.\n\n| No. | Task |\n|---|---|\n| P1 | Boat |\n| P2 | Quay |\n\nThe end."
    graft = Graft(title="x", place="P1 | Boat", how=how, text=text, because="x")
    assert merged(base, [graft])[0] == expected


def test_a_graft_whose_words_stand_twice_has_no_place():
    graft = Graft(title="x", place="boat", how="after", text="y", because="x")
    assert merged("A boat and a boat.", [graft]) == ("A boat and a boat.", (graft,))


def test_a_graft_finds_its_place_by_words_that_an_earlier_one_replaces():
    base = "| P1 | Boat |\n| P2 | Quay |"
    replaced = Graft(title="x", place="P1 | Boat", how="replaces", text="| P1 | Ferry |", because="x")
    added = Graft(title="y", place="P1 | Boat", how="after", text="| P9 | Test |", because="y")

    text, grafts = merged(base, [replaced, added])

    assert text == "| P1 | Ferry |\n| P9 | Test |\n| P2 | Quay |"
    assert [graft.placed for graft in grafts] == [True, True]
