"""Data sets from files: the real ones follow their formulas, and a file that is not whole is told by name and place."""

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pfe.errors import UserError
from pfe.symreg.competition.dataset import DataSet, LabelledPoints
from pfe.symreg.competition.files import pmlb20, realworld2022, synthetic2022, synthetic_names
from pfe.symreg.competition.tables import read
from pfe.symreg.expressions.parser import parse
from tests.conftest import SHARED

REAL = SHARED / "srbench"
real = pytest.mark.skipif(not REAL.exists(), reason="needs shared/srbench")
Values = NDArray[np.float64]

# R² of the truth on train and test: 1 − the share of noise, as the competition's formulas for its noise have it.
EXPECTED = {
    "exact_formula_easier": 1.0,
    "exact_formula_easy": 1.0,
    "exact_formula_medium": 1.0,
    "exact_formula_hard": 1.0,
    "featureselection_easy": 0.975,
    "featureselection_medium": 0.95,
    "featureselection_hard": 0.9,
    "localopt_easy": 1.0,
    "localopt_medium": 1.0,
    "localopt_hard": 1.0,
    "noise_base": 1.0,
    "noise_easy": 0.95,
    "noise_medium": 0.9,
    "noise_hard": 0.85,
}


def r2(y: Values, predicted: Values) -> float:
    return float(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt") as file:
        file.write("".join(f"{line}\n" for line in lines))
    return path


@real
@pytest.mark.parametrize("name", EXPECTED)
def test_every_real_synthetic_set_follows_its_truth(name: str) -> None:
    dataset = synthetic2022(REAL / "synthetic2022")[name]
    assert dataset.truth is not None
    law = parse(dataset.truth, dataset.columns)
    draws = [dataset.draw(repetition) for repetition in range(10)]
    for tables in ([draw.train for draw in draws], [draw.test for draw in draws]):
        fits = [r2(table.y, law.predict(table.x)) for table in tables]
        if EXPECTED[name] == 1:
            assert fits == pytest.approx([1] * 10, abs=1e-12)
        else:
            assert np.mean(fits) == pytest.approx(EXPECTED[name], abs=0.025)


@real
def test_the_noise_of_feature_selection_hides_no_wrong_coefficient() -> None:
    dataset = synthetic2022(REAL / "synthetic2022")["featureselection_easy"]
    assert dataset.truth is not None
    tables = [table for draw in map(dataset.draw, range(10)) for table in (draw.train, draw.test)]
    x, y = np.vstack([table.x for table in tables]), np.concatenate([table.y for table in tables])
    terms = [parse(term, dataset.columns).predict(x) for term in dataset.truth.split(" + ")]
    factors = np.linalg.lstsq(np.column_stack(terms), y, rcond=None)[0]
    assert factors == pytest.approx(np.ones(5), abs=0.02)


@real
def test_the_true_model_uses_no_unwanted_column() -> None:
    for dataset in synthetic2022(REAL / "synthetic2022").values():
        if dataset.truth:
            used = parse(dataset.truth, dataset.columns).features
            assert not set(used) & set(dataset.unwanted)
    sets = synthetic2022(REAL / "synthetic2022")
    assert sets["featureselection_hard"].unwanted == tuple(f"x{place}" for place in range(11, 21))
    assert [len(sets[f"localopt_{level}"].unwanted) for level in ("easy", "medium", "hard")] == [3, 4, 5]


@real
def test_unwanted_columns_of_the_local_optima_copy_parts_of_the_target() -> None:
    for level in ("easy", "medium", "hard"):
        dataset = synthetic2022(REAL / "synthetic2022")[f"localopt_{level}"]
        assert dataset.truth is not None
        x = dataset.draw(0).test.x
        for column, part in zip(dataset.unwanted, dataset.truth.split(" + "), strict=True):
            exact = parse(part, dataset.columns).predict(x)
            assert np.corrcoef(x[:, dataset.columns.index(column)], exact)[0, 1] > 0.9


@real
def test_there_are_seventeen_real_synthetic_sets_each_with_ten_draws_that_differ() -> None:
    sets = synthetic2022(REAL / "synthetic2022")
    assert len(sets) == 17
    for dataset in sets.values():
        assert len({dataset.draw(repetition).sha256() for repetition in range(10)}) == 10
        with pytest.raises(UserError, match=r"has 10 draws; set competition\.repetitions"):
            dataset.draw(10)


@real
def test_repetitions_follow_the_order_of_the_draws_numbers() -> None:
    dataset = synthetic2022(REAL / "synthetic2022")["noise_base"]
    numbers = sorted(int(path.name.split("_")[0]) for path in REAL.glob("synthetic2022/*_noise_base_data_test.csv.gz"))
    for repetition, number in enumerate(numbers):
        path = REAL / "synthetic2022" / f"{number}_noise_base_data_test.csv.gz"
        assert (dataset.draw(repetition).test.y == read(path, ("y",), ",")[:, 0]).all()


@real
def test_a_real_extrapolation_is_probed_by_its_test_points_beyond_the_training_range() -> None:
    for level, share in (("easy", 0.975), ("medium", 0.95), ("hard", 0.9)):
        dataset = synthetic2022(REAL / "synthetic2022")[f"extrapolation_{level}"]
        draw = dataset.draw(0)
        assert draw.probe is draw.test
        assert draw.train.x.max() <= 15 < draw.test.x.min()
        assert dataset.truth is not None
        assert r2(draw.train.y, parse(dataset.truth, ("x",)).predict(draw.train.x)) == pytest.approx(share, abs=0.025)


@real
def test_a_real_noise_set_is_probed_without_noise() -> None:
    draw = synthetic2022(REAL / "synthetic2022")["noise_hard"].draw(0)
    base = synthetic2022(REAL / "synthetic2022")["noise_base"].draw(0)
    assert draw.probe is not None
    assert (draw.probe.x == draw.test.x).all()
    assert (draw.probe.x == base.test.x).all()
    assert draw.probe.y == pytest.approx(base.test.y)
    assert draw.probe.y != pytest.approx(draw.test.y)


@real
def test_the_real_world_track_has_three_sets_the_same_in_all_repetitions() -> None:
    sets = realworld2022(REAL / "realworld2022")
    assert list(sets) == ["cases", "hosp", "deaths"]
    for name, dataset in sets.items():
        draw = dataset.draw(0)
        assert (draw.train.x.shape, draw.test.x.shape) == ((420, 92), (245, 92))
        assert draw.sha256() == dataset.draw(9).sha256()
        assert not {"date", f"value_{name}"} & set(dataset.columns)
    assert len({dataset.draw(0).sha256() for dataset in sets.values()}) == 3


@real
def test_pmlb_has_twenty_sets_split_anew_in_each_repetition() -> None:
    sets = pmlb20(REAL / "pmlb20", seed=0)
    assert len(sets) == 20
    dataset = sets["654_fri_c0_500_10"]
    draw = dataset.draw(0)
    assert (draw.train.x.shape, draw.test.x.shape) == ((375, 10), (125, 10))
    assert draw.sha256() == pmlb20(REAL / "pmlb20", seed=0)[dataset.name].draw(0).sha256()
    assert draw.sha256() != dataset.draw(1).sha256()
    assert draw.sha256() != pmlb20(REAL / "pmlb20", seed=1)[dataset.name].draw(0).sha256()
    twins = (sets["197_cpu_act"].draw(0), sets["573_cpu_act"].draw(0))
    assert twins[0].sha256() != twins[1].sha256()


@real
def test_the_two_parts_of_a_split_are_all_rows_each_once() -> None:
    dataset = pmlb20(REAL / "pmlb20", seed=0)["579_fri_c0_250_5"]
    whole = read(REAL / "pmlb20" / "579_fri_c0_250_5.tsv.gz", (*dataset.columns, "target"), "\t")
    draw = dataset.draw(4)
    both = np.vstack([np.column_stack([table.x, table.y]) for table in (draw.train, draw.test)])
    assert sorted(map(tuple, both)) == sorted(map(tuple, whole))


def pmlb_set(tmp_path: Path, *lines: str) -> DataSet:
    write(tmp_path / "a.tsv.gz", *lines)
    return pmlb20(tmp_path, seed=0)["a"]


def test_the_target_may_stand_anywhere(tmp_path: Path) -> None:
    dataset = pmlb_set(tmp_path, "p\ttarget\tq.r", *["1\t2\t3"] * 8)
    train: LabelledPoints = dataset.draw(0).train
    assert dataset.columns == ("p", "q.r")
    assert train.x.tolist() == [[1, 3]] * 6
    assert train.y.tolist() == [2] * 6


def test_changing_a_drawn_table_changes_no_other_draw(tmp_path: Path) -> None:
    dataset = pmlb_set(tmp_path, "p\ttarget", *[f"{row}\t{row}" for row in range(8)])
    before = dataset.draw(0).sha256()
    dataset.draw(0).train.x[:] = 0
    assert dataset.draw(0).sha256() == before


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["p\ttarget", "1\t2", "1\ttwo"], "a.tsv.gz: line 3, column 'target': 'two' is not a number"),
        (["p\ttarget", "1\t2", "nan\t2"], "a.tsv.gz: line 3, column 'p': 'nan' is not a number"),
        (["p\ttarget", "1\t2", "\t2"], "a.tsv.gz: line 3, column 'p': '' is not a number"),
        (
            ["p\ttarget", "1\ttwo", "1\t2", "1\ttwo", "nan\tx"],
            "a.tsv.gz: lines 2, 4, column 'target': 'two' is not a number; line 5, column 'p': 'nan' is not a number; "
            "line 5, column 'target': 'x' is not a number; correct",
        ),
        (["p\ttarget", "1", "1\t2", "1"], "a.tsv.gz: lines 2, 4: 1 cells for 2 columns"),
        (["p\ttarget", "inf\t2"], "a.tsv.gz: line 2, column 'p': 'inf' is not a number"),
        (["p\ttarget", "1\t2", "1"], "a.tsv.gz: line 3: 1 cells for 2 columns"),
        (["p\ttarget", "1\t2", "", "1\t2"], "a.tsv.gz: line 3: 1 cells for 2 columns"),
        (["p\ttarget", "1\t2\t3"], "a.tsv.gz: line 2: 3 cells for 2 columns"),
        (["p\ttarget"], "a.tsv.gz: line 2: no rows"),
        (["p\ty", "1\t2"], "a.tsv.gz: line 1: no column 'target'"),
        (["p\tp\ttarget", "1\t2\t3"], "a.tsv.gz: line 1, column 2: the name 'p' is empty or there twice"),
        ([], "a.tsv.gz: line 1, column 1: the name '' is empty"),
    ],
)
def test_a_fault_in_a_file_is_told_with_its_place(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(UserError) as told:
        pmlb_set(tmp_path, *lines).draw(0)
    assert message in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["a b", "a|b", "x; touch F", "a.b"])
def test_the_name_of_a_file_is_the_name_of_its_set(tmp_path: Path, name: str) -> None:
    write(tmp_path / f"{name}.tsv.gz", "p\ttarget", "1\t2")
    with pytest.raises(UserError, match="is no name for a data set; use letters, digits, _ and - alone"):
        pmlb20(tmp_path, seed=0)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)


def replace_by_text(path: Path) -> None:
    path.write_text("p\ttarget\n1\t2\n")


def replace_by_bytes(path: Path) -> None:
    path.write_bytes(gzip.compress(b"p\ttarget\n\xff\xfe\t2\n"))


@pytest.mark.parametrize("damage", [cut, flip, replace_by_text, replace_by_bytes, Path.unlink])
def test_a_damaged_file_is_told_by_name(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    rows = np.random.default_rng(0).random((500, 2)).tolist()
    path = write(tmp_path / "a.tsv.gz", "p\ttarget", *[f"{p}\t{q}" for p, q in rows])
    dataset = pmlb20(tmp_path, seed=0)["a"]
    damage(path)
    with pytest.raises(UserError, match=r"a\.tsv\.gz: (damaged|no such file)"):
        dataset.draw(0)


@pytest.fixture
def synthetic(tmp_path: Path) -> Path:
    """A folder of all synthetic sets, each file a link to the real one."""
    for path in (REAL / "synthetic2022").iterdir():
        (tmp_path / path.name).symlink_to(path)
    return tmp_path


@real
def test_a_draw_without_its_test_file_is_told(synthetic: Path) -> None:
    (synthetic / "2082_noise_easy_data_test.csv.gz").unlink()
    with pytest.raises(UserError, match=r"2082_noise_easy_data_test\.csv\.gz: no such file"):
        synthetic2022(synthetic)


@real
def test_a_draw_without_its_training_file_is_told(synthetic: Path) -> None:
    (synthetic / "2082_noise_easy_data_train.csv.gz").unlink()
    with pytest.raises(UserError, match=r"2082_noise_easy_data_train\.csv\.gz: no such file"):
        synthetic2022(synthetic)


@real
def test_a_set_has_the_draws_that_are_there_and_those_that_are_not_there_are_left_out(synthetic: Path) -> None:
    for part in ("train", "test"):
        (synthetic / f"2082_localopt_hard_data_{part}.csv.gz").unlink()
    for path in synthetic.glob("*_noise_base_*"):
        path.unlink()
    sets = synthetic2022(synthetic)
    assert set(synthetic_names()) - set(sets) == {"noise_base"}
    assert {name: dataset.draws for name, dataset in sets.items() if dataset.draws != 10} == {"localopt_hard": 9}
    with pytest.raises(UserError, match=r"has 9 draws; set competition\.repetitions"):
        sets["localopt_hard"].draw(9)


@pytest.mark.parametrize("read_sets", [synthetic2022, realworld2022])
def test_a_folder_without_any_of_its_sets_is_told(tmp_path: Path, read_sets: Callable[[Path], object]) -> None:
    with pytest.raises(UserError, match=r"_train\.csv\.gz: no such file"):
        read_sets(tmp_path)


@real
def test_a_missing_column_is_told_with_the_nearest(synthetic: Path) -> None:
    path = synthetic / "2082_noise_base_data_test.csv.gz"
    path.unlink()
    write(path, "x_1,y", "1,2")
    with pytest.raises(UserError, match=r"line 1: no column 'x1'; did you mean 'x_1'\?"):
        synthetic2022(synthetic)["noise_base"].draw(0)


@real
def test_two_files_for_one_real_world_set_are_told(tmp_path: Path) -> None:
    shutil.copytree(REAL / "realworld2022", tmp_path / "all")
    training = tmp_path / "all" / "135_NY_value_hosp_14_14_train.csv.gz"
    (tmp_path / "all").chmod(0o755)
    shutil.copy(training, training.with_name("136_NY_value_hosp_14_14_train.csv.gz"))
    with pytest.raises(UserError, match=r"135_NY.*136_NY_value_hosp"):
        realworld2022(tmp_path / "all")
