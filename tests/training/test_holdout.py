"""What is kept from training is kept whole: no group, and no held-out family, is on both sides."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config, HoldOut
from pfe.errors import UserError
from pfe.problem import Problem
from pfe.training.corpus import benchmark_by_domain
from pfe.training.split import HeldOut, drawn, hold_out, read_held_out, write_held_out


def problems(families: int, each: int, bound: bool = True, twins: int = 1) -> list[Problem]:
    kind = "b" if bound else "p"
    return [
        Problem(
            f"s/{kind}{family}/{number}", "s", "science", "?", "x", choices=("x", "y"), family=f"{kind}{family}",
            group=f"{kind}{family}/{number // twins}", library=("x is right.",) if bound else (),
        )
        for family in range(families) for number in range(each)
    ]  # fmt: skip


@given(
    st.integers(0, 6), st.integers(1, 12), st.integers(0, 4), st.integers(1, 3), st.integers(0, 20),
    st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 99),
)  # fmt: skip
def test_no_group_and_no_held_out_family_is_on_both_sides(
    families: int, each: int, plain: int, twins: int, count: int, share: float, seed: int
) -> None:
    accepted = problems(families, each, twins=twins) + problems(plain, each, bound=False, twins=twins)
    parts = hold_out(accepted, HoldOut(problems=count, families=share), seed)
    trained = {problem.group for problem in parts.training}
    assert not trained & {problem.group for problem in (*parts.worlds, *parts.families)}
    held_out = {problem.family for problem in parts.families}
    assert held_out <= set(parts.left_out)
    assert not {*parts.left_out} & {problem.family for problem in (*parts.training, *parts.worlds)}
    assert held_out or not (share and count > 1 and families > 1 and twins == 1)
    for bound in (True, False):
        kept = [problem for problem in parts.worlds if problem.library_bound is bound]
        assert len(kept) <= count
        groups = {problem.group for problem in accepted if problem.library_bound is bound}
        assert len({problem.group for problem in kept}) <= 0.2 * len(groups)
    assert len(parts.families) <= (count + 1) // 2
    if not count:
        assert list(parts.training) == accepted


def test_of_every_skill_a_share_of_the_families_is_kept_and_never_its_only_one() -> None:
    skills = {"b0": "rules", "b1": "hops", "b2": "hops"}
    accepted = [replace(one, skill=skills.get(one.family, "lookup")) for one in problems(11, 4)]
    parts = hold_out(accepted, HoldOut(problems=4, families=0.25), seed=0)
    assert Counter(skills.get(name, "lookup") for name in parts.left_out) == {"lookup": 2, "hops": 1}


def test_of_a_group_a_few_are_asked_and_none_is_read() -> None:
    parts = hold_out(problems(10, 12, twins=6), HoldOut(problems=12, families=0.0), seed=0)
    assert set(Counter(problem.group for problem in parts.worlds).values()) == {3}
    assert len(parts.training) == 120 - 4 * 6


def test_shares_are_as_asked() -> None:
    accepted = problems(20, 20) + problems(5, 20, bound=False)
    parts = hold_out(accepted, HoldOut(problems=30, families=0.1), seed=0)
    assert Counter(problem.library_bound for problem in parts.worlds) == {True: 30, False: 20}
    assert len(parts.left_out) == 2
    assert len(parts.families) == 15
    trained = Counter(problem.library_bound for problem in parts.training)
    assert trained == {True: 18 * 20 - 30, False: 80}


def test_fewer_that_are_drawn_are_a_part_of_more_and_others_move_none() -> None:
    accepted = problems(4, 10)
    more = list(drawn(accepted, 9, seed=1))
    for count in range(9):
        few = list(drawn(accepted, count, seed=1))
        assert (len(few), few) == (count, more[:count])
    assert list(drawn(accepted[:-1], 40, seed=1)) == [
        problem for problem in drawn(accepted, 40, seed=1) if problem != accepted[-1]
    ]
    assert list(drawn(accepted, 9, seed=2)) != more


def test_what_was_kept_is_read_as_it_was_written(tmp_path: Path, settings: Config) -> None:
    parts = hold_out(problems(4, 10), HoldOut(problems=5, families=0.1), seed=0)
    held_out = HeldOut(
        {"s": parts.worlds},
        {"s": parts.families},
        ("s/b1",),
        benchmark_by_domain(settings.benchmark),
        {"s.parquet": "ab"},
    )
    write_held_out(tmp_path, held_out)
    assert read_held_out(tmp_path) == held_out
    (tmp_path / "families/s.parquet").write_bytes(b"garbage")
    with pytest.raises(UserError, match=r"families/s\.parquet: not a Parquet file"):
        read_held_out(tmp_path)
