"""The chart's geometry: bars lie on their days, arrows on their bars, labels apart."""

import re
from datetime import date, timedelta

import pytest

from planloom.planes.strategic.report.gantt import BAR, HEAD, ROW, WIDTH, Arrow, Bar, Line, Shade, draw, elbow
from tests.unit.strategic.report.drawn import START, chart

TWO = (
    Bar("1.1", "First", "A", START, START + timedelta(days=9)),
    Bar("1.2", "Second", "A", START + timedelta(days=10), START + timedelta(days=19), critical=True),
)


def shapes(svg: str) -> dict[str, tuple[float, float]]:
    """Left edge and width of each task's bar, by id."""
    bar = r'data-id="([^"]+)".*?<rect data-s="\d+" data-e="\d+" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"'
    found = re.findall(bar, svg)
    return {name: (float(x), float(width)) for name, x, width in found}


def test_bars_of_ten_days_are_equally_wide_and_follow_each_other():
    drawn = draw(TWO)
    (x1, w1), (x2, w2) = shapes(drawn.svg).values()

    assert w1 == pytest.approx(10 * WIDTH / drawn.days, abs=0.1)
    assert w2 == pytest.approx(w1, abs=0.1)
    assert x2 == pytest.approx(x1 + w1, abs=0.2)


def test_an_arrow_leaves_the_end_of_its_source_and_reaches_the_start_of_its_target():
    drawn = draw(TWO, [Arrow("1.1", "1.2")])
    arrow = re.search(r'class="g-arrow" data-from="1.1" data-to="1.2" data-s="(\d+)" data-e="(\d+)"', drawn.svg)
    bars = dict(re.findall(r'data-id="([\d.]+)".*?<rect (data-s="\d+" data-e="\d+")', drawn.svg))

    assert arrow is not None
    assert f'data-e="{arrow[1]}"' in bars["1.1"]
    assert f'data-s="{arrow[2]}"' in bars["1.2"]


def test_arrows_of_bars_that_are_not_there_are_left_out():
    assert "g-arrow" not in draw(TWO, [Arrow("1.1", "9.9")]).svg


def test_an_arrow_without_room_goes_around():
    assert elbow(10, 20, 40, 46) == "M10 20H34V46H40"
    assert elbow(10, 20, 12, 46) == f"M10 20h5V{20 + ROW // 2}H6V46H12"
    assert elbow(10, 46, 12, 20) == f"M10 46h5V{46 - ROW // 2}H6V20H12"


def test_every_row_has_its_own_height_and_groups_come_before_their_bars():
    drawn = draw(TWO)

    assert [row.title for row in drawn.rows] == ["A", "First", "Second"]
    assert f'height="{HEAD + 3 * ROW}"' in drawn.svg
    ys = [int(y) for y in re.findall(rf'y="(\d+)" width="[\d.]+" height="{BAR}"', drawn.svg)]
    assert ys == [HEAD + ROW + (ROW - BAR) // 2, HEAD + 2 * ROW + (ROW - BAR) // 2]


def test_deadline_and_confidence_never_write_on_the_same_line():
    end = TWO[1].end
    svg = draw(TWO, (), [Line(end, "Deadline", "deadline"), Line(end, "80%", "confidence")]).svg
    ys = re.findall(r'<text x="[\d.]+" y="(\d+)"[^>]*>(?:Deadline|80%)<', svg)

    assert len(set(ys)) == 2
    assert all(int(y) < HEAD for y in ys)
    # nor on that of the years and months above them
    assert not set(ys) & set(re.findall(r'<g class="g-mark.*?y="(\d+)">', svg))


@pytest.mark.parametrize(("day", "anchored"), [(START, False), (START + timedelta(days=19), True)])
def test_a_label_stands_on_the_side_with_more_room(day, anchored):
    svg = draw(TWO, (), [Line(day, "Here", "deadline")]).svg

    assert ('text-anchor="end">Here' in svg) == anchored


def test_milestones_at_either_end_are_drawn_whole():
    ends = [
        Bar(f"M{n}", "x", "Milestones", day, day, "milestone")
        for n, day in enumerate((START, START + timedelta(days=2000)))
    ]
    svg = draw(ends).svg
    middles = [float(x) for x in re.findall(r'<path data-s="\d+" data-y="\d+" d="M([\d.]+)', svg)]

    assert all(7 <= x <= WIDTH - 7 for x in middles)


def test_closed_days_outside_the_chart_are_left_out_and_others_cut_to_it():
    svg = draw(
        TWO,
        shades=[
            Shade(date(2020, 1, 1), date(2020, 2, 1), "long ago"),
            Shade(date(2026, 1, 1), START, "over new year"),
        ],
    ).svg

    assert "long ago" not in svg
    assert 'data-s="0"' in re.search(r'<rect class="g-shade"[^>]*>', svg)[0]


def test_markup_in_names_stays_text():
    evil = '"><script>alert(1)</script>'
    svg = draw(
        [Bar(evil, evil, evil, START, START, notes=(evil,))],
        [Arrow(evil, evil)],
        [Line(START, evil, "deadline")],
        [Shade(START, START, evil)],
    ).svg

    assert "<script" not in svg
    assert '"><' not in svg.replace('"></', "").replace('"><rect', "").replace('"><line', "").replace('"><title', "")


def test_three_hundred_tasks_take_less_than_a_quarter_of_a_megabyte():
    svg = chart(300).svg

    assert svg.count('data-tip="') == 300
    assert len(svg.encode()) < 250_000


def test_the_same_chart_is_drawn_byte_for_byte():
    assert chart(40).svg == chart(40).svg
