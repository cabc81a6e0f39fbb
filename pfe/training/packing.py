"""Export of a trained student: weights in half the bytes, with files that document their provenance.

Example: `pack(Path("."), Path("packed"), most=10.0)` writes model.safetensors in bfloat16, with the tokenizer, a card,
the certificate of the corpus's problems, the parameters, and the training curves.
"""

import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import PreTrainedModel

from pfe.errors import UserError
from pfe.files import read_record, write_record, write_text
from pfe.lock import parameters, stages_of
from pfe.models.loading import load
from pfe.quiet import quiet
from pfe.report.current import outdated, parameters_of
from pfe.report.markdown import markdown
from pfe.training.card import StudentCard, student_card
from pfe.training.files import corpus_sha256, read_corpus
from pfe.training.record import Training
from pfe.training.split import HeldOut, read_held_out
from pfe.training.student import tensors_sha256, weights_sha256
from pfe.training.teachers import TeacherRecord
from pfe.training.validation import Validator

STUDENT, CERTIFICATE = Path("data/models/student"), Path("data/certificate.json")
ADAPTERS = "adapter_model.safetensors"  # as peft names them
_REGENERATED = ("README.md", "config.json", "generation_config.json", "*.safetensors*")
_OTHER_FILES = (
    ("provenance.json", "fingerprint of the code, versions, seed, settings, hashes of corpus, problems and weights"),
    ("certificate.json", "what the firewall proved about the corpus's problems"),
    ("params.yaml", "all parameters of the experiment"),
    ("figures.json", "what these weights make of the problems that were kept from training, with intervals"),
    ("training/", "what the training drew and measured of itself: curves in `plots/metrics`, `taught.json`"),
)


@dataclass(frozen=True)
class Trained:
    """The results of a finished stage `train` in a checkout: the held-out problems and the data of the model card."""

    held_out: HeldOut
    card: StudentCard


@dataclass(frozen=True)
class Provenance:
    """The provenance of packed weights; `weights` is their hash, `problems` those of the files of accepted problems."""

    code: str
    versions: tuple[str, ...]
    seed: int
    student: Mapping[str, Any]
    corpus: str
    problems: Mapping[str, str]
    weights: str


@dataclass(frozen=True)
class Packed:
    """The size of the weights in bytes, and the training results for the weights as `trained` and as `shipped`."""

    size: int
    trained: Training
    shipped: Training

    def losses(self) -> str:
        """Return both validation losses in nats, in words."""
        loss, after = (one.validation and one.validation.loss for one in (self.trained, self.shipped))
        if loss is None or after is None:
            return "no problem was kept from training"
        return f"validation loss {loss:.3f} nats as trained, {after:.3f} as packed"


def pack(root: Path, folder: Path, most: float) -> Packed:
    """Pack the student of a checkout into an empty folder.

    Args:
        root: the folder of a checkout whose stage `train` has run.
        most: the maximum size of the weights in megabytes (1,000,000 bytes).

    Raises:
        UserError: `train` has not run or a file has changed since, the certificate is of other problems, or the weights
            are too large.
    """
    trained = read_trained(root)
    check_certified(root / CERTIFICATE, trained.held_out.files)
    shutil.copytree(root / STUDENT, folder, ignore=shutil.ignore_patterns(*_REGENERATED), dirs_exist_ok=True)
    weights = _halved(root / STUDENT, folder)
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    _check_size(size, most)
    packed = Packed(size, trained.card.training, _measured(folder, trained))
    _write_beside(root, folder, replace(trained.card, training=packed.shipped), weights)
    write_text(folder / "README.md", _card(replace(trained.card, training=packed.shipped), packed))
    return packed


def _halved(student: Path, folder: Path) -> str:
    """Write a student's weights, or its adapters, in bfloat16; return their hash."""
    adapters = student / ADAPTERS
    if adapters.is_file():
        halves = {name: weights.to(torch.bfloat16) for name, weights in load_file(adapters).items()}
        save_file(halves, folder / ADAPTERS, {"format": "pt"})
        return tensors_sha256(halves)
    model: PreTrainedModel = load(str(student), None, "float32", "cpu").model
    with quiet():
        model.to(torch.bfloat16).save_pretrained(folder)  # type: ignore[arg-type]
    return weights_sha256(model)


def read_trained(root: Path) -> Trained:
    """Read the results of `train` in a checkout, with the parameters that dvc.lock has for it.

    Raises:
        UserError: it has not run, a file has changed since, or one is damaged.
    """
    values = parameters("train", root)
    settings, seed = values.get("student"), values.get("seed")
    if not isinstance(settings, dict) or not isinstance(seed, int):
        raise UserError(
            f"{root / 'dvc.lock'}: does not say which student train made by which seed; run `dvc repro -f train` there"
        )
    _check_parameters(root)
    code, *versions = (root / "code/train").read_text(encoding="utf-8").splitlines()
    held_out = read_held_out(root / "data/validation")
    card = StudentCard(
        corpus_sha256=corpus_sha256(read_corpus(root / "data/corpus")),
        files=held_out.files,
        code_sha256=code,
        versions=tuple(versions),
        settings=settings,
        seed=seed,
        training=read_record(root / "data/training/figures.json", Training),
        taught=read_record(root / "data/training/taught.json", TeacherRecord),
    )
    return Trained(held_out, card)


def _check_parameters(root: Path) -> None:
    """Check that params.yaml, which is packed, agrees with dvc.lock for `train` and every stage before it."""
    lock, params = root / "dvc.lock", root / "params.yaml"
    now = parameters_of(params.read_bytes()) if params.is_file() else None
    if now is None:
        raise UserError(f"{params}: missing or damaged; take it from git again, or write it: `pfe params`")
    if STUDENT.as_posix() in outdated(stages_of(lock.read_bytes(), lock), now):
        raise UserError(
            f"{params}: has other parameters than those that the student was made with; `dvc status` in {root} names "
            "them, `dvc repro train` makes the student anew"
        )


def check_certified(certificate: Path, files: Mapping[str, str]) -> None:
    """Check that a certificate covers exactly these files of accepted problems, by name and SHA-256.

    Raises:
        UserError: it is missing or damaged, or covers other files.
    """
    try:
        claimed = json.loads(certificate.read_text(encoding="utf-8"))["files"]["synthetic"]
    except FileNotFoundError:
        raise UserError(f"{certificate}: no such file; run `dvc repro firewall` there") from None
    except (ValueError, TypeError, KeyError):
        raise UserError(f"{certificate}: not what PFE writes there; run `dvc repro --force firewall` there") from None
    if claimed != dict(files):
        raise UserError(f"{certificate}: of other problems than the student learned from; run `dvc repro train` there")


def _check_size(size: int, most: float) -> None:
    if size > most * 1e6:
        enough = math.ceil(size / 1e6)
        raise UserError(
            f"{size / 1e6:.1f} MB of weights in bfloat16, and at most {most:g} are packed; train a smaller student "
            f"(student.hidden, student.layers, student.vocabulary, student.lora.rank), or allow more: --most {enough}"
        )


def _measured(folder: Path, trained: Trained) -> Training:
    """Return the training results with a validation of the weights in a folder, loaded as any user would."""
    packed = load(str(folder), None, "float32", "cpu")
    validator = Validator(packed.tokenizer, trained.held_out, trained.card.settings["context"], trained.card.seed)
    return replace(trained.card.training, validation=validator(packed.model))


def _write_beside(root: Path, folder: Path, card: StudentCard, weights: str) -> None:
    shutil.copyfile(root / CERTIFICATE, folder / "certificate.json")
    shutil.copyfile(root / "params.yaml", folder / "params.yaml")
    shutil.copytree(root / "data/training", folder / "training")
    write_record(folder / "figures.json", card.training)
    provenance = Provenance(
        card.code_sha256, card.versions, card.seed, card.settings, card.corpus_sha256, card.files, weights
    )
    write_record(folder / "provenance.json", provenance)


def _card(card: StudentCard, packed: Packed) -> str:
    """Return the student's card with a section on the packed files."""
    parts = [
        student_card(card).rstrip("\n"),
        "## How it is packed",
        f"Weights in bfloat16, {packed.size / 1e6:.1f} MB. The figures above are of these, computed in float32: "
        f"{packed.losses()}. `certificate.json` here is the certificate that is spoken of above.",
        markdown(("other files", "content"), [(f"`{name}`", text) for name, text in _OTHER_FILES]),
    ]
    return "\n\n".join(parts) + "\n"
