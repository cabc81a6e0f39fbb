"""A student made and trained on the spot."""

from dataclasses import replace
from pathlib import Path

import datasets
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import NewStudent
from pfe.models.loading import load
from pfe.training.student import new_student, new_tokenizer, save
from tests.training.unmeasured import train_unmeasured

PROMPTS = [f"Question: What is {n} plus 1?\nAnswer:" for n in range(40)]
ROWS = [
    {"set": "b", "skill": "", "rung": 0, "names": "", "library": "", "library_loss": False, "prompts": [prompt],
     "completions": [f" {n + 1}"]}
    for n, prompt in enumerate(PROMPTS)
]  # fmt: skip


@pytest.fixture
def tiny(scratch: NewStudent) -> NewStudent:
    return replace(
        scratch,
        vocabulary=320,
        hidden=32,
        layers=2,
        heads=2,
        context=64,
        tokens=4 * 600,
        sequence=32,
        batch_tokens=64,
        learning_rate=0.01,
    )


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_every_text_can_be_written(text: str) -> None:
    tokenizer = new_tokenizer(["a few words"], vocabulary=300, context=64)
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_the_base_depends_on_the_seed_alone(tiny: NewStudent) -> None:
    tokenizer = new_tokenizer(PROMPTS, tiny.vocabulary, tiny.context)
    a, b, c = (new_student(tokenizer, tiny, seed).state_dict() for seed in (0, 0, 1))
    assert all(torch.equal(a[key], b[key]) for key in a)
    assert not all(torch.equal(a[key], c[key]) for key in a)


def test_training_lowers_the_loss_draws_curves_and_is_repeatable(tiny: NewStudent, tmp_path: Path) -> None:
    results = []
    for run in ("one", "two"):
        tokenizer = new_tokenizer(PROMPTS, tiny.vocabulary, tiny.context)
        model = new_student(tokenizer, tiny, seed=0)
        training = train_unmeasured(model, tokenizer, datasets.Dataset.from_list(ROWS), tiny, tmp_path / run)
        results.append((training, model.state_dict()))
    (first, weights), (second, same) = results
    assert first == second
    assert all(torch.equal(weights[key], same[key]) for key in weights)
    assert first.loss < 0.7 * first.first_loss
    curve = (tmp_path / "one/curves/plots/metrics/loss.tsv").read_text().splitlines()
    assert curve[0].split() == ["step", "loss"]
    assert len(curve) > 3
    assert not Path("dvc.yaml.lock").exists()


def test_a_saved_student_can_be_examined(tiny: NewStudent, tmp_path: Path) -> None:
    tokenizer = new_tokenizer(PROMPTS, tiny.vocabulary, tiny.context)
    save(new_student(tokenizer, tiny, seed=0), tokenizer, tmp_path)
    loaded = load(str(tmp_path), None, "float32", "cpu")
    assert loaded.window == 64
    assert loaded.tokenizer.pad_token_id != loaded.tokenizer.eos_token_id
