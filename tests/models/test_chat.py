"""Chat templates: lm-evaluation-harness's text with --apply_chat_template, when one is applied, what is refused."""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from pfe.cache import Cache
from pfe.config import Config, Model, record
from pfe.errors import UserError
from pfe.evaluation.prompts import request_for
from pfe.icr.contexts import library
from pfe.icr.prefix import Prefix
from pfe.models.chat import TODAY, Choice, choose
from pfe.models.huggingface import HuggingFace
from pfe.models.load import examinee
from pfe.models.loading import LoadedModel, describe, with_weights
from pfe.models.precision import arithmetic
from pfe.models.request import Option, Request
from pfe.models.responses import Responses
from pfe.models.tokens import RequestEncoder
from pfe.models.vllm import VLLM
from pfe.problem import Problem
from tests.evaluation.harness import asked, problems, reference_task, sample_rows
from tests.models.test_vllm import Engine, Params
from tests.small_tokenizers import byte_level

# Of the shapes that models have: ChatML, Llama 3, Mistral, Gemma (no system message, another name for the assistant),
# Llama 2 (trims what it is given, the system message in the user's turn), Zephyr, one with a date, and one that says
# what the user said in no turn at all.
TEMPLATES = {
    "chatml": (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    ),
    "llama 3": (
        "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
        "{{ m.content | trim }}<|eot_id|>{% endfor %}"
        "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
    ),
    "mistral": (
        "{{ bos_token }}{% set s = namespace(text='') %}{% for m in messages %}"
        "{% if m.role == 'system' %}{% set s.text = m.content + '\n\n' %}"
        "{% elif m.role == 'user' %}[INST] {{ s.text + m.content }} [/INST]"
        "{% else %} {{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
    ),
    "gemma": (
        "{{ bos_token }}{% if messages[0].role == 'system' %}"
        "{{ raise_exception('System role not supported') }}{% endif %}"
        "{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
        "{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
        "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
    ),
    "llama 2": (
        "{% set first = '<<SYS>>\n' + messages[0].content + '\n<</SYS>>\n\n' if messages[0].role == 'system' else '' %}"
        "{{ bos_token + '[INST] ' + (first + messages[-1].content) | trim + ' [/INST]' }}"
    ),
    "zephyr": (
        "{% for m in messages %}{{ '<|' + m.role + '|>\n' + m.content + eos_token + '\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
    ),
    "bare": "{{ messages[-1].content }}",
}  # fmt: skip
DATED = "{% set day = strftime_now('%d %b %Y') %}Today is {{ day }}.\n\n{{ messages[-1].content }}\nAssistant:"
MARKS = [
    "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>",
    "<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]",
]  # fmt: skip
ROWS = 2
SYSTEM = "You answer with care."
Make = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """The folder of a small Llama: its name, its template, what it calls itself, and the token it stops at."""
    base = byte_level(opening=True)
    base.add_special_tokens({"additional_special_tokens": MARKS})
    base.pad_token = base.eos_token
    config = LlamaConfig(
        vocab_size=len(base), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        max_position_embeddings=4096, initializer_range=0.4,
        bos_token_id=base.bos_token_id, eos_token_id=base.eos_token_id,
    )  # fmt: skip
    torch.manual_seed(0)
    model = LlamaForCausalLM(config)

    def make(template: str | None, name: str = "model", called: str = "", end: str = "<e>") -> str:
        place = tmp_path_factory.mktemp("models") / name
        model.config._name_or_path = ""
        model.generation_config.eos_token_id = base.convert_tokens_to_ids(end)
        model.save_pretrained(place)
        base.chat_template = template
        base.save_pretrained(place)
        if called:
            values = json.loads((place / "config.json").read_text())
            (place / "config.json").write_text(json.dumps(values | {"_name_or_path": called}))
        return str(place)

    return make


def entry(path: str, **changes: Any) -> Model:
    return replace(record(Model, kind="huggingface", label="Mine", depends="", path=path, device="cpu"), **changes)


def question(prompt: str) -> Request:
    return Request(Problem("p", "p", "science", "?", "a"), Prefix(), prompt, max_tokens=2)


def choice(path: str, **changes: Any) -> Choice:
    described = describe(path, None)
    return choose("mine", entry(path, **changes), described.tokenizer, described.ends, described.names)


def asked_through(path: str, cache: Path, **changes: Any) -> tuple[HuggingFace, LoadedModel]:
    loaded = with_weights(
        describe(path, None), arithmetic("float32", "cpu"), choice(path, chat_template=True, **changes).template
    )
    return HuggingFace(loaded, responses=Responses("m", Cache(cache / "c.sqlite"))), loaded


@pytest.mark.parametrize("system", [None, SYSTEM], ids=["", "system"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_the_requests_and_scores_are_lm_eval_s(
    name: str, system: str | None, folder: Make, settings: Config, tmp_path: Path
) -> None:
    if system and name in ("gemma", "bare"):
        pytest.skip("it has no place for a system message")
    ours, loaded = asked_through(folder(TEMPLATES[name]), tmp_path, system=system)
    from lm_eval.models.huggingface import HFLM

    theirs = HFLM(pretrained=loaded.model, tokenizer=loaded.tokenizer, device="cpu", batch_size=4)
    assert ours.packs
    benchmark = {"mistral": "winogrande", "gemma": "boolq", "bare": "boolq"}.get(name, "arc_easy")
    rows = sample_rows(benchmark, ROWS)
    requests = [
        request_for(problem, settings.benchmark[benchmark], Prefix())
        for problem in problems(benchmark, settings.benchmark[benchmark], rows)
    ]
    chat = {"apply_chat_template": True, "chat_template": theirs.apply_chat_template, "system_instruction": system}
    instances = [instance for row in asked(reference_task(benchmark, rows, **chat)) for instance in row]
    compared(ours, theirs, requests, instances)
    # Behind a library, as the harness would ask if it were part of the question.
    shown = library(str(settings.benchmark[benchmark].library)).shortened(2)
    behind = [replace(request, prefix=shown) for request in requests]
    pairs = [(o.context, o.continuation[1:]) for request in behind for o in request.options]
    for instance, (context, continuation) in zip(instances, pairs, strict=True):
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": shown.text + context})
        instance.arguments = (theirs.apply_chat_template(messages), continuation)
    compared(ours, theirs, behind, instances)


def compared(ours: HuggingFace, theirs: Any, requests: list[Request], instances: list[Any]) -> None:
    expected = [score for score, _ in theirs.loglikelihood(instances, disable_tqdm=True)]
    found = [score for answer in ours.answer(requests) for score in answer.scores]
    assert found == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(("name", "benchmarks"), [("gemma", ("gsm1k", "gsm8k")), ("llama 3", ("mbpp", "mbpp"))])
def test_what_is_written_is_lm_eval_s(
    name: str, benchmarks: tuple[str, str], folder: Make, settings: Config, tmp_path: Path
) -> None:
    own, benchmark = benchmarks
    ours, loaded = asked_through(folder(TEMPLATES[name]), tmp_path)
    from lm_eval.models.huggingface import HFLM

    theirs = HFLM(pretrained=loaded.model, tokenizer=loaded.tokenizer, device="cpu", batch_size=1)
    rows = sample_rows(own, 4)
    requests = [
        replace(request_for(problem, settings.benchmark[own], Prefix()), max_tokens=12)
        for problem in problems(own, settings.benchmark[own], rows)
    ]
    task = reference_task(benchmark, rows, apply_chat_template=True, chat_template=theirs.apply_chat_template)
    for (instance,) in asked(task):
        instance.arguments = (instance.args[0], {**instance.args[1], "max_gen_toks": 12})
    expected = theirs.generate_until([instance for (instance,) in asked(task)], disable_tqdm=True)
    assert [answer.output for answer in ours.answer(requests)] == expected


def test_writing_stops_at_a_stop_string_that_is_a_special_token(folder: Make, tmp_path: Path) -> None:
    """The harness looks for it in the text with its special tokens, and returns the text without them."""
    ours, loaded = asked_through(folder(TEMPLATES["chatml"]), tmp_path)
    request = replace(question("Which tool?"), max_tokens=12)
    text = "<|im_start|>user\nWhich tool?<|im_end|>\n<|im_start|>assistant\n"
    with torch.no_grad():
        first = int(loaded.model(**loaded.tokenizer(text, return_tensors="pt")).logits[0, -1].argmax())
        swapped = [first, loaded.tokenizer.convert_tokens_to_ids("<|im_end|>")]
        loaded.model.lm_head.weight[swapped] = loaded.model.lm_head.weight[swapped[::-1]]
    free = ours.answer([request])[0]
    stopped = ours.answer([replace(request, stop=("<|im_end|>",))])[0]
    assert free.tokens_out > 1
    assert (stopped.stop, stopped.tokens_out, stopped.output) == ("stop", 1, "")


def test_in_a_chat_punctuation_ends_no_answer_and_a_word_does(folder: Make, tmp_path: Path) -> None:
    ours, _ = asked_through(folder(TEMPLATES["chatml"]), tmp_path)
    request = replace(question("Which tool?"), max_tokens=12)
    (free,) = ours.answer([request])
    letters = next(part for part in re.findall(r"[A-Za-z]+", free.output))
    signs = tuple({sign for sign in free.output if not sign.isalpha()} | {"\n", ".", ","})
    (unstopped,) = ours.answer([replace(request, stop=signs)])
    (stopped,) = ours.answer([replace(request, stop=(*signs, letters))])
    assert (unstopped.output, unstopped.stop) == (free.output, free.stop)
    assert (stopped.output, stopped.stop) == (free.output.partition(letters)[0], "stop")


@pytest.mark.parametrize("name", TEMPLATES)
def test_problems_share_the_template_s_beginning_and_the_library(name: str, folder: Make, settings: Config) -> None:
    path = folder(TEMPLATES[name])
    described = describe(path, None)
    encoder = RequestEncoder(described.tokenizer, described.window, choice(path, chat_template=True).template)
    benchmark = settings.benchmark["arc_easy"]
    prefix = library(str(benchmark.library)).shortened(8)  # the window holds no more
    requests = [
        request_for(problem, benchmark, prefix)
        for problem in problems("arc_easy", benchmark, sample_rows("arc_easy", 5))
    ]
    rows = [row for one in encoder.encode(requests) if one is not None for row in one.rows]
    assert len({id(row.head) for row in rows}) == 1
    whole = described.tokenizer(prefix.text)["input_ids"]
    assert len(rows[0].head) >= len(whole) - 5
    assert [row.tokens.count(described.tokenizer.bos_token_id) for row in rows] == [1] * len(rows)


@pytest.mark.parametrize(
    ("template", "name", "called", "end", "applied"),
    [
        ("chatml", "Qwen2.5-7B-Instruct", "", "<e>", "its name says 'Instruct'"),
        ("gemma", "gemma-2-2b-it", "", "<e>", "its name says 'it'"),
        ("llama 2", "Llama-2-7b-chat-hf", "", "<e>", "its name says 'chat'"),
        ("mistral", "zephyr_7b", "", "<e>", "its name says 'zephyr'"),
        ("chatml", "Tülu-SFT.v2", "", "<e>", "its name says 'SFT'"),
        ("llama 3", "checkpoint-500", "org/Llama-3-8B-Instruct", "<e>", "its name says 'Instruct'"),
        ("chatml", "mine", "", "<|im_end|>", "its configuration ends turns with <|im_end|>"),
        ("llama 3", "mine", "", "<|eot_id|>", "its configuration ends turns with <|eot_id|>"),
        ("gemma", "mine", "", "<end_of_turn>", "its configuration ends turns with <end_of_turn>"),
        ("zephyr", "mine", "", "<e>", "its configuration ends turns with <e>"),
        ("chatml", "Qwen2.5-7B", "", "<e>", None),
        ("mistral", "Mistral-7B-v0.3", "", "<e>", None),
        ("chatml", "Qwen3-8B-Base", "", "<|im_end|>", None),
        ("gemma", "gemma-3-4b-pt", "", "<end_of_turn>", None),
        ("chatml", "kitchen-bit", "", "<e>", None),
        (None, "Qwen2.5-7B-Instruct", "", "<e>", None),
    ],
)  # fmt: skip
def test_auto_applies_it_where_name_or_configuration_say_that_the_model_is_tuned(
    template: str | None, name: str, called: str, end: str, applied: str | None, folder: Make,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = folder(TEMPLATES[template] if template else None, name, called, end)
    found = choice(path)
    assert (found.template is not None) == (applied is not None)
    assert (applied or "plain text") in found.line
    examinee("mine", entry(path), 0)
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("mine: asked ")]
    assert lines == [f"mine: {found.line}, computed in float32 on cpu"]


def test_a_name_in_the_configuration_counts_as_one(folder: Make) -> None:
    path = folder(TEMPLATES["chatml"])
    assert choice(path).template is None
    assert choice(path, label="Mine Instruct").template is not None
    assert choice(path, chat_template=True).template is not None
    assert choice(folder(TEMPLATES["chatml"], "foo-instruct"), chat_template=False).template is None


@pytest.mark.parametrize(
    ("template", "settings_", "told"),
    [
        (None, {"chat_template": True}, "its tokenizer has no chat template; add one"),
        (None, {"system": SYSTEM}, "system is given, but the model is asked as plain text"),
        ("chatml", {"chat_template": False, "system": SYSTEM}, "remove system, or set chat_template: true"),
        (
            "gemma",
            {"chat_template": True, "system": SYSTEM},
            r"fails with a system message \(System role not supported\)",
        ),
        ("bare", {"chat_template": True, "system": SYSTEM}, "leaves the system message out"),
    ],
)
def test_settings_that_cannot_be_met_are_told(
    template: str | None, settings_: dict[str, Any], told: str, folder: Make
) -> None:
    with pytest.raises(UserError, match=rf"models\.mine: .*{told}") as error:
        choice(folder(TEMPLATES[template] if template else None), **settings_)
    assert "\n" not in str(error.value)


BROKEN = {
    "syntax": "{% for m in messages %}",
    "unknown filter": "{{ messages[0].content | shout }}",
    "unknown function": "{{ shout(messages[0].content) }}",
    "a missing key": "{{ messages[0].content + tools.name }}",
    "a wrong type": "{{ messages[0].content + 3 }}",
    "raises": "{{ raise_exception('never') }}",
    "leaves out": "User: hello\nAssistant:",
    "repeats": "{{ messages[0].content }} Again: {{ messages[0].content }}",
    "upper case": "{{ messages[0].content | upper }}",
    "reverses": "{{ messages[0].content | reverse }}",
    "by its length": "{{ messages[0].content | length }} {{ messages[0].content }}",
    "cuts": "{{ messages[0].content | truncate(20) }}",
    "first line last": "{{ messages[0].content.split('\n')[1:] | join('\n') }}{{ messages[0].content.split('\n')[0] }}",
    "attributes": "{{ messages.__class__.__mro__[1].__subclasses__() }}{{ messages[0].content }}",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_template_that_fails_or_reorders_is_one_line(kind: str, folder: Make) -> None:
    with pytest.raises(
        UserError, match=r"models\.mine: its chat template (fails|changes).*set chat_template: false"
    ) as error:
        choice(folder(BROKEN[kind]), chat_template=True)
    assert "\n" not in str(error.value)


def test_a_template_that_does_otherwise_with_one_text_is_told_there(folder: Make, tmp_path: Path) -> None:
    template = "{{ messages[0].content | replace('ruler', 'meter') }}\nAssistant:"
    ours, _ = asked_through(folder(template), tmp_path)
    request = question("Which tool?")
    assert len(ours.answer([request])) == 1
    with pytest.raises(UserError, match=r"changes, repeats, moves or leaves out .*'Which ruler"):
        ours.answer([question("Which ruler?")])


def test_a_template_that_writes_the_date_writes_the_same_one_every_day(folder: Make) -> None:
    found = choice(folder(DATED), chat_template=True)
    assert found.template is not None
    assert found.template.around("Which tool?") == f"Today is {TODAY:%d %b %Y}.\n\nWhich tool?\nAssistant:"
    assert f"dated {TODAY}" in found.line


def test_what_decides_an_answer_is_part_of_who_answered(folder: Make) -> None:
    def identity(template: str, **changes: Any) -> str:
        path = folder(template)
        return with_weights(
            describe(path, None), arithmetic("float32", "cpu"), choice(path, **changes).template
        ).identity

    other = TEMPLATES["chatml"].replace("assistant", "model")
    identities = [
        identity(TEMPLATES["chatml"], chat_template=False),
        identity(TEMPLATES["chatml"], chat_template=True),
        identity(TEMPLATES["chatml"], chat_template=True, system=SYSTEM),
        identity(TEMPLATES["chatml"], chat_template=True, system=SYSTEM + "!"),
        identity(other, chat_template=True),
    ]
    assert len(set(identities)) == len(identities)
    assert identity(TEMPLATES["chatml"], chat_template=True) == identities[1]


@pytest.mark.parametrize("name", ["llama 3", "mistral"])
def test_vllm_is_asked_the_same(name: str, folder: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("vllm")
    module.__spec__ = ModuleSpec("vllm", None)
    module.LLM, module.SamplingParams, module.TokensPrompt = Engine(), Params, dict
    monkeypatch.setitem(sys.modules, "vllm", module)
    path = folder(TEMPLATES[name])
    packed, _ = asked_through(path, tmp_path, system=SYSTEM)
    prompt = "Which tool measures heat?"
    options = (Option(prompt, " a ruler"), Option(prompt, " a thermometer"))
    requests = [replace(question(prompt), options=options), replace(question(prompt), max_tokens=5)]
    entry_ = entry(path, kind="vllm", chat_template=True, system=SYSTEM)
    choosing, writing = VLLM("mine", entry_, Cache(tmp_path / "v.sqlite")).answer(requests)
    expected = packed.answer(requests)
    assert choosing.scores == pytest.approx(expected[0].scores, abs=1e-3)
    assert (choosing.tokens_in, writing.tokens_in) == (expected[0].tokens_in, expected[1].tokens_in)


@pytest.mark.parametrize("kind", ["embedding", "chance"])
@pytest.mark.parametrize("changes", [{"chat_template": True}, {"chat_template": False}, {"system": SYSTEM}])
def test_models_that_read_no_text_take_no_template(kind: Any, changes: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"models\.mine: chat_template and system are for language models"):
        examinee("mine", entry("x", kind=kind, **changes), 0)
