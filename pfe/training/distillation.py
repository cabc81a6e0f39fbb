"""Training the student on the tutors' answer keys, with TRL.

The tutors' texts are the targets (sequence-level distillation, Kim and Rush 2016, arXiv:1606.07947):
procedural tutors have no token probabilities to match. What lessons of a row share is laid out once
(`pfe.training.sharing`), after a proof that the model learns the same of it.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, overload

import torch
from datasets import Dataset
from dvclive import Live
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from pfe.config import HubStudent, NewStudent, Student
from pfe.errors import UserError
from pfe.training.checkpoints import saving
from pfe.training.course import Batch, Course, Reading, Row, in_epochs, in_tokens, read_log
from pfe.training.curriculum import level, reading_order
from pfe.training.exercises import Exercises
from pfe.training.figures import curves
from pfe.training.hub import adapters
from pfe.training.loop import ASKED, KINDS, LOOKED_UP, NO_KIND, Curves, trained
from pfe.training.optimizer import MuonAdamW
from pfe.training.processes import check_launch, gather, in_parts, is_first, is_several, processes
from pfe.training.proof import refusal
from pfe.training.record import Training
from pfe.training.renewal import speech, worlds
from pfe.training.sharing import Example, collate, examples, joined, lay_out, reads_rows, together
from pfe.training.validation import Validator

if TYPE_CHECKING:
    from pfe.training.trainer import ValidatingTrainer

_RISING = 0.05  # of the steps: the learning rate rises; it falls behind the exercises, to `_LAST_RATE` of what it was
_LAST_RATE = 0.1  # what is read last would be learned at a rate of none


def train(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    corpus: Dataset,
    student: Student,
    seed: int,
    validator: Validator,
    live: Live,
    checkpoints: Path,
) -> Training:
    """Train the model in place on the corpus's completions, and on every library once, to its best checkpoint.

    Args:
        live: draws the curves.
        checkpoints: a folder for this run alone; what is in it is gone on from.

    Raises:
        UserError: the model cannot be trained on shared rows or as it was launched, no lesson fits, or the loss or the
            weights grew beyond all bounds.
    """
    check_launch(student)
    rows = Lessons(corpus, tokenizer, student.context)
    prepared = corpus if any(student.before) else []
    reading = Reading(rows, Exercises.of(speech(prepared)), worlds(prepared), in_tokens(tokenizer, student.context))
    warm_up, renewed = (steps * _passes(student) for steps in student.before)
    order = _order(corpus, rows, student, seed)
    course = Course.of(reading, seed, order, warm_up, renewed, student.sequence, student.batch_tokens)
    reads_rows(model)
    if is_first() and (reason := refusal(model, trial(rows.read), rows.longest)):
        raise UserError(f"the student cannot be trained on rows that share a library: {reason}")
    rows.note()
    drawn = Curves(live, student.checkpoints.every, math.log(len(tokenizer)))
    with adapters(model, student, seed) as adapted:
        trainer = _trainer(model, adapted, tokenizer, course, student, seed, validator, drawn, checkpoints)
        trained(trainer, checkpoints)
        gather(trainer, model)
    if not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        raise UserError("the student's weights are no finite numbers any more; lower student.learning_rate")
    end = drawn.losses[-5:]
    steps = int(trainer.state.global_step)
    return Training(
        loss=sum(end) / len(end),
        first_loss=drawn.losses[0],
        lessons=sum(len(rows[number]) for numbers in course.lessons for number in numbers),
        steps=steps,
        parameters=model.num_parameters(),
        chosen_step=trainer.state.best_global_step,
    )


def _order(corpus: Dataset, rows: "Lessons", student: Student, seed: int) -> list[int]:
    """The numbers of the rows to read, in order: in epochs from random weights, else along the ladder."""
    if isinstance(student, NewStudent):
        return list(in_epochs(Random(seed), len(rows), student.epochs))
    assert isinstance(student, HubStudent)
    columns = corpus.select_columns(["set", "skill", "rung", "names"])
    levels = [level(row) for row in columns]
    return reading_order(levels, student.tokens, rows.tokens, seed)


def trial(rows: Sequence[Sequence[Example]]) -> list[Example]:
    """Two lessons that share a beginning: the shortest two of a row, or the longest twice where all stand alone."""
    pairs = [sorted(row, key=lambda lesson: len(lesson.tokens))[:2] for row in rows if len(row) > 1]
    if pairs:
        return min(pairs, key=lambda pair: len(pair[-1].tokens))
    longest = max((lesson for row in rows for lesson in row), key=lambda lesson: lesson.prompt)
    return [longest, replace(longest, library=0)]


class Lessons(Sequence[Row]):
    """The rows of a corpus in tokens, each made when it is first asked for, without lessons of more than `context`."""

    def __init__(self, corpus: Dataset, tokenizer: PreTrainedTokenizerBase, context: int) -> None:
        self._corpus, self._tokenizer, self._context = corpus, tokenizer, context
        self._rows: dict[int, Row] = {}
        self._total = 0

    def __len__(self) -> int:
        return len(self._corpus)

    @overload
    def __getitem__(self, number: int) -> Row: ...
    @overload
    def __getitem__(self, number: slice) -> list[Row]: ...
    def __getitem__(self, number: int | slice) -> Row | list[Row]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        if number not in self._rows:
            every = examples(self._corpus[number], self._tokenizer)
            self._total += len(every)
            self._rows[number] = [one for one in every if len(one.tokens) <= self._context]
        return self._rows[number]

    def tokens(self, number: int) -> int:
        """How many tokens a row has, laid out; 0 where no lesson is short enough."""
        return len(lay_out(self[number]).tokens) if self[number] else 0

    @property
    def read(self) -> list[Row]:
        """The rows that were asked for and of which any lesson is left; where none is, the first other one.

        Raises:
            UserError: no lesson of the corpus is short enough.
        """
        made = [row for row in self._rows.values() if row] or list(islice(filter(None, self), 1))
        if not made:
            raise UserError(f"no lesson of the corpus fits student.context={self._context}; raise it")
        return made

    @property
    def longest(self) -> int:
        """Tokens of the longest of these."""
        return max(len(lesson.tokens) for row in self.read for lesson in row)

    def note(self) -> None:
        """Say how many lessons were left out."""
        left = sum(map(len, self.read))
        if left < self._total:
            print(
                f"NOTE: {self._total - left:,} of {self._total:,} lessons do not fit student.context={self._context} "
                "and are not read"
            )


def tensors(batch: Batch, kinds: Sequence[str], sequence: int, padding: int) -> dict[str, Tensor]:
    """A pass as the trainer takes it: what is read in sequences of about so many tokens.

    Returns:
        What `collate` makes of them, and `KINDS` (packs, n): of what a token was drawn, by its place in `kinds`;
        `NO_KIND` where it was not drawn.
    """
    packs = [*batch.lessons, *(drawn.pack for drawn in batch.drawn)]
    of = [*(NO_KIND for _ in batch.lessons), *(kinds.index(drawn.kind) for drawn in batch.drawn)]
    sizes = [len(pack.tokens) for pack in packs]
    longest = max(sequence, *sizes)
    layouts = (together(sizes, most) for most in range(longest, longest * 5 // 4, 16))
    chosen = min(layouts, key=lambda layout: _padded(sizes, layout))
    made = collate([joined([packs[place] for place in places]) for places in chosen], padding)
    drawn = torch.full_like(made["labels"], NO_KIND)
    for sequence_kinds, places in zip(drawn, chosen, strict=True):
        counts = torch.tensor([sizes[place] for place in places])
        sequence_kinds[: counts.sum()] = torch.tensor([of[place] for place in places]).repeat_interleave(counts)
    return made | {KINDS: drawn}


def _padded(sizes: Sequence[int], layout: Sequence[Sequence[int]]) -> int:
    """Tokens of a batch, padding included."""
    return len(layout) * max(sum(sizes[place] for place in places) for places in layout)


def _passes(student: Student) -> int:
    """Passes of a step."""
    return student.accumulation * processes()


def _trainer(
    model: PreTrainedModel,
    adapted: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    course: Course,
    student: Student,
    seed: int,
    validator: Validator,
    drawn: Curves,
    checkpoints: Path,
) -> "ValidatingTrainer":
    """A trainer that is handed the passes of a course; of several processes none could ask the model alone."""
    from trl import SFTConfig

    from pfe.training.trainer import ValidatingTrainer

    def collator(numbers: Sequence[dict[str, int]]) -> dict[str, Tensor]:
        (number,) = numbers
        log, passes = trainer.state.log_history, _passes(student)
        known = read_log(log, LOOKED_UP, ASKED, number["pass"] // passes, passes)
        return tensors(course.batch(number["pass"], known), kinds, student.sequence, tokenizer.pad_token_id)

    kinds = course.reading.kinds
    steps = math.ceil(len(course) / _passes(student))
    rising = math.ceil(_RISING * steps)
    exercised = course.warm_up // _passes(student)
    stable = max(rising, exercised)
    asked = [] if is_several() else validator.questions(student.checkpoints.problems)
    settings = SFTConfig(
        **saving(checkpoints, student.checkpoints.every, exercised + 1 if asked else None),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=student.accumulation,
        activation_checkpointing=student.checkpointing,
        num_train_epochs=1,
        learning_rate=student.learning_rate,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={"num_decay_steps": steps - stable, "decay_type": "1-sqrt", "min_lr_ratio": _LAST_RATE},
        warmup_steps=rising,
        max_length=None,
        dataset_kwargs={"skip_prepare_dataset": True},
        remove_unused_columns=False,
        train_sampling_strategy="sequential",
        report_to="none",
        dataloader_pin_memory=False,
        use_cpu=not torch.cuda.is_available(),
        bf16=student.precision == "bfloat16",
        seed=seed,
    )
    data = Dataset.from_dict({"pass": range(len(course))})
    trainer = ValidatingTrainer(
        model=in_parts(adapted),
        args=settings,
        train_dataset=data,
        eval_dataset=data if asked else None,
        data_collator=collator,
        processing_class=tokenizer,
        callbacks=[drawn],
        optimizers=(MuonAdamW(model, student.learning_rate) if isinstance(student, NewStudent) else None, None),
        validate=lambda: curves(validator.outcomes(model, asked)),
        kinds=kinds,
    )
    return trainer
