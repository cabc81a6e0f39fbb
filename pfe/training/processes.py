"""Training in several processes, as `accelerate launch` starts them: which one writes, and sharded models.

Example: with two processes on two GPUs, the first has RANK=0. Each has its part of the batches; with FSDP also of the
model, which the first has whole again after training.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pfe.config import HubStudent, Student
from pfe.errors import UserError
from pfe.files import replacing_together

if TYPE_CHECKING:
    from transformers import PreTrainedModel, Trainer


def is_first() -> bool:
    """Return whether this process is the only one, or the one that writes."""
    return os.environ.get("RANK", "0") == "0"


def is_several() -> bool:
    """Return whether this process is one of several."""
    return processes() > 1


def processes() -> int:
    """Return the number of processes that train."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_sharded() -> bool:
    """Return whether each process holds a part of the model (`fsdp_config` in accelerate's configuration)."""
    return os.environ.get("ACCELERATE_USE_FSDP", "").lower() == "true"


def check_launch(student: Student) -> None:
    """Check that the student can be trained by as many processes as were started, and sharded if they are.

    Only a student whose weights are all those of a pre-trained model can be sharded. Distillation takes one process.

    Raises:
        UserError: this student cannot.
    """
    if is_several() and student.gkd.steps:
        raise UserError(
            f"student.gkd.steps: {student.gkd.steps} steps of distillation take one process; start it with "
            "`dvc repro train`, or set student.gkd.steps=0"
        )
    if is_sharded() and not (isinstance(student, HubStudent) and student.lora is None):
        raise UserError(
            "FSDP is for a student whose weights are all those of a trained model (student=full); start this one with "
            "`accelerate launch --multi_gpu -m stages.train`, or on one GPU with `dvc repro train`"
        )


@contextmanager
def outputs(*paths: Path) -> Iterator[list[Path]]:
    """Yield `replacing_together` in the process that writes; in the others, paths in a temporary folder."""
    if is_first():
        with replacing_together(*paths) as replaced:
            yield replaced
    else:
        with TemporaryDirectory() as folder:
            yield [Path(folder, path.name) for path in paths]


def in_parts(model: "PreTrainedModel") -> "PreTrainedModel":
    """Return the model for the trainer: a copy in the first process if it will be sharded, to keep the whole model."""
    return deepcopy(model) if is_sharded() and is_first() else model


def gather(trainer: "Trainer", model: "PreTrainedModel") -> None:
    """Copy the weights that the processes trained in shards into the first one's model; all processes must call it."""
    if is_sharded():
        weights = trainer.accelerator.get_state_dict(trainer.model)
        if is_first():
            model.load_state_dict(weights)
