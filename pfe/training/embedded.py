"""Embedded tutors: small language models that learn as the student does, from random weights, and then teach it.

Example: of 40 held-out problems of a set, library-bound ones with their library in context and plain ones, one tutor
answers 18 correctly, another 11; `route` gives the set to the former.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from datasets import Dataset

from pfe.config import Embedded, Gkd, NewStudent, Student
from pfe.scores.proportion import Proportion, proportion
from pfe.training.figures import Validation, WholeValidation


@dataclass(frozen=True)
class Teaching:
    """The weight of each embedded tutor in each set, with the accuracies that led to it.

    `files` has the hash of every tutor's weights. `accuracy` is by tutor and set, where it was measured. `weights` are
    by set and tutor, and sum to 1 in each set.
    """

    files: Mapping[str, str]
    accuracy: Mapping[str, Mapping[str, Proportion]]
    weights: Mapping[str, Mapping[str, float]]

    def lines(self) -> Iterator[str]:
        """Yield one line per set: its tutors with their weights and accuracies."""
        for name, of_tutors in self.weights.items():
            said = (f"{tutor} {weight:.0%} ({self._measured(tutor, name)})" for tutor, weight in of_tutors.items())
            yield f"{name:<18} {', '.join(said)}"

    def _measured(self, tutor: str, name: str) -> str:
        share = self.accuracy[tutor].get(name)
        return f"right: {share.value:.0f} % of {share.n}" if share else "not measured"


NOBODY = Teaching({}, {}, {})


def recipe(tutor: Embedded, student: Student) -> NewStudent:
    """Return the settings of a tutor: those of the student, but the tutor's own size and no distillation."""
    assert isinstance(student, NewStudent)  # pfe.config.consistency refuses tutors of others
    return replace(
        student, hidden=tutor.hidden, layers=tutor.layers, heads=tutor.heads, gkd=replace(student.gkd, steps=0)
    )


def own_seed(tutor: Embedded, seed: int) -> int:
    """Return the seed of a tutor in an experiment; it differs from the seeds of other tutors and of the student."""
    return Random(f"{seed}:tutor:{tutor.seed}").getrandbits(32)


def reading(corpus: Dataset, tutor: Embedded, seed: int) -> Dataset:
    """Return the rows that a tutor reads: a random sample of its share of the corpus, at least one row."""
    count = max(1, round(tutor.share * len(corpus)))
    return corpus.select(sorted(Random(own_seed(tutor, seed)).sample(range(len(corpus)), count)))


def teaching(
    files: Mapping[str, str], validations: Mapping[str, WholeValidation | None], sets: Iterable[str], gkd: Gkd
) -> Teaching:
    """Decide which tutor teaches which set, by each tutor's accuracy on problems that none of them was trained on.

    Args:
        files: the hash of the weights, by tutor.
        validations: by tutor; None if nothing was held out.
    """
    accuracy = {tutor: _by_set(validation) if validation else {} for tutor, validation in validations.items()}
    measured = {tutor: {name: share.value for name, share in of_sets.items()} for tutor, of_sets in accuracy.items()}
    return Teaching(files, accuracy, weights_by_set(gkd.ensemble, gkd.weights, measured, sets))


def _by_set(validation: WholeValidation) -> dict[str, Proportion]:
    shares = {name: _of_the_families_it_read(part) for name, part in validation.sets.items()}
    return {name: share for name, share in shares.items() if share}


def _of_the_families_it_read(validation: Validation) -> Proportion | None:
    """Return the accuracy on library-bound problems with their library in context and plain ones, taken together."""
    shares = [share for share in (validation.worlds and validation.worlds.library, validation.plain) if share]
    right = sum(round(share.value * share.n / 100) for share in shares)
    return proportion(right, sum(share.n for share in shares)) if shares else None


def weights_by_set(
    how: Literal["mix", "route"],
    weights: Mapping[str, float],
    measured: Mapping[str, Mapping[str, float]],
    sets: Iterable[str],
) -> dict[str, dict[str, float]]:
    """Return the weight of each tutor in each set.

    Args:
        how: mix gives all of them their weight, route gives equal weight to those with the highest accuracy.
        weights: by tutor; 1 for a tutor without one.
        measured: accuracy by tutor and set; in a set without any, all tutors are equal.
    """
    made = {}
    for name in sets:
        accuracy = {tutor: of_sets.get(name, 0.0) for tutor, of_sets in measured.items()}
        parts = {
            tutor: weights.get(tutor, 1.0) if how == "mix" else float(value == max(accuracy.values()))
            for tutor, value in accuracy.items()
        }
        made[name] = {tutor: part / sum(parts.values()) for tutor, part in parts.items()}
    return made
