"""Log-likelihoods from servers that return a prompt with its log-probabilities."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.request import Option
from tests.models.scripted import (
    Body,
    Reply,
    Script,
    error,
    question,
    server,
    text_reply,
)
from tests.small_models import small_model
from tests.small_tokenizers import merging


class Echo:
    """/v1/completions of a server that echoes: real log-probabilities of a small model.

    As real ones differ in what they show of their tokens, `spelling` is "exact", "bos" (a token in
    front that the text does not have), "spaceless" (every token decoded alone, its first space lost,
    as vLLM shows those of SentencePiece) or "numbers" (vLLM's --return-tokens-as-token-ids).
    """

    def __init__(self, folder: str, spelling: str) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=False).eval()
        self.spelling, self.lock = spelling, threading.Lock()

    def __call__(self, path: str, body: Body) -> Reply:
        if path != "/v1/completions":
            return error(404)
        ids = body["prompt"] if isinstance(body["prompt"], list) else self.ids(body["prompt"])
        with self.lock:
            rows = self.log_softmax(ids)
        written = int(rows[-1].argmax())
        values = [None, *(float(rows[place, token]) for place, token in enumerate(ids[1:])), float(rows[-1, written])]
        numbers = body.get("return_tokens_as_token_ids", False)
        tokens = [f"token_id:{token}" if numbers else self.shown(token) for token in [*ids, written]]
        if not body.get("echo"):
            return text_reply(self.tokenizer.decode(written), path, "length")
        usage = {"prompt_tokens": len(ids), "completion_tokens": 1}
        logprobs = {"tokens": tokens, "token_logprobs": values, "text_offset": [0] * len(tokens)}
        choice = {"text": "".join(tokens), "finish_reason": "length", "logprobs": logprobs}
        return 200, {"model": "m", "choices": [choice], "usage": usage}, {}

    def ids(self, text: str) -> list[int]:
        first = [self.tokenizer.eos_token_id] if self.spelling == "bos" else []
        return first + list(self.tokenizer(text)["input_ids"])

    def shown(self, token: int) -> str:
        text = str(self.tokenizer.decode([token]))
        return {"spaceless": text.lstrip(" "), "numbers": f"token_id:{token}"}.get(self.spelling, text)

    def log_softmax(self, ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            return torch.as_tensor(self.model(torch.tensor([ids])).logits[0].double().log_softmax(-1))

    def expected(self, context: str, continuation: str) -> tuple[float, int]:
        """The definition: all tokens of the whole beyond as many as the context has."""
        ids, known = self.ids(context + continuation), len(self.ids(context))
        rows = self.log_softmax(ids)
        return sum(float(rows[place - 1, ids[place]]) for place in range(known, len(ids))), len(ids) - known


@pytest.mark.parametrize("spelling", ["exact", "bos", "spaceless"])
def test_log_likelihoods_are_those_of_the_model(
    spelling: str, script: Script, cache: Cache, model_folder: Callable[[str], str]
) -> None:
    script.says = echo = Echo(model_folder("llama"), spelling)
    requests = [question(number, prefix=Prefix("LIBRARY\n", ("METHOD 1: add.\n",), "\n")) for number in range(3)]
    for request, answer in zip(requests, server(script.url, cache).answer(requests), strict=True):
        context = request.prefix.text + request.prompt
        expected = [echo.expected(context, option.continuation) for option in request.options]
        assert answer.scores == pytest.approx([value for value, _ in expected], abs=1e-5)
        assert answer.tokens_in == len(echo.ids(context))
        assert answer.tokens_out == sum(length for _, length in expected)
        assert answer.stop == "choice"


def test_the_context_is_asked_alone_only_where_tokens_do_not_spell(
    script: Script, cache: Cache, model_folder: Callable[[str], str]
) -> None:
    script.says = Echo(model_folder("llama"), "exact")
    server(script.url, cache).answer([question()])
    assert len(script.questions) == 4
    script.asked.clear()
    script.says = Echo(model_folder("llama"), "spaceless")
    server(script.url, cache, revision="other").answer([question()])
    assert len(script.questions) == 4 + 4


def test_a_server_whose_tokens_cannot_be_read_is_asked_by_letter(
    script: Script, cache: Cache, model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = Echo(model_folder("llama"), "numbers")
    (answer,) = server(script.url, cache).answer([question()])
    assert set(answer.scores) <= {0.0, 1.0}
    assert "choices are asked by letter, by way of completions" in capsys.readouterr().err


@pytest.fixture
def merging_folder(tmp_path: Path) -> str:
    """A model whose tokens reach over the borders of words and lines."""
    tokenizer = merging()
    torch.manual_seed(0)
    model = small_model("llama", len(tokenizer))
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "merging")
    return str(tmp_path / "merging")


@pytest.mark.parametrize("spelling", ["exact", "spaceless"])
def test_a_token_over_the_border_is_asked_by_its_number_as_the_prompt_alone_has_it(
    spelling: str, script: Script, cache: Cache, merging_folder: str
) -> None:
    script.says = echo = Echo(merging_folder, spelling)
    prompt, prefix = "Question: a?\nAnswer:", Prefix("LIBRARY\n", ("METHOD 1: add.\n",), "[PROBLEM]\n")
    options = tuple(Option(prompt, more) for more in (" yes, the quick brown fox", " a bird in 12 boxes", " a bird"))
    for before in (Prefix(), prefix):
        request = question(prompt=prompt, options=options, prefix=before)
        (answer,) = server(script.url, cache).answer([request])
        own = echo.ids(before.text + prompt)
        expected = []
        for option in options:
            # The last option is all within one token of the whole text: it is scored by itself.
            more = echo.ids(before.text + prompt + option.continuation)[len(own) :] or echo.ids(option.continuation)
            rows = echo.log_softmax(own + more)
            expected.append(sum(float(rows[len(own) + i - 1, token]) for i, token in enumerate(more)))
        assert answer.scores == pytest.approx(expected, abs=1e-5)
        assert answer.tokens_in == len(own)


def test_a_token_over_the_border_that_has_no_number_is_told(script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        cut = {
            "Two and two are four.": ["Two and two are", " four."],
            "So: yes": ["So", ": y", "es"],
            "So:": ["So", ":"],
        }
        tokens = [*cut[body["prompt"]], "!"]
        logprobs = {"tokens": tokens, "token_logprobs": [None, -1.0, -2.0, -3.0][: len(tokens)]}
        return 200, {"model": "m", "choices": [{"text": "", "finish_reason": "length", "logprobs": logprobs}]}, {}

    script.says = says
    request = question(prompt="So:", options=(Option("So:", " yes"),))
    with pytest.raises(UserError, match=r"models\.mine: a token reaches over .*serve the model with vLLM"):
        server(script.url, cache).answer([request])


def test_log_probabilities_that_are_no_numbers_are_told(script: Script, cache: Cache) -> None:
    def says(path: str, body: Body) -> Reply:
        value = -1.0 if body["prompt"].startswith("Two") else float("nan")
        place = body["prompt"].find("Answer:") + 7
        logprobs = {"tokens": [body["prompt"][:place], body["prompt"][place:]], "token_logprobs": [None, value]}
        choice = {"text": "", "finish_reason": "length", "logprobs": logprobs}
        return 200, {"model": "m", "choices": [choice], "usage": {"prompt_tokens": 2, "completion_tokens": 0}}, {}

    script.says = says
    with pytest.raises(UserError, match=r"models\.mine: the server returned log-probabilities that are no numbers"):
        server(script.url, cache).answer([question()])
