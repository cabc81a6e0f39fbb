"""The figures of synthetic sets, on the screen and in the report."""

from dataclasses import replace

import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from pfe.problem import UNKNOWN, Problem, Variant
from pfe.quality.measure import measure
from pfe.quality.record import ChoicesAlone, Quality
from pfe.report.quality import HEAD, screen, section
from pfe.scores.proportion import proportion
from tests.quality.made import drawn_problems


@pytest.fixture(scope="module")
def quality() -> Quality:
    synthetic = [with_choices(problem) for problem in drawn_problems(80, 1, "ours")]
    real = [with_choices(problem) for problem in drawn_problems(40, 2, "theirs")]
    return measure("made_synth", [*map(bound, synthetic[:20]), *synthetic[20:]], real, seed=0)


def with_choices(problem: Problem) -> Problem:
    first, second, *_ = problem.question.split()
    return replace(problem, choices=(first, second), answer=second)


def bound(problem: Problem) -> Problem:
    unhelpful = (Variant("irrelevant", ("Nothing of use.",), UNKNOWN), Variant("bare", (), UNKNOWN))
    changed = Variant("changed", (f"It is {problem.choices[0]}.",), problem.choices[0], problem.answer)
    library = (f"It is {problem.answer}.",)
    return replace(problem, library=library, needed=(0,), skill="lookup", variants=(changed, *unhelpful))


def test_the_table_has_a_line_a_set_with_both_sides(quality: Quality) -> None:
    lines = "\n".join(section({"made_synth": quality})).splitlines()
    head, line = (next(line for line in lines if line.startswith(start)) for start in ("| set", "| made_synth"))
    cells = dict(zip(*([cell.strip() for cell in row.split("|")[1:-1]] for row in (head, line)), strict=True))
    assert tuple(cells) == HEAD
    assert (cells["problems"], cells["compared"], cells["families"]) == ("80", "40", "3")
    assert cells["AUC"].startswith("1.00 [0.")
    assert cells["words"] == "12 / 12"
    matched, real = quality.matched.choices, quality.sides["real"].choices
    assert matched
    assert real
    assert cells["choices alone, %"] == f"{matched.alone.value:.0f} / {real.alone.value:.0f}"


def test_a_set_without_a_real_side_has_its_own_figures_alone(quality: Quality) -> None:
    alone = measure("made_synth", drawn_problems(40, 1), [], seed=0)
    text = "\n".join(section({"made_synth": alone}))
    assert alone.auc is None
    assert " – |" in text
    assert f"{alone.sides['synthetic'].nearest.value:.2f} |" in text
    assert "Problems whose answer is in a library" not in text


def test_library_bound_problems_have_a_table_of_their_own(quality: Quality) -> None:
    text = "\n".join(section({"made_synth": quality}))
    assert "Problems whose answer is in a library" in text
    assert "lookup 100" in text
    assert "| 25.0 [" in text.replace("  ", " ")


def test_what_is_missed_and_what_gives_the_set_away_is_listed(quality: Quality) -> None:
    text = "\n".join(section({"made_synth": quality}))
    assert "- made_synth: two-sample AUC 1, at most 0.97" in text
    assert f"- made_synth: {', '.join(quality.giveaways)}" in text
    assert quality.giveaways
    assert section({}) == ["No set has an accepted problem."]


def test_a_share_above_the_real_one_s_has_its_interval(quality: Quality) -> None:
    choices = {"matched": (15, 17), "real": (0, 1)}
    sides = {
        name: replace(quality.sides[name], choices=ChoicesAlone(proportion(alone, 48), proportion(overlap, 48), 25.0))
        for name, (alone, overlap) in choices.items()
    }
    text = "\n".join(section({"made_synth": replace(quality, sides={**quality.sides, **sides})}))
    for place, name in enumerate(("choices alone", "choices and overlap")):
        ours, theirs = (counts[place] for counts in choices.values())
        low, high = confint_proportions_2indep(ours, 48, theirs, 48, "newcomb", "diff")
        above = f"{100 * (ours - theirs) / 48:.3g}"
        assert f"{name}, points above real {above} [{100 * low:.1f}, {100 * high:.1f}], at most 5" in text


def test_the_screen_has_a_column_a_side_and_the_goals(quality: Quality) -> None:
    lines = screen(quality).splitlines()
    for column in ("synthetic, n = 80", "matched, n = 40", "real, n = 40", "goal"):
        assert column in lines[2]
    shown = {line.split("  ")[0]: line for line in lines}
    assert shown["two-sample AUC"].endswith("≤ 0.97: missed")
    assert shown["near-duplicates, %"].endswith("≤ 5")
    assert "0.0 [0.0, " in shown["near-duplicates, %"]
    for name in ("nearest in the set", "repeated sentences, %", "choices alone, %", "library-bound, %"):
        assert name in shown
