"""The model card of the student: identity, training data, procedure and validation results.

Example: the README.md of data/models/student begins with the front matter that the Hugging Face hub reads.
Source: Mitchell et al. 2019, "Model Cards for Model Reporting", arXiv:1810.03993.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pfe.report.markdown import markdown
from pfe.report.validation import validation
from pfe.training.record import Training
from pfe.training.teachers import TeacherRecord


@dataclass(frozen=True)
class StudentCard:
    """The inputs that determine a student, and the results of its training.

    `corpus_sha256` is the hash of the rows. `files` are the SHA-256 of the files of accepted problems by name, which
    the firewall's certificate names too. `code_sha256` and `versions` identify the training code, `settings` its
    parameters. `taught` names the tutors.
    """

    corpus_sha256: str
    files: Mapping[str, str]
    code_sha256: str
    versions: tuple[str, ...]
    settings: Mapping[str, Any]
    seed: int
    training: Training
    taught: TeacherRecord


def student_card(card: StudentCard) -> str:
    """Return the card as Markdown."""
    training = card.training
    parts = [
        "---\nlibrary_name: transformers\npipeline_tag: text-generation\nlanguage: en\n---",
        "# PFE student",
        f"A causal language model of {training.parameters:,} parameters, trained from {_origin(card.settings)} on "
        f"{training.lessons:,} lessons of PFE's synthetic corpus, for measuring what a model learns from its context. "
        "What its lessons say of the world is invented; it is of no other use.",
        "## What it learned from",
        f"Corpus: sha256 {card.corpus_sha256}. The contamination firewall accepted its problems: the certificate "
        "(`data/certificate.json`, `files.synthetic`) names these files, and the rules by which they overlap with no "
        "canonical problem.",
        markdown(("accepted problems", "SHA-256"), sorted(card.files.items())),
        "## How it was trained",
        f"Code: sha256 {card.code_sha256}, {', '.join(card.versions)}. Seed {card.seed}. "
        f"{training.steps:,} steps; the weights are "
        f"{'what distillation, below, made of ' * bool(card.taught.distillation)}{training.chosen()}. "
        f"Loss {training.first_loss:.2f} → {training.loss:.2f} nats a token.",
        f"```json\n{json.dumps(card.settings, indent=2, sort_keys=True)}\n```",
        "## Who taught it",
        "\n".join(f"- {line}" for line in card.taught.lines()),
        "## What it makes of problems that it was not trained on",
        validation(training.validation) if training.validation else "Nothing was held out.",
    ]
    return "\n\n".join(parts) + "\n"


def _origin(settings: Mapping[str, Any]) -> str:
    """Return the origin of the initial weights: the model that `student.path` names, or random."""
    if "path" not in settings:
        return "random weights"
    revision = f" (revision {settings['revision']})" if settings["revision"] else ""
    return f"those of {settings['path']}{revision}"
