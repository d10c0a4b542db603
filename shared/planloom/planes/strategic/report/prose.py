"""Markdown to safe HTML: the text of a stage may come from a model, and models repeat what they read."""

import re
from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt

#: No links and no images: a report makes no network requests and has no addresses that a model invented.
TAGS = frozenset(
    {
        *(
            "h3",
            "h4",
            "h5",
            "h6",
            "p",
            "ul",
            "ol",
            "li",
            "strong",
            "em",
            "del",
            "code",
            "pre",
            "blockquote",
            "hr",
            "br",
        ),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
)
#: The browser chooses the direction of text by its script.
_ANY_WAY = {tag: {"dir": "auto"} for tag in ("p", "li", "td", "th", "h3", "h4", "h5", "h6", "blockquote")}
#: Tags that are removed with their text; the text of every other tag is kept.
DROPPED = frozenset({"script", "style", "iframe", "object", "svg", "math", "template"})


@lru_cache(maxsize=64)
def prose(markdown: str) -> str:
    """Return *markdown* as safe HTML whose headings fit below a section's ``h2``; a leading title is left out."""
    body = re.sub(r"\A\s*# [^\n]*\n", "", markdown)
    html = _parser().render(_demoted(body))
    safe = nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags=set(DROPPED),
        attributes={},
        set_tag_attribute_values=_ANY_WAY,
    )
    return safe.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")


def _demoted(markdown: str) -> str:
    # headings start one level below the section's; outside of fences a leading # is always a heading
    return re.sub(r"^(#{1,4}) ", lambda found: "#" * (max(len(found[1]), 2) + 1) + " ", markdown, flags=re.MULTILINE)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
