"""Look-ups in worlds that are made to measure them: which problems, and what is said of a reader and of a guesser."""

from collections import Counter

import pytest

from pfe.config import Config
from pfe.models.request import Request
from pfe.training.corpus import benchmark_by_domain
from pfe.training.figures import LookUps
from pfe.training.lookups import PROBLEMS, WORLDS, look_ups, measured
from pfe.tutors.family import BoundFamily, family_of
from pfe.tutors.generate import candidates
from tests.training.test_questions import Examinee

SETS = {"arc_synth": 3000, "hellaswag_synth": 500}


class Reader(Examinee):
    """Where it `reads`, it likes what the problem's family reads in the library that is shown."""

    def likes(self, request: Request, text: str) -> float:
        family, entries = family_of(request.problem.id), request.prefix.text.split("\n\n")[1:-1]
        assert isinstance(family, BoundFamily)
        answer = family.behind(request.problem, entries) if self.reads and entries else None
        return super().likes(request, text) + 9.0 * (text.strip() == answer)


@pytest.mark.slow
def test_look_ups_are_of_every_family_that_was_read_and_of_one_entry_each() -> None:
    every, some = look_ups(SETS, (), 0), look_ups(SETS, ("arc_synth/space_guide",), 0)
    families = {(one.set, one.family) for one in every}
    assert len(every) == len(families) * WORLDS * PROBLEMS
    assert {one.skill for one in every} == {"lookup"}
    assert families - {(one.set, one.family) for one in some} == {("arc_synth", "space_guide")}
    assert all(len({one.group for one in every if one.family == family}) == WORLDS for _, family in families)


def test_a_small_corpus_is_asked_about_few_worlds() -> None:
    small, half = (look_ups({"arc_synth": target}, (), 0) for target in (3, 100))
    assert len({one.group for one in small if one.family == "space_guide"}) == 1
    assert len({one.group for one in half if one.family == "space_guide"}) == 4


@pytest.mark.slow
def test_look_ups_are_in_no_world_of_the_corpus_nor_of_another_experiment() -> None:
    mine, again, other = (look_ups({"arc_synth": 3000}, (), seed) for seed in (0, 0, 1))
    assert mine == again
    corpus = candidates("arc_synth", 1500, 0, library_bound=1.0, lookup=1.0)
    assert {one.skill for one in corpus} == {"lookup"}
    for others in (corpus, other):
        assert not {one.library for one in mine} & {one.library for one in others}


def test_who_reads_the_library_has_a_lift_and_who_guesses_has_none(settings: Config) -> None:
    problems, benchmarks = look_ups({"arc_synth": 3000}, (), 0), benchmark_by_domain(settings.benchmark)
    reads, guesses = (measured(Reader(reads), problems, benchmarks, 0) for reads in (True, False))
    assert reads
    assert guesses
    assert reads.whole.lift
    assert reads.whole.lift.low > 20
    assert guesses.whole.lift
    assert guesses.whole.lift.low < 0 < guesses.whole.lift.high
    assert reads.whole.library.value - guesses.whole.library.value > 20
    assert reads.whole.n == len(problems) == sum(use.n for use in reads.families.values())
    assert set(reads.sets) == {"arc_synth"}
    said = reads.metrics()
    assert said["lift_low"] < said["lift"] < said["lift_high"]


def test_of_sets_without_look_ups_nothing_is_said(settings: Config) -> None:
    assert look_ups({"gsm1k_synth": 1000}, (), 0) == []
    assert measured(Examinee(), [], benchmark_by_domain(settings.benchmark), 0) is None


@pytest.mark.parametrize("seed", [0, 1])
def test_figures_are_whole(settings: Config, seed: int) -> None:
    problems = look_ups({"hellaswag_synth": 500}, (), seed)
    made = measured(Reader(), problems, benchmark_by_domain(settings.benchmark), seed)
    assert isinstance(made, LookUps)
    assert all(0 <= use.library.value <= 100 for use in (made.whole, *made.sets.values(), *made.families.values()))
    asked = Counter(f"{one.set}/{one.family}" for one in problems)
    assert {name: use.n for name, use in made.families.items()} == asked
    right = sum(use.library.value * use.n for use in made.families.values())
    assert right == pytest.approx(made.whole.library.value * made.whole.n)
