"""Experiments drawn beside each other."""

from pfe.report.sweep import Line, Point, svg, table

LINES = [
    Line("main", {"accepted": Point(3900), "rejected": Point(11), "lift": Point(-0.8, -3.0, 1.5)}, is_base=True),
    Line("threshold_020", {"accepted": Point(3892), "rejected": Point(31), "recall": Point(99.25)}),
]


def test_every_experiment_is_a_line_and_every_figure_that_any_has_a_panel() -> None:
    drawn = svg(LINES)
    assert drawn == svg(LINES)
    assert all(words in drawn for words in ("main", "threshold_020", "PFE-Lift, points", "accepted", "recall, %"))
    assert "PFE-Canonical" not in drawn
    assert "no experiment has a figure" in svg([Line("main", {})])


def test_the_table_has_the_firewall_s_figures_and_a_dash_where_there_is_none() -> None:
    rows = [line.split() for line in table(LINES).splitlines()[2:]]
    assert rows == [["main", "3,900", "11", "–", "–"], ["threshold_020", "3,892", "31", "99.2", "–"]]
