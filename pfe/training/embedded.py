"""Embedded tutors: small language models that learn as the student does, from random weights, and then teach it.

Example: of 40 problems of a set that were kept from training, library-bound ones behind their library and plain ones, a
tutor answers 18 right, another 11; `route` gives the set to the former.
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
    """Who teaches what of the embedded tutors, and why.

    `files` tells every tutor's weights apart. `accuracy` is by tutor and set, of what was asked there. `weights` are by
    set and tutor, and sum to 1 in each.
    """

    files: Mapping[str, str]
    accuracy: Mapping[str, Mapping[str, Proportion]]
    weights: Mapping[str, Mapping[str, float]]

    def lines(self) -> Iterator[str]:
        """A line a set: who teaches it, and how well each tutor answers there."""
        for name, of_tutors in self.weights.items():
            said = (f"{tutor} {weight:.0%} ({self._measured(tutor, name)})" for tutor, weight in of_tutors.items())
            yield f"{name:<18} {', '.join(said)}"

    def _measured(self, tutor: str, name: str) -> str:
        share = self.accuracy[tutor].get(name)
        return f"right: {share.value:.0f} % of {share.n}" if share else "not measured"


NOBODY = Teaching({}, {}, {})


def recipe(tutor: Embedded, student: Student) -> NewStudent:
    """How a tutor is made and trained: as the student, in its own size, by answer keys alone."""
    assert isinstance(student, NewStudent)  # pfe.config.agreement refuses tutors of others
    return replace(
        student, hidden=tutor.hidden, layers=tutor.layers, heads=tutor.heads, gkd=replace(student.gkd, steps=0)
    )


def own_seed(tutor: Embedded, seed: int) -> int:
    """A tutor's seed in the experiment of a seed; no tutor has that of another, or of the student."""
    return Random(f"{seed}:tutor:{tutor.seed}").getrandbits(32)


def reading(corpus: Dataset, tutor: Embedded, seed: int) -> Dataset:
    """The rows that a tutor reads: its share of the corpus, at least one."""
    count = max(1, round(tutor.share * len(corpus)))
    return corpus.select(sorted(Random(own_seed(tutor, seed)).sample(range(len(corpus)), count)))


def teaching(
    files: Mapping[str, str], validations: Mapping[str, WholeValidation | None], sets: Iterable[str], gkd: Gkd
) -> Teaching:
    """Settle who teaches which set, by what each tutor makes of problems that none of them read.

    Args:
        files: what tells the weights apart, by tutor.
        validations: by tutor; None where nothing was held out.
    """
    accuracy = {tutor: _by_set(validation) if validation else {} for tutor, validation in validations.items()}
    measured = {tutor: {name: share.value for name, share in of_sets.items()} for tutor, of_sets in accuracy.items()}
    return Teaching(files, accuracy, weights_by_set(gkd.ensemble, gkd.weights, measured, sets))


def _by_set(validation: WholeValidation) -> dict[str, Proportion]:
    shares = {name: _of_the_families_it_read(part) for name, part in validation.sets.items()}
    return {name: share for name, share in shares.items() if share}


def _of_the_families_it_read(validation: Validation) -> Proportion | None:
    """Library-bound problems behind their library and plain ones together, as the student is to learn them."""
    shares = [share for share in (validation.worlds and validation.worlds.library, validation.plain) if share]
    right = sum(round(share.value * share.n / 100) for share in shares)
    return proportion(right, sum(share.n for share in shares)) if shares else None


def weights_by_set(
    how: Literal["mix", "route"],
    weights: Mapping[str, float],
    measured: Mapping[str, Mapping[str, float]],
    sets: Iterable[str],
) -> dict[str, dict[str, float]]:
    """How much each tutor says in each set.

    Args:
        how: all of them by their weight, or those with the highest accuracy in equal parts.
        weights: by tutor; 1 for whom none is given.
        measured: accuracy by tutor and set; where a set has none, all are level.
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
