import asyncio

from planloom.planes.strategic.stages.choice import STAGE, draft
from planloom.planes.strategic.stages.results import Choice, Drafts, Graft, WholeDraft
from tests.unit.strategic.stages.contexts import make_context

BUILT = WholeDraft(stance="the builder", text="# Ferry\n\nOne boat, nine minutes.")
STEERED = WholeDraft(stance="the steward", text="# Ferry\n\nThe province must agree, and it meets in March.")
VERDICT = {
    "scores": [{"criterion": "numbers", "plan_a": 4, "plan_b": 2, "because": "The crossing is computed."}],
    "base": "A",
    "because": "It carries 60 bicycles.",
    "grafts": [
        {"title": "The province", "text": "It meets in March.", "place": "Who must agree", "because": "It decides."},
        {"title": "The quay", "text": "It floods.", "place": "Risks, floods", "because": "It is missing."},
    ],
}


def context(*drafts, **given):
    return make_context("choice", results={"draft": Drafts(drafts=drafts)}, **given)


def test_the_base_stays_as_it_is_beside_what_the_judge_takes_over():
    asked = []
    made = asyncio.run(draft(context(BUILT, STEERED, answers={"judge": VERDICT}, asked=asked)))
    grafts = (
        Graft(title="The province", place="Who must agree", text="It meets in March.", because="It decides."),
        Graft(title="The quay", place="Risks, floods", text="It floods.", because="It is missing."),
    )
    assert made == Choice(
        base=BUILT.text,
        stance="the builder",
        because="It carries 60 bicycles.",
        scores=("numbers: the base 4, the other draft 2. The crossing is computed.",),
        letter="A",
        grafts=grafts,
    )
    assert [question.name for question in asked] == ["judge"]
    assert all(each in made.beside for graft in grafts for each in (graft.title, graft.place, graft.text))


def test_the_judge_sees_both_drafts_whole_and_not_who_wrote_them():
    asked = []
    asyncio.run(draft(context(BUILT, STEERED, answers={"judge": VERDICT}, asked=asked)))
    [judge] = asked
    assert [part.text for part in judge.context][1:] == [BUILT.text, STEERED.text]
    assert not any("builder" in text for text in (judge.instructions, *(part.title for part in judge.context)))


def test_the_other_draft_is_the_base_where_the_judge_says_so():
    verdict = {**VERDICT, "base": "B", "grafts": []}
    result = asyncio.run(draft(context(BUILT, STEERED, answers={"judge": verdict})))
    assert (result.base, result.stance, result.grafts) == (STEERED.text, "the steward", ())
    assert result.scores == ("numbers: the base 2, the other draft 4. The crossing is computed.",)


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
