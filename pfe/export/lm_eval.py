"""Task configurations for lm-evaluation-harness: one per benchmark and arm, and groups for PFE-Canonical and PFE-ICR.

Example, `task(part, "icr", benchmark)` for ARC-Easy:
    task: pfe_arc_easy_icr
    custom_dataset: !function utils.dataset
    output_type: multiple_choice
    doc_to_text: '{{library}}{{prompt}}'
    doc_to_choice: choices
    doc_to_target: gold
    process_results: !function utils.process_results
    …
Source: docs/task_guide.md of lm-evaluation-harness 0.4.13.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import yaml

from pfe.config import Benchmark
from pfe.export.docs import Part

Arm = Literal["canonical", "icr"]
ARMS: tuple[Arm, ...] = ("canonical", "icr")
VERSION = 1.0
UTILS = '''"""What the tasks beside this file call: their rows and PFE's own scorers."""

from pathlib import Path

from pfe.export.harness import Harness, library_prefix

__all__ = ["library_prefix", "dataset", "process_results"]

_HARNESS = Harness(Path(__file__).parent)
dataset = _HARNESS.dataset
process_results = _HARNESS.process_results
'''


class Function(str):
    """A function reference in a task: `!function utils.dataset`."""


class _Dumper(yaml.SafeDumper):
    """A YAML dumper that writes functions with their tag and uses no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(Function, lambda dumper, name: dumper.represent_scalar("!function", str(name)))


def task_name(name: str, arm: str, order: int = 0) -> str:
    """Return the task name of a benchmark or part in an arm; orders of the library after the first are numbered."""
    return f"pfe_{name}_{arm}" + (f"_order{order}" if order else "")


def generation(benchmark: Benchmark) -> dict[str, Any]:
    """Return the generation settings: greedy decoding, up to a stop string or the token limit."""
    return {"until": list(benchmark.stop), "do_sample": False, "temperature": 0.0, "max_gen_toks": benchmark.max_tokens}


def task(part: Part, arm: Arm, benchmark: Benchmark) -> dict[str, Any]:
    """Return the task configuration of one part in one arm."""
    return {
        "task": task_name(part.name, arm),
        "task_alias": f"{benchmark.title}, {arm}",
        "custom_dataset": Function("utils.dataset"),
        "dataset_kwargs": {"part": part.name},
        "test_split": "test",
        **_asking(part, arm, benchmark),
        "process_results": Function("utils.process_results"),
        "metric_list": [
            {"metric": name, "aggregation": "mean", "higher_is_better": True} for name in metrics_of(part, benchmark)
        ],
        "num_fewshot": 0,
        "metadata": {"version": VERSION},
    }


def metrics_of(part: Part, benchmark: Benchmark) -> list[str]:
    """Return the metric names of each problem; `acc` is always PFE's accuracy."""
    if part.kind == "choices" and benchmark.form == "choices":
        return ["acc", "acc_norm"]
    return ["acc", "acc_strict"] if benchmark.scorer == "number" else ["acc"]


def _asking(part: Part, arm: Arm, benchmark: Benchmark) -> dict[str, Any]:
    if part.kind == "suffix":
        return {
            "output_type": "multiple_choice",
            "doc_to_text": "gold",
            "doc_to_target": "continuation",
            "doc_to_choice": "contexts" if arm == "canonical" else Function("utils.library_prefix"),
        }
    text = {"doc_to_text": "prompt" if arm == "canonical" else "{{library}}{{prompt}}"}
    if part.kind == "written":
        kwargs = {"generation_kwargs": generation(benchmark)}
        return {"output_type": "generate_until", **text, "doc_to_target": "answer", **kwargs}
    return {"output_type": "multiple_choice", **text, "doc_to_target": "gold", "doc_to_choice": "choices"}


def groups(parts: Mapping[str, Sequence[Part]], not_averaged: Collection[str]) -> list[dict[str, Any]]:
    """Return the group configurations.

    Each benchmark with several parts is a group that weights its parts by size. Each arm has a group that is the mean
    over benchmarks.

    Args:
        parts: by benchmark.
        not_averaged: benchmarks that are excluded from the mean.
    """
    made = []
    for arm in ARMS:
        for name, pieces in parts.items():
            if len(pieces) > 1:
                made.append(_group(task_name(name, arm), [task_name(part.name, arm) for part in pieces], by_size=True))
        if averaged := [task_name(name, arm) for name in parts if name not in not_averaged]:
            made.append(_group(f"pfe_{arm}", averaged, by_size=False))
    return made


def _group(name: str, tasks: list[str], by_size: bool) -> dict[str, Any]:
    aggregate = {"metric": "acc", "aggregation": "mean", "weight_by_size": by_size}
    return {"group": name, "task": tasks, "aggregate_metric_list": [aggregate], "metadata": {"version": VERSION}}


def as_yaml(config: Mapping[str, Any]) -> str:
    """Return a configuration as YAML for the harness."""
    text: str = yaml.dump(dict(config), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    return text
