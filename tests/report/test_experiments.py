"""Experiments side by side, on one screen."""

from hypothesis import given
from hypothesis import strategies as st

from pfe.report.experiments import LINES, WIDTH, Experiment, table

PFE = {"student": {"canonical": 20.4, "icr": 19.6, "lift": -0.8, "verdict": "weak"}, "base": {"lift": 1.0}}
BEFORE = Experiment("main", False, (), {"pfe": PFE, "firewall": {"accepted": 3900}})


def test_every_experiment_shows_its_changes_and_what_came_of_them() -> None:
    queued = Experiment("stray-laics (queued)", True, ("firewall.threshold=0.25", "seed=1"), {})
    head, _, first, second = table([BEFORE, queued]).splitlines()
    assert head.split() == ["experiment", "changed", "canonical", "ICR", "lift", "accepted", "verdict"]
    assert first.split() == ["main", "20.4", "19.6", "-0.8", "3,900", "weak"]
    assert second.split() == ["└─", "stray-laics", "(queued)", "firewall.threshold=0.25,", "seed=1", *"–––––"]


def test_the_figures_are_those_of_the_model_that_is_asked_for() -> None:
    assert table([BEFORE], "base").splitlines()[2].split() == ["main", "–", "–", "+1.0", "3,900", "–"]


letters = st.characters(codec="latin-1", exclude_categories=["C"])


def test_many_changes_stand_on_several_lines() -> None:
    changed = tuple(f"firewall.gates.{gate}=None" for gate in ("dilution", "disguise", "edits", "answers"))
    lines = table([Experiment("spec", True, changed, {})]).splitlines()
    assert len(lines) > 3
    assert all(any(change in line for line in lines) for change in changed)


@given(st.lists(st.tuples(st.text(letters, max_size=80), st.lists(st.text(letters)).map(tuple)), min_size=1))
def test_no_line_is_wider_than_a_screen_whatever_was_changed(made: list[tuple[str, tuple[str, ...]]]) -> None:
    lines = table([Experiment(name, True, changed, BEFORE.metrics) for name, changed in made]).split("\n")
    assert 2 + len(made) <= len(lines) <= 2 + LINES * len(made)
    assert max(map(len, lines)) <= WIDTH
