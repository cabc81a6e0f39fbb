"""Token ids: the definition of lm-evaluation-harness, boundaries of shared prefixes, short windows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers import models as token_models
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from pfe.icr.prefix import Prefix
from pfe.models.request import Option, Request
from pfe.models.tokens import Encoder
from pfe.problem import Problem
from tests.small_models import TEXT

PROBLEM = Problem("p/1", "p", "science", "?", "a", choices=("a", "b"))


def byte_level() -> PreTrainedTokenizerFast:
    """As of GPT-2 and Llama 3: white space goes with the word behind it."""
    tokenizer = Tokenizer(token_models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(TEXT, trainers.BpeTrainer(special_tokens=["<e>"], initial_alphabet=alphabet))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<e>")


def metaspace() -> PreTrainedTokenizerFast:
    """As of Llama 2: every text begins with a space of its own, and with a token that says so."""
    tokenizer = Tokenizer(token_models.BPE(unk_token="<u>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace()
    special = ["<s>", "<e>", "<u>"]
    tokenizer.train_from_iterator(TEXT, trainers.BpeTrainer(special_tokens=special, vocab_size=300))
    tokenizer.post_processor = TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<e>", unk_token="<u>")


def gluing() -> PreTrainedTokenizerFast:
    """Merges across lines, so that a prefix cannot be cut at its end."""
    tokenizer = Tokenizer(token_models.BPE())
    lines = ["[PROBLEM]\nQuestion: a?"] * 50
    tokenizer.train_from_iterator(lines, trainers.BpeTrainer(special_tokens=["<e>"], vocab_size=60))
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<e>")


TOKENIZERS: dict[str, Callable[[], Any]] = {"byte-level": byte_level, "metaspace": metaspace, "gluing": gluing}


def ask(prefix: str, prompt: str, *continuations: str) -> Request:
    return Request(PROBLEM, Prefix(prefix), prompt, tuple(Option(prompt, more) for more in continuations))


def by_definition(tokenizer: Any, context: str, continuation: str) -> tuple[tuple[int, ...], int]:
    """Ids of both together, and how many follow those of the context without its last white space."""
    stripped = context.rstrip()
    whole = tokenizer(context + continuation)["input_ids"]
    return tuple(whole), len(whole) - len(tokenizer(stripped)["input_ids"])


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("prefix", ["", "METHOD 1: add.\n\n[PROBLEM]\n", "[PROBLEM] "])
def test_ids_are_those_of_the_whole_text(name: str, prefix: str) -> None:
    tokenizer = TOKENIZERS[name]()
    requests = [ask(prefix, f"Question: {word}?\nAnswer: ", "a bird", "Q") for word in ("a", "b", "12 birds", "bees")]
    for request, encoded in zip(requests, Encoder(tokenizer, 1000).encode(requests), strict=True):
        assert encoded is not None
        for row, option in zip(encoded.rows, request.options, strict=True):
            expected = by_definition(tokenizer, prefix + option.context, option.continuation)
            assert (row.tokens, row.scored) == expected


def test_a_shared_prefix_is_tokenized_once_where_it_can_be_cut() -> None:
    requests = [ask("METHOD 1: add.\n\n[PROBLEM]\n", f"Question: {word}?\nAnswer:", " a", " b") for word in "abc"]
    heads = {name: Encoder(make(), 1000).encode(requests) for name, make in TOKENIZERS.items()}
    shared = {name: {id(row.head) for one in found if one for row in one.rows} for name, found in heads.items()}
    assert {name: len(ids) for name, ids in shared.items()} == dict.fromkeys(TOKENIZERS, 1)
    first = heads["byte-level"][0]
    assert first is not None
    assert len(first.rows[0].head) == len(byte_level()("METHOD 1: add.\n\n[PROBLEM]\n")["input_ids"]) - 1


def test_a_boundary_moves_to_where_no_token_crosses_it() -> None:
    tokenizer = gluing()
    prefix = "add\n[PROBLEM]\n"
    assert tuple(tokenizer(prefix + "Question: a?")["input_ids"]) != tuple(
        tokenizer(prefix)["input_ids"] + tokenizer("Question: a?")["input_ids"]
    )
    found = Encoder(tokenizer, 1000).encode([ask(prefix, "Question: a?", " b"), ask(prefix, "Question: aa?", " b")])
    assert found[0] is not None
    assert found[0].rows[0].tokens == by_definition(tokenizer, prefix + "Question: a?", " b")[0]


@given(st.lists(st.text(st.sampled_from("ab 1?\n"), min_size=1, max_size=8), min_size=2, max_size=5), st.booleans())
def test_no_text_is_tokenized_otherwise_than_whole(contexts: list[str], spaced: bool) -> None:
    tokenizer = byte_level()
    prefix = "METHOD 1: add. " if spaced else "METHOD 1: add.\n\n"
    requests = [ask(prefix, "Q" + context, " 1") for context in contexts]
    for request, encoded in zip(requests, Encoder(tokenizer, 1000).encode(requests), strict=True):
        assert encoded is not None
        assert encoded.rows[0].tokens == tuple(tokenizer(prefix + request.prompt + " 1")["input_ids"])


def test_what_is_scored_has_something_before_it() -> None:
    encoder = Encoder(byte_level(), 1000)
    alone = encoder.encode([ask("", "", "a")])[0]
    assert alone is not None
    assert alone.rows[0].scored == len(alone.rows[0].tokens) - 1
    behind = encoder.encode([ask("METHOD\n", "", "a"), ask("METHOD\n", "", "b")])
    assert all(one and one.rows[0].scored < len(one.rows[0].rest) for one in behind)


METHODS = Prefix("[LIBRARY]\n\n", tuple(f"METHOD {i}: bees look on.\n\n" for i in range(5)), "[PROBLEM]\n")


def test_a_library_loses_whole_methods_from_its_end_and_the_problem_nothing() -> None:
    tokenizer = byte_level()
    request = replace(ask("", "Question: 12 birds?\nAnswer:", " a bird", " bees"), prefix=METHODS)
    whole = Encoder(tokenizer, 1000).encode([request])[0]
    assert whole is not None
    longest = max(len(row.tokens) for row in whole.rows)
    for window in range(longest - 1, 20, -7):
        found = Encoder(tokenizer, window).encode([request])[0]
        if found is None:
            assert len(tokenizer(request.prompt + " a bird")["input_ids"]) > window + 1
            continue
        kept = len(METHODS.methods) - found.dropped
        text = METHODS.shortened(kept).text + request.prompt
        for row, option in zip(found.rows, request.options, strict=True):
            assert row.tokens == tuple(tokenizer(text + option.continuation)["input_ids"])
            assert len(row.tokens) <= window + 1
        one_more = METHODS.shortened(kept + 1).text + request.prompt + " a bird"
        assert found.dropped == 0 or len(tokenizer(one_more)["input_ids"]) > window - 3


def test_generation_leaves_room_for_the_answer() -> None:
    tokenizer = byte_level()
    request = Request(PROBLEM, METHODS, "Question: 12 birds?\nAnswer:", max_tokens=8)
    length = len(tokenizer(METHODS.text + request.prompt)["input_ids"])
    dropped = {
        window: found.dropped
        for window in (length + 8, length + 7)
        if (found := Encoder(tokenizer, window).encode([request])[0])
    }
    assert dropped == {length + 8: 0, length + 7: 1}


def test_a_problem_that_leaves_room_for_part_of_an_answer_is_asked() -> None:
    tokenizer = byte_level()
    request = Request(PROBLEM, METHODS, "Question: 12 birds?\nAnswer:", max_tokens=8)
    length = len(tokenizer(request.prompt)["input_ids"])
    found = [Encoder(tokenizer, length + room).encode([request])[0] for room in (0, 1, 7)]
    assert [one and one.dropped for one in found] == [None, 5, 5]
