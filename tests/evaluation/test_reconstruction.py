"""The prompt of every answer, made again from its row: every arm, every form, chat templates and letters too."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from pfe.cache import Cache
from pfe.canonical.sources import load
from pfe.config import Arm, Canonical, Config, Model, record
from pfe.errors import UserError
from pfe.evaluation.reconstruction import prompt_of
from pfe.evaluation.runner import examine
from pfe.icr.contexts import library
from pfe.models import huggingface
from pfe.models.chance import Chance
from pfe.models.request import Examinee, Request
from pfe.models.tokens import Encoded, RequestEncoder
from pfe.problem import Prediction, Problem
from pfe.training.student import new_tokenizer
from tests.bases import few_entries
from tests.models.scripted import Body, Reply, Script, error, server, text_reply

FORMS = ("arc_easy", "winogrande", "gsm1k", "fncall")  # choices, behind a blank, text, functions of each problem's own
AROUND = "{% for m in messages %}<|user|>\n{{ m.content }}<|end|>\n{% endfor %}<|assistant|>\n"
TEMPLATES = {"plain text": None, "around": AROUND, "trimming": AROUND.replace("m.content", "m.content | trim")}


@pytest.fixture(scope="module")
def every_arm(settings: Config) -> Config:
    """All arms, two orders of the library, three shots, two tokens of text."""
    benchmarks = {name: replace(one, shots=3, max_tokens=2) for name, one in settings.benchmark.items()}
    evaluate = replace(settings.evaluate, arms=get_args(Arm))
    return replace(settings, benchmark=benchmarks, evaluate=evaluate, icr=replace(settings.icr, orders=2))


def problems(name: str, settings: Config) -> list[Problem]:
    return load(name, settings.benchmark[name], Canonical("sample", "data/sample"))


def rows(examinee: Examinee, name: str, settings: Config) -> list[Prediction]:
    """The answers to three problems."""
    own = problems(name, settings)
    return examine(examinee, "mine", name, settings, own[:3], own, few_entries())


def again(answers: Sequence[Prediction], settings: Config) -> list[list[str]]:
    """The texts of every answer, made again from its row and the problem alone."""
    own = {problem.id: problem for problem in problems(answers[0].benchmark, settings)}
    prompts = [prompt_of(row, own[row.problem_id], settings, list(own.values()), few_entries()) for row in answers]
    return [[text.context + text.continuation for text in prompt] for prompt in prompts]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, settings: Config) -> Path:
    """A tiny model with a window of 4,096 tokens, whose tokenizer knows the words of the libraries."""
    place = tmp_path_factory.mktemp("model")
    texts = [library(one.library, ("get_weather",)).text for one in settings.benchmark.values() if one.library]
    tokenizer = new_tokenizer(texts, vocabulary=2000, context=4096)
    torch.manual_seed(0)
    sizes: dict[str, Any] = {
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
    }
    config = LlamaConfig(vocab_size=len(tokenizer), max_position_embeddings=4096, **sizes)
    LlamaForCausalLM(config).save_pretrained(place)
    tokenizer.save_pretrained(place)
    return place


def of_window(folder: Path, place: Path, window: int, template: str | None) -> Model:
    """The model with another window and a chat template."""
    for file in folder.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    settings = json.loads((place / "config.json").read_text())
    (place / "config.json").write_text(json.dumps(settings | {"max_position_embeddings": window}))
    if template:
        (place / "chat_template.jinja").write_text(template)
    return record(Model, kind="huggingface", label="M", depends="", path=str(place), chat_template=template is not None)


@pytest.fixture
def fed(monkeypatch: pytest.MonkeyPatch) -> list[Encoded | None]:
    """What the model is fed, answer by answer, in the order of the rows."""
    seen: list[Encoded | None] = []
    encode = RequestEncoder.encode

    def watched(self: RequestEncoder, requests: Sequence[Request]) -> list[Encoded | None]:
        seen.extend(found := encode(self, requests))
        return found

    monkeypatch.setattr(RequestEncoder, "encode", watched)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("form", TEMPLATES)
def test_a_prompt_is_made_again_to_the_letter_from_the_row_of_its_answer(
    form: str, name: str, every_arm: Config, folder: Path, fed: list[Encoded | None], tmp_path: Path
) -> None:
    examinee = huggingface.examinee("mine", of_window(folder, tmp_path, 4096, TEMPLATES[form]), seed=0)
    answers = rows(examinee, name, every_arm)
    assert [(row.arm, row.order) for row in answers[::3]] == [
        ("canonical", 0), ("icr", 0), ("icr", 1),
        *((arm, 0) for arm in get_args(Arm)[2:] if arm not in ("contradicted", "agreeing")),
    ]  # fmt: skip
    decode = examinee.tokenizer.decode
    assert again(answers, every_arm) == [[decode(row.tokens) for row in one.rows] for one in fed if one]
    assert {bool(row.chat_after) for row in answers} == {form != "plain text"}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_also_where_the_window_took_methods_or_the_beginning_away(
    name: str, every_arm: Config, folder: Path, fed: list[Encoded | None], tmp_path: Path
) -> None:
    for window in (600, 16):
        fed.clear()
        (tmp_path / str(window)).mkdir()
        model = of_window(folder, tmp_path / str(window), window, None)
        examinee = huggingface.examinee("mine", model, seed=0)
        answers = rows(examinee, name, every_arm)
        for row, texts, one in zip(answers, again(answers, every_arm), fed, strict=True):
            given = [examinee.tokenizer.decode(part.tokens) for part in one.rows] if one else []
            assert texts == given or (row.stop == "cut" and all(map(str.endswith, texts, given)))
            assert bool(texts) == (row.stop != "too_long")
        ends = {row.stop for row in answers}
        assert any(row.dropped for row in answers) if window == 600 else ends <= {"cut", "choice", "too_long"}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("way", ["echo", "chat", "completions"])
def test_a_server_s_prompts_are_made_again_also_where_it_is_asked_for_letters(
    way: str, name: str, every_arm: Config, script: Script, cache: Cache
) -> None:
    def text(body: Body) -> str:
        return str(body["messages"][0]["content"] if way == "chat" else body["prompt"])

    def refused(prompt: str) -> bool:
        return len(prompt) > 1500 and not prompt.endswith("[PROBLEM]\n")  # no library that is only counted

    def says(path: str, body: Body) -> Reply:
        if path.endswith("chat/completions") is not (way == "chat"):
            return error(404)
        if refused(text(body)):
            return error(400, "maximum context length")
        if way == "echo" and body.get("echo"):
            return spelt(text(body))
        return text_reply("B", path, usage={"prompt_tokens": len(text(body).split()), "completion_tokens": 1})

    script.says = says
    answers = rows(server(script.url, cache), name, every_arm)
    assert any(row.dropped for row in answers)
    assert {row.way for row in answers} == {way}
    asked = {text(body) for body in script.questions if not refused(text(body))}
    assert {part for texts in again(answers, every_arm) for part in texts} <= asked
    letters = {"letter alone" in part for texts in again(answers, every_arm) for part in texts}
    assert letters == {way != "echo" and every_arm.benchmark[name].form != "generate"}


def spelt(prompt: str) -> Reply:
    """A prompt that is echoed with log-probabilities, a letter a token, and one written."""
    logprobs = {"tokens": [*prompt, "x"], "token_logprobs": [None, *[-1.0] * len(prompt)]}
    usage = {"prompt_tokens": len(prompt), "completion_tokens": 1}
    return 200, {"model": "m", "choices": [{"text": f"{prompt}x", "logprobs": logprobs}], "usage": usage}, {}


def test_what_has_changed_since_is_named(every_arm: Config) -> None:
    problem, *others = problems("arc_easy", every_arm)
    arms = replace(every_arm.evaluate, arms=("icr",))
    (row, _) = examine(Chance(0), "mine", "arc_easy", replace(every_arm, evaluate=arms), [problem], [])
    benchmark = every_arm.benchmark["arc_easy"]

    def now(**changes: str) -> Config:
        changed = replace(benchmark, **changes)  # type: ignore[arg-type]
        return replace(every_arm, benchmark={**every_arm.benchmark, "arc_easy": changed})

    told = "arc_easy/.*, arm icr: {} changed since mine was asked; run `dvc repro evaluate@mine`"
    with pytest.raises(UserError, match=told.format("the template")):
        prompt_of(row, problem, now(prompt="{question}"), [])
    with pytest.raises(UserError, match=told.format("what the arm puts in front")):
        prompt_of(row, problem, now(library="boolq.txt"), [])
    with pytest.raises(UserError, match=told.format("the problem")):
        prompt_of(row, others[0], every_arm, [])
