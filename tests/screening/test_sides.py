"""What `--against` names."""

from pathlib import Path

import pytest

from pfe.config import Config
from pfe.screening.sides import canonical_side


def test_the_sample_is_of_published_benchmarks_and_invented_is_named_by_itself(
    settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sample = {problem.id.partition("/")[0] for problem in canonical_side("sample", settings.benchmark).problems}
    assert sample == set(settings.benchmark) - {"invented"}
    assert len(canonical_side("invented", settings.benchmark).problems) == 1000
