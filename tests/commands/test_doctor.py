"""`pfe doctor`: every line says what there is, or what is missing and how to get it."""

import re
from collections.abc import Iterator
from importlib import metadata

import pytest

from pfe import extras
from pfe.__main__ import main


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main("doctor")
    return int(ended.value.code or 0), capsys.readouterr().out


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the package requires, whether or not this checkout is installed."""
    lines = ["numpy>=2", "sepal; extra == 'garden'", "petal-cup<2; extra == 'garden'", "PyYAML; extra == 'meadow'"]
    monkeypatch.setattr(metadata, "requires", lambda name: lines)
    monkeypatch.setattr(metadata, "metadata", lambda name: {"Requires-Python": ">=3.11"})
    extras.extras.cache_clear()
    yield
    extras.extras.cache_clear()


def test_a_whole_machine_is_said_to_be_one_and_extras_are_named_with_what_installs_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, shown = doctor(capsys)
    assert status == 0
    assert "  –  garden: without sepal, petal_cup; pip install 'pfe[garden]'\n" in shown
    assert "  ok  meadow: PyYAML\n" in shown  # whose module is called yaml
    assert "MISSING" not in shown
    assert re.search(r"programs of strangers, apart from everything, with(out)? control groups", shown)
    assert all(f"  {word}" in shown for word in ("Python 3", "libraries: all 1", "cache: ", "configuration: "))


def test_a_library_of_another_version_is_missing_and_ends_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "requires", lambda name: ["numpy<1", "sepal"])
    status, shown = doctor(capsys)
    assert status == 1
    assert (
        f"MISSING  libraries: numpy<1 (here: {metadata.version('numpy')}), sepal (here: none); pip install pfe" in shown
    )
