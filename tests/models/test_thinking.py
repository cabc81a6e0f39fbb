"""A thought before an answer: its own budget, no stop string in it, and no choice scored inside it."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.machinery import ModuleSpec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import LlamaConfig, LlamaForCausalLM

from pfe.cache import Cache
from pfe.config import Model, record
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.chat import Choice, choose
from pfe.models.decoding import Decoding, Writing
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import describe, with_weights
from pfe.models.precision import arithmetic
from pfe.models.request import LETTER_TOKENS, Option, Request, cut_answer
from pfe.models.responses import Responses
from pfe.models.vllm import VLLM
from pfe.problem import Problem
from pfe.scorers import score
from pfe.thoughts import after_thoughts
from tests.models.test_vllm import Engine, Params
from tests.small_tokenizers import byte_level

OPENS = "{{ messages[-1].content }}\nAssistant:<think>"
SWITCHES = "{{ messages[-1].content }}\nAssistant:{% if enable_thinking %}<think>{% else %}<think></think>{% endif %}"
SILENT = "{{ messages[-1].content }}\nAssistant:"  # the model opens its thought itself
MARKS = ["<think>", "</think>"]


def spell(tokens: Sequence[int]) -> str:
    return "".join(map(chr, tokens))


def written(writing: Writing, text: str) -> str:
    """What a writing comes to if the model would go on with this text, one character a token, and then end."""
    for token in (*map(ord, text), 0):
        if writing.take(token):
            break
    return writing.text


TEXT = st.text("ab \n.", max_size=30)


@given(thought=TEXT, answer=TEXT, opened=st.booleans())
def test_a_stop_string_ends_the_answer_and_no_thought(thought: str, answer: str, opened: bool) -> None:
    decoding = Decoding(spell, spell, {0}, 0.0, "<think>" if opened else "")
    begin = "" if opened else "<think>"
    for stop in (("\n",), (".",), ()):
        writing = Writing(decoding, stop, 100, bytes(8), thinking=200)
        whole = f"{begin}{thought}</think>{answer}"
        assert written(writing, whole) == cut_answer(decoding.opening + whole, stop)
        expected = answer.lstrip()
        for mark in stop:
            expected = expected.partition(mark)[0]
        assert (after_thoughts(writing.text) or "").strip() == expected.strip()


@given(answer=st.text("ab \n.", min_size=1, max_size=80), most=st.integers(1, 40))
def test_an_answer_without_a_thought_is_the_one_of_a_model_that_does_not_think(answer: str, most: int) -> None:
    decoding = Decoding(spell, spell, {0}, 0.0)
    for stop in ((".",), ()):
        plain, thinking = (Writing(decoding, stop, most, bytes(8), thinking=n) for n in (0, 50))
        assert written(thinking, answer) == written(plain, answer)


@given(text=st.text("ab 7", min_size=1, max_size=9), most=st.integers(1, 9))
def test_an_opened_thought_that_the_window_has_no_room_for_is_no_answer(text: str, most: int) -> None:
    writing = Writing(Decoding(spell, spell, {0}, 0.0, "<think>"), (), most, bytes(8), thinking=0)
    assert written(writing, text) == f"<think>{text[0]}"
    assert (after_thoughts(writing.text), writing.ending) == (None, "length")


@given(thought=st.integers(0, 60), answer=st.integers(1, 60))
def test_thought_and_answer_have_a_budget_each(thought: int, answer: int) -> None:
    writing = Writing(Decoding(spell, spell, {0}, 0.0, "<think>"), (), 20, bytes(8), thinking=40)
    text = written(writing, "t" * thought + "</think>" + "a" * answer)
    if thought + len("</think>") > 40:
        assert (text, writing.ending) == ("<think>" + ("t" * thought + "</think>")[:40], "length")
    else:
        assert text == "<think>" + "t" * thought + "</think>" + "a" * min(answer, 20)
        assert writing.ending == ("length" if answer >= 20 else "end")


def chain(place: Path, template: str, *tokens: str) -> str:
    """The folder of a model that goes on from ":" (or "<think>") with these tokens, each by the one before it alone.

    It ends after the last, or goes round where that stands there before."""
    tokenizer = byte_level(opening=True)
    tokenizer.add_special_tokens({"additional_special_tokens": MARKS})
    tokenizer.chat_template = template
    size = len(tokenizer)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=size,
            hidden_size=size,
            intermediate_size=8,
            num_hidden_layers=1,
            num_attention_heads=1,
            head_dim=8,
            max_position_embeddings=1024,
            tie_word_embeddings=False,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=tokenizer.bos_token_id,
        )
    )
    ids: Any = tokenizer.convert_tokens_to_ids([*tokens, *([] if tokens[-1] in tokens[:-1] else [tokenizer.eos_token])])
    with torch.no_grad():
        model.model.layers[0].self_attn.o_proj.weight.zero_()
        model.model.layers[0].mlp.down_proj.weight.zero_()
        model.model.embed_tokens.weight.copy_(torch.eye(size))
        model.lm_head.weight.zero_()
        for before, following in pairwise(ids):
            model.lm_head.weight[following, before] += 1.0
    model.save_pretrained(place)
    tokenizer.save_pretrained(place)
    return str(place)


def entry(path: str, **changes: Any) -> Model:
    values = {"kind": "huggingface", "label": "Mine", "depends": "", "path": path, "chat_template": True}
    return record(Model, **(values | changes))


def choice(path: str, **changes: Any) -> Choice:
    described = describe(path, None)
    return choose("mine", entry(path, **changes), described.tokenizer, described.ends, described.names)


def thinking_model(path: str, thinking: int) -> HuggingFace:
    template = choice(path, thinking=thinking > 0).template
    loaded = with_weights(describe(path, None), arithmetic("float32", "cpu"), template)
    return HuggingFace(loaded, responses=Responses("m", Cache(Path(path) / "c.sqlite")), thinking=thinking)


PROBLEM = Problem("p", "p", "science", "Which tool?", "ruler", choices=("barometer", "ruler"))
CHOICE = Request(PROBLEM, Prefix(), "Which tool?", tuple(Option("Which tool?", f" {text}") for text in PROBLEM.choices))
TEXT_REQUEST = Request(PROBLEM, Prefix(), "Which tool?", stop=("a",), max_tokens=8)


@pytest.mark.parametrize("template", [OPENS, SWITCHES, SILENT])
def test_a_model_that_thinks_makes_choices_by_letter_after_its_thought(tmp_path: Path, template: str) -> None:
    model = thinking_model(chain(tmp_path, template, ":", "<think>", "a", "</think>", "B"), thinking=16)
    (answer,) = model.answer([CHOICE])
    assert (answer.output, answer.scores, answer.stop) == ("<think>a</think>B", (), "end")
    assert score("choice", PROBLEM, answer.output).correct


def test_no_stop_string_ends_its_thought(tmp_path: Path) -> None:
    model = thinking_model(chain(tmp_path, OPENS, "<think>", "a", "</think>", "B", "C", "a"), thinking=16)
    (answer,) = model.answer([TEXT_REQUEST])
    assert (answer.output, answer.stop) == ("<think>a</think>BC", "stop")


def test_a_thought_that_never_ends_takes_its_budget_and_no_more(tmp_path: Path) -> None:
    model = thinking_model(chain(tmp_path, OPENS, "<think>", "a", "b", "a"), thinking=5)
    for request in (CHOICE, TEXT_REQUEST):
        (answer,) = model.answer([request])
        assert (answer.stop, answer.tokens_out) == ("length", 5)
        assert after_thoughts(answer.output) is None
        assert not score("choice", PROBLEM, answer.output).extracted


def test_an_answer_has_its_own_budget_behind_a_thought(tmp_path: Path) -> None:
    model = thinking_model(chain(tmp_path, OPENS, "<think>", "b", "</think>", "C", "D", "C"), thinking=99)
    (answer,) = model.answer([TEXT_REQUEST])
    assert (answer.output, answer.stop) == ("<think>b</think>CDCDCDCD", "length")
    (answer,) = model.answer([CHOICE])
    assert answer.output == "<think>b</think>" + "CD" * (LETTER_TOKENS // 2)


def test_vllm_gives_the_same_thoughts_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("vllm")
    module.__spec__ = ModuleSpec("vllm", None)
    module.LLM, module.SamplingParams, module.TokensPrompt = Engine(), Params, dict
    monkeypatch.setitem(sys.modules, "vllm", module)
    for number, tokens in enumerate((("a", "</think>", "B", "C", "D"), ("a", "</think>", "B"), ("a", "b", "a"))):
        path = chain(tmp_path / str(number), OPENS, "<think>", *tokens)
        engines = (
            VLLM("mine", entry(path, thinking=True, max_thinking_tokens=9), Cache(tmp_path / "c")),
            thinking_model(path, 9),
        )
        for request in (CHOICE, TEXT_REQUEST, replace(TEXT_REQUEST, stop=("C",))):
            theirs, ours = (engine.answer([request])[0] for engine in engines)
            assert after_thoughts(theirs.output) == after_thoughts(ours.output)
            assert (theirs.stop, theirs.prompt_sha256) == (ours.stop, ours.prompt_sha256)


def test_without_thinking_a_template_that_can_closes_the_thought_and_choices_are_scored(tmp_path: Path) -> None:
    path = chain(tmp_path, SWITCHES, "</think>", "B")
    template = choice(path).template
    assert template
    assert template.after.endswith("<think></think>")
    (answer,) = thinking_model(path, thinking=0).answer([CHOICE])
    assert len(answer.scores) == 2


def test_no_choice_is_scored_inside_a_thought_that_cannot_be_switched_off(tmp_path: Path) -> None:
    path = chain(tmp_path, OPENS, "<think>", "a")
    with pytest.raises(UserError, match=r"opens a thought \('<think>'\).*--thinking on"):
        choice(path)
    assert choice(path, thinking=True).template


def test_a_model_that_is_asked_as_plain_text_does_not_think(tmp_path: Path) -> None:
    path = chain(tmp_path, OPENS, "<think>", "a")
    with pytest.raises(UserError, match="thinking is true, but the model is asked as plain text"):
        choice(path, chat_template=False, thinking=True)
