"""A document is cut into blocks and put together again, and edits name blocks."""

import pytest

from planloom.planes.strategic.stages.blocks import Edit, applied, blocks_of, joined, renumbered, shown

DOCUMENT = """\
# Title

Two lines
of prose.

- one
- two
  goes on

## Table

| No. | Task |
|---|---|
| P1 | Dig |
| P2 | Fill |

```mermaid
graph

| no | row |
```
"""


def edit(how: str, first: str, text: str = "", last: str = "") -> Edit:
    return Edit.model_validate({"how": how, "block": first, "to": last, "text": text})


def test_headings_paragraphs_items_rows_and_fences_are_blocks() -> None:
    assert [(block.kind, block.text.splitlines()[0]) for block in blocks_of(DOCUMENT)] == [
        ("heading", "# Title"), ("text", "Two lines"), ("item", "- one"), ("item", "- two"), ("heading", "## Table"),
        ("head", "| No. | Task |"), ("row", "| P1 | Dig |"), ("row", "| P2 | Fill |"), ("text", "```mermaid"),
    ]  # fmt: skip


def test_blocks_that_nobody_edits_are_the_document() -> None:
    assert joined(blocks_of(DOCUMENT)) == DOCUMENT


def test_edits_replace_insert_and_delete_by_number() -> None:
    blocks, refused = applied(
        blocks_of(DOCUMENT),
        [
            edit("replace", "[2]", "New prose."),
            edit("insert_after", "7", "| P3 | Wait |"),
            edit("delete", "3", last="4"),
            edit("insert_after", "top", "First."),
            edit("replace", "6", "| No. | Work |"),
        ],
    )

    assert refused == ()
    assert joined(blocks).startswith("First.\n\n# Title\n\nNew prose.\n\n## Table\n\n| No. | Work |\n|---|---|\n| P1 |")
    assert "| P1 | Dig |\n| P3 | Wait |\n| P2 | Fill |\n" in joined(blocks)
    assert [block.edited for block in blocks].count(True) == 4


@pytest.mark.parametrize("wrong", [edit("delete", "99"), edit("replace", "2", "Again."), edit("delete", "4", last="3")])
def test_an_edit_that_fits_nowhere_is_refused_and_the_others_are_made(wrong: Edit) -> None:
    blocks, refused = applied(blocks_of(DOCUMENT), [edit("replace", "2", "New."), wrong])

    assert [each.edit for each in refused] == [wrong]
    assert "New." in joined(blocks)


def test_what_is_inserted_after_a_block_that_goes_stands_in_its_place_behind_what_replaces_it() -> None:
    edits = [edit("insert_after", "2", "After."), edit("replace", "2", "Instead.")]

    assert "# Title\n\nInstead.\n\nAfter.\n\n- one" in joined(applied(blocks_of(DOCUMENT), edits)[0])


def test_blocks_are_shown_with_their_numbers_and_numbered_anew() -> None:
    blocks = renumbered(applied(blocks_of(DOCUMENT), [edit("delete", "1")])[0])

    assert shown(blocks).startswith("[1] Two lines\nof prose.\n[2] - one\n")
