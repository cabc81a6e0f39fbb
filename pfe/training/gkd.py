"""Generalised knowledge distillation: the student learns the tutors' token probabilities, partly on its own texts.

Agarwal et al. 2024 (arXiv:2306.13649), with TRL's `GKDTrainer`; no other module uses it. Rows share their common prefix
here too (`pfe.training.prefix_sharing`). Answer keys are laid out in advance; texts generated in the step, which needs
plain prompts, are laid out after generation. Only completions have a loss, never libraries.

TRL's `DistillationTrainer`, which does the same without answer keys (`lmbda` 1, `temperature` 1), multiplies hidden
states by a teacher's single output matrix, which an ensemble does not have, and takes prompts apart.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import torch
from datasets import Dataset
from dvclive import Live
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase, set_seed

from pfe.config import TUTORS, Student
from pfe.errors import UserError
from pfe.training.checkpoints import saving
from pfe.training.embedded import Teaching
from pfe.training.ensemble import Ensemble, load_ensemble
from pfe.training.loop import Curves, trained
from pfe.training.prefix_sharing import Example, collate, examples, in_batches, joined, lay_out, reads_rows
from pfe.training.record import Distillation

Rows = Sequence[list[Example]]
_WINDOW = 64  # rows that are sampled at a time, and packed into sequences by group
_REMEDY = "lower student.gkd.learning_rate"


@dataclass(frozen=True)
class Batch:
    """Sequences of rows, and the weight of each tutor for them."""

    sequences: Sequence[Rows]
    weights: tuple[float, ...]


def distilled(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    corpus: Dataset,
    teaching: Teaching,
    student: Student,
    seed: int,
    live: Live,
    checkpoints: Path,
) -> Distillation | None:
    """Distil the embedded tutors of an experiment into the student; return the result, or None if it has no steps.

    Args:
        live: logs the curve.
        checkpoints: a folder for this run alone, to resume from.

    Raises:
        UserError: as `load_ensemble` and `distil` do.
    """
    if not student.gkd.steps:
        return None
    ensemble = load_ensemble(teaching.files, tokenizer, Path(TUTORS))
    weights = {name: [of_tutors[tutor] for tutor in teaching.files] for name, of_tutors in teaching.weights.items()}
    return distil(model, tokenizer, corpus, ensemble, weights, student, seed, live, checkpoints)


def distil(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    corpus: Dataset,
    ensemble: Ensemble,
    weights: Mapping[str, Sequence[float]],
    student: Student,
    seed: int,
    live: Live,
    checkpoints: Path,
) -> Distillation:
    """Train the model in place on the ensemble's token probabilities for the corpus and for the model's own texts.

    Args:
        weights: of each tutor of the ensemble, by the sets of the corpus.
        live: logs the curve.
        checkpoints: a folder for this run alone, to resume from.

    Raises:
        UserError: no lesson fits, or the divergence or the weights grew without bound.
    """
    from pfe.training.gkd_trainer import Gkd, GKDConfig

    gkd = student.gkd
    reads_rows(model)
    batches = batched(corpus, tokenizer, weights, student, Random(seed))

    def collator(numbers: Sequence[dict[str, int]]) -> dict[str, Tensor]:
        (number,) = numbers
        return batch_tensors(batches[number["batch"]], int(tokenizer.pad_token_id))

    settings = GKDConfig(
        **saving(checkpoints, student.checkpoints.every),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=student.accumulation,
        activation_checkpointing=student.checkpointing,
        num_train_epochs=1,
        learning_rate=gkd.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=0.05,
        max_length=None,
        train_sampling_strategy="sequential",
        report_to="none",
        dataloader_pin_memory=False,
        use_cpu=not torch.cuda.is_available(),
        bf16=student.precision == "bfloat16",
        seed=seed,
        lmbda=gkd.lmbda,
        beta=gkd.beta,
        temperature=gkd.temperature,
        seq_kd=gkd.seq_kd,
        max_new_tokens=gkd.max_new_tokens,
    )
    drawn = Curves(live, student.checkpoints.every, math.log(len(tokenizer)), {"loss": "divergence"}, _REMEDY)
    trainer = Gkd(
        model=model,
        teacher_model=ensemble,
        args=settings,
        data_collator=collator,
        train_dataset=Dataset.from_dict({"batch": range(len(batches))}),
        processing_class=tokenizer,
        callbacks=[drawn],
        context=student.context,
    )
    set_seed(seed)  # TRL flips a coin per batch with `random`, and samples with torch
    trained(trainer, checkpoints)
    if not all(bool(parameter.isfinite().all()) for parameter in model.parameters()):
        raise UserError(f"the student's weights are no finite numbers any more; {_REMEDY}")
    end = drawn.losses[-5:]
    return Distillation(
        steps=int(trainer.state.global_step),
        on_policy=trainer.passes("on_policy"),
        by_tutors=trainer.passes("by_tutors"),
        first_loss=drawn.losses[0],
        loss=sum(end) / len(end),
    )


def batched(
    corpus: Dataset,
    tokenizer: PreTrainedTokenizerBase,
    weights: Mapping[str, Sequence[float]],
    student: Student,
    rng: Random,
) -> list[Batch]:
    """Return one batch per pass of distillation; the same tutors, by weight, teach all of a batch.

    Raises:
        UserError: no lesson of the corpus fits.
    """
    made: list[Batch] = []
    passes = student.gkd.steps * student.accumulation
    drawn = _passes(corpus, tokenizer, student.context, rng)
    while len(made) < passes:
        groups: dict[tuple[float, ...], list[list[Example]]] = {}
        for name, row in islice(drawn, _WINDOW):
            groups.setdefault(tuple(weights[name]), []).append(row)
        for group, rows in groups.items():
            sizes = [len(lay_out(one).tokens) for one in rows]
            made += [
                Batch([[rows[place] for place in sequence] for sequence in batch], group)
                for batch in in_batches(sizes, student.sequence, student.batch_tokens)
            ]
    rng.shuffle(made)
    return made[:passes]


def _passes(
    corpus: Dataset, tokenizer: PreTrainedTokenizerBase, context: int, rng: Random
) -> Iterator[tuple[str, list[Example]]]:
    """Yield the set and lessons of the corpus's rows, epoch after epoch in new orders; libraries have no loss."""
    while True:
        fits = False
        for number in rng.sample(range(len(corpus)), len(corpus)):
            row = corpus[number] | {"library_loss": False}
            lessons = [lesson for lesson in examples(row, tokenizer) if len(lesson.tokens) <= context]
            if lessons:
                fits = True
                yield row["set"], lessons
        if not fits:
            raise UserError(f"no lesson of the corpus fits student.context={context}; raise it")


def batch_tensors(batch: Batch, padding: int) -> dict[str, Tensor]:
    """Return a batch as the tensors that the trainer takes.

    For the answer keys: `input_ids`, `labels`, `attention_mask` as in `collate`. For generation, by lesson: `prompts`
    and `prompt_attention_mask` (lessons, longest), padded on the left, and `places` (lessons, 2), the indices of its
    sequence and row. For the ensemble: `weights` (tutors,).
    """
    lessons, places = [], []
    for number, rows in enumerate(batch.sequences):
        for row_number, row in enumerate(rows):
            lessons += row
            places += [(number, row_number)] * len(row)
    prompts = torch.full((len(lessons), max(lesson.prompt for lesson in lessons)), padding)
    mask = torch.zeros_like(prompts)
    for prompt, seen, lesson in zip(prompts, mask, lessons, strict=True):
        prompt[-lesson.prompt :] = torch.tensor(lesson.tokens[: lesson.prompt])
        seen[-lesson.prompt :] = 1
    return {
        **collate([joined(list(map(lay_out, rows))) for rows in batch.sequences], padding),
        "prompts": prompts,
        "prompt_attention_mask": mask,
        "places": torch.tensor(places),
        "weights": torch.tensor(batch.weights),
    }
