"""The card of a student names what decided it and what came of it."""

from dataclasses import replace

from pfe.scores.paired import Difference
from pfe.scores.proportion import proportion
from pfe.training.card import StudentCard, student_card
from pfe.training.embedded import NOBODY
from pfe.training.figures import LibraryUse, PlainAccuracy, WholeValidation
from pfe.training.record import Distillation, Training
from pfe.training.teachers import TeacherRecord

USE = LibraryUse(
    n=40, bare=proportion(10, 40), library=proportion(24, 40), irrelevant=proportion(9, 40), changed=None,
    lift=Difference(35.0, 40, 40, 8.0, 20.0, 50.0, 0.001), content_lift=None,
)  # fmt: skip
TRAINING = Training(
    loss=1.25, first_loss=7.0, lessons=1500, steps=600, parameters=722944, chosen_step=500,
    validation=WholeValidation(
        worlds=USE, families=None, plain=PlainAccuracy(40.0, 20, 21.9, 61.3, chance=25.0),
        loss=1.1, skills={"lookup": replace(USE, n=30)}, held_out=("arc_synth/cell_guide",),
    ),
)  # fmt: skip
TAUGHT = TeacherRecord(
    {"derive": 700, "verify": 80}, replace(NOBODY, files={"wide": "sha256 1"}), Distillation(40, 21, 0, 0.5, 0.25)
)
CARD = StudentCard(
    "c0ffee", {"arc_synth.parquet": "abcd"}, "f00d", ("torch 2.13.0",), {"hidden": 128}, 3, TRAINING, TAUGHT
)  # fmt: skip


def test_a_card_names_corpus_certificate_code_parameters_and_figures() -> None:
    text = student_card(CARD)
    for part in (
        "722,944 parameters", "1,500 lessons", "sha256 c0ffee", "data/certificate.json", "arc_synth.parquet", "abcd",
        "sha256 f00d", "torch 2.13.0", "Seed 3", '"hidden": 128', "after 500", "+35.0 [+20.0, +50.0]",
        "40.0 [21.9, 61.3] % of 20 right, chance 25.0 %", "arc_synth/cell_guide", "… single-hop retrieval",
        "answer keys of the corpus: derive 700, verify 80", "token probabilities: wide",
        "40 steps of distillation, 21 passes",
    ):  # fmt: skip
        assert part in text, part
    assert text.startswith("---\nlibrary_name: transformers\n")


def test_a_card_says_which_weights_it_is_of() -> None:
    taught = replace(TAUGHT, distillation=None)
    assert "the weights are those after 500, where" in student_card(replace(CARD, taught=taught))
    assert "the weights are what distillation, below, made of those after 500" in student_card(CARD)
    last = replace(CARD, taught=taught, training=replace(TRAINING, chosen_step=None))
    assert "those after the last step, 600: nothing was measured on the way" in student_card(last)


def test_metrics_are_the_arms_in_points_and_what_was_trained() -> None:
    assert TRAINING.metrics() == {
        "loss": 1.2, "first_loss": 7.0, "lessons": 1500, "steps": 600, "parameters": 722944,
        "validation": {"bare": 25.0, "library": 60.0, "irrelevant": 22.5, "n": 40},
    }  # fmt: skip


def test_a_card_names_what_the_weights_began_as() -> None:
    assert "trained from random weights on" in student_card(CARD)
    taken = replace(CARD, settings={"path": "Qwen/Qwen3-0.6B-Base", "revision": "abc"})
    assert "trained from those of Qwen/Qwen3-0.6B-Base (revision abc) on" in student_card(taken)
