"""Evaluation on the ladder's held-out families: a larger measurement of training than validation.

Example: `held_out_problems(["ladder_synth/hides", …], seed=0)` are twelve problems of `hides`, four in each of
three worlds. The results of a model are a few rows of report/report.md, one for each skill.

Validation asks a few problems of every set. These problems have their own seed, so names and facts are new as well as
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

WORLDS = 3  # per family of single-hop retrieval; one for the families of other skills
PROBLEMS = 4  # per world
_CHANGED = 2  # of these are asked with a changed library too: each has its own, which takes long to read


def held_out_problems(left_out: Iterable[str], seed: int) -> list[Problem]:
    """Return problems of the ladder's held-out families, in new worlds.

    Args:
        left_out: the held-out families, as set/family.
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
    """Return a model's results on the problems, asked as in validation; None if no problem is single-hop retrieval.

    Args:
        problems: sorted by world, as `held_out_problems` returns them.
        seed: of the sign-flip permutation tests.

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
