"""Checkpoints of a training: how often they are kept, which one is gone on from, and for how long they stay.

Example: killed at step 600, a training with `saving(folder, 250)` goes on from step 500, `last_checkpoint(folder)`.

Checkpoints are those of transformers' Trainer: weights, optimizer, schedule, random numbers, and all that was logged.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from safetensors import SafetensorError, safe_open

from pfe.training.processes import is_first

LOSS = "eval_loss"  # what the best checkpoint has the least of
EVERY = 10  # steps between two entries of the loss
_STATE = "trainer_state.json"  # the last file of a checkpoint that is written
_NEEDED = ("*model*", "optimizer*", "scheduler.pt", "rng_state*")  # beside it; of one process, of several, of LoRA


def saving(folder: Path, every: int, validates: bool = False) -> dict[str, Any]:
    """The trainer's options for checkpoints in a folder, the last one and, where it validates, the best one kept."""
    options: dict[str, Any] = {
        "output_dir": str(folder),
        "save_strategy": "steps",
        "save_steps": every,
        "save_total_limit": 2,
        "logging_steps": EVERY,
        "logging_first_step": True,
        "logging_nan_inf_filter": False,
        "disable_tqdm": not sys.stderr.isatty(),
    }
    if validates:
        options |= {
            "eval_strategy": "steps",
            "eval_steps": every,
            "load_best_model_at_end": True,
            "metric_for_best_model": LOSS,
            "greater_is_better": False,
        }
    return options


def last_checkpoint(folder: Path) -> Path | None:
    """The last checkpoint in a folder that can be gone on from; damaged ones, and those that need one, are deleted.

    The trainer's state is written last, so what a kill left half-written has none. One whose best checkpoint is gone
    would silently end with other weights than a training that was not killed.
    """
    found = list(folder.glob("checkpoint-*"))
    whole = {path.name: state for path in found if (state := _state(path))}
    usable = {state.step: folder / name for name, state in whole.items() if state.best is None or state.best in whole}
    for path in found:
        if path not in usable.values() and is_first():
            _delete(path)
    return usable[max(usable)] if usable else None


@dataclass(frozen=True)
class _State:
    """What a checkpoint says of itself: its step, and the name of the checkpoint that was the best so far."""

    step: int
    best: str | None


def _state(checkpoint: Path) -> _State | None:
    """What a checkpoint says of itself; None where a file of it is missing or cannot be read to its end."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        state = json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
        best = state.get("best_model_checkpoint")
        said = _State(int(state["global_step"]), best and Path(best).name)
        if all(map(_is_whole, checkpoint.iterdir())) and all(any(checkpoint.glob(name)) for name in _NEEDED):
            return said
    return None


def _is_whole(path: Path) -> bool:
    """Whether a file of tensors can be read to its end: safetensors, or an archive of torch, whose sums are checked."""
    try:
        if path.suffix == ".safetensors":
            with safe_open(path, "pt"):
                return True
        if path.suffix in (".pt", ".pth", ".bin"):
            with ZipFile(path) as archive:
                return archive.testzip() is None
    except (SafetensorError, BadZipFile, EOFError, NotImplementedError):
        return False
    return True


@contextmanager
def resumable(folder: Path, run: str) -> Iterator[Path]:
    """A folder for the checkpoints of one run, which outlives its death; at its end, if all went well, it is deleted.

    Those of other runs are deleted at once: something that decides a run has changed since. Of several processes the
    first deletes.

    Args:
        folder: for the checkpoints of all runs, and nothing else.
        run: what decides the run, as `run_name` has it.
    """
    if folder.is_file() and is_first():
        _delete(folder)
    for other in folder.iterdir() if folder.is_dir() and is_first() else ():
        if other.name != run or not other.is_dir():
            _delete(other)
    (folder / run).mkdir(parents=True, exist_ok=True)
    yield folder / run
    if is_first():
        shutil.rmtree(folder)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def run_name(*decides: str | bytes) -> str:
    """One name for all that decides a run; no two different sequences of parts share one."""
    digest = sha256()
    for part in decides:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:32]
