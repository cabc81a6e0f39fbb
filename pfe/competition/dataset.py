"""What a method is run on: a data set, from which every repetition draws training and test points.

Example: `catalog(seed=0, path=None)["made/noise/easy"].draw(3)` is the fourth draw: 60 training points, 400 test
points, and as many probe points: the test points with a target free of noise.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pfe.errors import UserError

Values = NDArray[np.float64]
_NAME = re.compile(r"[A-Za-z0-9_-]+")
Property = Literal["exact_formula", "irrelevant_features", "local_optima", "extrapolation", "noise"]
PROPERTIES: tuple[Property, ...] = ("exact_formula", "irrelevant_features", "local_optima", "extrapolation", "noise")


@dataclass(frozen=True, eq=False)
class LabelledPoints:
    """Points x of shape (n, d) and their target y of shape (n,), both float64 and finite.

    Raises:
        ValueError: shapes that do not fit, or values that are not finite.
    """

    x: Values
    y: Values

    def __post_init__(self) -> None:
        if self.x.ndim != 2 or self.y.shape != self.x.shape[:1]:
            raise ValueError(f"x of shape {self.x.shape} and y of shape {self.y.shape} are no table")
        if not (np.isfinite(self.x).all() and np.isfinite(self.y).all()):
            raise ValueError("a table holds finite numbers only")


def labelled(values: Values) -> LabelledPoints:
    """Rows whose last number is the target."""
    return LabelledPoints(values[:, :-1].copy(), values[:, -1].copy())


@dataclass(frozen=True, eq=False)
class Draw:
    """One repetition's data; `probe` holds the points on which a property that is an R² is measured, else None."""

    train: LabelledPoints
    test: LabelledPoints
    probe: LabelledPoints | None = None

    def sha256(self) -> str:
        """The hash of all values and shapes, in hexadecimal digits; equal draws have equal hashes on any machine."""
        digest = hashlib.sha256()
        for points in (self.train, self.test, self.probe):
            for values in (points.x, points.y) if points else ():
                digest.update(repr(values.shape).encode())
                digest.update(values.astype("<f8").tobytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class DataSet:
    """A named source of draws over `columns`; the same repetition always gives the same draw.

    `property` is what the set is made to test:
        exact_formula: the share of repetitions whose model is equivalent to `truth`;
        irrelevant_features, local_optima: 1 − the share of the `unwanted` columns that the model uses;
        extrapolation: R² on the probe, points beyond the range of the training points;
        noise: R² on the probe, the test points with their target free of noise.
    `truth` is an expression over the columns, where one is known and can be written. `draws` is how many there are;
    None where there is no end to them.
    """

    name: str
    columns: tuple[str, ...]
    draw: Callable[[int], Draw]
    property: Property | None = None
    truth: str | None = None
    unwanted: tuple[str, ...] = ()
    draws: int | None = None


def generator(seed: int, name: str, repetition: int) -> np.random.Generator:
    """The random numbers of one draw: they depend on these three alone, not on what is drawn before."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(f"{seed}:{name}:{repetition}".encode()).digest()))


def split_rows(values: Values, rng: np.random.Generator) -> tuple[Values, Values]:
    """Three quarters of the rows, drawn at random, and the others."""
    order, cut = rng.permutation(len(values)), 3 * len(values) // 4
    return values[order[:cut]], values[order[cut:]]


def name_of(path: Path, stem: str) -> str:
    """The name of a set that a file or its folder has, which stands in tables and patterns.

    Raises:
        UserError: it is no name.
    """
    if not _NAME.fullmatch(stem):
        raise UserError(f"{path}: '{stem}' is no name for a data set; use letters, digits, _ and - alone")
    return stem


def numbered(count: int) -> tuple[str, ...]:
    """The column names x1, x2, … of a set whose columns have no meaning of their own."""
    return tuple(f"x{place}" for place in range(1, count + 1))
