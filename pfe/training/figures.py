"""Validation results: accuracy with and without a library on held-out problems, by kind, set and skill.

Example, from metrics/train.json: `{"validation": {"bare": 33.1, "library": 48.2, "changed": 71.0, "irrelevant": 32.4,
"n": 172}}`: of 172 problems 48.2 % are correct with their library in context, 33.1 % zero-shot, 32.4 % with an
irrelevant library. With a changed library, 71 % of the answers that match one of the two libraries match the changed
one.
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
    """The result of one question; `choices` counts the choices on offer, 0 if the answer was written.

    `gold` is the correct answer, "" for programs; `skill` is the skill that it takes (`pfe.problem.Skill`), "" if the
    problem needs no library.

    `kept` is whether the answer is that of the library that was not shown (arm changed). `nats` is the negative
    log-likelihood of the correct answer: normalised over the choices if there are some, otherwise per token.
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
    """The accuracy on n library-bound problems in every arm, in percent; differences in points (see `_clusters`).

    `changed` is the share of answers that follow the changed library, among those that match it or the original one;
    None if no answer does. `lift` is library minus zero-shot (`bare`), `content_lift` library minus irrelevant; None if
    no problem was asked in both arms.
    """

    n: int
    bare: Proportion
    library: Proportion
    irrelevant: Proportion | None
    changed: Proportion | None
    lift: Difference | None
    content_lift: Difference | None

    def metrics(self) -> dict[str, float]:
        """Return the accuracy of each arm in percent, to one decimal, and n."""
        shares = {arm: getattr(self, arm) for arm in ARMS}
        return {arm: round(share.value, 1) for arm, share in shares.items() if share} | {"n": self.n}


@dataclass(frozen=True)
class PlainAccuracy(Proportion):
    """The zero-shot accuracy on problems without a library; `chance` in percent is that of `pfe.scores.chance`."""

    chance: float


@dataclass(frozen=True)
class Validation:
    """The results on held-out problems; None for a kind without any.

    `worlds` are library-bound problems of families that were trained on, with new names and facts. `families` are those
    of held-out families. `plain` are the other problems of trained families. `loss` is `validation_loss`.
    """

    worlds: LibraryUse | None
    families: LibraryUse | None
    plain: PlainAccuracy | None
    loss: float | None = None


@dataclass(frozen=True)
class WholeValidation(Validation):
    """A `Validation` over all sets and one for each set; `held_out` names the held-out families, as set/family.

    `skills` splits `worlds` by the skill that the answer takes, such as one entry (lookup), one entry that another one
    names (hops), a rule, a procedure of several steps, or a call.
    """

    sets: Mapping[str, Validation] = field(default_factory=dict)
    skills: Mapping[str, LibraryUse] = field(default_factory=dict)
    held_out: tuple[str, ...] = ()

    def metrics(self) -> dict[str, dict[str, float]]:
        """Return the values for DVC: accuracy by arm, for held-out worlds and for held-out families."""
        parts = {"validation": self.worlds, "held_out_families": self.families}
        return {name: part.metrics() for name, part in parts.items() if part}


@dataclass(frozen=True)
class LookUps:
    """The results on held-out families of the ladder (`pfe.training.held_out_ladder`), in the four arms.

    They are given for single-hop retrieval as a whole, by skill, and by family, as set/family.
    """

    whole: LibraryUse
    skills: Mapping[str, LibraryUse]
    families: Mapping[str, LibraryUse]

    def metrics(self) -> dict[str, float]:
        """Return the lift in points with its 95 % CI, to one decimal, as in metrics/lookups.json."""
        lift = self.whole.lift
        values = {"lift": lift.value, "lift_low": lift.low, "lift_high": lift.high} if lift else {}
        return {name: round(value, 1) for name, value in values.items()}


def summary(made: Sequence[Outcome], held_out: tuple[str, ...], seed: int) -> WholeValidation:
    """Summarise outcomes over all sets and by set; the seed and the set's name seed the permutation tests."""
    names = sorted({outcome.set for outcome in made})
    by_set = {name: _validation([one for one in made if one.set == name], f"{seed}:{name}") for name in names}
    return WholeValidation(
        **vars(_validation(made, f"{seed}:all")), sets=by_set, skills=_by_skill(made, seed), held_out=held_out
    )


def validation_loss(made: Iterable[Outcome]) -> float | None:
    """Return the mean negative log-likelihood of correct answers in nats; all problems and libraries count equally.

    Library-bound problems are asked with the original library and with the changed one. A model that ignores them must
    choose between two answers, and so averages at least ln 2 for that choice. None without outcomes that have a value.
    """
    values = [outcome.nats for outcome in made if outcome.nats is not None]
    return fsum(values) / len(values) if values else None


def curves(made: Sequence[Outcome]) -> dict[str, float]:
    """Return the values to plot during training: the loss, and accuracy in percent by kind, set and arm."""
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
    """Return the share of correct answers; in the arm changed, among those that match one of the two libraries."""
    counted = [one for one in made if arm != "changed" or one.correct or one.kept]
    return proportion(sum(one.correct for one in counted), len(counted)) if counted else None


def _difference(made: Sequence[Outcome], better: Sequence[Outcome], seed: str) -> Difference | None:
    marks = [{one.problem_id: one.correct for one in part} for part in (made, better)]
    sample = shared(marks, _clusters([*made, *better]))
    return difference(sample, seed) if sample else None


def _clusters(made: Sequence[Outcome]) -> dict[str, str]:
    """Return the cluster of each problem by id: its family if there are several, else its world."""
    families = {one.problem_id: one.problem_id.rsplit("/", 2)[0] for one in made}
    return families if len({*families.values()}) > 1 else {one.problem_id: one.group for one in made}


def _chance(made: Sequence[Outcome]) -> float:
    """Return the mean chance accuracy of the sets, by problems: the best constant answer may depend on the set."""
    sets: dict[str, list[Outcome]] = {}
    for one in made:
        sets.setdefault(one.set, []).append(one)
    return fsum(chance(part) * len(part) for part in sets.values()) / len(made)
