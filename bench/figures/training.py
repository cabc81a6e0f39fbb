"""The warm-up, which trains on answer keys, compared with plain TRL: the same model, lessons and cores, in turns.

The model is the scratch student, and the lessons are those of `bench.lessons`. Plain TRL is the unmodified `SFTTrainer`
on prompts and completions. Ours is the same trainer with rows laid out once. Both have AdamW, float32, and the same
number of lessons per step. The losses of the first step are compared, because they are losses of the same lessons.
"""

import tempfile
from collections.abc import Iterator
from typing import Any

from bench import lessons, turns
from bench.data import Data, settings
from bench.lessons import WORK, Work
from bench.process import call
from bench.table import BenchLine
from bench.turns import TimedRun

ROUNDS, STEPS = 5, 4
BARS = {"many": 6.0, "bare": 0.9}  # the promised rate relative to TRL's


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield lessons and tokens per second of both, for each kind of work."""
    for kind, work in WORK.items():
        result = call("bench.figures.training", "race", str(data.folder), kind).result
        yield from turns.lines(f"training, {work.what}", result, STEPS * work.lessons_a_step, BARS.get(kind))
        yield turns.first_losses(result)
    yield "  this is the warm-up, on answer keys; `distillation` times the steps that follow it"


def race(folder: str, kind: str) -> dict[str, Any]:
    """Return the runs of both, by side."""
    from pfe.training.student import new_student

    work, student = WORK[kind], settings().student
    tokenizer = lessons.new_tokenizer(folder)
    rows = lessons.rows(folder, work, tokenizer, STEPS)

    def run(side: str) -> TimedRun:
        model = new_student(tokenizer, student, seed=0)
        return (_ours if side == "ours" else _theirs)(model, tokenizer, rows, work)

    return turns.in_turns(run, ROUNDS)


def _ours(model: Any, tokenizer: Any, rows: list[dict[str, Any]], work: Work) -> TimedRun:
    from datasets import Dataset

    from pfe.training.sharing import collate, examples, joined, lay_out, reads_rows, together

    student = settings().student
    reads_rows(model)
    read = [examples(row, tokenizer) for row in rows]
    sizes = [len(lay_out(row).tokens) for row in read]

    def collator(numbers: list[dict[str, int]]) -> dict[str, Any]:
        (first,) = (number["step"] * work.rows for number in numbers)
        packs = together(sizes[first : first + work.rows], student.sequence)
        return collate(
            [joined([lay_out(read[first + place]) for place in pack]) for pack in packs], tokenizer.pad_token_id
        )

    options = {"dataset_kwargs": {"skip_prepare_dataset": True}, "remove_unused_columns": False}
    steps = Dataset.from_dict({"step": range(STEPS)})
    seconds, loss = _train(model, tokenizer, steps, 1, collator, **options)
    return TimedRun(seconds, sum(sizes), loss)


def _theirs(model: Any, tokenizer: Any, rows: list[dict[str, Any]], work: Work) -> TimedRun:
    from datasets import Dataset

    prompts = [row["library"] + prompt for row in rows for prompt in row["prompts"]]
    completions = [completion for row in rows for completion in row["completions"]]
    tokens = sum(
        len(ids) + 1 for ids in tokenizer([p + c for p, c in zip(prompts, completions, strict=True)])["input_ids"]
    )
    texts = Dataset.from_dict({"prompt": prompts, "completion": completions})
    seconds, loss = _train(model, tokenizer, texts, work.lessons_a_step, None)
    return TimedRun(seconds, tokens, loss)


def _train(model: Any, tokenizer: Any, data: Any, batch: int, collator: Any, **options: Any) -> tuple[float, float]:
    """Return the duration of the steps, and the loss of the first one."""
    from trl import SFTConfig, SFTTrainer

    with tempfile.TemporaryDirectory() as scratch:
        return turns.timed(
            SFTTrainer(
                model=model,
                args=SFTConfig(
                    output_dir=scratch, per_device_train_batch_size=batch, max_length=None, **turns.OPTIONS, **options
                ),
                train_dataset=data,
                data_collator=collator,
                processing_class=tokenizer,
            )
        )
