"""A sparse polynomial regressor: products of powers of the columns, standardised and selected by the lasso.

Example: `PolynomialLasso(degree=2, terms=300)` on columns a, b weighs a, b, a², ab and b²; terms of weight 0 are
dropped.
Source: Tibshirani 1996, Journal of the Royal Statistical Society B 58:267; the penalty is chosen by cross-validation.
"""

from dataclasses import dataclass
from math import comb
from typing import Self

import numpy as np
from numpy.typing import NDArray

FOLDS = 5
PENALTIES = 50  # number of penalties tried, on a logarithmic scale
ITERATIONS = 2000  # of coordinate descent per penalty; twice scikit-learn's, because collinear powers converge slowly


@dataclass
class PolynomialLasso:
    """A regressor with scikit-learn's interface.

    After fitting it has `powers_` (terms, columns), `coef_` (terms,) and `intercept_`, all for the raw columns:
    y = intercept_ + Σ coef_ᵢ · Π x ** powers_ᵢ.

    Args:
        degree: the highest degree; it is lowered if there would be more than `terms` terms, but not below 1.
        terms: the maximum number of terms to select from.
    """

    degree: int
    terms: int

    def fit(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> Self:
        """Select terms and fit their coefficients to x of shape (n, d) and y of shape (n,)."""
        from sklearn.linear_model import LassoCV
        from sklearn.preprocessing import PolynomialFeatures, StandardScaler

        columns = x.shape[1]
        degree = max((d for d in range(1, self.degree + 1) if comb(columns + d, d) - 1 <= self.terms), default=1)
        polynomial = PolynomialFeatures(degree, include_bias=False).fit(x)
        scaler = StandardScaler()
        scaled = scaler.fit_transform(polynomial.transform(x))
        lasso = LassoCV(alphas=PENALTIES, cv=FOLDS, max_iter=ITERATIONS).fit(scaled, y)
        raw = lasso.coef_ / scaler.scale_
        self.powers_ = polynomial.powers_[raw != 0]
        self.coef_ = raw[raw != 0]
        self.intercept_ = float(lasso.intercept_ - raw @ scaler.mean_)
        return self

    def predict(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the polynomial's values, shape (n,), at x of shape (n, d)."""
        predictions = np.full(len(x), self.intercept_)
        for weight, powers in zip(self.coef_, self.powers_, strict=True):
            predictions += weight * np.prod(x**powers, axis=1)
        return predictions
