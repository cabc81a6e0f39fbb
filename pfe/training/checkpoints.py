"""Checkpoints of a training run: how often they are saved, which one to resume from, and when they are deleted.

Example: killed at step 600, a training with `saving(folder, 250)` resumes from step 500, `last_checkpoint(folder)`.

Checkpoints are those of transformers' Trainer: weights, optimizer, schedule, random states, and the log so far.
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

LOSS = "eval_loss"  # the best checkpoint has the lowest
EVERY = 10  # steps between two log entries of the loss
_STATE = "trainer_state.json"  # the file of a checkpoint that is written last
_NEEDED = ("*model*", "optimizer*", "scheduler.pt", "rng_state*")  # the others; for one process, several, or LoRA


def saving(folder: Path, every: int, validates: bool = False) -> dict[str, Any]:
    """Return the trainer's options that save checkpoints in a folder: the last and, if it validates, the best one."""
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
    """Return the last usable checkpoint in a folder; delete damaged ones, and those whose best checkpoint is missing.

    The trainer's state is written last, so a checkpoint that a kill left half-written has none. A checkpoint whose best
    checkpoint is gone would silently end with other weights than an uninterrupted training.
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
    """The state of a checkpoint: its step, and the name of the best checkpoint so far."""

    step: int
    best: str | None


def _state(checkpoint: Path) -> _State | None:
    """Return the state of a checkpoint; None if one of its files is missing or unreadable."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        state = json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
        best = state.get("best_model_checkpoint")
        said = _State(int(state["global_step"]), best and Path(best).name)
        if all(map(_is_whole, checkpoint.iterdir())) and all(any(checkpoint.glob(name)) for name in _NEEDED):
            return said
    return None


def _is_whole(path: Path) -> bool:
    """Return whether a tensor file is readable to its end: safetensors, or a torch archive, checked by checksums."""
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
    """Yield a folder for the checkpoints of one run, which survives a kill; delete it at the end if all went well.

    The checkpoints of other runs are deleted at once, since an input of the run has changed. With several processes the
    first one deletes.

    Args:
        folder: for the checkpoints of all runs, and nothing else.
        run: the name of the run, as `run_name` returns it.
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
    """Return a hash of all inputs of a run; different sequences of parts have different hashes."""
    digest = sha256()
    for part in decides:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:32]
