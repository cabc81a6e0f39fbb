"""Shared rows: what lessons have in common is computed once, and nothing of a lesson's loss changes."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cross_entropy
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MambaConfig,
    MambaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen2Config,
    Qwen2ForCausalLM,
)
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from pfe.training import attention
from pfe.training.gkd_trainer import Gkd
from pfe.training.lessons import trial
from pfe.training.prefix_sharing import IGNORED, Example, collate, examples, joined, lay_out, reads_rows, together
from pfe.training.shared_rows_check import refusal
from pfe.training.student import new_tokenizer

VOCABULARY = 97
SIZES: dict[str, Any] = {"vocab_size": VOCABULARY, "bos_token_id": None, "eos_token_id": None, "initializer_range": 0.2}
LAYERS: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
SHAPES: dict[str, Callable[[], PreTrainedModel]] = {
    "llama": lambda: LlamaForCausalLM(LlamaConfig(**SIZES, **LAYERS, num_key_value_heads=2)),
    "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**SIZES, **LAYERS, num_key_value_heads=2, tie_word_embeddings=True)),
    "gpt2": lambda: GPT2LMHeadModel(
        GPT2Config(**SIZES, n_embd=32, n_layer=2, n_head=4, resid_pdrop=0.0, attn_pdrop=0.0, embd_pdrop=0.0)
    ),
}


def row_of(seed: int, lessons: int = 5, library: int = 12, loss: bool = True) -> list[Example]:
    """Lessons behind one library, two of them with one prompt and two completions."""
    rng = Random(seed)
    read = [rng.randrange(VOCABULARY) for _ in range(library)]
    made = []
    for number in range(lessons):
        asked = [rng.randrange(VOCABULARY) for _ in range(rng.randint(1, 6))]
        answer = [rng.randrange(VOCABULARY) for _ in range(rng.randint(1, 4))]
        taken = library if loss and not number else 0
        made.append(Example((*read, *asked, *answer), library + len(asked), taken))
    last = made[-1]
    return [*made, Example((*last.tokens[: last.prompt], 3, 4), last.prompt)]


def loss_and_gradients(
    model: PreTrainedModel, batches: Sequence[dict[str, torch.Tensor]], tutor: PreTrainedModel | None = None
) -> tuple[float, torch.Tensor]:
    """The sum of all tokens' losses over several batches, and its gradient in one vector.

    The loss is the cross-entropy, or the divergence from a tutor where there is one.
    """
    model.zero_grad()
    total = 0.0
    for batch in batches:
        labels = batch["labels"][:, 1:]
        read = {name: values for name, values in batch.items() if name != "labels"}
        logits = model(**read).logits[:, :-1]
        if tutor is None:
            loss = cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum")
        else:
            said = tutor(**read).logits[:, :-1]
            loss = Gkd.generalized_jsd_loss(logits, said, labels, beta=0.3, reduction="sum")  # type: ignore[no-untyped-call]
        loss.backward()
        total += loss.item()
    return total, torch.cat([weight.grad.flatten() for weight in model.parameters() if weight.grad is not None])


@pytest.mark.parametrize("block", [3, 16, 1000])
@pytest.mark.parametrize("shape", SHAPES)
def test_shared_rows_have_the_loss_and_the_gradients_of_each_lesson_alone(
    shape: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "BLOCK", block)
    torch.manual_seed(0)
    model = SHAPES[shape]()
    rows = [row_of(seed) for seed in range(3)]
    alone = [
        {"input_ids": torch.tensor([example.tokens]), "labels": torch.tensor([example.labels()])}
        for row in rows
        for example in row
    ]
    loss, gradient = loss_and_gradients(model, alone)
    reads_rows(model)
    for batch in (
        collate([joined(list(map(lay_out, rows)))], 0),
        collate(list(map(lay_out, rows)), 0),
        collate([joined([lay_out(row, shares=False) for row in rows])], 0),
    ):
        shared_loss, shared_gradient = loss_and_gradients(model, [batch])
        assert shared_loss == pytest.approx(loss, rel=1e-5)
        assert torch.allclose(shared_gradient, gradient, rtol=1e-5, atol=1e-5 * float(gradient.abs().max()))


@pytest.mark.parametrize("shape", SHAPES)
def test_shared_rows_have_the_divergence_from_a_tutor_and_the_gradients_of_each_lesson_alone(shape: str) -> None:
    torch.manual_seed(0)
    model, tutor = SHAPES[shape](), SHAPES[shape]().requires_grad_(False)
    rows = [row_of(seed, loss=False) for seed in range(3)]
    alone = [
        {"input_ids": torch.tensor([example.tokens]), "labels": torch.tensor([example.labels()])}
        for row in rows
        for example in row
    ]
    loss, gradient = loss_and_gradients(model, alone, tutor)
    assert loss > 1
    reads_rows(model)
    reads_rows(tutor)
    shared_loss, shared_gradient = loss_and_gradients(model, [collate(list(map(lay_out, rows)), 0)], tutor)
    assert shared_loss == pytest.approx(loss, rel=1e-5)
    assert torch.allclose(shared_gradient, gradient, rtol=1e-5, atol=1e-5 * float(gradient.abs().max()))


def test_keys_that_a_block_does_not_see_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two rows behind each other the blocks of one are compared with none of the other's keys."""
    compared: list[tuple[int, int]] = []

    def counted(module: Any, query: Any, key: Any, *rest: Any, **named: Any) -> Any:
        compared.append((query.shape[2], key.shape[2]))
        return sdpa_attention_forward(module, query, key, *rest, **named)

    monkeypatch.setattr(attention, "BLOCK", 8)
    monkeypatch.setattr(attention, "sdpa_attention_forward", counted)
    packs = [lay_out(row_of(seed)) for seed in (0, 1)]
    model = SHAPES["llama"]()
    reads_rows(model)
    loss_and_gradients(model, [collate([joined(packs)], 0)])
    sizes = [len(pack.tokens) for pack in packs]
    assert sum(queries for queries, _ in compared) == 2 * sum(sizes)  # in two layers
    assert sum(queries * keys for queries, keys in compared) < 2 * sum(size * size for size in sizes)


@pytest.mark.parametrize("shape", SHAPES)
def test_other_devices_than_processors_have_the_mask_in_one_piece(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a mask that lies at an odd address breaks a GPU's kernels, and finding it makes the GPU wait."""
    monkeypatch.setattr(attention, "BLOCK", 8)
    sees = torch.ones(1, 1, 40, 40, dtype=torch.bool, device="meta")
    with torch.device("meta"):
        model = SHAPES[shape]()
    reads_rows(model)
    for mask in (sees, torch.zeros_like(sees, dtype=torch.float32)):
        positions = torch.zeros(1, 40, dtype=torch.int64, device="meta")
        made = model(input_ids=torch.zeros_like(positions), attention_mask=mask, position_ids=positions)
        assert made.logits.shape == (1, 40, VOCABULARY)


@pytest.mark.parametrize("block", [3, 16])
@pytest.mark.parametrize("shape", SHAPES)
def test_masks_of_blocks_begin_where_kernels_take_them(shape: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is made anew, of booleans and of what is added alike; the outcome is the whole mask's."""
    masks: list[torch.Tensor] = []

    def kept(module: Any, query: Any, key: Any, value: Any, mask: Any, **named: Any) -> Any:
        masks.append(mask)
        return sdpa_attention_forward(module, query, key, value, mask, **named)

    torch.manual_seed(0)
    model = SHAPES[shape]().eval()
    batch = collate([joined([lay_out(row_of(seed)) for seed in range(3)])], 0)
    sees = batch["attention_mask"]
    added = torch.zeros(sees.shape).masked_fill_(~sees, torch.finfo(torch.float32).min)
    asked = {"input_ids": batch["input_ids"], "position_ids": sees[:, 0].sum(-1) - 1}
    with torch.no_grad():
        whole = model(attention_mask=added, **asked).logits
        monkeypatch.setattr(attention, "BLOCK", block)
        monkeypatch.setattr(attention, "sdpa_attention_forward", kept)
        reads_rows(model)
        for mask in (added, sees):
            assert torch.allclose(model(attention_mask=mask, **asked).logits, whole, atol=1e-4)
    assert all(mask.storage_offset() == 0 and mask.is_contiguous() for mask in masks)


@pytest.mark.parametrize("kind", ["of keys alone", "biases", "biases and hidden", "hidden by infinity"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_mask_of_another_kind_is_transformers_own(shape: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "BLOCK", 8)
    torch.manual_seed(0)
    model = SHAPES[shape]().eval()
    places = torch.arange(40)
    sees = (places <= places[:, None])[None, None]
    biases = -0.1 * (places[:, None] - places).abs()[None, None].float()
    mask = {
        "of keys alone": (places < 30)[None, None, None],
        "biases": biases,
        "biases and hidden": biases.masked_fill(~sees, torch.finfo(torch.float32).min),
        "hidden by infinity": torch.zeros(1, 1, 40, 40).masked_fill_(~sees, -torch.inf),
    }[kind]
    asked = {"input_ids": places[None] % VOCABULARY, "position_ids": places[None], "attention_mask": mask}
    with torch.no_grad():
        whole = model(**asked).logits
        reads_rows(model)
        assert torch.allclose(model(**asked).logits, whole, atol=1e-4)


def test_what_blocks_see_is_found_once_for_all_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[torch.dtype] = []

    def counted(mask: torch.Tensor, dtype: torch.dtype) -> list[attention.Layout]:
        found.append(dtype)
        return layouts(mask, dtype)

    layouts = attention.layouts
    monkeypatch.setattr(attention, "layouts", counted)
    model = SHAPES["llama"]()
    reads_rows(model)
    for seed in (0, 1):
        batch = collate([lay_out(row_of(seed))], 0)
        for _ in range(2):
            loss_and_gradients(model, [batch])
    assert found == 2 * [torch.float32]


@given(st.integers(0, 10_000), st.sampled_from([3, 8, 128]))
def test_a_layout_is_the_mask_without_what_a_block_does_not_see(seed: int, block: int) -> None:
    """Of any mask: the pieces of each block have all keys that it sees, and none that is hidden from all of it."""
    rng = torch.Generator().manual_seed(seed)
    size = int(torch.randint(1, 40, (), generator=rng))
    sees = torch.rand(2, 1, size, size, generator=rng) < torch.rand((), generator=rng)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(attention, "BLOCK", block)
        made = attention.layouts(sees, torch.float32)
    for row, layout in zip(sees[:, 0], made, strict=True):
        keys = torch.arange(size).split(layout.sizes)
        for block_sees, (pieces, mask) in zip(row.split(block), layout.blocks, strict=True):
            places = torch.cat([keys[piece] for piece in pieces])
            assert torch.equal(mask[0, 0] == 0, block_sees[:, places])
            assert places.tolist() == (block_sees.any(0).nonzero()[:, 0].tolist() or [0])


@pytest.mark.parametrize("block", [3, 16])
@pytest.mark.parametrize("shape", SHAPES)
def test_blocks_of_padding_change_no_answer(shape: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a student answers prompts of several lengths at once, those of the shorter ones filled up on the left."""
    monkeypatch.setattr(attention, "BLOCK", block)
    torch.manual_seed(0)
    model = SHAPES[shape]().eval()
    lengths = (50, 7, 1)
    prompts = torch.randint(1, VOCABULARY, (len(lengths), max(lengths)))
    real = torch.arange(max(lengths)) >= max(lengths) - torch.tensor(lengths)[:, None]
    asked: dict[str, Any] = {"attention_mask": real.long(), "max_new_tokens": 4, "do_sample": False, "pad_token_id": 0}
    expected = model.generate(prompts * real, **asked)
    reads_rows(model)
    assert torch.equal(model.generate(prompts * real, **asked), expected)
    with torch.no_grad():
        assert model(prompts * real, attention_mask=real.long()).logits.isfinite().all()


def test_without_places_by_the_mask_the_loss_is_another_one() -> None:
    """The comparison above can tell: places that go on from lesson to lesson are wrong."""
    torch.manual_seed(0)
    batch = collate([lay_out(row_of(0))], 0)
    wrong, _ = loss_and_gradients(model := SHAPES["llama"](), [batch])
    reads_rows(model)
    right, _ = loss_and_gradients(model, [batch])
    assert wrong != pytest.approx(right, rel=1e-3)


LESSONS = st.lists(
    st.tuples(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.lists(st.integers(0, 3), min_size=1, max_size=4)),
    min_size=1,
    max_size=6,
)


@given(library=st.lists(st.integers(0, 3), max_size=6), lessons=LESSONS, loss=st.booleans(), shares=st.booleans())
def test_every_token_sees_its_own_lesson_and_is_asked_for_what_the_lesson_asks(
    library: list[int], lessons: list[tuple[list[int], list[int]]], loss: bool, shares: bool
) -> None:
    row = [
        Example(
            (*library, *prompt, *completion), len(library) + len(prompt), len(library) if loss and not number else 0
        )
        for number, (prompt, completion) in enumerate(lessons)
    ]
    pack = lay_out(row, shares)
    asked = []
    for place, label in enumerate(pack.labels):
        if label != IGNORED:
            assert place
            asked.append((tuple(pack.tokens[pack.sees[place - 1]]), int(label)))
            assert pack.sees[place, place - 1]
    expected = [
        (example.tokens[:place], label)
        for example in row
        for place, label in enumerate(example.labels())
        if label != IGNORED
    ]
    assert sorted(asked) == sorted(expected)
    assert len(pack.tokens) <= sum(len(example.tokens) for example in row)


def test_a_library_is_laid_out_once() -> None:
    row = row_of(0, lessons=8, library=100)
    assert len(lay_out(row).tokens) < 100 + sum(len(example.tokens) - 100 for example in row) + 1
    assert len(lay_out(row, shares=False).tokens) == sum(len(example.tokens) for example in row)


@given(st.lists(st.integers(1, 50), max_size=40), st.integers(10, 60))
def test_rows_fill_sequences(sizes: list[int], most: int) -> None:
    packs = together(sizes, most)
    assert sorted(index for pack in packs for index in pack) == list(range(len(sizes)))
    assert all(len(pack) == 1 or sum(sizes[index] for index in pack) <= most for pack in packs)
    # No two of them would fit into one.
    fills = sorted(sum(sizes[index] for index in pack) for pack in packs)
    assert len(fills) < 2 or fills[0] + fills[1] > most


def test_lessons_of_a_row_are_its_texts_and_the_library_takes_a_loss_once() -> None:
    row = {
        "library": "[LIBRARY] A kralo pays two coins. [PROBLEM]\n",
        "library_loss": True,
        "prompts": ["Question: What does a kralo pay?\nAnswer:", "Question: Who pays two coins?\nAnswer:"],
        "completions": [" two coins", " a kralo"],
    }
    texts = [row["library"] + prompt + end for prompt, end in zip(row["prompts"], row["completions"], strict=True)]  # type: ignore[call-overload]
    tokenizer = new_tokenizer(texts, 300, 512)
    first, second = examples(row, tokenizer)
    end = str(tokenizer.eos_token)
    assert [tokenizer.decode(list(example.tokens)) for example in (first, second)] == [text + end for text in texts]
    supervised = [tokenizer.decode([label for label in one.labels() if label != IGNORED]) for one in (first, second)]
    assert supervised == [str(row["library"])[1:] + " two coins" + end, " a kralo" + end]
    assert [one.library for one in examples(row | {"library_loss": False}, tokenizer)] == [0, 0]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_proven_model_may_share_and_is_left_as_it_was(shape: str) -> None:
    torch.manual_seed(1)
    model = SHAPES[shape]()
    reads_rows(model)
    model.train()
    weights = [weight.clone() for weight in model.parameters()]
    assert not refusal(model, row_of(1), 100)
    assert model.training
    assert all(weight.grad is None for weight in model.parameters())
    assert all(map(torch.equal, weights, model.parameters()))


def test_lessons_without_a_library_hide_no_model_that_may_not_share() -> None:
    """The trial is of what is shared, and the longest lesson of all decides what positions and windows must hold."""
    plain = [[Example((5, 6, 7, 8), 2)], [Example((9, 9), 1)]]
    shared = row_of(1, library=80)
    unaware = SHAPES["llama"]()
    assert refusal(unaware, trial([*plain, shared]), 100)
    assert refusal(unaware, trial(plain), 100), "one lesson twice shares its prompt"
    windows = MistralForCausalLM(MistralConfig(**SIZES, **LAYERS, num_key_value_heads=2, sliding_window=64))
    reads_rows(windows)
    assert "windows of 64 tokens" in refusal(windows, trial(plain), max(len(lesson.tokens) for lesson in shared))


def test_other_models_may_not_share() -> None:
    mamba = MambaForCausalLM(MambaConfig(**SIZES, hidden_size=16, num_hidden_layers=1, state_size=4))
    assert refusal(mamba, row_of(1), 100) == "the architecture mamba is not among the proven ones"
    torch.manual_seed(1)
    unaware = SHAPES["llama"]()  # its positions go on from lesson to lesson
    assert "on a trial row its loss is" in refusal(unaware, row_of(1), 100)
