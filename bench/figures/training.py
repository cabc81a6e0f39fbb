"""The warm-up, which trains on answer keys, compared with plain TRL: the same model, lessons and cores, alternately.

The model is the scratch student, and the lessons are those of `bench.lessons`. Plain TRL is the unmodified `SFTTrainer`
on prompts and completions. Ours is the same trainer with each shared prefix computed once. Both use AdamW, float32, and
the same number of lessons per step. The losses of the first step are compared, because both sides compute them on the
same lessons.
"""

import tempfile
from collections.abc import Iterator
from typing import Any

from bench import lessons, trainer_comparison
from bench.data import Data, settings
from bench.lessons import WORKLOADS, Workload
from bench.process import call
from bench.table import BenchLine
from bench.trainer_comparison import TimedRun

ROUNDS, STEPS = 5, 4
TARGETS = {"many": 6.0, "no_library": 0.9}  # the minimum rate relative to TRL's


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield lessons and tokens per second of both, for each kind of work."""
    for kind, workload in WORKLOADS.items():
        result = call("bench.figures.training", "compare", str(data.folder), kind).result
        yield from trainer_comparison.lines(
            f"training, {workload.name}", result, STEPS * workload.lessons_per_step, TARGETS.get(kind)
        )
        yield trainer_comparison.first_losses(result)
    yield "  this is the warm-up, on answer keys; `distillation` measures the steps that follow it"


def compare(folder: str, kind: str) -> dict[str, Any]:
    """Return the runs of both, by side."""
    from pfe.training.student import new_student

    workload, student = WORKLOADS[kind], settings().student
    tokenizer = lessons.new_tokenizer(folder)
    rows = lessons.rows(folder, workload, tokenizer, STEPS)

    def run(side: str) -> TimedRun:
        model = new_student(tokenizer, student, seed=0)
        return (_ours if side == "ours" else _theirs)(model, tokenizer, rows, workload)

    return trainer_comparison.alternating_runs(run, ROUNDS)


def _ours(model: Any, tokenizer: Any, rows: list[dict[str, Any]], workload: Workload) -> TimedRun:
    from datasets import Dataset

    from pfe.training.prefix_sharing import collate, examples, joined, lay_out, reads_rows, together

    student = settings().student
    reads_rows(model)
    read = [examples(row, tokenizer) for row in rows]
    sizes = [len(lay_out(row).tokens) for row in read]

    def collator(numbers: list[dict[str, int]]) -> dict[str, Any]:
        (first,) = (number["step"] * workload.rows for number in numbers)
        packs = together(sizes[first : first + workload.rows], student.sequence)
        return collate(
            [joined([lay_out(read[first + place]) for place in pack]) for pack in packs], tokenizer.pad_token_id
        )

    options = {"dataset_kwargs": {"skip_prepare_dataset": True}, "remove_unused_columns": False}
    steps = Dataset.from_dict({"step": range(STEPS)})
    seconds, loss = _train(model, tokenizer, steps, 1, collator, **options)
    return TimedRun(seconds, sum(sizes), loss)


def _theirs(model: Any, tokenizer: Any, rows: list[dict[str, Any]], workload: Workload) -> TimedRun:
    from datasets import Dataset

    prompts = [row["library"] + prompt for row in rows for prompt in row["prompts"]]
    completions = [completion for row in rows for completion in row["completions"]]
    tokens = sum(
        len(ids) + 1 for ids in tokenizer([p + c for p, c in zip(prompts, completions, strict=True)])["input_ids"]
    )
    texts = Dataset.from_dict({"prompt": prompts, "completion": completions})
    seconds, loss = _train(model, tokenizer, texts, workload.lessons_per_step, None)
    return TimedRun(seconds, tokens, loss)


def _train(model: Any, tokenizer: Any, data: Any, batch: int, collator: Any, **options: Any) -> tuple[float, float]:
    """Return the duration of the steps, and the loss of the first one."""
    from trl import SFTConfig, SFTTrainer

    with tempfile.TemporaryDirectory() as scratch:
        return trainer_comparison.timed(
            SFTTrainer(
                model=model,
                args=SFTConfig(
                    output_dir=scratch,
                    per_device_train_batch_size=batch,
                    max_length=None,
                    **trainer_comparison.OPTIONS,
                    **options,
                ),
                train_dataset=data,
                data_collator=collator,
                processing_class=tokenizer,
            )
        )
