"""The ROC plot: every gate in it, the same bytes for the same figures, readable as XML."""

from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest

from pfe.calibration.record import Rates
from pfe.report.roc import draw, svg

CURVES = {
    gate: [Rates(gate, step / 10, 100 - 10 * step, 40.0 / (1 + place + step * step)) for step in range(11)]
    for place, gate in enumerate(("token_overlap", "same_answer", "clauses", "dilution", "edits"))
}
IN_USE = {gate: rates[3] for gate, rates in CURVES.items()}


def test_the_same_figures_are_the_same_bytes_whatever_style_the_user_has() -> None:
    first = svg(CURVES, IN_USE)
    with matplotlib.rc_context({"svg.hashsalt": "other", "font.size": 20, "axes.grid": True}):
        assert svg(CURVES, IN_USE) == first


def test_other_figures_are_another_plot() -> None:
    assert svg(CURVES, IN_USE) != svg(CURVES, IN_USE | {"dilution": Rates("dilution", 0.4, 50.0, 1.0)})


def test_every_gate_and_both_axes_are_named_in_text() -> None:
    texts = {node.text for node in ElementTree.fromstring(svg(CURVES, IN_USE)).iter("{http://www.w3.org/2000/svg}text")}
    assert {*CURVES, "false positives, % of clean text", "recall, % of attacked problems"} <= texts
    assert {f"above 0.3: 70.0 % at {rates.false_positives:.1f} %" for rates in IN_USE.values()} <= texts


def test_a_curve_runs_through_its_points_and_the_threshold_in_use_is_on_it() -> None:
    panel = draw(CURVES, IN_USE).axes[1]
    curve = next(line for line in panel.lines if line.get_linewidth() == 2)
    dot = next(line for line in panel.lines if line.get_marker() == "o")
    points = np.array(curve.get_data()).T.tolist()
    assert points == [[rates.false_positives, rates.recall] for rates in reversed(CURVES["same_answer"])]
    assert np.array(dot.get_data()).T.tolist()[0] in points


@pytest.mark.parametrize("curves", [{}, {"dilution": [Rates("dilution", 0.5, None, None)]}])
def test_where_no_gate_has_a_curve_the_plot_says_so(curves: dict[str, list[Rates]]) -> None:
    assert "no gate has a threshold to vary" in svg(curves, {})


def test_a_gate_without_figures_in_use_has_a_curve_and_no_dot() -> None:
    panel = draw({"dilution": CURVES["dilution"]}, {}).axes[0]
    assert len(panel.lines) == 1
