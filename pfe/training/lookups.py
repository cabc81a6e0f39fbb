"""The ladder in families that were kept from training: what training taught, with many problems of it.

Example: `look_ups(["ladder_synth/hides", …], seed=0)` are twelve problems of `hides`, four in each of three worlds.
What a model makes of them is a few rows of report/report.md, one for each skill.

Validation asks a few problems of every set. These are of a seed of their own, so names and facts are new as well as
relations, wordings and values.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from random import Random

from pfe.config import Benchmark
from pfe.models.request import Examinee
from pfe.problem import Domain, Problem
from pfe.training.curriculum import LADDER
from pfe.training.figures import LookUps, Outcome, summary
from pfe.training.questions import outcomes, questions
from pfe.tutors.family import BoundFamily, families_of

WORLDS = 3  # of each family of look-ups; of another skill's families one
PROBLEMS = 4  # of each world
_CHANGED = 2  # of these are asked with a changed library too: every problem has one of its own, which is long to read


def look_ups(left_out: Iterable[str], seed: int) -> list[Problem]:
    """Problems of the ladder's families among those that were kept from training, in worlds of their own.

    Args:
        left_out: as set/family.
        seed: of the experiment.
    """
    kept = {*left_out}
    own_seed = Random(f"{seed}:look-ups").getrandbits(32)
    return [
        family.make(own_seed, world * family.asked + number)
        for family in families_of(LADDER).values()
        if isinstance(family, BoundFamily) and f"{LADDER}/{family.name}" in kept
        for world in range(WORLDS if family.make(own_seed, 0).skill == "lookup" else 1)
        for number in range(min(PROBLEMS, family.asked))
    ]


def measured(
    examinee: Examinee, problems: Sequence[Problem], benchmarks: Mapping[Domain, Benchmark], seed: int
) -> LookUps | None:
    """What a model makes of them, asked as validation asks; None where there is no look-up.

    Args:
        problems: those of a world stand together, as of `look_ups`.
        seed: of the signs that tests draw.

    Raises:
        UserError: the model's logits are not finite.
    """
    worlds = groupby(problems, key=attrgetter("group"))
    changed = {one.id for _, world in worlds for one in islice(world, _CHANGED)}
    asked = questions(problems, "worlds", benchmarks, examinee.count)
    made = outcomes(examinee, [one for one in asked if one.arm != "changed" or one.problem.id in changed])
    by_family: dict[str, list[Outcome]] = {}
    for outcome in made:
        by_family.setdefault(outcome.problem_id.rsplit("/", 2)[0], []).append(outcome)
    families = {name: summary(part, (), seed).worlds for name, part in by_family.items()}
    skills = summary(made, (), seed).skills
    if "lookup" not in skills:
        return None
    return LookUps(skills["lookup"], skills, {name: use for name, use in families.items() if use})
