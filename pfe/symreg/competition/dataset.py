"""A data set, from which each repetition draws training and test points.

Example: `catalog(seed=0, path=None)["made/noise/easy"].draw(3)` is the fourth draw: 60 training points, 400 test
points, and 400 probe points, which are the test points with a noise-free target.
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
        ValueError: the shapes do not fit, or values are not finite.
    """

    x: Values
    y: Values

    def __post_init__(self) -> None:
        if self.x.ndim != 2 or self.y.shape != self.x.shape[:1]:
            raise ValueError(f"x of shape {self.x.shape} and y of shape {self.y.shape} are no table")
        if not (np.isfinite(self.x).all() and np.isfinite(self.y).all()):
            raise ValueError("a table holds finite numbers only")


def labelled(values: Values) -> LabelledPoints:
    """Return the rows as points, with the last number of each row as the target."""
    return LabelledPoints(values[:, :-1].copy(), values[:, -1].copy())


@dataclass(frozen=True, eq=False)
class Draw:
    """The data of one repetition; `probe` holds the points for a property that is an R², otherwise it is None."""

    train: LabelledPoints
    test: LabelledPoints
    probe: LabelledPoints | None = None

    def sha256(self) -> str:
        """Return the SHA-256 (hex) of all values and shapes; equal draws have equal hashes on any machine."""
        digest = hashlib.sha256()
        for points in (self.train, self.test, self.probe):
            for values in (points.x, points.y) if points else ():
                digest.update(repr(values.shape).encode())
                digest.update(values.astype("<f8").tobytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class DataSet:
    """A named source of draws over `columns`; the same repetition always gives the same draw.

    `property` is the property that the data set tests:
        exact_formula: the share of repetitions whose model is equivalent to `truth`;
        irrelevant_features, local_optima: 1 − the share of the `unwanted` columns that the model uses;
        extrapolation: R² on the probe, whose points lie beyond the range of the training points;
        noise: R² on the probe, which is the test points with a noise-free target.
    `truth` is an expression over the columns, if one is known and can be written. `draws` is the number of draws; None
    if it is unlimited.
    """

    name: str
    columns: tuple[str, ...]
    draw: Callable[[int], Draw]
    property: Property | None = None
    truth: str | None = None
    unwanted: tuple[str, ...] = ()
    draws: int | None = None


def generator(seed: int, name: str, repetition: int) -> np.random.Generator:
    """Return the random generator of one draw, which depends only on the seed, the name and the repetition."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(f"{seed}:{name}:{repetition}".encode()).digest()))


def split_rows(values: Values, rng: np.random.Generator) -> tuple[Values, Values]:
    """Return a random three quarters of the rows, and the remaining rows."""
    order, cut = rng.permutation(len(values)), 3 * len(values) // 4
    return values[order[:cut]], values[order[cut:]]


def name_of(path: Path, stem: str) -> str:
    """Return the stem of a file or folder as the name of its data set, for use in tables and patterns.

    Raises:
        UserError: the stem contains other characters than letters, digits, _ and -.
    """
    if not _NAME.fullmatch(stem):
        raise UserError(f"{path}: '{stem}' is no name for a data set; use letters, digits, _ and - alone")
    return stem


def numbered(count: int) -> tuple[str, ...]:
    """Return the column names x1, x2, … for a data set whose columns have no meaning of their own."""
    return tuple(f"x{place}" for place in range(1, count + 1))
