"""Distillation on a student and tutors made on the spot, of a tokenizer that has bytes alone."""

import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import datasets
import pytest
import torch
from dvclive import Live
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from pfe.config import Checkpoints, NewStudent
from pfe.errors import UserError
from pfe.training.ensemble import Ensemble, load_ensemble
from pfe.training.gkd import Batch, batch_tensors, batched, distil
from pfe.training.gkd_trainer import Gkd, written
from pfe.training.prefix_sharing import IGNORED, collate, examples, joined, lay_out, reads_rows
from pfe.training.record import Distillation
from pfe.training.student import new_student, new_tokenizer, save

LIBRARY = "[LIBRARY] a kralo pays two. "
ROWS = [
    {"library": LIBRARY, "library_loss": True, "set": "one",
     "prompts": ["Q: 1\nA:", "Q: 12\nA:"], "completions": [" xy", " z"]},
    {"library": "", "library_loss": False, "set": "two", "prompts": ["Q: who\nA:"], "completions": [" me"]},
]  # fmt: skip
WEIGHTS = {"one": (0.25, 0.75), "two": (0.25, 0.75)}


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return new_tokenizer([], vocabulary=258, context=64)


@pytest.fixture
def tiny(scratch: NewStudent) -> NewStudent:
    gkd = replace(scratch.gkd, steps=1, learning_rate=0.01, beta=0.3, max_new_tokens=5)
    return replace(
        scratch,
        vocabulary=258,
        hidden=16,
        layers=1,
        heads=2,
        context=64,
        sequence=48,
        batch_tokens=96,
        checkpoints=Checkpoints(every=4, problems=2),
        gkd=gkd,
    )


def model_of(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, seed: int, hidden: int = 16) -> LlamaForCausalLM:
    """With weights that are large enough for its probabilities to differ."""
    model = new_student(tokenizer, replace(tiny, hidden=hidden), seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(4)
    model.eval()
    return model


def tutors_of(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast) -> list[LlamaForCausalLM]:
    return [model_of(tiny, tokenizer, seed, hidden=24) for seed in (1, 2)]


def distilled(
    tiny: NewStudent,
    tokenizer: PreTrainedTokenizerFast,
    folder: Path,
    kept: Path | None = None,
    rows: Sequence[Mapping[str, Any]] = ROWS,
    **gkd: Any,
) -> tuple[Distillation, list[Tensor]]:
    """What came of distilling a new student, and its weights; its checkpoints are `kept` from one call to another."""
    student = replace(tiny, gkd=replace(tiny.gkd, **gkd))
    model = model_of(tiny, tokenizer, 0)
    ensemble = Ensemble(tutors_of(tiny, tokenizer))
    corpus = datasets.Dataset.from_list([dict(row) for row in rows])
    with Live(dir=str(folder), dvcyaml=None, report=None, save_dvc_exp=False) as live:
        done = distil(model, tokenizer, corpus, ensemble, WEIGHTS, student, 0, live, kept or folder / "kept")
    return done, [weight.detach() for weight in model.parameters()]


def divergence(student: Tensor, tutor: Tensor, beta: float) -> Tensor:
    """Agarwal et al. 2024, equation 1, of log-probabilities: a divergence for every token."""
    mean = (beta * tutor.exp() + (1 - beta) * student.exp()).log()
    if beta in (0, 1):
        one, other = (tutor, student) if beta == 0 else (student, tutor)
        return (one.exp() * (one - other)).sum(-1)
    return beta * (tutor.exp() * (tutor - mean)).sum(-1) + (1 - beta) * (student.exp() * (student - mean)).sum(-1)


def trl_loss(student: Tensor, tutor: Tensor, beta: float) -> Tensor:
    loss: Tensor = Gkd.generalized_jsd_loss(student, tutor, beta=beta)  # type: ignore[no-untyped-call]
    return loss


def curve(folder: Path) -> str:
    return (folder / "plots/metrics/divergence.tsv").read_text()


LOGITS = st.lists(st.floats(-5, 5, width=32), min_size=4, max_size=4)


@settings(max_examples=30)
@given(one=LOGITS, other=LOGITS, beta=st.sampled_from((0, 0.1, 0.5, 0.9, 1)))
def test_the_loss_is_the_generalised_divergence(one: list[float], other: list[float], beta: float) -> None:
    student, tutor = (torch.tensor([[logits]], dtype=torch.float64) for logits in (one, other))
    loss = trl_loss(student, tutor, beta)
    expected = divergence(student.log_softmax(-1), tutor.log_softmax(-1), beta).sum()
    assert float(loss) == pytest.approx(float(expected), abs=1e-9)
    assert float(loss) >= -1e-12


@pytest.mark.parametrize("beta", [0.1, 0.5, 0.8])
def test_of_those_who_agree_on_nothing_the_divergence_is_the_entropy_of_beta(beta: float) -> None:
    student, tutor = torch.tensor([[[40.0, -40.0]]]), torch.tensor([[[-40.0, 40.0]]])
    entropy = -beta * math.log(beta) - (1 - beta) * math.log(1 - beta)
    assert float(trl_loss(student, tutor, beta)) == pytest.approx(entropy, rel=1e-5)


@pytest.mark.slow
def test_off_policy_the_loss_is_that_of_every_answer_key_alone(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    done, _ = distilled(tiny, tokenizer, tmp_path, lmbda=0.0)
    assert (done.steps, done.on_policy, done.by_tutors) == (1, 0, 0)
    model, tutors = model_of(tiny, tokenizer, 0), tutors_of(tiny, tokenizer)
    corpus = datasets.Dataset.from_list(ROWS)
    (batch,) = batched(corpus, tokenizer, WEIGHTS, tiny, Random(0))
    parts = []
    for lesson in (lesson for rows in batch.sequences for row in rows for lesson in row):
        tokens = torch.tensor([lesson.tokens])
        with torch.no_grad():
            student, first, second = (one(tokens).logits.log_softmax(-1) for one in (model, *tutors))
        tutor = (0.25 * first.exp() + 0.75 * second.exp()).log()
        parts.append(divergence(student, tutor, 0.3)[0, lesson.prompt - 1 : -1])
    assert done.first_loss == pytest.approx(float(torch.cat(parts).mean()), rel=1e-4)


@pytest.mark.slow
def test_on_policy_no_answer_key_counts_and_off_policy_each_does(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    others = [row | {"completions": [text[:1] + text[1:].upper() for text in row["completions"]]} for row in ROWS]  # type: ignore[attr-defined]
    for lmbda, same in ((1.0, True), (0.0, False)):
        done, weights = distilled(tiny, tokenizer, tmp_path / f"a{lmbda}", lmbda=lmbda, steps=2)
        _, with_others = distilled(tiny, tokenizer, tmp_path / f"b{lmbda}", rows=others, lmbda=lmbda, steps=2)
        assert (done.on_policy, done.by_tutors) == ((2, 0) if same else (0, 0))
        assert all(map(torch.equal, weights, with_others)) == same


@pytest.mark.slow
def test_a_run_repeats_and_draws_a_curve(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path) -> None:
    (one, weights), (other, same) = (
        distilled(tiny, tokenizer, tmp_path / run, steps=6, lmbda=0.5, seq_kd=True) for run in ("one", "two")
    )
    assert one == other
    assert all(map(torch.equal, weights, same))
    assert one.on_policy + one.by_tutors == 6
    assert 0 < one.on_policy < 6
    drawn = curve(tmp_path / "one").splitlines()
    assert drawn[0].split() == ["step", "divergence"]
    assert len(drawn) > 1


@pytest.mark.slow
def test_distillation_that_was_killed_ends_as_one_that_was_not(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    student = replace(tiny, gkd=replace(tiny.gkd, steps=10, lmbda=0.5, seq_kd=True))
    done, weights = distilled(student, tokenizer, tmp_path / "whole", tmp_path / "kept")
    for last in ("checkpoint-10", "checkpoint-8"):
        again, same = distilled(student, tokenizer, tmp_path / last, tmp_path / "kept")
        assert again == done
        assert all(map(torch.equal, weights, same))
        assert curve(tmp_path / last) == curve(tmp_path / "whole")
        shutil.rmtree(tmp_path / "kept" / last)


@pytest.mark.slow
def test_passes_that_are_one_step_have_their_mean_divergence(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    rows = [ROWS[0]]
    one, _ = distilled(tiny, tokenizer, tmp_path / "one", rows=rows, lmbda=0.0)
    twice = replace(tiny, accumulation=2, precision="bfloat16", checkpointing=True)
    two, _ = distilled(twice, tokenizer, tmp_path / "two", rows=rows, lmbda=0.0)
    assert (one.steps, two.steps) == (1, 1)
    assert two.first_loss == pytest.approx(one.first_loss, rel=0.05), "of bfloat16"
    written, _ = distilled(twice, tokenizer, tmp_path / "written", rows=rows, lmbda=1.0)
    assert (written.steps, written.on_policy, written.by_tutors) == (1, 2, 0)


def test_distillation_brings_the_student_to_its_tutors(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    done, _ = distilled(tiny, tokenizer, tmp_path, steps=30, lmbda=0.0)
    assert done.loss < 0.8 * done.first_loss


def test_completions_alone_are_asked_for(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast) -> None:
    (batch,) = batched(datasets.Dataset.from_list(ROWS), tokenizer, WEIGHTS, tiny, Random(0))
    tensors = batch_tensors(batch, int(tokenizer.pad_token_id))
    lessons = [lesson for rows in batch.sequences for row in rows for lesson in row]
    asked = tensors["labels"][tensors["labels"] != IGNORED].tolist()
    assert sorted(asked) == sorted(token for lesson in lessons for token in lesson.tokens[lesson.prompt :])
    assert tensors["weights"].tolist() == [0.25, 0.75]
    for prompt, seen, lesson in zip(tensors["prompts"], tensors["prompt_attention_mask"], lessons, strict=True):
        assert tuple(prompt[seen.bool()].tolist()) == lesson.tokens[: lesson.prompt]
        assert seen.tolist() == sorted(seen.tolist()), "what fills up stands in front"


def test_prompts_libraries_and_padding_take_no_divergence(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast) -> None:
    """What a student says there has no gradient, though the library of the first row takes a loss in training."""
    lessons = [examples(row | {"library_loss": False}, tokenizer) for row in ROWS]
    # A row a sequence: the second, which is shorter, is filled up.
    inputs = batch_tensors(Batch([[row] for row in lessons], (1.0,)), int(tokenizer.pad_token_id))
    student, tutor = torch.randn(2, *inputs["labels"].shape, len(tokenizer))
    student.requires_grad_()
    loss = Gkd.generalized_jsd_loss(student[:, :-1], tutor[:, :-1], inputs["labels"][:, 1:])  # type: ignore[no-untyped-call]
    loss.backward()
    assert student.grad is not None
    learned = student.grad.abs().sum(-1) > 0
    completions = [[len(one.tokens) - one.prompt for one in row] for row in lessons]
    assert learned.sum(-1).tolist() == list(map(sum, completions))
    assert not learned[1, len(lay_out(lessons[1]).tokens) - 1 :].any(), "the last token of a lesson says nothing"
    assert not learned[0, : len(tokenizer(LIBRARY)["input_ids"])].any()


def test_what_was_written_has_the_loss_of_plain_rows(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast) -> None:
    (batch,) = batched(datasets.Dataset.from_list(ROWS), tokenizer, WEIGHTS, tiny, Random(0))
    inputs = batch_tensors(batch, int(tokenizer.pad_token_id))
    model = model_of(tiny, tokenizer, 0).requires_grad_(False)
    tokens = torch.cat([inputs["prompts"], torch.randint(2, 258, (len(inputs["prompts"]), 4))], 1)
    mask = torch.cat([inputs["prompt_attention_mask"], torch.ones(len(tokens), 4, dtype=torch.int64)], 1)
    mask[0, -2:] = 0  # it ended sooner
    labels = tokens.masked_fill(mask == 0, IGNORED)
    labels[:, :-4] = IGNORED
    sequences = written(tokens, mask, labels, inputs["places"])
    assert [[len(row) for row in rows] for rows in sequences] == [
        [len(row) for row in rows] for rows in batch.sequences
    ]
    plain = sum(
        float(cross_entropy(model(line[seen][None]).logits[0, :-1], asked[seen][1:], reduction="sum"))
        for line, seen, asked in zip(tokens, mask.bool(), labels, strict=True)
    )
    reads_rows(model)
    shared = collate([joined(list(map(lay_out, rows))) for rows in sequences], 0)
    logits = model(input_ids=shared["input_ids"], attention_mask=shared["attention_mask"]).logits
    loss = cross_entropy(logits[:, :-1].flatten(0, 1), shared["labels"][:, 1:].flatten(), reduction="sum")
    assert float(loss) == pytest.approx(plain, rel=1e-5)
    assert (shared["labels"] != IGNORED).sum() == 4 * len(tokens) - 2


def test_a_batch_is_of_those_whom_the_same_tutors_teach(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast) -> None:
    student = replace(tiny, gkd=replace(tiny.gkd, steps=24))
    routed = {"one": (1.0, 0.0), "two": (0.0, 1.0)}
    batches = batched(datasets.Dataset.from_list(ROWS), tokenizer, routed, student, Random(0))
    assert len(batches) == 24
    assert {batch.weights for batch in batches} == {(1.0, 0.0), (0.0, 1.0)}
    library = tuple(tokenizer(LIBRARY)["input_ids"])
    for batch in batches:
        for lesson in (lesson for rows in batch.sequences for row in rows for lesson in row):
            assert (lesson.tokens[: len(library)] == library) == (batch.weights == (1.0, 0.0))


def test_a_set_with_few_rows_is_taught_as_often_as_it_is_drawn(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast
) -> None:
    rare = [*([ROWS[0]] * 31), ROWS[1]]
    student = replace(tiny, batch_tokens=1, gkd=replace(tiny.gkd, steps=128))
    routed = {"one": (1.0, 0.0), "two": (0.0, 1.0)}
    batches = batched(datasets.Dataset.from_list(rare), tokenizer, routed, student, Random(0))
    rows = [batch.weights for batch in batches for sequence in batch.sequences for _ in sequence]
    assert rows.count((0.0, 1.0)) >= 2, "one in 32 of 128 rows and more"


def test_lessons_that_do_not_fit_are_told(tiny: NewStudent, tokenizer: PreTrainedTokenizerFast) -> None:
    long = [row | {"prompts": ["Q" * 64] * len(row["completions"])} for row in ROWS]  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"no lesson of the corpus fits student\.context=64; raise it"):
        batched(datasets.Dataset.from_list(long), tokenizer, WEIGHTS, tiny, Random(0))


def test_an_ensemble_says_the_weighted_mean_and_of_one_what_that_one_says(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast
) -> None:
    tutors = tutors_of(tiny, tokenizer)
    batch = collate([lay_out(examples(ROWS[0], tokenizer))], 0)
    seen = {name: batch[name] for name in ("input_ids", "attention_mask")}
    ensemble = Ensemble(tutors)
    with torch.no_grad():
        first, second = (tutor(**seen).logits.softmax(-1) for tutor in tutors)
        for weights in ((0.25, 0.75), (1.0, 3.0), (1.0, 0.0), (0.0, 1.0)):
            ensemble.weights = torch.tensor(weights)
            part = weights[0] / sum(weights)
            assert torch.allclose(ensemble(**seen).logits.exp(), part * first + (1 - part) * second, atol=1e-6)
        assert torch.allclose(Ensemble(tutors[:1])(**seen).logits, first.log(), atol=1e-5)


def test_a_tutor_of_another_tokenizer_or_other_weights_is_refused(
    tiny: NewStudent, tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    other = new_tokenizer(["a kralo pays"] * 9, vocabulary=262, context=64)
    save(new_student(other, tiny, 0), other, tmp_path / "wide")
    with pytest.raises(UserError, match="is not the tutor that was measured; run `dvc repro ensemble`"):
        load_ensemble({"wide": "sha256 0"}, tokenizer, tmp_path)
    from pfe.models.loading import load

    weights = load(str(tmp_path / "wide"), None, "float32", "cpu").weights
    with pytest.raises(UserError, match=r"another tokenizer than the student.*run `dvc repro --force tutor@wide`"):
        load_ensemble({"wide": weights}, tokenizer, tmp_path)
    assert len(load_ensemble({"wide": weights}, other, tmp_path).tutors) == 1
