"""Look-ups in worlds that are made to measure them: which problems, and what is said of a reader and of a guesser."""

from collections import Counter

from pfe.config import Config
from pfe.models.request import Request
from pfe.training.corpus import benchmark_by_domain
from pfe.training.held_out_ladder import PROBLEMS, WORLDS, held_out_problems, measured
from pfe.tutors.family import BoundFamily, family_of
from tests.training.test_questions import Examinee

LOOK_UPS = ("hides", "trades", "alloys", "haunts", "meals", "noises")
LEFT_OUT = (*(f"ladder_synth/{name}" for name in (*LOOK_UPS, "corridors")), "arc_synth/space_guide")


class Reader(Examinee):
    """Where it `reads`, it likes what the problem's family reads in the library that is shown."""

    def likes(self, request: Request, text: str) -> float:
        family, entries = family_of(request.problem.id), request.prefix.text.split("\n\n")[1:-1]
        assert isinstance(family, BoundFamily)
        answer = family.answer_with_library(request.problem, entries) if self.reads and entries else None
        return super().likes(request, text) + 9.0 * (text.strip() == answer)


def test_they_are_of_the_ladders_families_that_were_kept_from_training_in_worlds_of_their_own() -> None:
    mine, again, other = (held_out_problems(LEFT_OUT, seed) for seed in (0, 0, 1))
    assert mine == again
    assert Counter(one.family for one in mine) == dict.fromkeys(LOOK_UPS, WORLDS * PROBLEMS) | {"corridors": PROBLEMS}
    assert all(len({one.group for one in mine if one.family == family}) == WORLDS for family in ("hides", "trades"))
    corpus = [family_of(one.id).make(0, number) for one in mine[:1] for number in range(40)]
    for others in (corpus, other):
        assert not {one.library for one in mine} & {one.library for one in others}


def test_who_reads_the_library_has_a_lift_and_who_guesses_has_none(settings: Config) -> None:
    problems, benchmarks = held_out_problems(LEFT_OUT, 0), benchmark_by_domain(settings.benchmark)
    reads, guesses = (measured(Reader(reads), problems, benchmarks, 0) for reads in (True, False))
    assert reads
    assert guesses
    assert reads.whole.lift
    assert reads.whole.lift.low > 20
    assert guesses.whole.lift
    assert guesses.whole.lift.low < 0 < guesses.whole.lift.high
    assert reads.whole.library.value - guesses.whole.library.value > 20
    assert {"lookup", "hops"} == set(reads.skills)
    assert sum(use.n for use in reads.skills.values()) == sum(use.n for use in reads.families.values()) == len(problems)
    assert {name: use.n for name, use in reads.families.items()} == Counter(f"{p.set}/{p.family}" for p in problems)
    said = reads.metrics()
    assert said["lift_low"] < said["lift"] < said["lift_high"]


def test_where_no_look_up_was_kept_from_training_nothing_is_said(settings: Config) -> None:
    assert held_out_problems(["arc_synth/space_guide"], 0) == []
    benchmarks = benchmark_by_domain(settings.benchmark)
    assert measured(Examinee(), [], benchmarks, 0) is None
    assert measured(Examinee(), held_out_problems(["ladder_synth/corridors"], 0), benchmarks, 0) is None
