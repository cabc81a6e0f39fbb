"""`pfe gallery` and `pfe problem`, as a person types them."""

from pathlib import Path

import pytest

from pfe.__main__ import main


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(*words)
    return ended.value.code or 0


def test_problems_of_a_family_are_printed_and_one_is_printed_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("gallery", "gsm1k_synth", "--family", "coupon_change", "-n", "2", "--seed", "4") == 0
    first, second = capsys.readouterr().out.split(f"\n\n{'-' * 72}\n\n")
    assert status("problem", "gsm1k_synth/coupon_change/s4/0") == 0
    assert capsys.readouterr().out.strip() == first
    assert second.startswith("gsm1k_synth/coupon_change/s4/1 ")


@pytest.mark.parametrize(("name", "beginning"), [("page.html", "<!doctype html>"), ("page.md", "# Problems")])
def test_a_page_is_written_where_nothing_is(
    name: str, beginning: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name
    assert status("gallery", "winogrande_synth", "--out", str(out)) == 0
    assert out.read_text().startswith(beginning)
    assert f"{out}: " in capsys.readouterr().out
    assert status("gallery", "winogrande_synth", "--out", str(out)) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_page_of_another_kind_is_refused_with_the_kinds_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("gallery", "--out", str(tmp_path / "page.pdf")) == 2
    assert ".html or .md" in capsys.readouterr().err


def test_a_problem_of_the_invented_benchmark_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("problem", "invented/lookup-owners-16-plain/s0/1") == 0
    assert capsys.readouterr().out.startswith("invented/lookup-owners-16-plain/s0/1  (invented, lookup)\n")


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("invented/lookup-owner-16-plain/s0/1", "did you mean 'lookup-owners'?"),
        ("gsm1k_synth/gpt4o/s0/2", "gsm1k_synth.parquet is not there: `dvc repro generate` makes it"),
        ("gsm1k_synth/coupon_chang/s0/2", "did you mean 'coupon_change'?"),
        ("gsm1k_synth/coupon_change/s00/2", "no zeros in front"),
        ("gsm1k_synth/coupon_change/s0/02", "no zeros in front"),
    ],
)
def test_an_id_of_no_problem_is_told(
    id: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("problem", id) == 2
    assert words in capsys.readouterr().err


def test_what_stands_somewhere_is_not_replaced_by_invented_problems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.jsonl"
    assert status("invent", "--count", "5", "--out", str(out)) == 0
    written = out.read_bytes()
    assert status("invent", "--count", "5", "--seed", "9", "--out", str(out)) == 2
    assert "is there already" in capsys.readouterr().err
    assert out.read_bytes() == written
