"""Evaluation of a model, compared with lm-evaluation-harness 0.4.13: the same model, problems and cores, alternately.

The model is a Llama with 30 million random weights. The libraries are ours, cut to whole methods of at most 500 of its
tokens. Results that either side computed before are discarded between rounds.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.data import Data, canonical, settings
from bench.process import call
from bench.table import BenchLine, summarize

ROUNDS = 5
LIBRARY = 500  # tokens


@dataclass(frozen=True)
class Workload:
    """A workload: the `problems` per round, and the `tokens` of an answer (0 for multiple choice).

    `target` is the minimum rate relative to lm-evaluation-harness's.
    """

    name: str
    benchmark: str
    library: bool
    tokens: int
    problems: int
    target: float


WORKLOADS = {
    "icr": Workload("multiple choice, library in context (ARC-Easy)", "arc_easy", True, 0, 32, 12.0),
    "canonical": Workload("multiple choice, zero-shot (ARC-Easy)", "arc_easy", False, 0, 64, 2.5),
    "write": Workload("48 generated tokens, library in context (GSM1K)", "gsm1k", True, 48, 12, 1.0),
    "long": Workload("256 generated tokens, zero-shot (GSM1K)", "gsm1k", False, 256, 12, 1.0),
}


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield problems per second of both at two batch sizes for each workload, with memory and score differences."""
    with tempfile.TemporaryDirectory() as weights:
        result = call("bench.figures.evaluation", "save_model", str(data.folder), weights).result
        yield f"  a Llama of {result['parameters'] / 1e6:.1f} million parameters; library: {result['library']} tokens"
        for kind in WORKLOADS:
            for batch in ("1", "16"):
                yield from _compared(str(data.folder), weights, kind, batch)


def _compared(folder: str, weights: str, kind: str, batch: str) -> Iterator[BenchLine | str]:
    result = call("bench.figures.evaluation", "compare", folder, weights, kind, batch).result
    peaks = {
        side: call("bench.figures.evaluation", "run_alone", folder, weights, kind, batch, side).gigabytes
        for side in ("ours", "theirs")
    }
    ratios = [a / b for a, b in zip(result["ours"], result["theirs"], strict=True)]
    yield summarize(f"{WORKLOADS[kind].name}, batch {batch}", result["ours"], "problems/s", peaks["ours"])
    yield summarize("  lm-evaluation-harness 0.4.13", result["theirs"], "problems/s", peaks["theirs"])
    yield summarize("  ratio per round", ratios, "×", at_least=WORKLOADS[kind].target)
    yield BenchLine(
        "  peak memory, ratio of ours to theirs", f"{peaks['ours'] / peaks['theirs']:.2f} ×",
        target="≤ 1 ×", met=peaks["ours"] <= peaks["theirs"],
    )  # fmt: skip
    same, n = result["same"]
    if WORKLOADS[kind].tokens:
        yield BenchLine("  identical texts", f"{same} of {n}", target="all", met=same == n)
    else:
        yield BenchLine("  identical choices", f"{same} of {n}", target="all", met=same == n)
        yield BenchLine(
            "  largest difference of log-likelihoods", f"{result['difference']:.1e} nats",
            target="≤ 1e-3 nats", met=result["difference"] <= 1e-3,
        )  # fmt: skip


def save_model(folder: str, weights: str) -> dict[str, Any]:
    """Save a model and a tokenizer trained on canonical texts; return the numbers of parameters and library tokens."""
    from pfe.training.student import new_student, new_tokenizer, save

    texts = [problem.text for problem in canonical(folder)[::4]]
    student = replace(settings().student, vocabulary=8192, hidden=512, layers=8, heads=8, context=2048)
    tokenizer = new_tokenizer(texts, student.vocabulary, student.context)
    model = new_student(tokenizer, student, seed=0)
    save(model, tokenizer, Path(weights))
    library = _requests(folder, weights, "icr")[0].prefix.text
    return {"parameters": model.num_parameters(), "library": len(tokenizer(library)["input_ids"])}


def compare(folder: str, weights: str, kind: str, batch: str) -> dict[str, Any]:
    """Return the problems per second of both in each round, and the agreement of their answers."""
    requests = _requests(folder, weights, kind)
    sides = {"ours": _ours(weights, batch), "theirs": _theirs(weights, batch)}
    rates: dict[str, list[float]] = {side: [] for side in sides}
    answers: dict[str, list[Any]] = {}
    for ask in sides.values():
        ask(requests[:2])
    for round_ in range(ROUNDS):
        for side in sorted(sides, reverse=bool(round_ % 2)):
            start = time.perf_counter()
            answers[side] = sides[side](requests)
            rates[side].append(len(requests) / (time.perf_counter() - start))
    return rates | _agreement(answers["ours"], answers["theirs"])


def run_alone(folder: str, weights: str, kind: str, batch: str, side: str) -> int:
    """Run one round of one side, so that its memory can be measured."""
    requests = _requests(folder, weights, kind)
    return len((_ours if side == "ours" else _theirs)(weights, batch)(requests))


def _agreement(ours: list[Any], theirs: list[Any]) -> dict[str, Any]:
    if isinstance(ours[0], str):
        return {"same": (sum(a == b for a, b in zip(ours, theirs, strict=True)), len(ours))}
    pairs = list(zip(ours, theirs, strict=True))
    return {
        "same": (sum(a.index(max(a)) == b.index(max(b)) for a, b in pairs), len(pairs)),
        "difference": max(abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True)),
    }


def _requests(folder: str, weights: str, kind: str) -> list[Any]:
    from transformers import AutoTokenizer

    from pfe.evaluation.prompts import request_for
    from pfe.icr.contexts import library
    from pfe.icr.prefix import Prefix

    workload = WORKLOADS[kind]
    benchmark = settings().benchmark[workload.benchmark]
    problems = [p for p in canonical(folder) if p.set == workload.benchmark and len(p.choices) in (0, 4)]
    prefix = Prefix()
    if workload.library:
        tokenizer = AutoTokenizer.from_pretrained(weights, trust_remote_code=False)
        whole = library(benchmark.library)
        lengths = {n: len(tokenizer(whole.shortened(n).text)["input_ids"]) for n in range(len(whole.methods) + 1)}
        prefix = whole.shortened(max(n for n, length in lengths.items() if length <= LIBRARY))
    step = max(1, len(problems) // workload.problems)
    requests = [request_for(problem, benchmark, prefix) for problem in problems[::step][: workload.problems]]
    return [replace(request, max_tokens=workload.tokens) for request in requests] if workload.tokens else requests


def _ours(weights: str, batch: str) -> Any:
    from pfe.cache import Cache
    from pfe.models.huggingface import HuggingFace
    from pfe.models.loading import load
    from pfe.models.responses import Responses

    loaded = load(weights, None, "float32", "cpu")

    def ask(requests: list[Any]) -> list[Any]:
        with tempfile.TemporaryDirectory() as folder:
            responses = Responses(loaded.identity, Cache(Path(folder) / "responses.sqlite"))
            answers = HuggingFace(loaded, batch_size=int(batch), responses=responses).answer(requests)
        return [answer.scores or answer.output for answer in answers]

    return ask


def _theirs(weights: str, batch: str) -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    model = HFLM(pretrained=weights, batch_size=int(batch), device="cpu", dtype="float32")

    def ask(requests: list[Any]) -> list[Any]:
        if not requests[0].options:
            decoding = {"do_sample": False}
            instances = [
                Instance("generate_until", {}, (
                    request.prefix.text + request.prompt,
                    decoding | {"until": list(request.stop), "max_gen_toks": request.max_tokens},
                ), 0)
                for request in requests
            ]  # fmt: skip
            return list(model.generate_until(instances, disable_tqdm=True))
        instances = [
            Instance("loglikelihood", {}, (request.prefix.text + option.context, option.continuation), index)
            for request in requests
            for index, option in enumerate(request.options)
        ]
        scores = iter([score for score, _ in model.loglikelihood(instances, disable_tqdm=True)])
        return [tuple(next(scores) for _ in request.options) for request in requests]

    return ask
