"""All quality figures of one synthetic set, compared with the real problems of its domain if there are any.

Example: `measure("arc_synth", problems, real, seed=0).auc.value` is 0.97.

The sides are measured on at most 2,000 problems each, sampled with a fixed seed; the classifier uses equally many of
both, and a set without a real side is measured alone. Near-duplicates of at most 2,000 sampled problems are searched
in the whole set, and libraries count for them: the same question with another library is another problem. Slips of
English are searched in the whole set too.
"""

from collections.abc import Mapping, Sequence

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.progress import progress
from pfe.quality import operations, wording
from pfe.quality.choices import choices_alone
from pfe.quality.english import english
from pfe.quality.goals import FEWEST, MOST_DUPLICATES
from pfe.quality.library import bound
from pfe.quality.nearest import DUPLICATE, median, near_duplicates, nearest, visible, whole
from pfe.quality.record import Quality, Side
from pfe.quality.texts import MOST, drawn
from pfe.quality.twosample import two_sample


def measure(set: str, synthetic: Sequence[Problem], real: Sequence[Problem], seed: int, most: int = MOST) -> Quality:
    """Return the figures of a set of at least one problem. Each side uses at most `most`; `real` may be empty."""
    size = min(most, len(synthetic), len(real) or most)
    matched, theirs = drawn(synthetic, size, seed), drawn(real, size, seed)
    sides = {"synthetic": drawn(synthetic, most, seed), "matched": matched, "real": theirs}
    if size == len(sides["synthetic"]):
        del sides["matched"]
    measured: dict[str, Side] = {}
    with progress(2 + len(sides), f"quality {set}", "part") as done:
        told = two_sample(matched, theirs, seed) if real else None
        done(1)
        duplicates = near_duplicates(nearest(drawn(synthetic, MOST, seed), synthetic, whole))
        done(1)
        for name, problems in sides.items():
            if problems:
                measured[name] = _side(problems, seed)
            done(1)
    known = operations.sequences(synthetic)
    return Quality(
        set=set,
        domain=synthetic[0].domain,
        n=len(synthetic),
        real=tuple(sorted({problem.set for problem in real})),
        duplicates=duplicates,
        families=wording.families(synthetic),
        sides=measured,
        auc=told.auc if told else None,
        giveaways=told.giveaways if told else (),
        ks=wording.distances(_distributions(synthetic), _distributions(real)),
        covered=operations.covered(real, known),
        sequences=len({*known}) or None,
        bound=bound(synthetic),
        english=english(synthetic),
    )


def check_duplicates(qualities: Mapping[str, Quality]) -> None:
    """Check that no set repeats itself.

    Raises:
        UserError: more than 5 % of a set are near-duplicates, and it has at least `FEWEST` problems.
    """
    for name, quality in qualities.items():
        share = quality.duplicates
        if quality.n >= FEWEST and share.value > MOST_DUPLICATES:
            raise UserError(
                f"{name}: {share.value:.1f} % of its problems have a near-duplicate in it (cosine of at least "
                f"{DUPLICATE}; allowed: {MOST_DUPLICATES:g} %); give its families more wordings and facts, or lower "
                f"scale.targets.{name}"
            )


def _side(problems: Sequence[Problem], seed: int) -> Side:
    return Side(
        n=len(problems),
        nearest=median(nearest(problems, problems, visible)),
        repeated=wording.repeated(problems),
        digits=wording.digits(problems),
        vocabulary=wording.vocabulary(problems),
        words={part: wording.length(counts) for part, counts in wording.counted(problems).items()},
        distinct=wording.distinct(problems),
        positions=wording.positions(problems),
        yes=wording.yes(problems),
        choices=choices_alone(problems, seed),
        steps=operations.steps_of(problems),
    )


def _distributions(problems: Sequence[Problem]) -> dict[str, Sequence[float]]:
    """Return the values whose distributions are compared: the words of each part, and the steps of solutions."""
    steps = list(map(len, operations.sequences(problems)))
    return {**wording.counted(problems), **({"steps": steps} if steps else {})}
