"""What `--against` names."""

from pathlib import Path

import pytest

from pfe.config import Config
from pfe.errors import UserError
from pfe.screening.inputs import canonical_side


def test_the_sample_is_of_published_benchmarks_and_invented_is_named_by_itself(
    settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sample = {problem.id.partition("/")[0] for problem in canonical_side("sample", settings.benchmark).problems}
    assert sample == set(settings.benchmark) - {"invented"}
    assert len(canonical_side("invented", settings.benchmark).problems) == 1000


def test_all_canonical_rows_that_cannot_be_compared_are_told_at_once(tmp_path: Path, settings: Config) -> None:
    good, silent = '{"question": "What is 2 plus 2?"}', '{"id": "%s", "question": "…!"}'
    path = tmp_path / "b.jsonl"
    for rows, said in (
        (
            [good, "{", good, '{"question": null}', '{"question": ""}'],
            [", line 2: not JSON", "; lines 4, 5: no text in"],
        ),
        ([good, silent % "x", silent % "y"], [": x, y: no word; nothing can be compared with that"]),
    ):
        path.write_text("\n".join(rows))
        with pytest.raises(UserError) as told:
            canonical_side(str(path), settings.benchmark)
        assert str(told.value).startswith(str(path) + said[0])
        assert all(part in str(told.value) for part in said)
        assert "\n" not in str(told.value)
