"""Data sets from files: PMLB-20 and the two tracks of the SRBench 2022 competition.

Example: `synthetic2022/2082_noise_easy_data_train.csv.gz` begins with the lines
    x1,y
    -10.0,37.69...
It holds the training data of repetition 0 of `noise_easy`, because 2082 is the lowest of that set's ten numbers.

Sources: PMLB, Romano et al. 2022, Bioinformatics 38:878; the competition, de França et al. 2023, arXiv:2304.01117.
The formulas in this module are those that the competition's data follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Never

from pfe.errors import UserError
from pfe.symreg.competition.dataset import (
    DataSet,
    Draw,
    LabelledPoints,
    Property,
    generator,
    labelled,
    name_of,
    numbered,
    split_rows,
)
from pfe.symreg.competition.tables import REMEDY, header, read
from pfe.symreg.expressions.parser import parse

DRAWS = 10  # draws that the competition published of each synthetic data set
REAL_WORLD = ("cases", "hosp", "deaths")


def pmlb20(folder: Path, seed: int) -> dict[str, DataSet]:
    """Return a data set for every `*.tsv.gz` file of the folder, with the target `target`.

    Each repetition trains on a different random three quarters of the rows.

    Raises:
        UserError: there is no such file, or one has no column `target` or an invalid name.
    """
    paths = sorted(folder.glob("*.tsv.gz")) or _no_such_file(folder / "*.tsv.gz")
    names = {path: name_of(path, path.name.removesuffix(".tsv.gz")) for path in paths}
    return {name: _pmlb(name, path, seed) for path, name in names.items()}


def synthetic2022(folder: Path) -> dict[str, DataSet]:
    """Return those of the 17 synthetic data sets that the folder holds, with the target `y`.

    Repetition i is the i-th draw in the order of their numbers. For an extrapolation set the probe is the test data.
    For a noise set it is the test data with the values of the formula as the target.

    Raises:
        UserError: the folder holds none of them, or a draw lacks its training or test file.
    """
    sets = {spec.name: _synthetic(spec, folder) for spec in _synthetic_specs() if _draws(spec, folder)}
    return sets or _no_such_file(folder / "*_data_train.csv.gz")


def realworld2022(folder: Path) -> dict[str, DataSet]:
    """Return the data sets of New York's cases, hospitalisations and deaths that the folder holds.

    The last column is the target. All repetitions are the same.

    Raises:
        UserError: the folder holds none of them, or one has no test file or several training files.
    """
    sets = {name: _real_world(name, paths) for name in REAL_WORLD if (paths := _of_new_york(name, folder))}
    return sets or _no_such_file(folder / "*_NY_value_*_train.csv.gz")


def synthetic_names() -> tuple[str, ...]:
    """Return the names of all 17 synthetic data sets."""
    return tuple(spec.name for spec in _synthetic_specs())


@dataclass(frozen=True)
class SyntheticSpec:
    """The specification of a synthetic data set: its property, columns, true formula and unwanted columns."""

    name: str
    property: Property
    columns: tuple[str, ...]
    truth: str
    unwanted: tuple[str, ...] = ()


def _synthetic_specs() -> list[SyntheticSpec]:
    plane = "0.4*x1*x2 - 1.5*x1 + 2.5*x2 + 1"
    fall = "(1 + 0.2*(x1**2 + x2**2))"
    selected = "0.11*x1**3 + 0.91*x2*x3 + 0.68*x4*x5 + 0.26*x6**2*x7 + 0.13*x8*x9*x10"
    parts = ("0.77*x1*x2", "1.52*x2*x3", "1.2*x4**2", "0.31*x1*x4*x5", "0.23*x3*x4*x5")
    noisy = "(0.11*x1**4 - 1.4*x1**3)/(0.68*x1**2 + 1)"
    wave = "erf(0.22*x) + 0.17*sin(5.5*x)"
    levels = ("easy", "medium", "hard")
    return [
        SyntheticSpec("exact_formula_easier", "exact_formula", numbered(10), plane),
        SyntheticSpec("exact_formula_easy", "exact_formula", numbered(10), f"{plane} + log(30*x3**2)"),
        SyntheticSpec("exact_formula_medium", "exact_formula", numbered(5), f"({plane})/{fall}"),
        SyntheticSpec("exact_formula_hard", "exact_formula", numbered(2), f"(5.5*sin(x1 + x2) + {plane})/{fall}"),
        *(SyntheticSpec(f"extrapolation_{level}", "extrapolation", ("x",), wave) for level in levels),
        *(
            SyntheticSpec(f"featureselection_{level}", "irrelevant_features", numbered(20), selected, numbered(20)[10:])
            for level in levels
        ),
        *(
            SyntheticSpec(
                f"localopt_{level}",
                "local_optima",
                numbered(5 + count),
                " + ".join(parts[:count]),
                numbered(5 + count)[5:],
            )
            for level, count in zip(levels, (3, 4, 5), strict=True)
        ),
        *(SyntheticSpec(f"noise_{level}", "noise", numbered(1), noisy) for level in ("base", *levels)),
    ]


def _pmlb(name: str, path: Path, seed: int) -> DataSet:
    names = header(path, "\t")
    if "target" not in names:
        raise UserError(f"{path}: line 1: no column 'target'; {REMEDY}")
    columns = tuple(column for column in names if column != "target")
    return DataSet(name, columns, partial(_pmlb_draw, name, path, columns, seed))


def _pmlb_draw(name: str, path: Path, columns: tuple[str, ...], seed: int, repetition: int) -> Draw:
    train, test = split_rows(read(path, (*columns, "target"), "\t"), generator(seed, name, repetition))
    return Draw(labelled(train), labelled(test))


def _synthetic(spec: SyntheticSpec, folder: Path) -> DataSet:
    pairs = tuple(_pair(folder / f"{number}_{spec.name}_data") for number in _draws(spec, folder))
    draw = partial(_synthetic_draw, spec, pairs)
    return DataSet(spec.name, spec.columns, draw, spec.property, spec.truth, spec.unwanted, len(pairs))


def _draws(spec: SyntheticSpec, folder: Path) -> list[str]:
    """Return the numbers of a set's draws in ascending order."""
    paths = [path for part in ("train", "test") for path in folder.glob(f"[0-9]*_{spec.name}_data_{part}.csv.gz")]
    return sorted({path.name.split("_")[0] for path in paths}, key=lambda number: (len(number), number))


def _synthetic_draw(spec: SyntheticSpec, pairs: Sequence[tuple[Path, Path]], repetition: int) -> Draw:
    if repetition >= len(pairs):
        raise UserError(f"{spec.name}: has {len(pairs)} draws; set competition.repetitions to no more")
    train, test = (labelled(read(path, (*spec.columns, "y"), ",")) for path in pairs[repetition])
    if spec.property == "extrapolation":
        return Draw(train, test, test)
    if spec.property == "noise":
        return Draw(train, test, LabelledPoints(test.x, parse(spec.truth, spec.columns).predict(test.x)))
    return Draw(train, test)


def _of_new_york(name: str, folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*_NY_value_{name}_14_14_train.csv.gz"))


def _real_world(name: str, train_files: Sequence[Path]) -> DataSet:
    if len(train_files) > 1:
        raise UserError(f"{train_files[0]}: so is {train_files[1].name}; leave one of them in {train_files[0].parent}")
    pair = _pair(train_files[0].with_name(train_files[0].name.removesuffix("_train.csv.gz")))
    *columns, target = (column for column in header(train_files[0], ",") if column != "date")
    return DataSet(name, tuple(columns), partial(_real_world_draw, pair, (*columns, target)))


def _real_world_draw(pair: tuple[Path, Path], columns: tuple[str, ...], repetition: int) -> Draw:
    train, test = (labelled(read(path, columns, ",")) for path in pair)
    return Draw(train, test)


def _pair(stem: Path) -> tuple[Path, Path]:
    train, test = (stem.with_name(f"{stem.name}_{part}.csv.gz") for part in ("train", "test"))
    for path in (train, test):
        if not path.is_file():
            raise UserError(f"{path}: no such file; every draw has a training and a test file")
    return train, test


def _no_such_file(pattern: Path) -> Never:
    raise UserError(f"{pattern}: no such file; see that the folder of data sets is the right one, and whole")
