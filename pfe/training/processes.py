"""One training in several processes, as `accelerate launch` starts them: which one writes, and a model in parts.

Example: of two processes on two GPUs the first has RANK=0. Each has its part of the batches; with FSDP also of the
model, of which the first has the whole again when training ends.
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
    """Whether this process is the only one, or the one that writes."""
    return os.environ.get("RANK", "0") == "0"


def is_several() -> bool:
    """Whether this process is one of several."""
    return processes() > 1


def processes() -> int:
    """How many processes train."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_sharded() -> bool:
    """Whether every process holds a part of the model (`fsdp_config` in accelerate's configuration)."""
    return os.environ.get("ACCELERATE_USE_FSDP", "").lower() == "true"


def check_launch(student: Student) -> None:
    """That several processes train a student only in ways that can be shared among them.

    It is taken apart where its weights are trained whole, by an optimizer that can be; tutors teach in one process.

    Raises:
        UserError: this one cannot.
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
    """`replacing_together` in the process that writes; paths of a folder that nobody keeps in the others."""
    if is_first():
        with replacing_together(*paths) as replaced:
            yield replaced
    else:
        with TemporaryDirectory() as folder:
            yield [Path(folder, path.name) for path in paths]


def in_parts(model: "PreTrainedModel") -> "PreTrainedModel":
    """The model for the trainer: a copy where it will be taken apart, so that there is a place for the whole."""
    return deepcopy(model) if is_sharded() and is_first() else model


def gather(trainer: "Trainer", model: "PreTrainedModel") -> None:
    """Put the weights that the processes have trained in parts into the model of the first; all must call it."""
    if is_sharded():
        weights = trainer.accelerator.get_state_dict(trainer.model)
        if is_first():
            model.load_state_dict(weights)
