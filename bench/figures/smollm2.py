"""SmolLM2-135M-Instruct in bfloat16 with ARC-Easy's library, compared with lm-evaluation-harness 0.4.13, alternately.

The figure uses a real model, the whole library, its chat template and 200 problems, as a user would run it. Both sides
read the same folder in Hugging Face's format, saved from the packaged file. The harness gets the text that the template
renders.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.data import Data, canonical, settings
from bench.process import call
from bench.table import BenchLine, summarize

ROUNDS = 3
PROBLEMS = 200
BATCH = 16
FASTER, SAME = 10.0, 99.0  # times, percent


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield the problems per second of both, and the number of identical choices.

    Nothing is measured on a processor that emulates bfloat16, because the harness would take six hours.
    """
    from pfe.models.precision import arithmetic

    if arithmetic("auto", "cpu").dtype != "bfloat16":
        yield "SmolLM2-135M-Instruct in bfloat16: not measured, because this processor has no bfloat16 arithmetic"
        return
    with tempfile.TemporaryDirectory() as weights:
        call("bench.figures.smollm2", "save_model", weights)
        result = call("bench.figures.smollm2", "compare", str(data.folder), weights).result
    ratios = [ours / theirs for ours, theirs in zip(result["ours"], result["theirs"], strict=True)]
    same, n = result["same"]
    yield summarize("SmolLM2-135M-Instruct, bfloat16, library in context (ARC-Easy)", result["ours"], "problems/s")
    yield summarize("  lm-evaluation-harness 0.4.13", result["theirs"], "problems/s")
    yield summarize("  ratio per round", ratios, "×", at_least=FASTER)
    yield BenchLine("  identical choices", f"{same} of {n}", target=f"≥ {SAME:g} %", met=100 * same >= SAME * n)
    ways = ", ".join(result["ways"])
    yield BenchLine("  computation confirmed by the audit", ways, target="packed", met=ways == "packed")


def save_model(weights: str) -> None:
    """Save the packaged model as a folder."""
    from pfe.models.loading import load

    loaded = load("smollm2", None, "bfloat16", "cpu")
    loaded.model.save_pretrained(weights)
    loaded.tokenizer.save_pretrained(weights)


def compare(folder: str, weights: str) -> dict[str, Any]:
    """Return the problems per second of both in each round, the number of identical choices, and our computations."""
    from pfe.evaluation.prompts import request_for
    from pfe.icr.contexts import library

    benchmark = settings().benchmark["arc_easy"]
    problems = [problem for problem in canonical(folder) if problem.set == "arc_easy"]
    step = max(1, len(problems) // PROBLEMS)
    requests = [request_for(one, benchmark, library(benchmark.library or "")) for one in problems[::step][:PROBLEMS]]
    template = _template(weights)
    sides = {"ours": _ours(weights, template), "theirs": _theirs(weights, template)}
    rates: dict[str, list[float]] = {side: [] for side in sides}
    scores: dict[str, list[tuple[float, ...]]] = {}
    ways: set[str] = set()
    for round_ in range(ROUNDS):
        for side in sorted(sides, reverse=bool(round_ % 2)):
            start = time.perf_counter()
            scores[side], new_ways = sides[side](requests)
            rates[side].append(len(requests) / (time.perf_counter() - start))
            ways |= new_ways
    choices = [[one.index(max(one)) for one in scores[side]] for side in ("ours", "theirs")]
    return rates | {"same": (sum(map(int.__eq__, *choices)), len(requests)), "ways": sorted(ways)}


def _template(weights: str) -> Any:
    from pfe.config import Model, record
    from pfe.models.chat import choose
    from pfe.models.loading import describe

    described = describe(weights, None)
    entry = record(Model, kind="huggingface", label="SmolLM2", depends="", path=weights, chat_template=True)
    return choose("smollm2", entry, described.tokenizer, described.ends, described.names).template


def _ours(weights: str, template: Any) -> Any:
    from pfe.cache import Cache
    from pfe.models.huggingface import HuggingFace
    from pfe.models.loading import describe, with_weights
    from pfe.models.precision import arithmetic
    from pfe.models.responses import Responses

    loaded = with_weights(describe(weights, None), arithmetic("bfloat16", "cpu"), template)

    def ask(requests: list[Any]) -> tuple[list[tuple[float, ...]], set[str]]:
        with tempfile.TemporaryDirectory() as folder:  # an empty cache for every call
            responses = Responses(loaded.identity, Cache(Path(folder) / "responses.sqlite"))
            answers = HuggingFace(loaded, batch_size=BATCH, responses=responses).answer(requests)
        return [answer.scores for answer in answers], {answer.way for answer in answers}

    return ask


def _theirs(weights: str, template: Any) -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    model = HFLM(pretrained=weights, batch_size=BATCH, device="cpu", dtype="bfloat16")

    def ask(requests: list[Any]) -> tuple[list[tuple[float, ...]], set[str]]:
        instances = [
            Instance(
                "loglikelihood",
                {},
                (template.around(request.prefix.text + option.context), option.continuation.lstrip()),
                index,
            )
            for request in requests
            for index, option in enumerate(request.options)
        ]
        scores = iter([score for score, _ in model.loglikelihood(instances, disable_tqdm=True)])
        return [tuple(next(scores) for _ in request.options) for request in requests], set()

    return ask
