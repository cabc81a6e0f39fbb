"""Look-ups in worlds that are made to measure them: a validation of what one entry answers, with many problems of it.

Example: `look_ups({"arc_synth": 3000}, [], seed=0)` are 24 problems of `space_guide`, three in each of eight worlds,
then 24 of `weather_world` and so on; what a model makes of them is a row of report/report.md for each set.

Validation asks a few problems of every kind, and few of those are look-ups, which a small student learns first.
Families are those that a student has met, and worlds those that nothing is trained on: they are of a seed of their
own, so names and facts are others.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from pfe.config import Benchmark
from pfe.models.request import Examinee
from pfe.problem import Domain, Problem
from pfe.training.figures import LookUps, Outcome, summary
from pfe.training.questions import outcomes, questions
from pfe.tutors.family import BoundFamily, families_of

WORLDS = 8  # of each family
PROBLEMS = 3  # of each world, as in validation
_FOR_A_WORLD = 25  # problems of a set's target, at least, for each world of a family


def look_ups(targets: Mapping[str, int], left_out: Iterable[str], seed: int) -> list[Problem]:
    """Problems that one entry answers, of every family of these sets that makes such, in worlds of their own.

    Args:
        targets: problems that are trained on, by synthetic set; of few of them few worlds are asked about.
        left_out: families that are not asked, as set/family: those that were kept from training.
        seed: of the experiment.
    """
    families = [
        (family, min(WORLDS, max(1, target // _FOR_A_WORLD)))
        for name, target in targets.items()
        for family in families_of(name).values()
        if isinstance(family, BoundFamily) and family.skill == "lookup" and f"{name}/{family.name}" not in left_out
    ]
    own_seed = Random(f"{seed}:look-ups").getrandbits(32)
    return [
        family.make(own_seed, world * family.asked + number)
        for family, worlds in families
        for world in range(worlds)
        for number in range(min(PROBLEMS, family.asked))
    ]


def measured(
    examinee: Examinee, problems: Sequence[Problem], benchmarks: Mapping[Domain, Benchmark], seed: int
) -> LookUps | None:
    """What a model makes of look-ups, asked as validation asks; None where there are none.

    Args:
        seed: of the signs that tests draw.

    Raises:
        UserError: the model's logits are not finite.
    """
    made = outcomes(examinee, questions(problems, "worlds", benchmarks, examinee.count))
    by_family: dict[str, list[Outcome]] = {}
    for outcome in made:
        by_family.setdefault(outcome.problem_id.rsplit("/", 2)[0], []).append(outcome)
    whole = summary(made, (), seed)
    families = {name: summary(part, (), seed).worlds for name, part in by_family.items()}
    sets = {name: part.worlds for name, part in whole.sets.items()}
    if whole.worlds is None:
        return None
    return LookUps(
        whole.worlds,
        {name: use for name, use in sets.items() if use},
        {name: use for name, use in families.items() if use},
    )
