"""Sections and columns of a page, as excerpts pick them."""

from planloom.domain.sections import Pick, Section, picked, sections

PAGE = """\
# Team

Four heads.

| Post | Heads | Note |
|---|---|---|
| Baker | 2 | one \\| two |
| Cook | 1 | |

## R1: Late

Cause: rain.

## R2: Dear

Cause: steel.
"""


def test_a_section_is_what_stands_under_its_heading() -> None:
    assert sections(PAGE)[1:] == [Section("R1: Late", "Cause: rain."), Section("R2: Dear", "Cause: steel.")]


def test_columns_are_picked_by_their_heads_and_prose_can_be_left_out() -> None:
    assert picked(PAGE, [Pick("Team", ("Heads", "Post"), prose=False)]) == ["Team:\nHeads | Post\n2 | Baker\n1 | Cook"]


def test_rows_and_sections_are_picked_from_the_first_on() -> None:
    assert picked(PAGE, [Pick("Team", ("Post",), rows=1, prose=False), Pick("R", most=1)]) == [
        "Team:\nPost\nBaker",
        "R1: Late:\nCause: rain.",
    ]


def test_an_escaped_bar_is_part_of_its_cell() -> None:
    assert picked(PAGE, [Pick("Team", ("Note",), rows=1, prose=False)]) == ["Team:\nNote\none \\| two"]


def test_a_table_that_lost_the_columns_is_shown_whole() -> None:
    assert picked(PAGE, [Pick("Team", ("Pay",), rows=1, prose=False)]) == [
        "Team:\nPost | Heads | Note\nBaker | 2 | one \\| two"
    ]


def test_a_column_without_a_head_is_numbered() -> None:
    page = "## Work\n\n|  | Package |\n|---|---|\n| 1.1 | Lease |\n"

    assert picked(page, [Pick("Work", ("", "Package"))]) == ["Work:\n# | Package\n1.1 | Lease"]


def test_a_page_without_the_section_gives_nothing() -> None:
    assert picked(PAGE, [Pick("Budget")]) == []
