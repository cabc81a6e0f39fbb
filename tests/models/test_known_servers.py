"""llama.cpp's server, Ollama and vLLM, from stubs that answer in the shapes of each, their errors too.

Sources of the shapes: llama.cpp tools/server (README.md; errors of server-common.cpp), Ollama openai/openai.go, vLLM
entrypoints/openai/protocol.py.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.models.request import LETTER_TOKENS
from pfe.thoughts import after_thoughts
from tests.models.scripted import PREFIX, Body, Reply, Script, question, server

WINDOW = 8192
NAMES = ("qwen3:8b", "Qwen/Qwen3-8B", "qwen3")
THOUGHT = "The user wants a letter. " * 40


def refusal(status: int, **error: Any) -> Reply:
    return status, {"error": error}, {}


class Kind:
    """One kind of server: a thinking model in it, its tokens four characters each, and how it speaks."""

    thoughts = ""  # the field of a message that holds them
    switch: tuple[str, Any] = ("chat_template_kwargs", {"enable_thinking": False})

    def __call__(self, path: str, body: Body) -> Reply:
        if body["model"] not in NAMES:
            return self.unknown(body["model"])
        prompt = body["prompt"] if "prompt" in body else body["messages"][0]["content"]
        tokens = len(prompt) // 4
        if self.is_too_long(tokens, body["max_tokens"]):
            return self.too_long(tokens, body["max_tokens"])
        return self.chat(body, tokens) if path.endswith("/chat/completions") else self.completion(body, tokens)

    def is_too_long(self, tokens: int, max_tokens: int) -> bool:
        return tokens >= WINDOW

    def chat(self, body: Body, tokens: int) -> Reply:
        thinks = body.get(self.switch[0]) != self.switch[1]
        room = body["max_tokens"] - (len(THOUGHT) // 4 if thinks else 0)
        message: Body = {"role": "assistant", "content": "B" if room > 0 else ""}
        if thinks:
            message[self.thoughts] = THOUGHT[: 4 * body["max_tokens"]]
        choice = {"index": 0, "message": message, "finish_reason": "stop" if room > 0 else "length"}
        return self.whole(body, choice, tokens, "chat.completion")

    def completion(self, body: Body, tokens: int) -> Reply:
        choice = {"index": 0, "text": " four", "finish_reason": "length", "logprobs": None}
        return self.whole(body, choice, tokens, "text_completion")

    def whole(self, body: Body, choice: Body, tokens: int, kind: str) -> Reply:
        usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
        reply = {"id": "cmpl-1", "object": kind, "created": 1781492230, "model": body["model"], "choices": [choice]}
        return 200, reply | {"usage": usage} | self.beside(), {}

    def beside(self) -> Body:
        return {}

    def unknown(self, name: str) -> Reply:
        raise NotImplementedError

    def too_long(self, tokens: int, max_tokens: int) -> Reply:
        raise NotImplementedError


class LlamaCpp(Kind):
    """It serves one model, whatever it is asked for, and says which; of `echo` it takes no notice."""

    thoughts = "reasoning_content"

    def beside(self) -> Body:
        timings = {"cache_n": 7, "prompt_n": 10, "prompt_ms": 251.51, "predicted_n": 28, "predicted_ms": 407.596}
        return {"system_fingerprint": "b9554-d403f00ec", "timings": timings}

    def completion(self, body: Body, tokens: int) -> Reply:
        logprobs = {"content": [{"id": 4236, "token": " four", "bytes": [32], "logprob": -0.01, "top_logprobs": []}]}
        choice = {"index": 0, "text": " four", "finish_reason": "length", "logprobs": logprobs}
        return self.whole(body, choice, tokens, "text_completion")

    def unknown(self, name: str) -> Reply:
        return self.whole({"model": "qwen3-8b-q4_k_m.gguf"}, {"message": {"content": "B"}}, 3, "chat.completion")

    def too_long(self, tokens: int, max_tokens: int) -> Reply:
        message = f"request ({tokens} tokens) exceeds the available context size ({WINDOW} tokens), try increasing it"
        counts = {"n_prompt_tokens": tokens, "n_ctx": WINDOW}
        return refusal(400, code=400, message=message, type="exceed_context_size_error", **counts)


class Ollama(Kind):
    """It cuts a long prompt silently, and its thoughts know no template's arguments."""

    thoughts, switch = "reasoning", ("reasoning_effort", "none")

    def is_too_long(self, tokens: int, max_tokens: int) -> bool:
        return False

    def chat(self, body: Body, tokens: int) -> Reply:
        return super().chat(body, min(tokens, WINDOW))

    def beside(self) -> Body:
        return {"system_fingerprint": "fp_ollama"}

    def unknown(self, name: str) -> Reply:
        message = f'model "{name}" not found, try pulling it first'
        return refusal(404, message=message, type="not_found_error", param=None, code=None)


class Vllm(Kind):
    """It returns prompts with log-probabilities, unless it is one that does not; its limit is of prompt and answer."""

    thoughts = "reasoning"

    def __init__(self, echoes: bool = False) -> None:
        self.echoes = echoes

    def is_too_long(self, tokens: int, max_tokens: int) -> bool:
        return tokens + max_tokens > WINDOW

    def completion(self, body: Body, tokens: int) -> Reply:
        if not self.echoes or not body.get("echo"):
            return super().completion(body, tokens)
        shown = [*re.findall(r"\s*\S+", body["prompt"]), " four"]
        logprobs = {
            "text_offset": [0] * len(shown),
            "token_logprobs": [None, *[-0.5] * (len(shown) - 1)],
            "tokens": shown,
            "top_logprobs": [None, *[{token: -0.5} for token in shown[1:]]],
        }
        text = body["prompt"] + " four"
        choice = {"index": 0, "text": text, "logprobs": logprobs, "finish_reason": "length", "stop_reason": None}
        return self.whole(body, choice, len(shown) - 1, "text_completion")

    def beside(self) -> Body:
        return {"service_tier": None, "system_fingerprint": None, "prompt_logprobs": None, "kv_transfer_params": None}

    def unknown(self, name: str) -> Reply:
        message = f"The model `{name}` does not exist."
        return refusal(404, message=message, type="NotFoundError", param="model", code=404)

    def too_long(self, tokens: int, max_tokens: int) -> Reply:
        message = (
            f"This model's maximum context length is {WINDOW} tokens. However, you requested {tokens + max_tokens} "
            f"tokens ({tokens} in the messages, {max_tokens} in the completion). Please reduce the length of the "
            "messages or completion."
        )
        return refusal(400, message=message, type="BadRequestError", param=None, code=400)


KINDS: dict[str, tuple[Callable[[], Kind], str]] = {
    "llama.cpp": (LlamaCpp, "qwen3"),
    "Ollama": (Ollama, "qwen3:8b"),
    "vLLM": (Vllm, "Qwen/Qwen3-8B"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_thoughts_are_switched_off_as_each_server_documents_it(kind: str, script: Script, cache: Cache) -> None:
    script.says, name = KINDS[kind][0](), KINDS[kind][1]
    answers = server(script.url, cache, path=name).answer([question(), question(options=(), stop=("\n",))])
    assert [(answer.output, answer.stop, answer.way) for answer in answers] == [("B", "end", "chat")] * 2
    field, value = Ollama.switch if kind == "Ollama" else Kind.switch
    assert all(body[field] == value for body in script.questions)
    assert {body["max_tokens"] for body in script.questions} == {8, LETTER_TOKENS}


@pytest.mark.parametrize("kind", KINDS)
def test_thoughts_come_beside_the_text_and_have_a_budget(kind: str, script: Script, cache: Cache) -> None:
    script.says, name = KINDS[kind][0](), KINDS[kind][1]
    (answer,) = server(script.url, cache, path=name, thinking=True, max_thinking_tokens=2000).answer([question()])
    assert answer.output == f"<think>\n{THOUGHT}\n</think>\n\nB"
    assert [body["max_tokens"] for body in script.questions] == [LETTER_TOKENS + 2000]
    short = server(script.url, cache, path=name, thinking=True, max_thinking_tokens=50).answer([question(2)])
    assert (after_thoughts(short[0].output), short[0].stop) == (None, "length")


@pytest.mark.parametrize("kind", ["llama.cpp", "vLLM"])
def test_a_prompt_longer_than_the_window_loses_methods_of_its_library(kind: str, script: Script, cache: Cache) -> None:
    script.says, name = KINDS[kind][0](), KINDS[kind][1]
    methods = tuple(f"METHOD {number}\n" + "x" * 14_000 for number in range(3))
    long = question(prefix=type(PREFIX)("LIBRARY\n", methods, "[PROBLEM]\n"))
    (answer,) = server(script.url, cache, path=name).answer([long])
    assert (answer.output, answer.dropped) == ("B", 1)


def test_a_prompt_that_is_cut_silently_is_noted_once(
    script: Script, cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = Ollama()
    ollama = server(script.url, cache, path="qwen3:8b")
    ollama.answer([question(prefix=type(PREFIX)("barometers " * (2 * WINDOW - 100), (), ""))])
    assert "it seems to cut" not in capsys.readouterr().err
    ollama.answer([question(number, prefix=type(PREFIX)("a barometer " * WINDOW * 2, (), "")) for number in range(2)])
    assert capsys.readouterr().err.count(f"had {WINDOW:,} tokens: it seems to cut prompts to its window") == 1


UNKNOWN = {
    "llama.cpp": r"'qwen9' was asked and 'qwen3-8b-q4_k_m\.gguf' answered\); name the model as the server does",
    "Ollama": r'404: model "qwen9" not found, try pulling it first.*\); mend path or base_url',
    "vLLM": r"404: The model `qwen9` does not exist\..*\); mend path or base_url",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_is_not_served_is_one_line_that_says_so(kind: str, script: Script, cache: Cache) -> None:
    script.says = KINDS[kind][0]()
    with pytest.raises(UserError, match=UNKNOWN[kind]):
        server(script.url, cache, path="qwen9").answer([question()])


def test_vllm_returns_prompts_and_its_model_is_scored_by_them_whether_its_chat_thinks_or_not(
    script: Script, cache: Cache
) -> None:
    script.says = Vllm(echoes=True)
    (answer,) = server(script.url, cache, path="Qwen/Qwen3-8B").answer([question()])
    assert answer.way == "echo"
    assert answer.scores == (-0.5, -1.0, -2.5, -0.5)
    assert not [path for path, _ in script.asked if "chat" in path]
    (answer,) = server(script.url, cache, path="Qwen/Qwen3-8B", thinking=True).answer([question()])
    assert (answer.way, answer.scores) == ("chat", ())
    assert json.dumps(answer.output).count("<think>") == 1
