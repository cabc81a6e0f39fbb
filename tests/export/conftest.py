"""One run of a small Llama, by `pfe eval`, that every export starts from."""

import os
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from pfe.__main__ import main
from pfe.training.student import new_tokenizer
from tests.small_models import TEXT

WINDOW = 8192  # tokens: no library is shortened
BENCHMARKS = ("arc_easy", "winogrande", "gsm1k", "trivia_qa", "race")


def status(*words: str) -> object:
    """How `pfe` ends."""
    with pytest.raises(SystemExit) as ended:
        main(*words)
    return ended.value.code


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a Llama with random weights, whose answers differ from problem to problem."""
    folder = tmp_path_factory.mktemp("models") / "llama"
    tokenizer = new_tokenizer(TEXT, vocabulary=400, context=WINDOW)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            max_position_embeddings=WINDOW,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
        )
    )
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(4)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def examined(llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its run, in a folder in which nothing else is."""
    folder, before = tmp_path_factory.mktemp("examined"), Path.cwd()
    os.chdir(folder)
    short = [f"-Sbenchmark.{name}.max_tokens=6" for name in ("gsm1k", "trivia_qa")]
    few = ("--benchmark", ",".join(BENCHMARKS), "--limit", "3", "--arms", "canonical,icr", "--dtype", "float32")
    try:
        assert status("eval", str(llama), "--out", "run", *few, *short) == 0
    finally:
        os.chdir(before)
    return folder / "run"
