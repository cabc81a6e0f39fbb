"""`pfe cache`: what is kept is shown, and answers that may have been paid for go only after a second question."""

from pathlib import Path

import pytest

from pfe.__main__ import main
from pfe.cache import Cache, work_folder
from pfe.models.responses import Responses


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that holds an answer, a vector, files of a screening, and something that is not ours."""
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path))
    Cache.default().put_many({b"text": b"vector"})
    Responses("server", Responses.user_cache()).put({b"question": {"text": "18"}})
    (work_folder("screening") / "part").write_bytes(b"x" * 2**20)
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


def ran(*words: str, answer: str = "", monkeypatch: pytest.MonkeyPatch) -> int:
    asked: list[str] = []

    def confirm(question: str) -> bool:
        asked.append(question)
        return answer == "y"

    monkeypatch.setattr("typer.confirm", confirm)
    with pytest.raises(SystemExit) as ended:
        main("cache", *words)
    assert bool(asked) == bool(answer)
    return int(ended.value.code or 0)


def answers(folder: Path) -> bool:
    return Responses("server", Cache(folder / "responses.sqlite")).get_many([b"question"]) != {}


def test_the_parts_and_their_sizes_are_shown_and_nothing_is_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(monkeypatch=monkeypatch) == 0
    shown = capsys.readouterr().out
    assert "1.0 MiB  screening" in shown
    assert "responses.sqlite  answers of models" in shown
    assert str(folder) in shown
    assert answers(folder)
    assert (folder / "screening/part").exists()


def test_clear_removes_what_is_ours_and_costs_only_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran("--clear", monkeypatch=monkeypatch) == 0
    assert answers(folder)
    assert not list(folder.glob("entries*"))
    assert not (folder / "screening").exists()
    assert (folder / "notes.txt").exists()


@pytest.mark.parametrize("answer", ["y", "n"])
def test_answers_of_models_go_only_where_the_second_question_is_answered_with_yes(
    answer: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ran("--clear", "--paid", answer=answer, monkeypatch=monkeypatch) == 0
    assert answers(folder) == (answer == "n")
    assert (folder / "notes.txt").exists()


def test_paid_alone_is_a_mistake(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran("--paid", monkeypatch=monkeypatch) == 2
    assert answers(folder)
