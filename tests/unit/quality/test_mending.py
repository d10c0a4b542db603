"""Lines that a check found wrong are sent back once; what comes back is taken where it fits and makes nothing worse."""

import asyncio
from dataclasses import replace

import pytest

from planloom.domain.frozen import Answer
from planloom.models.model import Question
from planloom.quality.checks import assess
from planloom.quality.mending import Faulty, faulty_lines, with_line
from planloom.stages.parts.checked_draft import checked_draft
from planloom.stages.parts.mended_words import NewLine, NewLines, settled
from planloom.stages.parts.quality_section import quality_card, quality_section
from tests.unit.quality.planted import GOVERNANCE, PITCH
from tests.unit.stages.drafting import desk_for, stage
from tests.unit.stages.finished import finished
from tests.unit.three_goals import CAFE

FAULTY = "- Rent is EUR 4,100 a month, paid by the partners."
MENDED = "- Rent is EUR 3,200 a month, paid by the partners."
ROW = "| Chair | [insert name] | weekly |"


class Model:
    """Gives the same new line to every question, and keeps what it was asked."""

    def __init__(self, *lines: NewLine) -> None:
        self.lines = list(lines)
        self.asked: list[Question[Answer]] = []

    async def __call__(self, question: Question[Answer]) -> Answer:
        self.asked.append(question)
        return NewLines(lines=self.lines)


def desk(model, **added):
    """Return the report's desk with the line *added* at the end of each section that is named."""
    laid = desk_for(CAFE, stage("report"), finished(CAFE))
    texts = {
        name: f"{text.rstrip()}\n\n{added[name]}\n" if name in added else text for name, text in laid.texts.items()
    }
    return replace(laid, texts=texts, answer=model)


def test_nothing_is_asked_where_nothing_is_found():
    model = Model()
    texts, quality = asyncio.run(settled(desk(model)))

    assert model.asked == []
    assert (quality.score, quality.mended, texts["pitch"]) == (100, (), desk(model).texts["pitch"])


def test_a_line_is_mended_once_in_the_report_and_both_wordings_are_kept():
    model = Model(NewLine(number=1, text=MENDED))
    texts, quality = asyncio.run(settled(desk(model, pitch=FAULTY)))

    [question] = model.asked
    assert question.name == "mend-pitch"
    assert f"1. {FAULTY}" in question.context[-1].text
    assert "disagrees with the claim start.rent-cap: 3200 EUR" in question.context[-1].text
    assert texts["pitch"].endswith(f"{MENDED}\n")
    assert quality.findings == ()
    [note] = quality.mended
    assert (note.file, note.before, note.after) == (PITCH, FAULTY, MENDED)


def test_sections_are_asked_side_by_side_each_for_its_own_lines():
    model = Model()
    _, quality = asyncio.run(
        settled(desk(model, pitch=FAULTY, governance=f"| Post | Name | When |\n|---|---|---|\n{ROW}"))
    )

    assert sorted(question.name for question in model.asked) == ["mend-governance", "mend-pitch"]
    assert {finding.check for finding in quality.findings} == {"register", "wording"}


@pytest.mark.parametrize("text", ["- Rent is EUR 4,300 a month. Owner: [insert name].", FAULTY])
def test_words_that_make_nothing_better_are_not_taken(text):
    texts, quality = asyncio.run(settled(desk(Model(NewLine(number=1, text=text)), pitch=FAULTY)))

    assert texts["pitch"].endswith(f"{FAULTY}\n")
    assert quality.mended == ()
    assert [finding.check for finding in quality.findings] == ["register"]


@pytest.mark.parametrize(
    ("before", "after", "fits"),
    [
        (ROW, "| Chair | partners | weekly |", True),
        (ROW, "| Chair | partners |", False),
        (ROW, "Chair: partners", False),
        (FAULTY, MENDED, True),
        (FAULTY, "# Rent", False),
        (FAULTY, MENDED + " And more." * 60, False),
        (FAULTY, "  ", False),
        (FAULTY, "- Rent is\nEUR 3,200 a month.", True),
    ],
)
def test_new_words_keep_the_form_of_the_line(before, after, fits):
    page = f"# Title\n\n{before}\n\nEnd.\n"
    finding = assess(checked_draft(desk(Model(), pitch=FAULTY), desk(Model(), pitch=FAULTY).texts)).findings[0]

    taken = with_line(page, Faulty(PITCH, 2, before, (finding,)), after)

    assert (taken is not None) == fits
    if taken:
        assert taken[0] == f"# Title\n\n{' '.join(after.split())}\n\nEnd.\n"


def test_only_lines_whose_words_can_settle_it_are_sent_back():
    laid = desk(Model(), pitch=FAULTY)
    draft = checked_draft(laid, laid.texts)
    short = replace(draft, budget=draft.budget.model_copy(update={"contingency": 0}), team=draft.team[1:])

    assert set(faulty_lines(assess(short), short.pages)) == {PITCH}


def test_the_section_names_severity_finding_and_both_places_and_what_was_mended():
    laid = desk(Model(), pitch=FAULTY, governance=f"| Post | Name | When |\n|---|---|---|\n{ROW}")
    quality = assess(checked_draft(laid, laid.texts))
    said = quality_section(quality, {PITCH: "Pitch", GOVERNANCE: "Governance", "001-3-start.md": "Start"})

    assert said.startswith(
        f"**Score {quality.score} of 100.** 11 checks read the finished plan and found 1 high and 1 medium."
    )
    assert "| high | A placeholder was left in: “[insert name]”. | Governance: [insert name] |" in said
    assert "| Pitch: Rent is EUR 4,100 a month, paid by the partners. | Start: start.rent-cap: Rent: EUR 3,200" in said
    assert (quality_card(quality).value, quality_card(quality).tone) == ("80 of 100", "bad")

    _, mended = asyncio.run(settled(desk(Model(NewLine(number=1, text=MENDED)), pitch=FAULTY)))
    said = quality_section(mended, {PITCH: "Pitch"})
    assert said.startswith("Nothing was found.")
    assert f"| Pitch | {FAULTY} | {MENDED} |" in said
