"""Generated data sets: a family for each property of a model, and sets for the qualification.

Example: `made_sets(seed=0)["local_optima/easy"]` has five inputs x1 … x5, the truth
0.9*x1*x3 + 2*sin(1.5*x2) + 0.4*x4**3, and three surrogates x6 … x8, noisy copies of its three terms.

The families are those of the SRBench 2022 competition (de França et al. 2023, arXiv:2304.01117); the formulas are
this module's own. The qualification sets are classics; `qualification` lists the source of each.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from pfe.symreg.competition.dataset import DataSet, Draw, LabelledPoints, Property, Values, generator, numbered
from pfe.symreg.expressions.parser import parse

Inputs = Callable[[np.random.Generator, tuple[int, int]], Values]  # of a shape (points, columns)

DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Recipe:
    """The recipe of one data set: inputs x1, x2, … in `columns` columns, the target `truth`, and noise.

    The noise has the standard deviation `deviation`, or accounts for `share` of the noisy target's variance. Training
    and test points have the same noise. The probe of a set for `noise` or `extrapolation` has none. `beyond` samples
    the inputs of the probe of an extrapolation set.
    """

    name: str
    columns: int
    inputs: Inputs
    truth: str
    train: int = 200
    test: int = 400
    share: float = 0.0
    deviation: float = 0.0
    property: Property | None = None
    unwanted: tuple[str, ...] = ()
    beyond: Inputs | None = None


def made_sets(seed: int) -> dict[str, DataSet]:
    """Return every generated data set by name, such as `exact_formula/easy`; the seed affects the points alone."""
    families = (exact_formula, irrelevant_features, local_optima, extrapolation, noise, qualification)
    return {recipe.name: _dataset(recipe, seed) for recipe in chain.from_iterable(family() for family in families)}


def exact_formula() -> Iterator[Recipe]:
    """Yield sets without noise, so that the formula itself can be found; each has a few irrelevant columns."""
    formulas = (
        (5, "2*x1*x2 - 3*x3 + 1.5"),
        (6, "(x1**2 - 2*x2)/(1 + 0.5*x3**2)"),
        (6, "3*x1*exp(-0.5*x2**2) + 2*sin(x3 + x4)"),
    )
    for difficulty, (columns, truth) in zip(DIFFICULTIES, formulas, strict=True):
        name = f"exact_formula/{difficulty}"
        yield Recipe(name, columns, partial(_uniform, -3, 3), truth, property="exact_formula")


def irrelevant_features() -> Iterator[Recipe]:
    """Yield sums of products and powers of the first half of the columns; the other half is unwanted.

    Harder sets have more columns and more noise.
    """
    terms = ("1.2*x1*x2", "0.5*x3**3", "0.8*x4**2*x5", "1.1*x6*x7", "x8*x9*x10")
    sizes = ((3, 5, 0.02), (4, 7, 0.05), (5, 10, 0.1))
    for difficulty, (count, relevant, share) in zip(DIFFICULTIES, sizes, strict=True):
        yield Recipe(
            name=f"irrelevant_features/{difficulty}",
            columns=2 * relevant,
            inputs=partial(_uniform, -2, 2),
            truth=" + ".join(terms[:count]),
            train=300,
            share=share,
            property="irrelevant_features",
            unwanted=numbered(2 * relevant)[relevant:],
        )


PARTS = ("0.9*x1*x3", "2*sin(1.5*x2)", "0.4*x4**3", "0.6*x2*x5**2", "1.8*cos(x1 + x4)")  # of similar variance
PART_INPUTS = 5


def local_optima() -> Iterator[Recipe]:
    """Yield sums of parts with a noisy copy of each part as a surrogate; without the copies the fit can be exact."""
    for difficulty, count in zip(DIFFICULTIES, (3, 4, 5), strict=True):
        columns = PART_INPUTS + count
        yield Recipe(
            name=f"local_optima/{difficulty}",
            columns=columns,
            inputs=partial(_with_surrogates, PARTS[:count]),
            truth=" + ".join(PARTS[:count]),
            property="local_optima",
            unwanted=numbered(columns)[PART_INPUTS:],
        )


def extrapolation() -> Iterator[Recipe]:
    """Yield a saturating curve plus a wave, trained on [-6, 6] and probed from there to [-12, 12]; the noise rises."""
    for difficulty, share in zip(DIFFICULTIES, (0.02, 0.05, 0.1), strict=True):
        yield Recipe(
            name=f"extrapolation/{difficulty}",
            columns=1,
            inputs=partial(_uniform, -6, 6),
            truth="6*x1/(2 + abs(x1)) + sin(2*x1)",
            share=share,
            property="extrapolation",
            beyond=partial(_outside, 6, 12),
        )


def noise() -> Iterator[Recipe]:
    """Yield sets with few training points and much noise, so that a model can learn the noise instead of the truth."""
    for difficulty, share in zip(DIFFICULTIES, (0.05, 0.1, 0.15), strict=True):
        yield Recipe(
            name=f"noise/{difficulty}",
            columns=2,
            inputs=partial(_uniform, -4, 4),
            truth="4*x1/(1 + x1**2) + 0.3*x2**2",
            train=60,
            share=share,
            property="noise",
        )


def qualification() -> Iterator[Recipe]:
    """Yield sets similar to those of PMLB-20, most of which are Friedman's functions, 2dplanes and the like.

    Sources: friedman1, 2, 3: Friedman 1991, Annals of Statistics 19:1, with the noise of Breiman 1996, Machine Learning
    24:123; planes: Breiman, Friedman, Olshen and Stone 1984, Classification and Regression Trees, with the noise of
    PMLB's copy, 215_2dplanes; interactions: this module's own.
    """
    reactance = "(x2*x3 - 1/(x2*x4))"
    ranges = partial(_uniform, (0, 40 * math.pi, 0, 1), (100, 560 * math.pi, 1, 11))
    friedman1 = f"10*sin({math.pi!r}*x1*x2) + 20*(x3 - 0.5)**2 + 10*x4 + 5*x5"
    planes = "(1 + x1)/2*(3 + 3*x2 + 2*x3 + x4) + (1 - x1)/2*(-3 + 3*x5 + 2*x6 + x7)"
    interactions = "3*x1*x2 - 2*x2*x3 + 1.5*abs(x4) + x5 + 0.5*x6"
    yield Recipe("qualification/friedman1", 10, partial(_uniform, 0, 1), friedman1, deviation=1)
    yield Recipe("qualification/friedman2", 4, ranges, f"sqrt(x1**2 + {reactance}**2)", deviation=125)
    yield Recipe("qualification/friedman3", 4, ranges, f"atan({reactance}/x1)", deviation=0.1)
    yield Recipe("qualification/planes", 10, _signs, planes, deviation=1)
    yield Recipe("qualification/interactions", 8, partial(_uniform, -2, 2), interactions, share=0.1)


def _dataset(recipe: Recipe, seed: int) -> DataSet:
    columns = numbered(recipe.columns)
    draw = partial(_draw, recipe, seed)
    return DataSet(recipe.name, columns, draw, recipe.property, recipe.truth, recipe.unwanted)


def _draw(recipe: Recipe, seed: int, repetition: int) -> Draw:
    rng = generator(seed, recipe.name, repetition)
    law = parse(recipe.truth, numbered(recipe.columns)).predict
    x = recipe.inputs(rng, (recipe.train + recipe.test, recipe.columns))
    clean = law(x)
    y = clean + (recipe.deviation + _deviation(clean, recipe.share)) * rng.standard_normal(len(clean))
    train, test = slice(recipe.train), slice(recipe.train, None)
    probe = None
    if recipe.property == "noise":
        probe = LabelledPoints(x[test], clean[test])
    if recipe.beyond:
        outside = recipe.beyond(rng, (recipe.test, recipe.columns))
        probe = LabelledPoints(outside, law(outside))
    return Draw(LabelledPoints(x[train], y[train]), LabelledPoints(x[test], y[test]), probe)


def _deviation(clean: Values, share: float) -> float:
    """Return the standard deviation of noise that accounts for `share` of the variance of `clean` plus that noise."""
    return float(clean.std()) * math.sqrt(share / (1 - share))


def _uniform(
    low: float | Sequence[float], high: float | Sequence[float], rng: np.random.Generator, shape: tuple[int, int]
) -> Values:
    return rng.uniform(low, high, shape)


def _outside(inner: float, outer: float, rng: np.random.Generator, shape: tuple[int, int]) -> Values:
    """Return points whose every coordinate lies between inner and outer in absolute value."""
    return rng.choice((-1.0, 1.0), shape) * (outer - (outer - inner) * rng.random(shape))


def _signs(rng: np.random.Generator, shape: tuple[int, int]) -> Values:
    """Return -1 or 1 in the first column, and -1, 0 or 1 in the others."""
    x = rng.integers(-1, 2, shape).astype(np.float64)
    x[:, 0] = rng.choice((-1.0, 1.0), len(x))
    return x


SURROGATE_NOISE = 0.1  # share of a surrogate's variance; all surrogates together reach an R² of only about 0.9


def _with_surrogates(parts: Sequence[str], rng: np.random.Generator, shape: tuple[int, int]) -> Values:
    x = rng.uniform(-2, 2, (shape[0], PART_INPUTS))
    copies = np.column_stack([parse(part, numbered(PART_INPUTS)).predict(x) for part in parts])
    spread = np.array([_deviation(copy, SURROGATE_NOISE) for copy in copies.T])
    return np.hstack([x, copies + spread * rng.standard_normal(copies.shape)])
