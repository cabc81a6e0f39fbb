"""What our engine computes against lm-evaluation-harness 0.4.13's own, on real problems and the same model."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch

from pfe.cache import Cache
from pfe.config import Config
from pfe.evaluation.arms import base_of, prefixes
from pfe.evaluation.prompts import request_for
from pfe.icr.controls import placebo_words
from pfe.icr.prefix import Prefix
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import LoadedModel, load
from pfe.models.request import Request
from pfe.models.responses import Responses
from pfe.scorers.choice import best
from pfe.training.student import new_tokenizer
from tests.evaluation.harness import REFERENCES, asked, problems, real_rows, reference_task
from tests.small_models import TEXT

COUNT = 100
TOKENS = 12  # written, where answers are written


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """A small Llama with room for any problem behind its library."""
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("llama")
    texts = [*TEXT, *(row["question"] for name in ("arc_easy", "boolq") for row in real_rows(name, 500))]
    tokenizer = new_tokenizer(texts, vocabulary=1_000, context=4_096)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=4_096, initializer_range=0.2,
        eos_token_id=tokenizer.eos_token_id, bos_token_id=None,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return load(str(folder), None, "float32", "cpu")


@pytest.fixture(scope="module")
def examinee(loaded: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> HuggingFace:
    return HuggingFace(loaded, responses=Responses("m", Cache(tmp_path_factory.mktemp("cache") / "c.sqlite")))


@pytest.fixture(scope="module")
def reference(loaded: LoadedModel) -> Any:
    from lm_eval.models.huggingface import HFLM

    return HFLM(pretrained=loaded.model, tokenizer=loaded.tokenizer, batch_size=16, device="cpu", max_length=4_096)


def in_icr(name: str, settings: Config, requests: list[Request], count: Callable[[str], int]) -> list[Request]:
    """The same problems behind their library."""
    own = "gsm1k" if name == "gsm8k" else name
    before = prefixes(
        "icr", own, settings.benchmark, [request.problem for request in requests],
        order=0, seed=0, words=partial(placebo_words, count=count), shots=[],
        base=base_of([], settings),
    )  # fmt: skip
    return [replace(request, prefix=prefix) for request, prefix in zip(requests, before, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCES)
def test_a_hundred_real_problems_have_lm_eval_s_log_likelihoods_and_text(
    name: str, settings: Config, examinee: HuggingFace, reference: Any
) -> None:
    rows = real_rows(name, COUNT)
    benchmark = settings.benchmark["gsm1k" if name == "gsm8k" else name]
    canonical = [request_for(problem, benchmark, Prefix()) for problem in problems(name, benchmark, rows)]
    instances = asked(reference_task(name, rows))
    if benchmark.form == "generate":
        _same_text(canonical, instances, examinee, reference)
        return
    _same_scores(canonical, [[one.args for one in row] for row in instances], examinee, reference)
    icr = in_icr(name, settings, canonical[:10], examinee.count)
    pairs = [[(request.prefix.text + o.context, o.continuation) for o in request.options] for request in icr]
    _same_scores(icr, pairs, examinee, reference)


def _same_scores(
    requests: list[Request], pairs: list[list[tuple[str, str]]], examinee: HuggingFace, reference: Any
) -> None:
    from lm_eval.api.instance import Instance

    flat = [Instance("loglikelihood", {}, pair, i) for i, row in enumerate(pairs) for pair in row]
    expected = iter([score for score, _ in reference.loglikelihood(flat, disable_tqdm=True)])
    for request, answer in zip(requests, examinee.answer(requests), strict=True):
        wanted = [next(expected) for _ in request.options]
        assert answer.scores == pytest.approx(wanted, abs=1e-3)
        assert best(answer.scores) == best(wanted)


def _same_text(requests: list[Request], instances: list[list[Any]], examinee: HuggingFace, reference: Any) -> None:
    short = [replace(request, max_tokens=TOKENS) for request in requests]
    for (instance,) in instances:
        instance.arguments = (instance.args[0], {**instance.args[1], "max_gen_toks": TOKENS})
    expected = reference.generate_until([instance for (instance,) in instances], disable_tqdm=True)
    assert [answer.output for answer in examinee.answer(short)] == expected
    assert len(set(expected)) > COUNT / 4


def test_the_engine_packs_here(examinee: HuggingFace) -> None:
    assert examinee.packs
