"""What training taught, measured on problems that were kept from it.

Example, of metrics/train.json: `{"validation": {"bare": 33.1, "library": 48.2, "changed": 71.0, "irrelevant": 32.4,
"n": 172}}`: behind their library 48.2 % of 172 problems are right, 33.1 % without, 32.4 % behind one for other things;
of the answers behind a changed library that are one of the two, 71 % follow it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Literal, get_args

from pfe.problem import SKILLS
from pfe.scores.chance import chance
from pfe.scores.paired import Difference, difference
from pfe.scores.proportion import Proportion, accuracy, proportion
from pfe.scores.sample import shared

ValidationArm = Literal["bare", "library", "changed", "irrelevant"]
ARMS: tuple[ValidationArm, ...] = get_args(ValidationArm)
Kind = Literal["worlds", "families", "plain"]


@dataclass(frozen=True)
class Outcome:
    """What came of a question; `choices` counts those that one was chosen among, 0 where the answer was written.

    `gold` is the correct answer, "" for programs; `skill` is how it is come by (`pfe.problem.Skill`), "" where the
    problem needs no library.

    `kept` is whether the answer is the one of the library that was not shown (arm changed). `nats` is the negative
    log-likelihood of the right answer: among the choices where there are some, and otherwise by token.
    """

    set: str
    kind: Kind
    arm: ValidationArm
    problem_id: str
    group: str
    extracted: str
    correct: bool
    choices: int
    gold: str = ""
    skill: str = ""
    kept: bool = False
    nats: float | None = None


@dataclass(frozen=True)
class LibraryUse:
    """n library-bound problems in every arm, in percent; differences in points, by clusters (`_clusters`).

    `changed` is the share that follows the changed library of the answers that are one of the two: its own or the right
    library's; None where none is. `lift` is library less bare, `content_lift` library less irrelevant; None where no
    problem has both arms.
    """

    n: int
    bare: Proportion
    library: Proportion
    irrelevant: Proportion | None
    changed: Proportion | None
    lift: Difference | None
    content_lift: Difference | None

    def metrics(self) -> dict[str, float]:
        """The arms in points, with one decimal."""
        shares = {arm: getattr(self, arm) for arm in ARMS}
        return {arm: round(share.value, 1) for arm, share in shares.items() if share} | {"n": self.n}


@dataclass(frozen=True)
class PlainAccuracy(Proportion):
    """Problems that bring no library, asked bare; `chance` in percent is that of `pfe.scores.chance`."""

    chance: float


@dataclass(frozen=True)
class Validation:
    """What a model makes of problems that it was not trained on; None where there are none.

    `worlds` are library-bound problems of families that were trained on, with new names and facts; `families` those of
    families that were not; `plain` the others of families that were. `loss` is `validation_loss`.
    """

    worlds: LibraryUse | None
    families: LibraryUse | None
    plain: PlainAccuracy | None
    loss: float | None = None


@dataclass(frozen=True)
class WholeValidation(Validation):
    """`Validation` over all sets and by set; `held_out` are the families kept from training, as set/family.

    `skills` are the parts of `worlds` by how an answer is come by: from one entry (lookup), from one that another one
    names (hops), by a rule, by a procedure of several steps, or as a call.
    """

    sets: Mapping[str, Validation] = field(default_factory=dict)
    skills: Mapping[str, LibraryUse] = field(default_factory=dict)
    held_out: tuple[str, ...] = ()

    def metrics(self) -> dict[str, dict[str, float]]:
        """What DVC shows of it."""
        parts = {"validation": self.worlds, "held_out_families": self.families}
        return {name: part.metrics() for name, part in parts.items() if part}


@dataclass(frozen=True)
class LookUps:
    """What a model makes of the ladder (`pfe.training.lookups`), in the four arms: of look-ups as a whole, by skill,
    and by family, as set/family."""

    whole: LibraryUse
    skills: Mapping[str, LibraryUse]
    families: Mapping[str, LibraryUse]

    def metrics(self) -> dict[str, float]:
        """The lift in points with its interval, with one decimal, as metrics/lookups.json has it."""
        lift = self.whole.lift
        values = {"lift": lift.value, "lift_low": lift.low, "lift_high": lift.high} if lift else {}
        return {name: round(value, 1) for name, value in values.items()}


def summary(made: Sequence[Outcome], held_out: tuple[str, ...], seed: int) -> WholeValidation:
    """The figures of outcomes, over all sets and by set; signs are drawn by the seed and the set's name."""
    names = sorted({outcome.set for outcome in made})
    by_set = {name: _validation([one for one in made if one.set == name], f"{seed}:{name}") for name in names}
    return WholeValidation(
        **vars(_validation(made, f"{seed}:all")), sets=by_set, skills=_by_skill(made, seed), held_out=held_out
    )


def validation_loss(made: Iterable[Outcome]) -> float | None:
    """The mean negative log-likelihood of what is right, in nats, every problem and library counting the same.

    Of library-bound problems it is behind the right library and behind the changed one, so nobody has less than ln 2
    on average for choosing between their two answers who does not read them. None without outcomes that have one.
    """
    values = [outcome.nats for outcome in made if outcome.nats is not None]
    return fsum(values) / len(values) if values else None


def curves(made: Sequence[Outcome]) -> dict[str, float]:
    """What is drawn as training goes on: the loss, and of every kind and set the accuracy by arm, in percent."""
    loss = validation_loss(made)
    drawn_curves = {} if loss is None else {"loss": loss}
    for kind in ("worlds", "families", "plain"):
        of_kind = [outcome for outcome in made if outcome.kind == kind]
        sets = sorted({outcome.set for outcome in of_kind}) if kind != "families" else []
        for name, part in {"": of_kind, **{name: [o for o in of_kind if o.set == name] for name in sets}}.items():
            for arm in ARMS:
                if share := _share([outcome for outcome in part if outcome.arm == arm], arm):
                    drawn_curves["/".join(filter(None, (kind, name, arm)))] = share.value
    return drawn_curves


def _validation(made: Sequence[Outcome], seed: str) -> Validation:
    plain = [outcome for outcome in made if outcome.kind == "plain"]
    worlds, families = ([one for one in made if one.kind == kind] for kind in ("worlds", "families"))
    return Validation(
        worlds=_library_use(worlds, f"{seed}:worlds"),
        families=_library_use(families, f"{seed}:families"),
        plain=PlainAccuracy(**vars(accuracy([one.correct for one in plain])), chance=_chance(plain)) if plain else None,
        loss=validation_loss(made),
    )


def _by_skill(made: Sequence[Outcome], seed: int) -> dict[str, LibraryUse]:
    worlds = [outcome for outcome in made if outcome.kind == "worlds"]
    skills = [skill for skill in SKILLS if any(outcome.skill == skill for outcome in worlds)]
    uses = {skill: _library_use([one for one in worlds if one.skill == skill], f"{seed}:{skill}") for skill in skills}
    return {skill: use for skill, use in uses.items() if use}


def _library_use(made: Sequence[Outcome], seed: str) -> LibraryUse | None:
    arms = {arm: [outcome for outcome in made if outcome.arm == arm] for arm in ARMS}
    bare, library = (_share(arms[arm], arm) for arm in ("bare", "library"))
    if bare is None or library is None:
        return None
    return LibraryUse(
        n=library.n,
        bare=bare,
        library=library,
        irrelevant=_share(arms["irrelevant"], "irrelevant"),
        changed=_share(arms["changed"], "changed"),
        lift=_difference(arms["bare"], arms["library"], f"{seed}:lift"),
        content_lift=_difference(arms["irrelevant"], arms["library"], f"{seed}:content_lift"),
    )


def _share(made: Sequence[Outcome], arm: ValidationArm) -> Proportion | None:
    """The share that is right; behind a changed library, of the answers that are one of the two."""
    counted = [one for one in made if arm != "changed" or one.correct or one.kept]
    return proportion(sum(one.correct for one in counted), len(counted)) if counted else None


def _difference(made: Sequence[Outcome], better: Sequence[Outcome], seed: str) -> Difference | None:
    marks = [{one.problem_id: one.correct for one in part} for part in (made, better)]
    sample = shared(marks, _clusters([*made, *better]))
    return difference(sample, seed) if sample else None


def _clusters(made: Sequence[Outcome]) -> dict[str, str]:
    """Return the cluster of each problem by id: its family where there are several, else its world."""
    families = {one.problem_id: one.problem_id.rsplit("/", 2)[0] for one in made}
    return families if len({*families.values()}) > 1 else {one.problem_id: one.group for one in made}


def _chance(made: Sequence[Outcome]) -> float:
    """Return the mean over sets of their chance, weighted by problems: a constant answer may depend on the set."""
    sets: dict[str, list[Outcome]] = {}
    for one in made:
        sets.setdefault(one.set, []).append(one)
    return fsum(chance(part) * len(part) for part in sets.values()) / len(made)
