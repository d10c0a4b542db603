"""Implementation plans in the viewer on the embedded AWS: read, filtered, moved, edited, saved, merged, exported."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planloom_cli.service import Address
from tests.e2e.conftest import Running
from tests.e2e.sample_plans import HOSTILE, cart, hostile, long
from tests.e2e.viewing import Visitor, call, chromium

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def address(service: Running) -> Address:
    """The running service."""
    return service.address


@pytest.fixture(scope="module")
def browser(address: Address) -> Iterator[Any]:
    """Chromium, started when all that needs an event loop of its own is done."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def visitor(browser: Any, address: Address) -> Iterator[Visitor]:
    """Somebody who has signed in; the page must have stayed on its origin, without an error."""
    opened = Visitor(browser, address)
    opened.open()
    opened.sign_in()
    opened.page.get_by_role("heading", name="Strategic plans").wait_for()
    yield opened
    assert opened.elsewhere() == []
    opened.close()


def store(address: Address, plan: dict[str, Any]) -> str:
    return str(call(address, "POST", "implementation-plans", {"plan": plan})["planId"])


def read(address: Address, plan_id: str) -> dict[str, Any]:
    return dict(call(address, "GET", f"implementation-plans/{plan_id}"))


def titles(plan: dict[str, Any]) -> dict[str, str]:
    return {step["id"]: step["title"] for step in plan["steps"]}


def show(visitor: Visitor, plan_id: str) -> None:
    """Go to the plan and wait for its steps."""
    visitor.open(f"#/implementation/{plan_id}")
    visitor.page.locator(".step-card, .step-line").first.wait_for()


def card(visitor: Visitor, step: str) -> Any:
    return visitor.page.locator(f'.react-flow__node[data-id="{step}"]')


def save(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Save", exact=True).click()


def test_a_plan_is_found_in_the_list_and_drawn_with_its_dependencies(visitor: Visitor, address: Address) -> None:
    store(address, cart())
    visitor.page.get_by_role("link", name="Implementation plans").click()
    visitor.page.get_by_label("Search plans").fill("cart reloaded")
    visitor.page.locator(".row", has_text="Keep the cart").first.click()
    card(visitor, "S10").wait_for()

    assert visitor.page.locator(".step-card").count() == 10
    assert visitor.page.locator(".react-flow__edge").count() == 10
    assert visitor.page.locator(".band-title").all_inner_texts() == [
        "Prepare 2",
        "Storage 2",
        "Checkout 3",
        "Release 3",
    ]
    assert visitor.faults() == []
    assert visitor.said == []


def test_steps_are_filtered_and_grouped(visitor: Visitor, address: Address) -> None:
    show(visitor, store(address, cart()))
    visitor.page.get_by_label("Status", exact=True).select_option("blocked")
    visitor.page.locator(".react-flow__node.dimmed").nth(8).wait_for()
    assert "dimmed" not in card(visitor, "S5").get_attribute("class")
    visitor.page.get_by_label("Status", exact=True).select_option("")
    visitor.page.get_by_label("Search steps").fill("guide")
    visitor.page.locator(".react-flow__node.dimmed").nth(8).wait_for()
    assert "dimmed" not in card(visitor, "S9").get_attribute("class")
    visitor.page.get_by_label("Group by").select_option("kind")
    visitor.page.locator(".band-title", has_text="discovery").wait_for()

    assert visitor.page.locator(".band-title").count() == 9


def test_a_card_that_was_dragged_lies_there_when_the_plan_is_opened_again(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    box = card(visitor, "S9").bounding_box()
    mouse = visitor.page.mouse
    mouse.move(box["x"] + 40, box["y"] + 12)
    mouse.down()
    mouse.move(box["x"] + 90, box["y"] + 62, steps=8)
    mouse.up()
    save(visitor)
    visitor.page.get_by_text("Revision 2").wait_for()
    nodes = read(address, plan_id)["plan"]["metadata"]["layout"]["nodes"]
    (stored,) = [node for node in nodes if node["id"] == "S9"]
    assert len(nodes) == 10
    visitor.page.reload()
    card(visitor, "S9").wait_for()

    assert f"translate({stored['x']}px, {stored['y']}px)" in card(visitor, "S9").get_attribute("style")
    visitor.page.get_by_role("button", name="Auto-layout").click()
    save(visitor)
    visitor.page.get_by_text("Revision 3").wait_for()
    assert "metadata" not in read(address, plan_id)["plan"]


def test_a_step_is_edited_in_a_form_that_checks_while_one_types_and_undoes(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    page = visitor.page
    card(visitor, "S4").click()
    panel = page.get_by_role("complementary", name="Step S4")
    panel.get_by_role("tab", name="Edit").click()
    panel.get_by_label("Title").fill("ab")
    panel.get_by_text("needs at least 3 characters").wait_for()
    page.get_by_text("1 problem").wait_for()
    panel.get_by_label("Title").fill("Read carts from the new table at once")
    page.get_by_text("1 problem").wait_for(state="detached")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    panel.get_by_role("button", name="done").click()
    assert visitor.faults() == []
    save(visitor)
    page.get_by_text("Revision 2").wait_for()

    saved = read(address, plan_id)
    (step,) = [each for each in saved["plan"]["steps"] if each["id"] == "S4"]
    assert (saved["revision"], step["title"], step["ui"]["status"]) == (
        2,
        "Read carts from the new table at once",
        "done",
    )


def test_actions_are_changed_with_the_fields_that_their_type_asks_for(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    card(visitor, "S3").click()
    panel = visitor.page.get_by_role("complementary", name="Step S3")
    panel.get_by_role("tab", name="Edit").click()
    actions = panel.get_by_role("group", name="Actions")
    actions.get_by_label("Type").select_option("move_file")
    actions.get_by_label("From path").fill("src/old.py")
    actions.get_by_label("To path").fill("src/new.py")
    panel.get_by_label("Add a dependency").select_option("S5")
    save(visitor)
    visitor.page.get_by_text("Revision 2").wait_for()

    step = read(address, plan_id)["plan"]["steps"][2]
    assert step["actions"] == [{"type": "move_file", "fromPath": "src/old.py", "toPath": "src/new.py"}]
    assert step["dependsOn"] == ["S2", "S5"]


def test_steps_are_added_deleted_by_keyboard_and_reordered_and_all_of_it_is_undone(
    visitor: Visitor, address: Address
) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    page = visitor.page
    card(visitor, "S6").focus()
    page.keyboard.press("Enter")
    page.get_by_role("complementary", name="Step S6").wait_for()
    page.get_by_role("button", name="Add step").click()
    page.get_by_role("complementary", name="Step S11").wait_for()
    card(visitor, "S9").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    card(visitor, "S9").wait_for(state="detached")
    page.get_by_role("button", name="List").click()
    page.get_by_role("button", name="Move S2 up").click()
    assert visitor.faults() == []
    order = page.locator(".step-line code").all_inner_texts()
    assert order == ["S2", "S1", "S3", "S4", "S5", "S6", "S11", "S7", "S8", "S10"]
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()

    assert page.locator(".step-line code").all_inner_texts() == [f"S{number}" for number in range(1, 11)]


def test_when_another_client_saved_first_both_are_shown_and_made_one(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    page = visitor.page
    card(visitor, "S2").click()
    panel = page.get_by_role("complementary", name="Step S2")
    panel.get_by_role("tab", name="Edit").click()
    panel.get_by_label("Title").fill("My title of the second step")
    theirs = read(address, plan_id)["plan"]
    theirs["steps"][1]["title"] = "Their title of the second step"
    theirs["steps"][2]["title"] = "Their title of the third step"
    call(address, "PUT", f"implementation-plans/{plan_id}", {"plan": theirs, "revision": 1})
    save(visitor)
    dialog = page.get_by_role("dialog", name="Somebody else saved first")
    dialog.wait_for()
    assert "Their title of the second step" in dialog.inner_text()
    assert visitor.faults() == []
    dialog.get_by_label("Keep mine").check()
    dialog.get_by_role("button", name="Save both together").click()
    page.get_by_text("Revision 3").wait_for()

    found = titles(read(address, plan_id)["plan"])
    assert found["S2"] == "My title of the second step"
    assert found["S3"] == "Their title of the third step"


def test_the_plan_is_taken_away_as_picture_drawing_and_text(visitor: Visitor, address: Address, tmp_path: Path) -> None:
    show(visitor, store(address, cart()))
    page = visitor.page

    def taken(title: str) -> bytes:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=title).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path.read_bytes()

    assert taken("Picture (PNG)").startswith(b"\x89PNG")
    assert taken("Drawing (SVG)").count(b"<g transform") == 10
    assert b"S4 --> S6" in taken("Mermaid")
    assert b"### S6 Show the kept cart on every page" in taken("Markdown")
    assert json.loads(taken("JSON"))["steps"] == cart()["steps"]
    assert visitor.said == []


def test_markup_in_titles_is_shown_and_never_run(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, hostile())
    show(visitor, plan_id)
    visitor.page.locator(".step-card").click()
    visitor.page.get_by_role("complementary").wait_for()
    visitor.page.get_by_role("button", name="List").click()

    assert HOSTILE in visitor.page.locator(".step-line").inner_text()
    assert visitor.page.evaluate("window.hacked") is None
    assert visitor.said == []


def test_a_comment_is_kept_with_its_step(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    card(visitor, "S5").click()
    panel = visitor.page.get_by_role("complementary", name="Step S5")
    panel.get_by_role("tab", name="Comments").click()
    panel.get_by_label("Your comment").fill("The tax team answers on Monday.")
    panel.get_by_role("button", name="Comment", exact=True).click()
    panel.locator(".items li").wait_for()

    (comment,) = call(address, "GET", f"implementation-plans/{plan_id}/comments")["comments"]
    assert (comment["stepId"], comment["text"]) == ("S5", "The tax team answers on Monday.")


def test_the_registry_s_warnings_and_the_history_are_told_beside_the_plan(visitor: Visitor, address: Address) -> None:
    plan = cart()
    plan["steps"][6]["verification"] = []
    plan_id = store(address, plan)
    plan["steps"][0]["ui"]["status"] = "todo"
    call(address, "PUT", f"implementation-plans/{plan_id}", {"plan": plan, "revision": 1})
    show(visitor, plan_id)
    page = visitor.page
    page.get_by_role("button", name="About this plan").click()
    panel = page.get_by_role("complementary", name="About this plan")
    panel.get_by_role("tab", name="Checks").click()
    panel.get_by_text("no verification").wait_for()
    panel.get_by_role("tab", name="History").click()
    panel.get_by_role("button", name="1 change").click()
    panel.locator(".before-after ins", has_text="todo").wait_for()

    assert panel.locator("strong").all_inner_texts() == ["Revision 2", "Revision 1"]
    assert visitor.faults() == []


def test_of_three_hundred_steps_only_those_in_sight_are_drawn(visitor: Visitor, address: Address) -> None:
    show(visitor, store(address, long()))

    assert 10 < visitor.page.locator(".step-card").count() < 200
    visitor.page.get_by_role("button", name="List").click()
    visitor.page.locator(".step-line").nth(299).wait_for()


def test_on_a_phone_the_steps_are_a_list_and_open_from_below(browser: Any, address: Address) -> None:
    plan_id = store(address, cart())
    visitor = Visitor(browser, address, **PHONE)
    visitor.open()
    visitor.sign_in()
    visitor.page.get_by_role("heading", name="Strategic plans").wait_for()
    show(visitor, plan_id)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
    visitor.page.locator(".step-line-open").nth(2).tap()
    panel = visitor.page.get_by_role("complementary", name="Step S3")
    panel.wait_for()

    assert visitor.faults() == []
    panel.get_by_role("button", name="Close").tap()
    panel.wait_for(state="detached")
    visitor.close()


def test_dark_colours_are_as_readable_as_light_ones(browser: Any, address: Address) -> None:
    plan_id = store(address, cart())
    visitor = Visitor(browser, address, color_scheme="dark")
    visitor.open()
    assert visitor.faults() == []
    visitor.sign_in()
    visitor.page.get_by_role("heading", name="Strategic plans").wait_for()
    show(visitor, plan_id)
    card(visitor, "S5").click()
    visitor.page.get_by_role("complementary", name="Step S5").wait_for()

    assert visitor.faults() == []
    visitor.close()


def test_a_plan_begins_with_json_and_what_is_wrong_with_it_is_said(visitor: Visitor, address: Address) -> None:
    visitor.open("#/implementation")
    page = visitor.page
    page.get_by_role("button", name="New plan").click()
    dialog = page.get_by_role("dialog", name="New implementation plan")
    text = dialog.get_by_label("Markdown, with a heading")
    text.fill(json.dumps(cart() | {"schemaVersion": "9.9.9"}))
    dialog.get_by_role("button", name="Make the plan").click()
    dialog.get_by_role("alert").wait_for()
    assert visitor.faults() == []
    text.fill(json.dumps(cart()))
    dialog.get_by_role("button", name="Make the plan").click()
    card(visitor, "S1").wait_for()

    plan_id = page.url.rpartition("/")[2]
    assert read(address, plan_id)["plan"]["title"] == "Keep the cart when the page is reloaded"


def test_markdown_becomes_a_plan_and_nothing_of_it_is_dropped_unseen(visitor: Visitor) -> None:
    visitor.open("#/implementation")
    page = visitor.page
    page.get_by_role("button", name="New plan").click()
    dialog = page.get_by_role("dialog", name="New implementation plan")
    text = dialog.get_by_label("Markdown, with a heading")
    text.fill("# Keep the cart\n\nIt stays.\n\n1. Edit `src/cart.py`\n2. Move it, depends on 7\n")
    dialog.get_by_role("button", name="Make the plan").click()
    told = dialog.get_by_role("alert")
    told.get_by_text("/context has no repo.").wait_for()
    for field, value in (("Repository", "shop"), ("Branch or commit", "main"), ("Stack", "python, react")):
        dialog.get_by_label(field).fill(value)
    dialog.get_by_role("button", name="Make the plan").click()
    told.get_by_text("it is said to wait for this, and no step is called so").wait_for()
    assert visitor.faults() == []
    dialog.get_by_role("button", name="Make it without these").click()

    card(visitor, "S2").wait_for()


def test_what_others_save_shows_while_the_plan_is_open_and_edits_are_not_left_by_mistake(
    visitor: Visitor, address: Address
) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    page = visitor.page
    card(visitor, "S4").click()
    panel = page.get_by_role("complementary", name="Step S4")
    panel.get_by_role("button", name="blocked").click()
    call(address, "PUT", f"implementation-plans/{plan_id}/steps/S6/status", {"status": "doing"})
    card(visitor, "S6").get_by_text("doing").wait_for()
    assert card(visitor, "S4").get_by_text("blocked").is_visible()
    page.get_by_role("link", name="Strategic plans").click()
    page.get_by_role("dialog", name="Your edits are not saved").get_by_role("button", name="Save and leave").click()
    page.get_by_role("heading", name="Strategic plans").wait_for()

    saved = read(address, plan_id)
    assert saved["revision"] == 3
    assert [step["ui"]["status"] for step in saved["plan"]["steps"]][3:6] == ["blocked", "blocked", "doing"]


def test_a_card_is_moved_by_the_keyboard_and_stays_there(visitor: Visitor, address: Address) -> None:
    plan_id = store(address, cart())
    show(visitor, plan_id)
    card(visitor, "S9").focus()
    visitor.page.keyboard.press("Enter")
    before = card(visitor, "S9").get_attribute("style")
    visitor.page.keyboard.press("Shift+ArrowDown")
    visitor.page.get_by_text("Not saved").wait_for()
    assert card(visitor, "S9").get_attribute("style") != before
    save(visitor)
    visitor.page.get_by_text("Revision 2").wait_for()

    nodes = read(address, plan_id)["plan"]["metadata"]["layout"]["nodes"]
    (stored,) = [node for node in nodes if node["id"] == "S9"]
    assert f"translate({stored['x']}px, {stored['y']}px)" in card(visitor, "S9").get_attribute("style")
