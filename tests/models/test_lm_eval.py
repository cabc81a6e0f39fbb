"""What every engine computes against lm-evaluation-harness 0.4.13's own, with tokenizers that make it hard."""

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from pfe.cache import Cache
from pfe.config import Model, record
from pfe.icr.prefix import Prefix
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import load
from pfe.models.request import Examinee, Option, Request
from pfe.models.responses import Responses
from pfe.models.vllm import VLLM
from pfe.problem import Problem
from tests.models.test_vllm import Engine, Params
from tests.small_models import small_model
from tests.small_tokenizers import TOKENIZERS

CHOICES = (" a bird in 12 boxes", " yes, the quick brown fox", " the lazy dog, over it", " ruler\nand 12 bees")
LIBRARY = Prefix("[METHOD LIBRARY]\n\n", ("METHOD 1: add the parts.\n\n", "METHOD 2: look on.\n\n"), "[PROBLEM]\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    """The folder of a small model of an architecture, with a tokenizer of a kind."""

    def make(architecture: str, kind: str) -> str:
        place = tmp_path_factory.mktemp("model")
        tokenizer = TOKENIZERS[kind]()
        tokenizer.pad_token = tokenizer.eos_token
        torch.manual_seed(0)
        model = small_model(architecture, len(tokenizer))
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.ndim > 1:
                    parameter.mul_(8)
        model.save_pretrained(place)
        tokenizer.save_pretrained(place)
        return str(place)

    return make


def examinee(engine: str, place: str, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> Examinee:
    if engine != "vllm":
        model = HuggingFace(load(place, None, "float32", "cpu"), responses=Responses("m", cache))
        assert model.packs == (engine == "packed")
        return model
    module: Any = ModuleType("vllm")
    module.__spec__ = ModuleSpec("vllm", None)
    module.LLM, module.SamplingParams, module.TokensPrompt = Engine(), Params, dict
    monkeypatch.setitem(sys.modules, "vllm", module)
    return VLLM("mine", record(Model, kind="vllm", label="M", depends="", path=place), cache)


def requests(prefix: Prefix) -> list[Request]:
    """Prompts that end in white space or not, that tokens reach over, and one that is longer than any window."""
    prompts = ["Question: a?\nAnswer:", "Question: b?\nAnswer: ", "12 birds and 8 bees look on", "Answer:\n"]
    prompts += ["\n"] if prefix.methods else []  # without anything before it, the harness dies of it
    prompts.append("The quick brown fox jumps over the lazy dog, in total. " * 30 + "Question: a?")
    made = []
    for i, prompt in enumerate(prompts):
        problem = Problem(f"a/{i}", "a", "science", prompt, CHOICES[0], choices=CHOICES)
        made.append(Request(problem, prefix, prompt, tuple(Option(prompt, choice) for choice in CHOICES)))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["merging", "sentencepiece", "byte-level, opened", "word pieces"])
@pytest.mark.parametrize(("engine", "architecture"), [("packed", "llama"), ("whole", "bloom"), ("vllm", "llama")])
def test_every_engine_has_lm_eval_s_log_likelihoods(
    engine: str,
    architecture: str,
    kind: str,
    folder: Callable[[str, str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    place = folder(architecture, kind)
    ours = examinee(engine, place, Cache(tmp_path / "c.sqlite"), monkeypatch)
    loaded = load(place, None, "float32", "cpu")
    # vLLM's window holds the token that it writes, too.
    window = loaded.window - 2 if engine == "vllm" else loaded.window
    theirs = HFLM(pretrained=loaded.model, tokenizer=loaded.tokenizer, device="cpu", max_length=window)
    for prefix in (Prefix(), LIBRARY):
        asked = requests(prefix)[:-1] if prefix.methods else requests(prefix)
        pairs = [(prefix.text + o.context, o.continuation) for request in asked for o in request.options]
        instances = [Instance("loglikelihood", {}, pair, i) for i, pair in enumerate(pairs)]
        expected = [score for score, _ in theirs.loglikelihood(instances, disable_tqdm=True)]
        answers = ours.answer(asked)
        assert [score for answer in answers for score in answer.scores] == pytest.approx(expected, abs=1e-3)
        assert [answer.stop for answer in answers[:4]] == ["choice"] * 4
        assert architecture == "bloom" or prefix.methods or answers[-1].stop == "cut"
