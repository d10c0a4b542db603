"""The page: one file, its scripts and styles pinned by hash, nothing loaded, nothing of a plan's text run."""

import base64
import hashlib
import re
from html.parser import HTMLParser

from planloom.planes.strategic.report.annexes import LIMIT_BYTES
from planloom.planes.strategic.report.page import render
from tests.unit.strategic.report.drawn import chart, page

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}</style>"


class Seen(HTMLParser):
    """What a browser would meet: tags with their attributes, and texts of scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id" and value]


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else():
    html = render(page(gantt=chart(10))).html
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1].replace("&#39;", "'")

    assert policy.startswith("default-src 'none'; ")
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_markup_in_every_field_stays_text():
    html = render(page(EVIL, gantt=chart(3, EVIL))).html
    seen = Seen(html)

    assert [tag for tag, _ in seen.tags].count("script") == 1
    assert [tag for tag, _ in seen.tags].count("style") == 1
    assert "img" not in [tag for tag, _ in seen.tags]
    assert not [name for _, attrs in seen.tags for name in attrs if name.startswith("on")]
    assert "49" not in re.sub(r"<(style|script)>.*?</\1>", "", html, flags=re.DOTALL).split("<main", 1)[1][:400]


def test_nothing_is_loaded_and_nothing_leads_away():
    seen = Seen(render(page(gantt=chart(10))).html)

    assert not [tag for tag, _ in seen.tags if tag in ("link", "iframe", "object", "embed")]
    leading = [value for _, attrs in seen.tags for name in ("src", "href", "action") if (value := attrs.get(name))]
    assert all(value.startswith("#") for value in leading)


def test_the_goal_comes_after_the_first_section_folded():
    html = render(page(gantt=chart(3))).html

    assert re.findall(r'<section id="([a-z_]+)"', html) == ["schedule", "goal", "quality", "claims"]
    assert re.search(r'<section id="goal"[^>]*>\s*<details>', html)


def test_no_attribute_holds_a_style_that_the_policy_would_block():
    assert not [attrs for _, attrs in Seen(render(page(gantt=chart(10))).html).tags if "style" in attrs]


def test_ids_are_unique_and_every_link_leads_to_one():
    seen = Seen(render(page(gantt=chart(10))).html)

    assert len(seen.ids) == len(set(seen.ids))
    assert {attrs["href"][1:] for tag, attrs in seen.tags if tag == "a" and attrs.get("href")} <= set(seen.ids)


def test_verdict_and_figures_stand_before_the_sections_and_the_outline_says_so_at_the_top():
    html = render(page("Something", gantt=chart(3))).html
    marks = [html.index(mark) for mark in ("Drafted by outline", "<h1", 'class="verdict', 'class="cards"', "<section")]

    assert marks == sorted(marks)


def test_three_hundred_tasks_fit_into_half_a_megabyte():
    assert len(render(page(gantt=chart(300))).html.encode()) < LIMIT_BYTES / 2


def test_the_same_page_is_rendered_byte_for_byte():
    assert render(page(gantt=chart(30))).html == render(page(gantt=chart(30))).html
