"""Markdown that a stage or a model wrote becomes HTML in which nothing runs, loads or leads away."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.report.prose import TAGS, prose

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "broken script": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "image handler": "<img src=x onerror=alert(1)>",
    "remote image": "![seen](https://evil.example/pixel.png)",
    "reference image": "![seen][p]\n\n[p]: https://evil.example/p.png",
    "script link": "[click](javascript:alert(1))",
    "data link": "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "autolink": "<https://evil.example/>",
    "plain link": "[docs](https://evil.example)",
    "svg": "<svg onload=alert(1)><script>alert(2)</script></svg>",
    "style": "<style>*{display:none}</style>",
    "frame": "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "form": "<form action=https://evil.example><input name=q></form>",
    "meta": '<meta http-equiv=refresh content="0;url=https://evil.example">',
    "base": "<base href=https://evil.example>",
    "math": "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "entity": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "in a cell": "| a | b |\n|---|---|\n| <script>alert(1)</script> | <img src=x onerror=alert(1)> |",
    "in a heading": "## <img src=x onerror=alert(1)>",
    "in code": "`<script>alert(1)</script>`\n\n```html\n<script>alert(2)</script>\n```",
    "attribute": '<p onclick="alert(1)" style="position:fixed" id=x class=y>text</p>',
    "nested": "[![x](https://evil.example/a.png)](javascript:alert(1))",
}


def tags(html: str) -> set[str]:
    return {name.lower() for name in re.findall(r"<\s*/?\s*([a-zA-Z][\w-]*)", html)}


def attributes(html: str) -> set[str]:
    inside = re.findall(r"<[a-zA-Z][^<>]*>", html)
    return {name.lower() for tag in inside for name in re.findall(r"\s([\w:-]+)\s*=", tag)}


@pytest.mark.parametrize("markdown", HOSTILE.values(), ids=HOSTILE)
def test_nothing_of_hostile_markdown_runs_loads_or_leads_away(markdown):
    html = prose(markdown)

    assert tags(html) <= TAGS | {"div"}
    assert attributes(html) <= {"dir", "class"}


@given(st.text(alphabet="<>/\"'=()[]!#|`*_ \nabonerrscript:&;", max_size=120))
def test_no_text_makes_a_tag_or_attribute_that_is_not_allowed(markdown):
    html = prose(markdown)

    assert tags(html) <= TAGS | {"div"}
    assert attributes(html) <= {"dir", "class"}


def test_the_title_goes_and_headings_start_below_the_sections_own():
    html = prose("# Title\n\n## Part\n\n### Piece\n\ntext")

    assert "Title" not in html
    assert html.index("<h3") < html.index("Part") < html.index("<h4") < html.index("Piece")


def test_tables_scroll_in_a_box_of_their_own():
    html = prose("| a | b |\n|---|---|\n| 1 | 2 |\n")

    assert html.count('<div class="table"><table>') == 1
    assert html.count("</table></div>") == 1


def test_text_of_any_script_runs_its_own_way():
    assert '<p dir="auto">نص' in prose("نص عربي")


def test_bold_lists_quotes_and_strikes_stay():
    html = prose("**bold** ~~gone~~\n\n- one\n- two\n\n> said")

    assert {"strong", "ul", "li", "blockquote"} <= tags(html)
