"""The vLLM examinee: on a stand-in that computes what vLLM returns, and on vLLM itself where it is installed."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

from pfe.cache import Cache
from pfe.config import Model, record
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Option, Request, hash_of
from pfe.models.vllm import VLLM, log_likelihood, text_of
from pfe.problem import Problem, Stop
from pfe.training.student import new_tokenizer
from tests.small_models import TEXT

pytestmark = pytest.mark.usefixtures("one_thread")

CHOICES = ("barometer", "ruler", "balance of the quick brown fox", "balance of the quick brown dog")
PREFIX = Prefix("[METHOD LIBRARY]\n", ("METHOD 1: add the parts.\n", "METHOD 2: take away.\n"), "\n")
WINDOW = 256
_BLOCK = 4


@dataclass(frozen=True)
class Logprob:
    logprob: float


@dataclass(frozen=True)
class Completion:
    text: str
    token_ids: Sequence[int]
    finish_reason: str
    stop_reason: str | int | None = None


@dataclass(frozen=True)
class Output:
    """The fields of vLLM's `RequestOutput` that are read."""

    prompt_token_ids: list[int]
    prompt_logprobs: list[dict[int, Logprob] | None] | None
    outputs: list[Completion]
    num_cached_tokens: int | None


@dataclass
class Params:
    """The fields of vLLM's `SamplingParams` that are set."""

    max_tokens: int
    temperature: float
    prompt_logprobs: int | None = None
    detokenize: bool = True
    skip_reading_prefix_cache: bool | None = None
    stop: list[str] | None = None
    seed: int | None = None
    skip_special_tokens: bool = True


@dataclass
class Engine:
    """What stands for `vllm.LLM`: a small model that remembers blocks of what prompts began with, as vLLM does.

    Of remembered tokens the log-probabilities are arbitrary ("arrays", the older runner of vLLM 0.32), or
    are missing and the list is shorter ("lists", the newer one).
    """

    head: str = "arrays"
    asked: list[tuple[tuple[int, ...], Params]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)

    def __call__(self, model: str, **settings: Any) -> "Engine":
        self.settings = settings
        self.model: Any = AutoModelForCausalLM.from_pretrained(model, trust_remote_code=False).eval()
        self.tokenizer: Any = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
        self.known: set[tuple[int, ...]] = set()
        return self

    def generate(self, prompts: list[dict[str, list[int]]], params: list[Params], use_tqdm: bool) -> list[Output]:
        return [self.one(prompt["prompt_token_ids"], param) for prompt, param in zip(prompts, params, strict=True)]

    def one(self, ids: list[int], params: Params) -> Output:
        assert len(ids) + params.max_tokens <= self.settings["max_model_len"]
        self.asked.append((tuple(ids), params))
        ends = range(_BLOCK, len(ids), _BLOCK)
        cached = 0
        if not params.skip_reading_prefix_cache:
            cached = max((end for end in ends if tuple(ids[:end]) in self.known), default=0)
        self.known |= {tuple(ids[:end]) for end in ends}
        logprobs: list[dict[int, Logprob] | None] | None = None
        if params.prompt_logprobs is not None:
            rows = self.log_softmax(ids)
            arbitrary: dict[int, Logprob] | None = {7: Logprob(float("nan"))}
            head = [None, *([arbitrary] * cached if self.head == "arrays" else [])]
            places = range(cached + 1, len(ids))
            logprobs = [*head, *({ids[i]: Logprob(float(rows[i - 1, ids[i]]))} for i in places)]
        return Output(ids, logprobs, [self.completion(ids, params)], cached)

    def log_softmax(self, ids: Sequence[int]) -> torch.Tensor:
        with torch.no_grad():
            return torch.as_tensor(self.model(torch.tensor([ids])).logits[0].double().log_softmax(-1))

    def completion(self, ids: list[int], params: Params) -> Completion:
        new: list[int] = []
        for _ in range(params.max_tokens):
            token = int(self.log_softmax([*ids, *new])[-1].argmax())
            if token == self.model.generation_config.eos_token_id:
                return Completion(self.text(new, params), new, "stop")
            new.append(token)
            text = self.text(new, params)
            for mark in params.stop or ():
                if mark in text:
                    return Completion(text[: text.index(mark)], new, "stop", mark)
        return Completion(self.text(new, params), new, "length")

    def text(self, ids: list[int], params: Params) -> str:
        return str(self.tokenizer.decode(ids, skip_special_tokens=params.skip_special_tokens))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    module: Any = ModuleType("vllm")
    module.__spec__ = ModuleSpec("vllm", None)
    module.LLM, module.SamplingParams, module.TokensPrompt = Engine(), Params, dict
    monkeypatch.setitem(sys.modules, "vllm", module)
    engine: Engine = module.LLM
    return engine


def requests(count: int = 3, **changes: Any) -> list[Request]:
    """Problems with four choices behind a library; `options=()` makes them problems for text."""
    made = []
    for number in range(count):
        prompt = f"Question: Which tool measures {'air ' * number}pressure?\nAnswer:"
        problem = Problem(f"a/{number}", "a", "science", "?", CHOICES[0], choices=CHOICES)
        options = tuple(Option(prompt, f" {choice}") for choice in CHOICES)
        made.append(replace(Request(problem, PREFIX, prompt, options, max_tokens=6), **changes))
    return made


def examinee(folder: str, cache: Path, **changes: Any) -> VLLM:
    model = replace(record(Model, kind="vllm", label="M", depends="", path=folder), **changes)
    return VLLM("mine", model, Cache(cache / "c.sqlite"))


def one_by_one(folder: str, request: Request) -> list[float]:
    """The definition: each sequence whole and alone, by transformers."""
    tokenizer: Any = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    model: Any = AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=False).eval()
    values = []
    for option in request.options:
        known = len(tokenizer(request.prefix.text + option.context)["input_ids"])
        ids = tokenizer(request.prefix.text + option.context + option.continuation)["input_ids"]
        with torch.no_grad():
            rows = model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
        values.append(sum(float(rows[place - 1, ids[place]]) for place in range(known, len(ids))))
    return values


@pytest.mark.parametrize("head", ["arrays", "lists"])
def test_scores_are_right_though_most_of_a_prompt_is_remembered(
    head: str, engine: Engine, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    engine.head = head
    folder = model_folder("llama")
    for request, answer in zip(requests(), examinee(folder, tmp_path).answer(requests()), strict=True):
        assert answer.scores == pytest.approx(one_by_one(folder, request), abs=1e-5)
        assert answer.stop == "choice"
    # Choices that begin alike share a block that is scored: some are asked again, whole.
    again = [ids for ids, params in engine.asked if params.skip_reading_prefix_cache]
    assert 0 < len(again) < 3 * len(CHOICES)
    assert engine.settings["enable_prefix_caching"] is True


def test_text_ends_at_a_stop_string_and_keeps_to_the_window(
    engine: Engine, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    model = examinee(model_folder("llama"), tmp_path)
    (free,) = model.answer(requests(1, options=()))
    assert (free.stop, free.tokens_out) == ("length", 6)
    mark = free.output[2]
    (stopped,) = model.answer(requests(1, options=(), stop=(mark,)))
    assert (stopped.stop, stopped.output) == ("stop", free.output[: free.output.index(mark)])
    prompt = "air " * next(words for words in range(WINDOW) if model.count("air " * words) > WINDOW - 10)
    (long,) = model.answer(requests(1, options=(), prompt=prompt, max_tokens=900))
    assert (long.stop, long.dropped) == ("length", len(PREFIX.methods))
    assert long.tokens_in + long.tokens_out == WINDOW


def test_no_sequence_is_longer_than_the_window_and_none_shorter_than_need_be(
    engine: Engine, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    """The stand-in, as vLLM, takes no prompt that leaves no room for one token."""
    model = examinee(model_folder("llama"), tmp_path)
    words = next(words for words in range(WINDOW) if model.count("air " * words) > WINDOW - 20)
    prompts = ["air " * words + "z" * more + "\nAnswer:" for more in range(30)]
    asked = [replace(requests(1)[0], prefix=Prefix(), prompt=p, options=(Option(p, " ruler"),)) for p in prompts]
    assert {answer.stop for answer in model.answer(asked)} == {"choice", "cut"}
    assert max(len(ids) for ids, _ in engine.asked) == WINDOW - 1


def test_methods_are_left_out_for_the_window_and_counted(
    engine: Engine, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    prefix = Prefix("LIBRARY\n", ("one " * 10 + "\n", "two " * 200 + "\n"), "\n")
    (answer,) = examinee(model_folder("llama"), tmp_path).answer(requests(1, prefix=prefix))
    assert (answer.stop, answer.dropped) == ("choice", 1)
    assert max(len(ids) for ids, _ in engine.asked) < WINDOW


def test_what_was_answered_is_not_asked_again_nor_the_model_loaded(
    engine: Engine, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    asked = [*requests(), *requests(2, options=())]
    first = examinee(model_folder("llama"), tmp_path).answer(asked)
    engine.asked.clear()
    engine.settings = {}
    told: list[int] = []
    assert examinee(model_folder("llama"), tmp_path).answer(asked, told.append) == first
    assert (engine.asked, engine.settings, sum(told)) == ([], {}, len(asked))
    examinee(model_folder("llama"), tmp_path).answer(requests(4))
    assert len({ids for ids, _ in engine.asked}) == len(CHOICES)
    for changes in ({"dtype": "bfloat16"}, {"path": model_folder("qwen2")}):
        engine.asked.clear()
        examinee(model_folder("llama"), tmp_path, **changes).answer(requests(1))
        assert len({ids for ids, _ in engine.asked}) == len(CHOICES)


def test_settings_reach_vllm(engine: Engine, model_folder: Callable[[str], str], tmp_path: Path) -> None:
    drawing = examinee(model_folder("llama"), tmp_path, temperature=0.7, dtype="bfloat16", batch_size=5)
    drawing.answer([*requests(2, options=()), *requests(1, options=(), order=1)])
    assert {params.temperature for _, params in engine.asked} == {0.7}
    assert len({params.seed for _, params in engine.asked}) == 3
    assert engine.settings == {
        "revision": None, "dtype": "bfloat16", "trust_remote_code": False, "max_model_len": WINDOW,
        "enable_prefix_caching": True, "max_num_seqs": 5,
    }  # fmt: skip


def output(scored: float, cached: int | None, **changes: Any) -> Output:
    """Five prompt tokens, of which the last two have the log-probabilities `scored` and -2."""
    entries: list[dict[int, Logprob] | None] = [None, {2: Logprob(-9.0)}, {3: Logprob(-9.0)}]
    made = Output([1, 2, 3, 4, 5], [*entries, {4: Logprob(scored)}, {5: Logprob(-2.0)}], [], cached)
    return replace(made, **changes)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (output(-1.5, 0), -3.5),
        (output(-1.5, 2), -3.5),
        (output(-1.5, 3), None),  # the token before the first scored one was not computed
        (output(-1.5, None), None),
        (output(-1.5, 0, prompt_logprobs=None), None),
        (output(-1.5, 0, prompt_logprobs=[{4: Logprob(-1.5)}, {5: Logprob(-2.0)}]), -3.5),
        (output(-1.5, 0, prompt_logprobs=[{9: Logprob(-1.5)}, {5: Logprob(-2.0)}]), None),
        (output(-1.5, 0, prompt_logprobs=[{5: Logprob(-2.0)}]), None),
    ],
)
def test_a_log_likelihood_is_read_only_where_it_was_computed(given: Output, expected: float | None) -> None:
    assert log_likelihood(given, 2) == expected


@pytest.mark.parametrize(
    ("completion", "stop"),
    [
        (Completion(" 18", (1, 2), "stop", "\n"), "stop"),
        (Completion(" 18", (1, 2), "stop", 0), "end"),
        (Completion(" 18", (1, 2), "stop"), "end"),
        (Completion(" 18", (1, 2), "length"), "length"),
    ],
)
def test_how_a_text_ended_is_read(completion: Completion, stop: Stop) -> None:
    assert text_of(Output([1], None, [completion], 0)) == (" 18", stop, 2)


def test_broken_weights_are_told(
    engine: Engine, model_folder: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "log_softmax", lambda self, ids: torch.full((len(ids), 400), float("nan")))
    with pytest.raises(UserError, match=r"models\.mine: vLLM returned log-probabilities that are missing or not fin"):
        examinee(model_folder("llama"), tmp_path).answer(requests())


def test_a_model_that_cannot_be_loaded_is_one_line(
    engine: Engine, model_folder: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=r"models\.mine: cannot load the model '.*nothing' \(there is no such") as told:
        examinee(str(tmp_path / "nothing"), tmp_path)
    assert "\n" not in str(told.value)

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("Engine core initialization failed.\nSee root cause above.")

    monkeypatch.setattr(Engine, "__call__", fails)
    with pytest.raises(UserError, match=r"Engine core initialization failed\. See root cause above\.") as told:
        examinee(model_folder("llama"), tmp_path).answer(requests())
    assert "\n" not in str(told.value)


def test_without_the_package_its_installation_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pfe.extras.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"kind: vllm needs vllm, not installed here; pip install 'pfe\[vllm\]'"):
        examinee("anywhere", tmp_path)


@pytest.fixture
def wide(tmp_path: Path) -> str:
    """A model with heads as wide as vLLM's kernels take them."""
    if find_spec("vllm") is None:
        pytest.skip("vLLM is not installed: its examinee is tried on a stand-in alone")
    tokenizer = new_tokenizer(TEXT, vocabulary=400, context=WINDOW)
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=len(tokenizer), intermediate_size=128, max_position_embeddings=WINDOW, **sizes)
    LlamaForCausalLM(config).save_pretrained(tmp_path / "wide")
    tokenizer.save_pretrained(tmp_path / "wide")
    return str(tmp_path / "wide")


def test_vllm_itself_scores_as_transformers_does(wide: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
    model = examinee(wide, tmp_path)
    shared = replace(PREFIX, head="The quick brown fox jumps over the lazy dog while 12 birds look on. " * 4)
    for asked in (requests(6), requests(6, prefix=shared)):
        for request, answer in zip(asked, model.answer(asked), strict=True):
            assert answer.scores == pytest.approx(one_by_one(wide, request), abs=1e-3)
    edge = [requests(1, options=(), prefix=Prefix(), prompt="air " * words)[0] for words in range(40, 60)]
    assert all(0 < answer.tokens_in + answer.tokens_out <= WINDOW for answer in model.answer(edge))
    tokenizer: Any = AutoTokenizer.from_pretrained(wide, trust_remote_code=False)
    prompt = PREFIX.text + requests(1)[0].prompt
    assert model.answer(requests(1, options=()))[0] == Answer(
        len(tokenizer(prompt)["input_ids"]), 6, "length",
        output=model.answer(requests(1, options=()))[0].output, prompt_sha256=hash_of([prompt]),
    )  # fmt: skip
