"""The tasks of lm-evaluation-harness 0.4.13 on rows of ours: its own YAML and code, no network.

Example: `asked(reference_task("arc_easy", rows))[0][0].args` is
("Question: Which …?\\nAnswer:", " Sunlight is …"), the first choice of the first row.
"""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pfe.config import Benchmark
from pfe.problem import Problem
from pfe.rows.shapes import read_published
from tests.conftest import ROOT, SHARED

if TYPE_CHECKING:
    from lm_eval.api.instance import Instance
    from lm_eval.api.task import ConfigurableTask

Row = dict[str, Any]
CANONICAL = SHARED / "canonical"


@dataclass(frozen=True)
class Reference:
    """Where lm-eval has the task of a benchmark, and how a row of ours looks in the columns it wants."""

    yaml: str
    row: Callable[[Row], Row] = dict


def _super_glue(row: Row) -> Row:
    return {"passage": row["passage"], "question": row["question"], "label": int(row["answer"])}


REFERENCES: Mapping[str, Reference] = {
    "arc_easy": Reference("arc/arc_easy.yaml"),
    "arc_challenge": Reference("arc/arc_challenge.yaml"),
    "hellaswag": Reference("hellaswag/hellaswag.yaml"),
    "winogrande": Reference("winogrande/default.yaml"),
    "boolq": Reference("super_glue/boolq/default.yaml", _super_glue),
    "trivia_qa": Reference("triviaqa/default.yaml"),
    "gsm1k": Reference("gsm8k/gsm8k.yaml"),
    "gsm8k": Reference("gsm8k/gsm8k.yaml"),
    "mbpp": Reference("mbpp/mbpp.yaml"),
}


def real_rows(name: str, count: int, split: str = "test") -> list[Row]:
    """`count` rows of a real benchmark, evenly spread over its file (all, where it has fewer).

    The test is skipped where the file is not there.
    """
    files = sorted((CANONICAL / name).glob(f"{split}.jsonl.gz")) or sorted((CANONICAL / name).glob("*.jsonl.gz"))
    if not files:
        pytest.skip(f"no ../shared/canonical/{name} here: parity with lm-eval is not tested on it")
    with gzip.open(files[0], "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return rows[:: max(1, len(rows) // count)][:count]


def problems(name: str, benchmark: Benchmark, rows: Sequence[Row]) -> list[Problem]:
    """The rows as our own reader reads them."""
    return [read_published(row, index, name, benchmark, f"{name}:{index}") for index, row in enumerate(rows)]


def sample_rows(name: str, count: int) -> list[Row]:
    """`count` rows of a benchmark from our own sample."""
    (file,) = (ROOT / "data/sample" / name).glob("*.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[:count]]


def reference_task(name: str, rows: Sequence[Row], shown: Sequence[Row] = (), **building: Any) -> "ConfigurableTask":
    """lm-eval's task on these rows, behind the solved `shown` where there are any, its requests built.

    How they are built (through a chat template, say) is given as to its `build_all_requests`.
    """
    import datasets
    import evaluate
    import lm_eval.tasks
    from lm_eval.api.task import ConfigurableTask
    from lm_eval.tasks._yaml_loader import load_yaml

    reference = REFERENCES[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate, "load", _no_code_eval)
        config = load_yaml(Path(lm_eval.tasks.__file__).parent / reference.yaml)
    columns = {"train": shown or rows, config.get("test_split") or config["validation_split"]: rows}
    config |= {
        "custom_dataset": lambda **_: {
            split: datasets.Dataset.from_list([reference.row(row) for row in some]) for split, some in columns.items()
        },
        "num_fewshot": len(shown),
        "fewshot_config": {"sampler": "first_n"},
    }
    if shown:
        config["fewshot_split"] = "train"
    task = ConfigurableTask(config=config)
    task.build_all_requests(**building)
    return task


def asked(task: "ConfigurableTask") -> "list[list[Instance]]":
    """Its requests, one list a row: one instance a choice, or the one that generates."""
    rows: dict[int, list[Instance]] = {}
    for instance in task.instances:
        rows.setdefault(instance.doc_id, []).append(instance)
    return [rows[place] for place in sorted(rows)]


def chosen(task: "ConfigurableTask", scores: Sequence[Sequence[float]]) -> list[dict[str, float]]:
    """The metrics lm-eval gives to each row for the log-likelihoods of its choices."""
    return [
        task.process_results(instances[0].doc, [(score, False) for score in row])
        for instances, row in zip(asked(task), scores, strict=True)
    ]


def written(task: "ConfigurableTask", outputs: Sequence[str]) -> list[dict[str, float]]:
    """The metrics lm-eval gives to each row for what was written, by name of the filter that read it."""
    for (instance,), output in zip(asked(task), outputs, strict=True):
        instance.resps, instance.filtered_resps = [output], {}
    task.apply_filters()
    return [
        {
            key: task.process_results(instance.doc, [instance.filtered_resps[key]])["exact_match"]
            for key in instance.filtered_resps
        }
        for (instance,) in asked(task)
    ]


class _CodeEval:
    """Stands for the metric that `mbpp/utils.py` fetches from the hub when it is imported; it is not asked."""

    @staticmethod
    def compute(**_: Any) -> tuple[dict[str, float], None]:
        return {"pass@1": 0.0}, None


def _no_code_eval(path: str) -> _CodeEval:
    return _CodeEval()
