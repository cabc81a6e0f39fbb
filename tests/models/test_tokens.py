"""Token ids: those of lm-evaluation-harness's own code, the cut of shared prefixes, short windows."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.request import Option, Request
from pfe.models.tokens import RequestEncoder, Row
from pfe.problem import Problem
from tests.small_tokenizers import TOKENIZERS, byte_level

PROBLEM = Problem("p/1", "p", "science", "?", "a", choices=("a", "b"))
Ids = tuple[int, ...]


@functools.cache
def kind(name: str) -> tuple[Any, Any]:
    """A tokenizer, and lm-evaluation-harness's class for such models with it."""
    from lm_eval.models.huggingface import HFLM
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = TOKENIZERS[name]()
    tokenizer.pad_token = tokenizer.eos_token
    model = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=4, n_layer=1, n_head=1, n_positions=64))
    return tokenizer, HFLM(pretrained=model, tokenizer=tokenizer, device="cpu", max_length=10_000)


def encoded(harness: Any, pairs: Sequence[tuple[str, str]]) -> list[tuple[Ids, Ids]]:
    """The ids of context and continuation that the harness would compute with."""
    from lm_eval.api.instance import Instance

    rows: list[tuple[Ids, Ids]] = []

    def keep(requests: Any, **_: Any) -> list[tuple[float, bool]]:
        rows.extend((tuple(context), tuple(continuation)) for _, context, continuation in requests)
        return [(0.0, False)] * len(requests)

    harness._loglikelihood_tokens = keep
    harness.loglikelihood([Instance("loglikelihood", {}, pair, i) for i, pair in enumerate(pairs)], disable_tqdm=True)
    return rows


def ask(prefix: str, prompt: str, *continuations: str) -> Request:
    return Request(PROBLEM, Prefix(prefix), prompt, tuple(Option(prompt, more) for more in continuations))


def rows_of(tokenizer: Any, requests: Sequence[Request]) -> list[Row]:
    encoded = RequestEncoder(tokenizer, 10_000).encode(requests)
    return [row for one in encoded if one is not None for row in one.rows]


def agree(name: str, requests: Sequence[Request]) -> int:
    """Compare every row with the harness; how many continuations it would have died of."""
    tokenizer, harness = kind(name)
    options = [(request.prefix.text + o.context, o.continuation) for request in requests for o in request.options]
    odd = 0
    for row, (context, continuation) in zip(rows_of(tokenizer, requests), encoded(harness, options), strict=True):
        if context and continuation:
            assert row.tokens == context + continuation
            assert row.scored == len(continuation)
        else:
            odd += 1
        assert 0 < row.scored < len(row.rest) or (row.scored < len(row.tokens) and not row.head)
    return odd


PREFIXES = [
    "",
    "METHOD 1: add.\n\n[PROBLEM]\n",
    "[PROBLEM] ",
    "METHOD 1: add the parts, in total.\n" * 4 + "[PROBLEM]\n",
]


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("prefix", PREFIXES)
def test_ids_are_those_of_lm_eval(name: str, prefix: str) -> None:
    prompts = [
        f"Question: {word}?\nAnswer:{space}" for word in ("a", "b", "12 birds", "bees") for space in ("", " ", "\n ")
    ]
    requests = [ask(prefix, prompt, " a bird", " yes", "Q", "\nyes no") for prompt in prompts]
    # Of a tokenizer that merges over everything, nothing is left of some choices: there the harness dies.
    assert agree(name, requests) <= (2 * len(requests) if name == "merging" else 0)


def test_a_token_over_the_border_of_prompt_and_choice_is_read_as_the_prompt_alone_has_it() -> None:
    tokenizer, harness = kind("merging")
    context, continuation = encoded(harness, [("Question: a?\nAnswer:", " yes the fox jumps and 12 bees look on")])[0]
    assert continuation
    assert context + continuation != tuple(
        tokenizer("Question: a?\nAnswer: yes the fox jumps and 12 bees look on")["input_ids"]
    )
    (row,) = rows_of(tokenizer, [ask("", "Question: a?\nAnswer:", " yes the fox jumps and 12 bees look on")])
    assert (row.tokens, row.scored) == (context + continuation, len(continuation))


@pytest.mark.parametrize("name", TOKENIZERS)
def test_an_empty_prompt_is_the_token_that_opens_texts(name: str) -> None:
    assert agree(name, [ask("", "", "a", "yes no", " a bird")]) == 0
    agree(name, [ask("", " ", "a", "yes no"), ask("", "\n", " a bird")])


@pytest.mark.parametrize("name", ["byte-level, opened", "metaspace", "sentencepiece", "unigram"])
def test_a_text_that_opens_itself_gets_no_second_token_for_it(name: str) -> None:
    tokenizer, _ = kind(name)
    requests = [ask("<s>METHOD 1: add.\n", f"Question: {word}?", " a") for word in ("a", "b", "bees")]
    assert agree(name, requests) == 0
    assert agree(name, [ask("", "<s>Question: a?", " a"), ask("", "Question: a?", " a"), ask("", "<s>", "a")]) == 0
    rows = rows_of(tokenizer, requests)
    assert [row.tokens.count(tokenizer.bos_token_id) for row in rows] == [1, 1, 1]
    (written,) = rows_of(tokenizer, [replace(requests[0], options=())])
    assert written.tokens == tuple(tokenizer("<s>METHOD 1: add.\nQuestion: a?", add_special_tokens=False)["input_ids"])


def test_a_choice_that_a_prompt_swallows_is_scored_by_itself_and_one_without_text_is_told() -> None:
    tokenizer, harness = kind("merging")
    context, continuation = encoded(harness, [("Answer: a bir", "d")])[0]
    assert not continuation  # where the harness ends in an assertion
    (row,) = rows_of(tokenizer, [ask("", "Answer: a bir", "d")])
    assert row.tokens == context + tuple(tokenizer("d")["input_ids"])
    for prompt in ("Question: a?", ""):
        with pytest.raises(UserError, match=r"no text that could be scored|neither a prompt nor a text"):
            rows_of(byte_level(), [ask("", prompt, "")])


PIECES = [*"ab1? \n:[é▁QA", "yes", "Answer:", "Question: ", "<s>", " a bird"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
SPELLED = TEXTS.map(lambda text: text + "a")  # some tokenizers lose spaces, and with them all of a text


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=40)
@given(data=st.data())
def test_no_text_is_encoded_otherwise_than_by_lm_eval(name: str, data: st.DataObject) -> None:
    prefix = data.draw(st.sampled_from(["", "METHOD 1: add the parts.\n\n[PROBLEM]\n", "add. Question: "]) | TEXTS)
    pairs = data.draw(st.lists(st.tuples(TEXTS, st.lists(SPELLED, min_size=1, max_size=3)), min_size=1, max_size=5))
    agree(name, [ask(prefix, context, *more) for context, more in pairs])


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_shared_prefix_is_tokenized_once_where_it_can_be_cut(name: str) -> None:
    tokenizer, _ = kind(name)
    prefix = "METHOD 1: add the parts, in total.\n" * 6 + "\n[PROBLEM]\n"
    rows = rows_of(
        tokenizer, [ask(prefix, f"Question: {word}?\nAnswer:", " a", " b") for word in ("a", "b", "12", "bees")]
    )
    heads = {id(row.head): len(row.head) for row in rows}
    assert len(heads) == 1
    length = len(tokenizer(prefix)["input_ids"])
    # A token that closes every text stands behind every beginning, too: nothing can be cut.
    assert length - 20 <= heads.popitem()[1] < length if name != "word pieces, framed" else not any(heads.values())


def test_a_text_that_another_token_begins_with_has_its_prefix_by_itself() -> None:
    """Most cut at the end of the prefix; one runs over it."""
    tokenizer, _ = kind("merging")
    prefix = "METHOD 1: add the parts, in total.\n" * 6 + "[PROBLEM]\n"
    others = [f"{chr(97 + i)}{chr(97 + j)} birds?\nAnswer:" for i in range(26) for j in range(4)]
    requests = [ask(prefix, prompt, " the brown fox and 12 bees") for prompt in [*others, "Question: b?\nAnswer:"]]
    assert agree("merging", requests) == 0
    assert all(len(row.head) > 20 for row in rows_of(tokenizer, requests)[:-1])


METHODS = Prefix("[LIBRARY]\n\n", tuple(f"METHOD {i}: bees look on.\n\n" for i in range(5)), "[PROBLEM]\n")


def test_a_library_loses_whole_methods_from_its_end_and_only_then_the_problem_its_beginning() -> None:
    tokenizer = byte_level()
    request = replace(ask("", "Question: 12 birds?\nAnswer:", " a bird", " bees"), prefix=METHODS)
    whole = RequestEncoder(tokenizer, 1000).encode([request])[0]
    assert whole is not None
    longest = max(len(row.tokens) for row in whole.rows)
    bare = max(len(tokenizer(request.prompt + o.continuation)["input_ids"]) for o in request.options)
    for window in range(longest - 1, 20, -7):
        found = RequestEncoder(tokenizer, window).encode([request])[0]
        assert found is not None
        kept = len(METHODS.methods) - found.dropped
        text = METHODS.shortened(kept).text + request.prompt
        assert found.cut == (bare > window + 1)
        for row, option in zip(found.rows, request.options, strict=True):
            assert row.tokens == tuple(tokenizer(text + option.continuation)["input_ids"])[-window - 1 :]
        one_more = METHODS.shortened(kept + 1).text + request.prompt + " a bird"
        assert found.dropped == 0 or len(tokenizer(one_more)["input_ids"]) > window - 3


def test_what_is_scored_is_never_cut() -> None:
    tokenizer = byte_level()
    request = ask("", "Question: 12 birds?\nAnswer:", " the quick brown fox jumps over the lazy dog")
    scored = len(tokenizer(request.options[0].continuation)["input_ids"])
    found = [RequestEncoder(tokenizer, window).encode([request])[0] for window in (scored, scored - 1)]
    assert found[0] is not None
    assert found[0].cut
    assert (len(found[0].rows[0].tokens), found[0].rows[0].scored) == (scored + 1, scored)
    assert found[1] is None


def test_generation_leaves_room_for_the_answer() -> None:
    tokenizer = byte_level()
    request = Request(PROBLEM, METHODS, "Question: 12 birds?\nAnswer:", max_tokens=8)
    length = len(tokenizer(METHODS.text + request.prompt)["input_ids"])
    dropped = {
        window: found.dropped
        for window in (length + 8, length + 7)
        if (found := RequestEncoder(tokenizer, window).encode([request])[0])
    }
    assert dropped == {length + 8: 0, length + 7: 1}


def test_a_problem_that_leaves_room_for_part_of_an_answer_is_asked() -> None:
    tokenizer = byte_level()
    request = Request(PROBLEM, METHODS, "Question: 12 birds?\nAnswer:", max_tokens=8)
    length = len(tokenizer(request.prompt)["input_ids"])
    found = [RequestEncoder(tokenizer, length + room).encode([request])[0] for room in (0, 1, 7)]
    assert [one and one.dropped for one in found] == [None, 5, 5]
