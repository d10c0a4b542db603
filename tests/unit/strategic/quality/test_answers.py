"""What an answer must not print is found by field; those fields alone are asked for again and replaced."""

from datetime import date

import pytest

from planloom.core.frozen import Answer
from planloom.planes.strategic.facts.fact import Ban, Facts, Organisation, Spanned
from planloom.planes.strategic.quality.answers import MOST_FAULTS, Fault, Patch, Patches, faults, patched, shown
from planloom.planes.strategic.quality.banned_words import banned_words
from planloom.planes.strategic.quality.placeholders import placeholder

GOAL = "Open a café in Lisbon by 1 May 2027 for €240,000. Do not use the word 'artisanal'."


class Row(Answer):
    """A row of an answer."""

    id: str = "r1"
    text: str
    day: date = date(2027, 5, 1)


class Rows(Answer):
    """An answer with rows."""

    title: str = "Rows"
    rows: list[Row]


def facts(*words: str, language: str = "en", bodies: tuple[str, ...] = ()) -> Facts:
    span = {"text": "x", "start": 0, "end": 1}
    return Facts(
        language=language,
        title="A café",
        subject="a café",
        objective=Spanned(text="x", start=0, end=1),
        bans=tuple(Ban(kind="word", what=word, **span) for word in words),
        organisations=tuple(Organisation(name=name, **span) for name in bodies),
    )


def rows(*texts: str) -> Rows:
    return Rows(rows=[Row(text=text) for text in texts])


def test_an_answer_without_a_fault_has_none() -> None:
    assert faults(rows("Rent is EUR 3,200 a month.", "The budget is EUR 1."), GOAL, facts("artisanal")) == ()


class Change(Answer):
    """A passage and what replaces it."""

    was: str
    now: str


def test_a_passage_that_is_corrected_may_hold_what_no_text_may() -> None:
    assert faults(Change(was="Pay [amount] to ________.", now="Pay EUR 40 to ________."), GOAL, facts()) == ()
    assert [fault.path for fault in faults(Change(was="Pay.", now="Pay [amount]."), GOAL, facts())] == ["now"]


def test_each_faulty_field_is_named_with_its_reasons() -> None:
    found = faults(rows("Bread.", "Artisanal bread by [insert date]."), GOAL, facts("artisanal"))

    assert found == (
        Fault(
            "rows.1.text",
            "Artisanal bread by [insert date].",
            "The goal bans the word “artisanal”; not even quoted. "
            "“[insert date]” is a placeholder: say what the goal says, or who finds it out by when.",
        ),
    )
    assert shown(found).startswith("- rows.1.text: The goal bans")


def test_no_more_is_asked_for_than_a_model_can_repair_at_once() -> None:
    assert len(faults(rows(*["TBD"] * 20), GOAL, facts())) == MOST_FAULTS


def test_new_texts_replace_the_faulty_fields_and_nothing_else() -> None:
    answer = rows("TBD", "Bread.", "TBC").leaving_out(2)
    found = faults(answer, GOAL, facts())
    patches = Patches(
        patches=[
            Patch(path="rows.0.text", text="The baker says by 3 May."),
            Patch(path="rows.1.text", text="Not asked for."),
            Patch(path="rows.9.text", text="No such row."),
        ]
    )

    taken = patched(answer, found, patches)

    assert [row.text for row in taken.rows] == ["The baker says by 3 May.", "Bread.", "TBC"]
    assert taken.items_left_out == 2


def test_a_new_text_that_does_not_fit_the_field_is_left_out() -> None:
    answer = rows("TBD")
    day = Fault("rows.0.day", "2027-05-01", "wrong")

    assert patched(answer, [day], Patches(patches=[Patch(path="rows.0.day", text="soon")])) == answer


@pytest.mark.parametrize(
    ("language", "word", "text", "printed"),
    [
        ("en", "artisanal", "“Artisanal” bread", True),
        ("en", "curated", "Curated, then sold", True),
        ("en", "like", "This is likely late.", False),
        ("en", "synergy", "A synergy-driven plan", True),
        ("en", "world's best", "The world’s best café", True),
        ("en", "hub", "A hubbub in the yard", False),
        ("en", "innovation", "Apply to the Innovation Fund, or to the Nordic Innovation House.", False),
        ("en", "innovation", "Innovation Fund money buys innovation.", True),
        ("en", "innovation", "## The Innovation Fund", True),
        ("de", "Bar", "Sie steht an der Bar Linz.", True),
        ("de", "nachhaltig", "Eine nachhaltige Küche", True),
        ("de", "nachhaltig", "Die Nachhaltigkeitspflicht", False),
        ("de", "Bar", "Der Bart und die Barke", False),
        ("de", "Hort", "des Hortes", True),
        ("nl", "duurzaam", "Duurzaamheid telt", False),
        ("da", "bæredygtig", "et bæredygtigt hus", True),
        ("pt", "curado", "Peças curadas à mão", True),
        ("es", "líder", "El liderazgo", False),
        ("es", "caro", "Carolina paga", False),
        ("fr", "innovant", "des solutions innovants", True),
        ("fr", "art", "L'artisan travaille", False),
        ("pl", "lider", "liderzy", False),
        ("ja", "唯一無二", "唯一無二の体験です。", True),
    ],
)
def test_a_banned_word_is_a_whole_word_in_the_forms_of_its_language(
    language: str, word: str, text: str, printed: bool
) -> None:
    assert [ban.what for ban in banned_words(text, facts(word, language=language))] == [word] * printed


def test_a_banned_word_within_a_name_of_the_goal_may_be_printed() -> None:
    given = facts("smart", bodies=("Nordic Smart Homes",))

    assert list(banned_words("The order goes to Nordic Smart Homes.", given)) == []
    assert len(list(banned_words("Nordic Smart Homes sells smart locks.", given))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Todo el equipo se reúne cada lunes.",
        "Toda a gente, todo o dia.",
        "The wall is to be completed by 3 May.",
        "Forms are to be filled in by the applicants.",
        "Die Tbc-Station zieht um.",
        "Um edifício do século XX.",
        "Budynek z XX wieku.",
        "Johannes XXIII",
        "Shirts in size XXL.",
        "The set {a, b} of gates.",
        "[to verify]",
    ],
)
def test_words_that_only_look_like_a_placeholder_are_none(text: str) -> None:
    assert placeholder(text, GOAL) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("TBD", "TBD"),
        ("To be determined.", "To be determined"),
        ("Owner: to be defined", "to be defined"),
        ("The chair (to be decided) signs.", "to be decided"),
        ("Owner: [Name]", "[Name]"),
        ("Dear {{ client_name }}", "{{ client_name }}"),
        ("It costs $XX a month.", "$XX"),
        ("○○円", "○○"),
    ],
)
def test_words_that_stand_for_others_still_to_come_are_found(text: str, left: str) -> None:
    assert placeholder(text, GOAL) == left


def test_a_line_to_write_on_is_no_placeholder() -> None:
    assert placeholder("Paid: amount ____, date ____.", GOAL) is None


class Chapter(Answer):
    """A text that names figures."""

    names_figures = True

    text: str


def test_figures_by_name_are_no_placeholders_where_an_answer_may_name_them() -> None:
    text = "It ends on {{P12.end}} for {{total_cost}}."

    assert faults(Chapter(text=text), GOAL, facts()) == ()
    assert [fault.path for fault in faults(Row(text=text), GOAL, facts())] == ["text"]
