"""The HTML report and its annexes: an interactive page without network requests, readable without script."""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from planloom.core.artifacts import REPORT
from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.report.annexes import LIMIT_BYTES, Part, moved, note, too_long
from planloom.planes.strategic.report.card import Card
from planloom.planes.strategic.report.fold import compact
from planloom.planes.strategic.report.gantt import Gantt
from planloom.planes.strategic.report.goal_section import goal_section
from planloom.planes.strategic.report.prose import prose


@dataclass(frozen=True)
class Section:
    """One section: an id that is valid in an anchor and a file name, a title and its Markdown.

    ``opens``: the part of the report that begins with this section, shown before it; None: that of the section before.
    """

    id: str
    number: str
    title: str
    markdown: str
    gantt: Gantt | None = None
    open: bool = False
    opens: Card | None = None


@dataclass(frozen=True)
class Page:
    """All that the report shows, in order; the goal comes after the first section.

    ``papers`` are how the plan was made: they come last, after the quality and the claims.
    """

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
    facts: Facts
    footer: str
    papers: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Rendered:
    """The page, and the separate files by path."""

    html: str
    annexes: Mapping[str, str]


@dataclass(frozen=True)
class _Block:
    id: str
    title: str
    parts: tuple[Part, ...]
    number: str = ""
    open: bool = False
    opens: Card | None = None


def render(page: Page) -> Rendered:
    """Return the report: a page of at most ``LIMIT_BYTES``, if moving parts into files is enough for that."""
    blocks = tuple(_blocks(page))
    parts = [part for block in blocks for part in block.parts]
    notes = {part.key: note(part) for part in parts}
    room = LIMIT_BYTES - len(_html(page, blocks, dict.fromkeys(notes, "")).encode())
    gone = moved(parts, notes, room)
    shown = {part.key: notes[part.key] if part.key in gone else part.html or "" for part in parts}
    annexes = {part.path: _annex(page, block, part) for block in blocks for part in block.parts if part.key in gone}
    return Rendered(_html(page, blocks, shown), annexes)


def _blocks(page: Page) -> Iterator[_Block]:
    every = (*page.sections, *page.papers)
    skipped = too_long([section.markdown for section in every])
    made = [_block(section, number in skipped) for number, section in enumerate(every)]
    goal = _template("goal.html.j2").render(goal_section(page.prompt, page.facts))
    yield from made[:1]
    yield _Block("goal", "The goal and what was understood of it", (Part("goal", "section", compact(goal), late=True),))
    yield from made[1 : len(page.sections)]
    quality = Part("quality", "section", compact(prose(page.quality)), page.quality)
    yield _Block("quality", "Quality of this plan", (quality,))
    claims = _template("claims.html.j2").render(claims=page.claims)
    yield _Block("claims", "Register of claims", (Part("claims", "section", compact(claims)),))
    yield from made[len(page.sections) :]


def _block(section: Section, skipped: bool) -> _Block:
    html = None if skipped else compact(prose(section.markdown))
    parts = [Part(section.id, "section", html, section.markdown, late=section.open)]
    if section.gantt:
        chart = _template("gantt.html.j2").render(gantt=section.gantt)
        parts.insert(0, Part(f"{section.id}-chart", "chart", chart, late=True))
    return _Block(section.id, section.title, tuple(parts), section.number, section.open, section.opens)


def _annex(page: Page, block: _Block, part: Part) -> str:
    if part.html is None:
        return part.markdown
    return _html(page, (block,), {each.key: "" for each in block.parts} | {part.key: part.html}, annex=REPORT)


def _html(page: Page, blocks: Sequence[_Block], shown: Mapping[str, str], annex: str = "") -> str:
    style, script = _asset("page.css"), _asset("page.js")
    return _template("page.html.j2").render(
        page=page,
        annex=annex,
        sections=[
            {
                "id": block.id,
                "title": block.title,
                "number": block.number,
                "open": block.open,
                "opens": block.opens,
                "bodies": [Markup(shown[part.key]) for part in block.parts],  # noqa: S704 - safe already
            }
            for block in blocks
        ],
        style=Markup(style),  # noqa: S704 - ours
        script=Markup(script),  # noqa: S704 - ours
        csp=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("planloom.planes.strategic.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
