"""Training on lessons behind a library, beside plain TRL: the same trainer, model, lessons and cores, in turns.

The model is the default student with random weights, the lessons are our synthetic word problems
with their answers, the library is GSM1K's, cut by whole methods. Plain TRL is `SFTTrainer` as it comes, on
prompts and completions; ours is the same with rows laid out once. Both have AdamW, as many lessons a step, and
float32. The first step's loss is compared: it is that of the same lessons.
"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.data import Data, settings
from bench.process import call
from bench.table import BenchLine, summarize

ROUNDS, STEPS = 5, 4


@dataclass(frozen=True)
class Work:
    """Steps of `rows` rows with so many `lessons`, behind a `library` of at most so many tokens.

    `bar` is the promised rate over TRL's; None where none is.
    """

    what: str
    library: int
    rows: int
    lessons: int
    bar: float | None


WORK = {
    "many": Work("24 lessons behind a library of 1,000 tokens", 1000, 1, 24, 6.0),
    "few": Work("5 lessons behind a library of 300 tokens", 300, 4, 5, None),
    "bare": Work("lessons with nothing in common", 0, 32, 1, 0.9),
}


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Lessons and tokens a second of both, for each kind of work."""
    for kind, work in WORK.items():
        result = call("bench.figures.training", "race", str(data.folder), kind).result
        lessons = STEPS * work.rows * work.lessons
        rates = {side: [lessons / seconds for seconds in result[side]["seconds"]] for side in ("ours", "theirs")}
        yield summarize(f"training, {work.what}", rates["ours"], "lessons/s")
        yield summarize("  plain TRL", rates["theirs"], "lessons/s")
        ratios = [a / b for a, b in zip(rates["ours"], rates["theirs"], strict=True)]
        yield summarize("  ratio, round by round", ratios, "×", at_least=work.bar)
        for side, name in (("ours", "tokens as laid out"), ("theirs", "plain TRL, its tokens")):
            tokens = result[side]["tokens"]
            yield summarize(f"  {name}", [tokens / seconds for seconds in result[side]["seconds"]], "tokens/s")
        differs = abs(result["ours"]["loss"] - result["theirs"]["loss"])
        yield BenchLine(
            "  difference of the first loss", f"{differs:.1e} nats", promised="≤ 1e-3 nats", kept=differs <= 1e-3
        )


def race(folder: str, kind: str) -> dict[str, Any]:
    """Seconds of both by round, the tokens that each reads in one, and each one's first loss."""
    from pfe.training.student import new_student, new_tokenizer

    work, student = WORK[kind], settings().student
    problems = _problems(folder)
    tokenizer = new_tokenizer([problem.text for problem in problems], student.vocabulary, student.context)
    rows = _rows(problems, work, tokenizer)
    sides: dict[str, dict[str, Any]] = {side: {"seconds": []} for side in ("ours", "theirs")}
    for round_ in range(ROUNDS):
        for side in sorted(sides, reverse=bool(round_ % 2)):
            model = new_student(tokenizer, student, seed=0)
            seconds, loss, tokens = (_ours if side == "ours" else _theirs)(model, tokenizer, rows, work)
            sides[side]["seconds"].append(seconds)
            sides[side] |= {"loss": loss, "tokens": tokens}
    return sides


def _problems(folder: str) -> list[Any]:
    from pfe.problem import Problem

    return list(Problem.read(Path(folder) / "data/candidates/gsm1k_synth.parquet"))


def _rows(problems: list[Any], work: Work, tokenizer: Any) -> list[dict[str, Any]]:
    """The rows of all steps, as the corpus has them."""
    from pfe.evaluation.prompts import canonical_prompt
    from pfe.icr.contexts import library

    benchmark = settings().benchmark["gsm1k"]
    whole = library(benchmark.library)
    lengths = [len(tokenizer(whole.shortened(n).text)["input_ids"]) for n in range(len(whole.methods) + 1)]
    fitting = [n for n, length in enumerate(lengths) if length <= work.library]
    prefix = whole.shortened(max(fitting)).text if fitting else ""
    rows = []
    for start in range(0, STEPS * work.rows * work.lessons, work.lessons):
        lessons = [problems[place % len(problems)] for place in range(start, start + work.lessons)]
        rows.append(
            {
                "library": prefix,
                "library_loss": False,
                "prompts": [canonical_prompt(problem, benchmark) for problem in lessons],
                "completions": [f" {problem.answer}" for problem in lessons],
            }
        )
    return rows


def _ours(model: Any, tokenizer: Any, rows: list[dict[str, Any]], work: Work) -> tuple[float, float, int]:
    from datasets import Dataset

    from pfe.training.sharing import collate, examples, joined, lay_out, reads_rows, together

    student = settings().student
    reads_rows(model)
    lessons = [examples(row, tokenizer) for row in rows]
    sizes = [len(lay_out(row).tokens) for row in lessons]

    def collator(numbers: list[dict[str, int]]) -> dict[str, Any]:
        (first,) = (number["step"] * work.rows for number in numbers)
        packs = together(sizes[first : first + work.rows], student.sequence)
        return collate(
            [joined([lay_out(lessons[first + place]) for place in pack]) for pack in packs], tokenizer.pad_token_id
        )

    options = {"dataset_kwargs": {"skip_prepare_dataset": True}, "remove_unused_columns": False}
    steps = Dataset.from_dict({"step": range(STEPS)})
    return *_seconds(model, tokenizer, steps, 1, collator, **options), sum(sizes)


def _theirs(model: Any, tokenizer: Any, rows: list[dict[str, Any]], work: Work) -> tuple[float, float, int]:
    from datasets import Dataset

    prompts = [row["library"] + prompt for row in rows for prompt in row["prompts"]]
    completions = [completion for row in rows for completion in row["completions"]]
    tokens = sum(
        len(ids) + 1 for ids in tokenizer([p + c for p, c in zip(prompts, completions, strict=True)])["input_ids"]
    )
    lessons = Dataset.from_dict({"prompt": prompts, "completion": completions})
    return *_seconds(model, tokenizer, lessons, work.rows * work.lessons, None), tokens


def _seconds(
    model: Any, tokenizer: Any, lessons: Any, batch: int, collator: Any, **options: Any
) -> tuple[float, float]:
    """How long the steps take, and the first one's loss."""
    from trl import SFTConfig, SFTTrainer

    with tempfile.TemporaryDirectory() as scratch:
        trainer = SFTTrainer(
            model=model,
            args=SFTConfig(
                output_dir=scratch, per_device_train_batch_size=batch, num_train_epochs=1, max_length=None,
                train_sampling_strategy="sequential", logging_steps=1, report_to="none", save_strategy="no",
                dataloader_pin_memory=False, bf16=False, gradient_checkpointing=False, disable_tqdm=True, **options,
            ),
            train_dataset=lessons,
            data_collator=collator,
            processing_class=tokenizer,
        )  # fmt: skip
        start = time.perf_counter()
        trainer.train()
        return time.perf_counter() - start, float(trainer.state.log_history[0]["loss"])
