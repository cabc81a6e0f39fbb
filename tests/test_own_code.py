"""Code that comes with a model or a data set is never run, also where somebody says yes to every question."""

import ast
import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, dynamic_module_utils

from pfe.config import Model, record
from pfe.embedding.backends import sentence_transformer
from pfe.errors import UserError
from pfe.models.load import examinee
from tests.conftest import ROOT

LOADERS = {
    "from_pretrained", "from_config", "load_dataset", "load_dataset_builder", "pipeline", "LLM",
    "SentenceTransformer", "CrossEncoder", "SparseEncoder",
}  # fmt: skip
CODE = "import pathlib\npathlib.Path({mark!r}).write_text('ran')\nclass C: pass\nclass M: pass\nclass T: pass\n"


def loading_calls() -> Iterator[tuple[str, ast.Call]]:
    for part in ("pfe", "stages", "bench", "tests"):
        for path in sorted((ROOT / part).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text if any(name in text for name in LOADERS) else "")):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                    if name in LOADERS:
                        yield f"{path.relative_to(ROOT)}:{node.lineno}: {name}", node


def test_every_call_that_loads_says_that_no_code_is_run() -> None:
    calls = dict(loading_calls())
    assert len(calls) > 10
    trusting = [
        place
        for place, call in calls.items()
        if not any(
            word.arg == "trust_remote_code" and isinstance(word.value, ast.Constant) and word.value.value is False
            for word in call.keywords
        )
    ]
    # The test below asks once as nobody should, to see that its folder would run.
    assert [place.split(":")[0] for place in trusting] == ["tests/test_own_code.py"]


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that exists once the code ran, and somebody who says yes."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 99))
    monkeypatch.setattr(dynamic_module_utils, "HF_MODULES_CACHE", str(tmp_path / "modules"))
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    return tmp_path / "mark"


def changed(folder: str, place: Path, mark: Path, file: str, **values: Any) -> str:
    """A copy of a model's folder with code in it, and a file of it changed so that it asks for the code."""
    shutil.copytree(folder, place)
    (place / "own.py").write_text(CODE.format(mark=str(mark)))
    path = place / file
    path.write_text(json.dumps((json.loads(path.read_text()) if path.exists() else {}) | values))
    return str(place)


@pytest.mark.parametrize(
    ("file", "values", "told"),
    [
        (
            "config.json",
            {"model_type": "own", "auto_map": {"AutoConfig": "own.C", "AutoModelForCausalLM": "own.M"}},
            r"code of its own, which is never run here\); take a model whose architecture",
        ),
        ("config.json", {"auto_map": {"AutoConfig": "own.C", "AutoModelForCausalLM": "own.M"}}, None),
        ("config.json", {"auto_map": {"AutoTokenizer": ["own.T", None]}}, None),
        ("config.json", {"attn_implementation": "somebody/kernel"}, "which is never run here: somebody/kernel"),
        (
            "tokenizer_config.json",
            {"tokenizer_class": "T", "auto_map": {"AutoTokenizer": ["own.T", None]}},
            r"code of its own, which is never run here\); save the tokenizer",
        ),
        ("custom_generate/generate.py", {}, None),
    ],
    ids=["config", "known config", "tokenizer in config", "attention", "tokenizer", "generate"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["huggingface", "vllm"])
def test_a_model_s_own_code_is_not_run(
    kind: Any, file: str, values: dict[str, Any], told: str | None, mark: Path, tmp_path: Path,
    model_folder: Callable[[str], str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("pfe.extras.find_spec", lambda name: "installed")
    folder = changed(model_folder("llama"), tmp_path / "model", mark, "config.json")
    if file.startswith("custom_generate"):
        (Path(folder) / "custom_generate").mkdir()
        (Path(folder) / file).write_text(CODE.format(mark=str(mark)) + "def generate(*_, **__): return None\n")
    else:
        shutil.rmtree(folder)
        changed(model_folder("llama"), tmp_path / "model", mark, file, **values)
    entry = record(Model, kind=kind, label="Mine", depends="", path=folder, device="cpu")
    if told is None:
        examinee("mine", entry, 0)
    else:
        with pytest.raises(UserError, match=rf"models\.mine: .*{told}") as error:
            examinee("mine", entry, 0)
        assert "\n" not in str(error.value)
        assert "trust_remote_code" not in str(error.value)
    assert not mark.exists()


def test_the_code_would_run_if_it_were_asked_for(
    mark: Path, tmp_path: Path, model_folder: Callable[[str], str]
) -> None:
    folder = changed(
        model_folder("llama"), tmp_path / "model", mark, "config.json",
        model_type="own", auto_map={"AutoConfig": "own.C"},
    )  # fmt: skip
    with pytest.raises(AttributeError):
        AutoConfig.from_pretrained(folder)
    assert mark.exists()


class Bomb:
    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> Any:
        return Path.write_text, (self._mark, "ran")


def test_weights_that_hold_code_are_not_unpacked(
    mark: Path, tmp_path: Path, model_folder: Callable[[str], str]
) -> None:
    shutil.copytree(model_folder("llama"), tmp_path / "model")
    (tmp_path / "model/model.safetensors").unlink()
    torch.save({"a": Bomb(mark)}, tmp_path / "model/pytorch_model.bin")
    entry = record(Model, kind="huggingface", label="Mine", depends="", path=str(tmp_path / "model"), device="cpu")
    with pytest.raises(UserError, match=r"hold code, which is never run here\); save them as safetensors"):
        examinee("mine", entry, 0)
    assert not mark.exists()


def test_an_embedding_model_s_own_code_is_not_run(
    mark: Path, tmp_path: Path, model_folder: Callable[[str], str]
) -> None:
    folder = changed(
        model_folder("llama"), tmp_path / "model", mark, "config.json",
        model_type="own", auto_map={"AutoConfig": "own.C", "AutoModel": "own.M"},
    )  # fmt: skip
    with pytest.raises(UserError, match=r"cannot load the embedding model .*code of its own, which is never run here"):
        sentence_transformer(folder, "float32")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "own.M"}]
    (Path(folder) / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(UserError, match="code of its own, which is never run here"):
        sentence_transformer(folder, "float32")
    assert not mark.exists()
