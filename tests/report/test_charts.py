"""Pictures: what is drawn lies where its number says."""

import re

from video_oasis.report.charts.cells import draw_estimate, draw_part, draw_shares
from video_oasis.report.charts.falls import Fall, draw_falls
from video_oasis.report.charts.scatter import Point, draw_scatter
from video_oasis.report.charts.upset import Combination, draw_upset


def numbers(pattern: str, svg: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, svg)]


def test_a_dot_its_interval_and_its_tick_lie_on_one_scale() -> None:
    svg = draw_estimate(0.5, low=0.25, high=1.0, reference=0.0, marked=True)
    # 130 wide with a margin of 5: 0 lies at 5, 1 at 125.
    assert numbers(r'<circle class="marked" cx="([\d.]+)"', svg) == [65.0]
    assert re.search(r'class="interval marked" x1="35.0" x2="125.0"', svg)
    assert re.search(r'class="reference" x1="5.0"', svg)
    bare = draw_estimate(-0.2, low=None, high=None, reference=None, marked=False)
    assert numbers(r'<circle class="plain" cx="([\d.]+)"', bare) == [5.0]
    assert "interval" not in bare
    assert "reference" not in bare


def test_bars_are_as_long_as_their_counts() -> None:
    assert numbers(r'width="([\d.]+)" height="14"', draw_part(20, 5, largest=40)) == [65.0, 16.2]
    assert numbers(r'width="([\d.]+)" height="14"', draw_part(0, 0, largest=0)) == [0.0, 0.0]
    shares = draw_shares([("dropped", 1), ("kept", 3)])
    assert re.findall(r'class="(\w+)" x="([\d.]+)" y="0" width="([\d.]+)"', shares) == [
        ("dropped", "0.0", "250.0"),
        ("kept", "250.0", "750.0"),
    ]


def test_an_upset_plot_has_a_column_for_each_combination() -> None:
    svg = draw_upset(
        [("shuffle", 6), ("blind", 4), ("audio", 3)],
        [
            Combination(frozenset({"shuffle", "audio"}), 4),
            Combination(frozenset({"blind"}), 2),
        ],
        title="<t>",
    )
    assert "<title>&lt;t&gt;</title>" in svg
    # Bars: whole for two sets, part for one; the second is half as high.
    heights = re.findall(
        r'<rect class="(\w+)" x="[\d.]+" y="[\d.]+" width="22" height="([\d.]+)"', svg
    )
    assert heights == [("whole", "150.0"), ("part", "75.0")]
    assert svg.count('class="present"') == 3
    assert svg.count('class="absent"') == 3
    # Rows are 28 apart from 186: shuffle and audio are the first and the third.
    assert re.findall(
        r'class="joined" x1="[\d.]+" x2="[\d.]+" y1="([\d.]+)" y2="([\d.]+)"', svg
    ) == [("200.0", "256.0")]


def test_names_of_points_keep_off_each_other() -> None:
    points = [Point(f"benchmark {number}", 0.5 + number / 1000, 0.5) for number in range(6)]
    svg = draw_scatter(points, x_axis="x", y_axis="y", title="t")
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)">benchmark', svg)
    boxes = [(float(x), float(y)) for x, y in labels]
    assert len(boxes) == 6
    width = 7.2 * len("benchmark 0")
    for number, (x, y) in enumerate(boxes):
        for other_x, other_y in boxes[number + 1 :]:
            assert abs(x - other_x) >= width or abs(y - other_y) >= 15


def test_a_point_lies_where_its_shares_say_and_long_names_are_cut() -> None:
    svg = draw_scatter([Point("n" * 40, 0.5, 1.0)], x_axis="x", y_axis="y", title="t")
    # The plot reaches from 62 to 682 and from 388 up to 14.
    assert re.search(r'class="point" cx="372.0" cy="14.0"', svg)
    assert f">{'n' * 23}…</text>" in svg
    assert f"<title>{'n' * 40}</title>" in svg


def test_a_fall_is_drawn_from_the_whole_video_to_what_is_left() -> None:
    falls = [
        Fall("one", "blind", 0.8, 0.3, 0.2, 0.4, 0.25, marked=True, text="lost 50.0"),
        Fall("one", "shuffle", 0.8, 0.8, None, None, 0.25, marked=False, text="lost 0.0"),
        Fall("two <b>", "blind", 0.8, 0.3, 0.2, 0.4, 0.25, marked=True, text="lost 50.0"),
    ]
    svg = draw_falls(falls, title="t")
    # 400 wide from 190.
    assert numbers(r'class="standard" cx="([\d.]+)"', svg) == [510.0] * 3
    assert numbers(r'class="marked" cx="([\d.]+)"', svg) == [310.0] * 2
    assert re.search(r'class="interval marked" x1="270.0" x2="350.0"', svg)
    assert svg.count("interval") == 2
    assert svg.count('class="strong"') == 2
    assert "two &lt;b&gt;" in svg
