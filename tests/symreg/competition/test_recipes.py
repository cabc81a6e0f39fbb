"""Made data sets: the same draw from the same words everywhere, and every family's promise held on its draws."""

import json
import math
import pickle
import subprocess
import sys
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pfe.symreg.competition.dataset import PROPERTIES, DataSet, Draw, LabelledPoints
from pfe.symreg.competition.recipes import DIFFICULTIES, PART_INPUTS, PARTS, made_sets
from pfe.symreg.competition.tables import read
from pfe.symreg.expressions.parser import parse
from tests.conftest import ROOT, SHARED

SETS = made_sets(0)
SEEDS = st.integers(0, 2**31)
REPETITIONS = st.integers(0, 50)
Values = NDArray[np.float64]


def truth_of(dataset: DataSet, x: Values) -> Values:
    assert dataset.truth is not None
    return parse(dataset.truth, dataset.columns).predict(x)


def r2(y: Values, predicted: Values) -> float:
    return float(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())


def line(x: Values, y: Values) -> Any:
    from sklearn.linear_model import LinearRegression

    return LinearRegression().fit(x, y)


def of_family(family: str) -> list[DataSet]:
    return [SETS[f"{family}/{difficulty}"] for difficulty in DIFFICULTIES]


def noise_share(dataset: DataSet) -> float:
    """The share of noise in the targets of forty draws, 1 − R² of the truth."""
    draws = [dataset.draw(repetition) for repetition in range(40)]
    tables = [table for draw in draws for table in (draw.train, draw.test)]
    return float(np.mean([1 - r2(table.y, truth_of(dataset, table.x)) for table in tables]))


@pytest.mark.parametrize("property", PROPERTIES)
def test_every_property_has_a_family_in_three_difficulties(property: str) -> None:
    assert [dataset.property for dataset in of_family(property)] == [property] * 3


@pytest.mark.parametrize("name", SETS)
def test_columns_points_and_truth_belong_together(name: str) -> None:
    dataset = SETS[name]
    draw = dataset.draw(0)
    assert dataset.name == name
    assert draw.train.x.shape[1] == draw.test.x.shape[1] == len(dataset.columns)
    assert set(dataset.unwanted) < set(dataset.columns)
    assert 50 <= len(draw.train.y) <= 500
    assert dataset.truth is not None
    assert parse(dataset.truth, dataset.columns).features


@given(st.sampled_from(sorted(SETS)), SEEDS, REPETITIONS)
def test_a_draw_depends_on_seed_name_and_repetition_alone(name: str, seed: int, repetition: int) -> None:
    once = made_sets(seed)[name].draw(repetition).sha256()
    others = made_sets(seed)
    others["noise/easy"].draw(repetition + 1)
    assert others[name].draw(repetition).sha256() == once
    assert others[name].draw(repetition + 1).sha256() != once
    assert made_sets(seed + 1)[name].draw(repetition).sha256() != once


def test_sets_that_differ_in_name_alone_have_points_of_their_own() -> None:
    easy, medium, _ = (dataset.draw(0).train.x for dataset in of_family("extrapolation"))
    assert not np.isin(easy, medium).any()


def test_another_process_draws_the_same() -> None:
    code = """
import json
from pfe.symreg.competition.recipes import made_sets
print(json.dumps({name: dataset.draw(7).sha256() for name, dataset in reversed(made_sets(3).items())}))
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == {name: dataset.draw(7).sha256() for name, dataset in made_sets(3).items()}


def test_a_data_set_can_be_sent_to_another_process() -> None:
    for dataset in SETS.values():
        assert pickle.loads(pickle.dumps(dataset)).draw(1).sha256() == dataset.draw(1).sha256()


@pytest.mark.parametrize("part", [field.name for field in fields(Draw)])
def test_the_hash_of_a_draw_tells_every_value(part: str) -> None:
    draw = SETS["noise/easy"].draw(0)
    before = draw.sha256()
    table = getattr(draw, part)
    table.y[-1] = np.nextafter(table.y[-1], np.inf)
    assert draw.sha256() != before


def test_the_hash_of_a_draw_tells_shapes_and_whether_there_is_a_probe() -> None:
    tall, wide = LabelledPoints(np.zeros((4, 1)), np.zeros(4)), LabelledPoints(np.zeros((2, 3)), np.zeros(2))
    draws = [Draw(tall, tall), Draw(wide, wide), Draw(tall, wide), Draw(wide, tall), Draw(tall, tall, tall)]
    assert len({draw.sha256() for draw in draws}) == len(draws)


@pytest.mark.parametrize(
    ("x", "y"),
    [(np.zeros((2, 1)), np.zeros(3)), (np.zeros(2), np.zeros(2)), (np.zeros((1, 1)), np.array([np.nan]))],
)
def test_what_is_no_table_of_finite_numbers_is_refused(x: Values, y: Values) -> None:
    with pytest.raises(ValueError, match="table"):
        LabelledPoints(x, y)


@pytest.mark.parametrize("dataset", of_family("exact_formula") + of_family("local_optima"), ids=lambda d: d.name)
def test_without_noise_the_target_is_the_truth(dataset: DataSet) -> None:
    draw = dataset.draw(0)
    for table in (draw.train, draw.test):
        assert (table.y == truth_of(dataset, table.x)).all()


@pytest.mark.parametrize("dataset", of_family("exact_formula"), ids=lambda d: d.name)
def test_an_exact_formula_leaves_some_columns_aside(dataset: DataSet) -> None:
    assert dataset.truth is not None
    assert set(parse(dataset.truth, dataset.columns).features) < set(dataset.columns)


@pytest.mark.parametrize("dataset", of_family("irrelevant_features"), ids=lambda d: d.name)
def test_half_of_the_columns_is_irrelevant_and_all_others_matter(dataset: DataSet) -> None:
    x = dataset.draw(0).test.x
    rng = np.random.default_rng(0)
    used = set()
    for place, column in enumerate(dataset.columns):
        shuffled = x.copy()
        shuffled[:, place] = rng.permutation(shuffled[:, place])
        loss = 1 - r2(truth_of(dataset, x), truth_of(dataset, shuffled))
        if loss > 0:
            assert loss > 0.1
            used.add(column)
    assert used == set(dataset.columns) - set(dataset.unwanted)
    assert 2 * len(dataset.unwanted) == len(dataset.columns)


@given(st.sampled_from(of_family("irrelevant_features") + of_family("local_optima")), st.integers(0, 2**32))
def test_unwanted_columns_do_not_enter_the_truth(dataset: DataSet, seed: int) -> None:
    x = dataset.draw(0).test.x
    other = x.copy()
    places = [dataset.columns.index(column) for column in dataset.unwanted]
    other[:, places] = np.random.default_rng(seed).normal(size=(len(x), len(places)))
    assert (truth_of(dataset, x) == truth_of(dataset, other)).all()


@pytest.mark.parametrize(("dataset", "count"), [*zip(of_family("local_optima"), (3, 4, 5), strict=True)])
def test_surrogates_are_noisy_copies_of_the_parts_of_the_truth(dataset: DataSet, count: int) -> None:
    x = dataset.draw(0).test.x
    assert len(dataset.unwanted) == count == len(dataset.columns) - PART_INPUTS
    for column, part in zip(dataset.unwanted, PARTS, strict=False):
        exact = parse(part, dataset.columns).predict(x)
        assert 0.9 < np.corrcoef(x[:, dataset.columns.index(column)], exact)[0, 1] < 0.98


@pytest.mark.parametrize("dataset", of_family("local_optima"), ids=lambda d: d.name)
def test_surrogates_are_a_trap_better_than_the_inputs_at_first_and_never_exact(dataset: DataSet) -> None:
    draw = dataset.draw(0)

    def linear(columns: slice) -> float:
        fitted = line(draw.train.x[:, columns], draw.train.y)
        return r2(draw.test.y, fitted.predict(draw.test.x[:, columns]))

    assert linear(slice(PART_INPUTS, None)) > linear(slice(PART_INPUTS)) + 0.2
    assert 0.85 < linear(slice(None)) < 0.97


@given(st.sampled_from(of_family("extrapolation")), REPETITIONS)
def test_an_extrapolation_is_probed_where_nothing_was_learned_and_tested_where_it_was(
    dataset: DataSet, repetition: int
) -> None:
    draw = dataset.draw(repetition)
    assert draw.probe is not None
    widest = max(np.abs(draw.train.x).max(), np.abs(draw.test.x).max())
    assert widest <= 6 < np.abs(draw.probe.x).min()
    assert (draw.probe.x < 0).any()
    assert (draw.probe.x > 0).any()
    assert (draw.probe.y == truth_of(dataset, draw.probe.x)).all()


@pytest.mark.parametrize("dataset", of_family("extrapolation"), ids=lambda d: d.name)
def test_a_line_that_fits_inside_does_not_extrapolate(dataset: DataSet) -> None:
    draw = dataset.draw(0)
    assert draw.probe is not None
    fitted = line(draw.train.x, draw.train.y)
    assert r2(draw.test.y, fitted.predict(draw.test.x)) > 0.6
    assert r2(draw.probe.y, fitted.predict(draw.probe.x)) < 0.6


@given(st.sampled_from(of_family("noise")), REPETITIONS)
def test_a_noise_set_is_probed_on_its_test_points_without_noise(dataset: DataSet, repetition: int) -> None:
    draw = dataset.draw(repetition)
    assert draw.probe is not None
    assert (draw.probe.x == draw.test.x).all()
    assert (draw.probe.y == truth_of(dataset, draw.test.x)).all()
    assert not np.isin(draw.probe.y, draw.test.y).any()


@pytest.mark.parametrize(
    ("family", "shares"),
    [
        ("irrelevant_features", (0.02, 0.05, 0.1)),
        ("extrapolation", (0.02, 0.05, 0.1)),
        ("noise", (0.05, 0.1, 0.15)),
    ],
)
def test_noise_is_its_share_of_the_variance(family: str, shares: tuple[float, ...]) -> None:
    assert [noise_share(dataset) for dataset in of_family(family)] == pytest.approx(shares, rel=0.1)


@pytest.mark.parametrize("name", [name for name in SETS if name.startswith("qualification/")])
def test_a_qualification_set_has_no_property_and_more_in_it_than_a_line_finds(name: str) -> None:
    dataset = SETS[name]
    draw = dataset.draw(0)
    fitted = line(draw.train.x, draw.train.y)
    assert (dataset.property, draw.probe) == (None, None)
    assert r2(draw.test.y, truth_of(dataset, draw.test.x)) > r2(draw.test.y, fitted.predict(draw.test.x)) + 0.05


@pytest.mark.parametrize(("name", "deviation"), [("friedman1", 1.0), ("friedman2", 125.0), ("friedman3", 0.1)])
def test_friedman_s_functions_are_those_of_scikit_learn(name: str, deviation: float) -> None:
    from sklearn import datasets

    dataset = SETS[f"qualification/{name}"]
    x, y = getattr(datasets, f"make_{name}")(n_samples=2000, noise=0.0, random_state=0)
    assert truth_of(dataset, x) == pytest.approx(y, rel=1e-12)
    draws = [dataset.draw(repetition) for repetition in range(20)]
    drawn = np.concatenate([draw.train.x for draw in draws])
    assert drawn.min(axis=0) == pytest.approx(x.min(axis=0), abs=0.01 * np.ptp(x, axis=0).max())
    assert drawn.max(axis=0) == pytest.approx(x.max(axis=0), abs=0.01 * np.ptp(x, axis=0).max())
    errors = np.concatenate([draw.train.y - truth_of(dataset, draw.train.x) for draw in draws])
    assert errors.std() == pytest.approx(deviation, rel=0.05)


def test_the_planes_are_chosen_by_a_sign_and_their_columns_hold_three_values() -> None:
    x = SETS["qualification/planes"].draw(0).train.x
    assert [sorted(set(column)) for column in x.T] == [[-1, 1], *[[-1, 0, 1]] * 9]


@pytest.mark.skipif(not (SHARED / "srbench").exists(), reason="needs shared/srbench")
@pytest.mark.parametrize(
    ("name", "file", "columns"),
    [
        ("planes", "215_2dplanes", tuple(f"x{place}" for place in range(1, 11))),
        ("friedman1", "564_fried", tuple(f"X{place}" for place in range(1, 11))),
    ],
)
def test_two_qualification_sets_have_the_law_of_their_namesakes_in_pmlb(
    name: str, file: str, columns: tuple[str, ...]
) -> None:
    values = read(SHARED / "srbench" / "pmlb20" / f"{file}.tsv.gz", (*columns, "target"), "\t")
    errors = values[:, -1] - truth_of(SETS[f"qualification/{name}"], values[:, :-1])
    assert errors.std() == pytest.approx(1, rel=0.02)
    assert errors.mean() == pytest.approx(0, abs=3 / math.sqrt(len(errors)))
    draw = SETS[f"qualification/{name}"].draw(0)
    assert (draw.test.y - truth_of(SETS[f"qualification/{name}"], draw.test.x)).std() == pytest.approx(1, rel=0.1)
    drawn = draw.train.x
    assert drawn.mean(axis=0) == pytest.approx(values[:, :-1].mean(axis=0), abs=0.25)
    assert drawn.std(axis=0) == pytest.approx(values[:, :-1].std(axis=0), rel=0.15)
