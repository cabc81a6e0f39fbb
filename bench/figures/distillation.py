"""Steps of generalised knowledge distillation, compared with plain TRL: alternating runs, same models and lessons.

Plain TRL is the unmodified `GKDTrainer` on tokenised lessons. Ours is `pfe.training.gkd`, which computes each shared
prefix once, with the embedded tutor `wide` alone. Both use AdamW, float32, the same number of lessons per step, and the
same seed. Off policy (lambda 0) the steps use answer keys; on policy (lambda 1) they use completions sampled from the
student. The weights are random, so a completion seldom ends before `NEW_TOKENS`.

Each loss is a sum of divergences divided by a number of tokens. Off policy that number is the same. On policy TRL 1.16
divides by the number of tokens of the answer keys, which it does not use then; ours divides by the number of sampled
tokens. So TRL's loss is multiplied by the first number and divided by the second before the comparison.
"""

import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from bench import lessons, trainer_comparison
from bench.data import Data, settings
from bench.lessons import WORKLOADS, Workload
from bench.process import call
from bench.table import BenchLine
from bench.trainer_comparison import TimedRun

ROUNDS, STEPS, NEW_TOKENS = 3, 2, 16
POLICIES = {"off": 0.0, "on": 1.0}  # lambda: the probability that a step uses the student's completions


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield lessons and tokens per second of both, for each kind of work, off and on policy."""
    for policy in POLICIES:
        for kind, workload in WORKLOADS.items():
            result = call("bench.figures.distillation", "compare", str(data.folder), kind, policy).result
            yield from trainer_comparison.lines(
                f"GKD {policy} policy, {workload.name}", result, STEPS * workload.lessons_per_step
            )
            yield trainer_comparison.first_losses(result)
    yield f"  on policy a lesson is {NEW_TOKENS} tokens sampled from the student; tokens: input of the tutor"


def compare(folder: str, kind: str, policy: str) -> dict[str, Any]:
    """Return the runs of both, by side."""
    workload = WORKLOADS[kind]
    tokenizer = lessons.new_tokenizer(folder)
    batches = _batches(lessons.rows(folder, workload, tokenizer, STEPS), workload, tokenizer)

    def run(side: str) -> TimedRun:
        return (_ours if side == "ours" else _theirs)(*_models(tokenizer), tokenizer, batches, POLICIES[policy])

    return trainer_comparison.alternating_runs(run, ROUNDS)


def _batches(rows: list[dict[str, Any]], workload: Workload, tokenizer: Any) -> list[Any]:
    """Return one batch per step, with rows packed into sequences as in distillation, all of one tutor."""
    from pfe.training.gkd import Batch
    from pfe.training.prefix_sharing import examples, lay_out, together

    read = [examples(row, tokenizer) for row in rows]
    batches = []
    for first in range(0, len(read), workload.rows):
        of_step = read[first : first + workload.rows]
        packs = together([len(lay_out(row).tokens) for row in of_step], settings().student.sequence)
        batches.append(Batch([[of_step[place] for place in pack] for pack in packs], (1.0,)))
    return batches


def _models(tokenizer: Any) -> tuple[Any, Any]:
    """Return the student and the tutor, which are the same in every run."""
    from pfe.training.embedded import recipe
    from pfe.training.student import new_student

    configuration = settings("embedded=[wide]", "student.gkd.steps=1")
    tutor = recipe(configuration.embedded["wide"], configuration.student)
    return new_student(tokenizer, configuration.student, seed=0), new_student(tokenizer, tutor, seed=1).eval()


def _ours(student: Any, tutor: Any, tokenizer: Any, batches: Sequence[Any], lmbda: float) -> TimedRun:
    from datasets import Dataset

    from pfe.training.ensemble import Ensemble
    from pfe.training.gkd import batch_tensors
    from pfe.training.gkd_trainer import Gkd
    from pfe.training.prefix_sharing import reads_rows

    reads_rows(student)
    read = _count_tokens(tutor)

    def collator(numbers: list[dict[str, int]]) -> dict[str, Any]:
        (number,) = numbers
        return batch_tensors(batches[number["step"]], tokenizer.pad_token_id)

    seconds, loss = _train(
        Gkd, lmbda, 1, model=student, teacher_model=Ensemble([tutor]), data_collator=collator,
        train_dataset=Dataset.from_dict({"step": range(len(batches))}), processing_class=tokenizer,
        context=settings().student.context,
    )  # fmt: skip
    return TimedRun(seconds, sum(read), loss)


def _theirs(student: Any, tutor: Any, tokenizer: Any, batches: Sequence[Any], lmbda: float) -> TimedRun:
    from datasets import Dataset
    from trl.experimental.gkd import GKDTrainer

    steps = [[lesson for rows in batch.sequences for row in rows for lesson in row] for batch in batches]
    data = [
        {
            "prompt": tokenizer.decode(lesson.tokens[: lesson.prompt]),
            "input_ids": lesson.tokens,
            "completion_mask": [int(place >= lesson.prompt) for place in range(len(lesson.tokens))],
        }
        for step in steps
        for lesson in step
    ]
    read = _count_tokens(tutor)
    seconds, loss = _train(
        GKDTrainer, lmbda, len(steps[0]), model=student, teacher_model=tutor, train_dataset=Dataset.from_list(data),
        processing_class=tokenizer,
    )  # fmt: skip
    keys = sum(len(lesson.tokens) - lesson.prompt for lesson in steps[0])
    with_loss = read[0] - sum(lesson.prompt for lesson in steps[0])
    return TimedRun(seconds, sum(read), loss * keys / with_loss)


def _count_tokens(tutor: Any) -> list[int]:
    """Return a list that grows by one number per batch of the tutor's input: its tokens without padding."""
    read: list[int] = []

    def count(module: Any, given: Any, named: dict[str, Any]) -> None:
        mask = named["attention_mask"]
        # Rows with shared prefixes have an attention matrix as mask; in it a padding token attends only to itself.
        read.append(int((mask if mask.dim() == 2 else (mask.sum(-1) > 1) | (mask.sum(-2) > 1)).sum()))

    tutor.register_forward_pre_hook(count, with_kwargs=True)
    return read


def _train(trainer: Any, lmbda: float, batch: int, **named: Any) -> tuple[float, float]:
    """Return the duration of the steps, and the loss of the first one."""
    from trl.experimental.gkd import GKDConfig

    chosen = settings().student
    with tempfile.TemporaryDirectory() as scratch:
        return trainer_comparison.timed(
            trainer(
                args=GKDConfig(
                    output_dir=scratch, per_device_train_batch_size=batch, max_length=chosen.context, seed=0,
                    lmbda=lmbda, beta=chosen.gkd.beta, temperature=chosen.gkd.temperature, max_new_tokens=NEW_TOKENS,
                    **trainer_comparison.OPTIONS,
                ),
                **named,
            )
        )  # fmt: skip
