"""SPEC's target sizes can be drawn: enough distinct problems in every set, and the firewall's margin on top."""

import pytest

from pfe import config
from pfe.params import composed
from pfe.tutors.family import synthetic_sets
from pfe.tutors.generate import candidates
from tests.conftest import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("name", synthetic_sets())
def test_a_set_can_be_drawn_at_full_scale(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    scale = config.parse(composed(["scale=full"]), "conf").scale
    if name not in scale.targets:
        pytest.skip(f"scale=full has no {name}")
    wanted = round(scale.targets[name] * (1 + scale.margin))
    problems = candidates(name, wanted, seed=0, library_bound=0.4)
    assert len({(problem.text, problem.library, problem.functions) for problem in problems}) == wanted
    families = {problem.family for problem in problems}
    assert len(families) >= 12
