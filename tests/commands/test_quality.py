"""`pfe quality`, as an author of families types it."""

import pytest

from pfe.__main__ import main


def test_a_set_is_written_measured_and_shown_beside_the_real_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main("quality", "winogrande_synth", "--count", "60", "--seed", "3", "--against", "sample")
    printed = capsys.readouterr().out
    assert not ended.value.code
    assert printed.startswith("winogrande_synth: 60 problems compared with winogrande\n")
    assert "synthetic, n = 60" in printed
    assert "two-sample AUC" in printed


def test_an_unknown_set_is_told_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main("quality", "winogrand_synth", "--against", "sample")
    assert ended.value.code == 2
    assert "did you mean 'winogrande_synth'?" in capsys.readouterr().err
