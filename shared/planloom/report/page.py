"""The HTML report: one file that asks nothing of the network, interactive, and readable without script."""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from planloom.domain.claims import Claim
from planloom.report.card import Card
from planloom.report.gantt import Gantt
from planloom.report.prose import prose

#: A browser opens it from disk within a second, and mail takes it.
LIMIT_BYTES = 1_000_000


@dataclass(frozen=True)
class Section:
    """One section: an id fit for an anchor, a title and its Markdown."""

    id: str
    number: str
    title: str
    markdown: str
    gantt: Gantt | None = None
    open: bool = False

    @property
    def html(self) -> Markup:
        """The section's text, made safe."""
        return Markup(prose(self.markdown))  # noqa: S704 - prose() sanitises


@dataclass(frozen=True)
class Page:
    """All that the report shows, in order."""

    title: str
    plan_id: str
    created: str
    drafted_by: str
    outline_only: bool
    verdict: str
    verdict_tone: str
    cards: tuple[Card, ...]
    sections: tuple[Section, ...]
    quality: str
    claims: tuple[Claim, ...]
    prompt: str
    footer: str

    @property
    def quality_html(self) -> Markup:
        """What the checks found, made safe."""
        return Markup(prose(self.quality))  # noqa: S704 - prose() sanitises


def render_ahead(markdowns: Iterable[str]) -> None:
    """Make the text of sections safe now, so that :func:`render` finds it done: it is most of the page's time."""
    for markdown in markdowns:
        prose(markdown)


def render(page: Page) -> str:
    """Return the report. Raises ValueError where it would be larger than a megabyte."""
    style, script = _asset("page.css"), _asset("page.js")
    html = _template().render(
        page=page,
        style=Markup(style),  # noqa: S704 - ours
        script=Markup(script),  # noqa: S704 - ours
        csp=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
    )
    size = len(html.encode())
    if size > LIMIT_BYTES:
        raise ValueError(f"the report has {size:,} bytes; at most {LIMIT_BYTES:,} are allowed")
    return html


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("planloom.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")
