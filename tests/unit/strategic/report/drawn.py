"""Charts and pages to look at."""

from datetime import UTC, date, datetime, timedelta

from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.facts.fact import Facts, Spanned
from planloom.planes.strategic.report.card import Card
from planloom.planes.strategic.report.gantt import Arrow, Bar, Gantt, Line, Shade, draw
from planloom.planes.strategic.report.page import Page, Section

START = date(2027, 1, 4)
AT = datetime(2026, 11, 2, 9, 30, 15, tzinfo=UTC)


def chart(count: int, title: str = "Work package") -> Gantt:
    """Return a chart of *count* tasks in groups of ten, each waiting for the one before and some for a second."""
    bars = [
        Bar(
            id=f"{n // 10 + 1}.{n % 10 + 1}",
            title=f"{title} {n}",
            group=f"Deliverable {n // 10 + 1}",
            start=START + timedelta(days=3 * n),
            end=START + timedelta(days=3 * n + 6),
            critical=n % 4 == 0,
            outdoor=n % 5 == 0,
            notes=("4 January 2027 to 10 January 2027, 5 working days", "Site manager; 3 working days of slack"),
        )
        for n in range(count)
    ]
    arrows = [Arrow(bars[n].id, bars[n + 1].id, n % 4 == 0) for n in range(count - 1)]
    arrows += [Arrow(bars[n].id, bars[n + 5].id) for n in range(0, count - 5, 6)]
    last = bars[-1].end
    lines = [
        Line(last, "Deadline soon", "deadline"),
        Line(last + timedelta(days=1), "80% by the day after", "confidence"),
    ]
    return draw(bars, arrows, lines, [Shade(START, START + timedelta(days=9), "closed in winter")])


def page(
    text: str = "A plan", *, gantt: Gantt | None = None, markdown: str | None = None, facts: Facts | None = None
) -> Page:
    """Return a page that says *text* in every field that a plan can fill."""
    return Page(
        title=text,
        plan_id="5e2b2a7c-8b49-4d2f-9b8f-6a3c1f05b9a1",
        created="created on 2 November 2026",
        drafted_by=text,
        outline_only=True,
        verdict=text,
        verdict_tone="warn",
        cards=(Card(text, text, text, "bad"),),
        sections=(Section("schedule", "026", text, markdown or f"# {text}\n\n{text}\n", gantt, open=True),),
        quality=f"{markdown or text}\n",
        claims=(
            Claim(
                id="a.b",
                text=text[:300],
                kind="assumption",
                value=text[:80],
                unit="x",
                source="to verify",
                test=text[:240],
            ),
        ),
        prompt=text,
        facts=facts or Facts(title=text[:90], subject=text[:120], objective=Spanned(text=text, start=0, end=len(text))),
        footer=text,
    )
