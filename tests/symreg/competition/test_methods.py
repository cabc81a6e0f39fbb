"""The entries of conf/method, their regressors and what tells their versions apart."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.config import Method
from pfe.errors import UserError
from pfe.symreg.competition.methods import build, how_to_install, mistake, version
from pfe.symreg.competition.notation import NOTATIONS, readings
from pfe.symreg.competition.polynomial import PolynomialLasso
from pfe.symreg.expressions.parser import parse
from tests.conftest import ROOT

FILES = sorted((ROOT / "conf" / "method").glob("*.yaml"))


def entry(path: Path) -> Method:
    return Method(**yaml.safe_load(path.read_text()))


LINEAR = entry(ROOT / "conf/method/linear.yaml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_entry_builds_a_seeded_regressor_whose_notation_is_known(path: Path) -> None:
    package, command, *_ = path.read_text().splitlines()
    method = entry(path)
    regressor = build(method, 12345)
    assert package == f"# @package methods.{path.stem}"
    assert "dvc exp run -S 'method=[" in command
    assert path.stem in command
    assert method.expression in NOTATIONS
    assert method.seed is None or getattr(regressor, method.seed) == 12345


def test_the_four_methods_have_an_entry() -> None:
    assert {path.stem for path in FILES} >= {"linear", "lasso", "gplearn", "operon"}


def test_a_version_names_the_distribution_that_brings_the_package() -> None:
    assert version(LINEAR).startswith("scikit-learn ")


@pytest.mark.parametrize("regressor", ["sr_of_my_own.tree.Regressor", "tree_of_my_own.Regressor"])
def test_a_module_of_ones_own_has_another_version_when_it_or_what_it_imports_is_changed(
    regressor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path.joinpath(*regressor.split(".")[:-1]).with_suffix(".py")
    file.parent.mkdir(exist_ok=True)
    file.with_name("__init__.py").touch()
    method = replace(LINEAR, regressor=regressor)
    helper = tmp_path / "helper_of_my_own.py"
    helper.write_text("b = 1")
    seen = set()
    for content in ("a = 1", "a = 2", '"""Says."""\na = 2  # two', "import helper_of_my_own", "not Python"):
        file.write_text(content)
        seen.add(version(method))
    assert len(seen) == 4
    file.write_text("import helper_of_my_own")
    helper.write_text("b = 2")
    assert version(method) not in seen


def test_a_missing_package_is_told_with_what_installs_it() -> None:
    with pytest.raises(UserError, match=r"no package 'nowhere' .*install the package that brings 'nowhere' here"):
        version(replace(LINEAR, regressor="nowhere.at.All"))
    assert how_to_install("gplearn") == how_to_install("pyoperon") == "pip install 'pfe[competition]'"


def test_a_regressor_without_a_module_is_a_users_error() -> None:
    with pytest.raises(UserError):
        version(replace(LINEAR, regressor="LinearRegression"))


def test_the_polynomial_lasso_finds_a_sparse_polynomial() -> None:
    x = np.random.default_rng(0).uniform(-2, 2, (200, 3))
    y = 1 + 3 * x[:, 0] * x[:, 1] - 2 * x[:, 2] ** 3
    fitted = PolynomialLasso(degree=3, terms=300).fit(x, y)
    large = {tuple(powers) for powers, weight in zip(fitted.powers_, fitted.coef_, strict=True) if abs(weight) > 0.1}
    assert large == {(1, 1, 0), (0, 0, 3)}
    assert np.corrcoef(fitted.predict(x), y)[0, 1] > 0.999


@settings(max_examples=15)
@given(columns=st.integers(1, 12), degree=st.integers(1, 3), terms=st.integers(1, 120))
def test_the_polynomial_lasso_chooses_from_no_more_terms_than_allowed_unless_the_columns_are_more(
    columns: int, degree: int, terms: int
) -> None:
    x = np.random.default_rng(1).normal(size=(20, columns))
    fitted = PolynomialLasso(degree, terms).fit(x, x[:, 0])
    assert len(fitted.coef_) <= max(terms, columns)
    assert fitted.powers_.sum(axis=1).max(initial=0) <= degree


def test_the_polynomial_lasso_takes_a_constant_column_and_a_constant_target() -> None:
    x = np.column_stack([np.ones(30), np.arange(30.0)])
    assert PolynomialLasso(2, 100).fit(x, np.full(30, 5.0)).predict(x) == pytest.approx(np.full(30, 5.0))
    fitted = PolynomialLasso(2, 100).fit(x, 2 * x[:, 1])
    text = readings(fitted, "polynomial", ("a", "b"))[0]
    assert parse(text, ("a", "b")).predict(x) == pytest.approx(fitted.predict(x))


MISTAKES = [
    ({"regressor": "gplearn.nowhere.All"}, "regressor: no module 'nowhere' in gplearn"),
    ({"regressor": "gplearn.genetics.SymbolicRegressor"}, "no module 'genetics' in gplearn; did you mean 'genetic'"),
    ({"regressor": "sklearn.linear_model.base.LinearRegression"}, "no module 'base' in sklearn.linear_model"),
    ({"regressor": "os.path.join.All"}, "regressor: no module"),
    (
        {"regressor": "tests.symreg.competition.misbehaving.Honets"},
        "regressor: no 'Honets' in .*; did you mean 'Honest'",
    ),
    ({"regressor": "tests.symreg.competition.misbehaving.NoRegressor"}, "regressor: .*NoRegressor has no predict"),
    ({"settings": {"notte": 1}}, "settings.notte: .*Honest takes no such setting; did you mean 'note'"),
    ({"seed": "random_state"}, "seed: .*Honest takes no 'random_state'; null where it takes none"),
    (
        {"regressor": "tests.symreg.competition.misbehaving.TakesASeed", "seed": "randomstate"},
        "seed: .*; did you mean 'random_state'",
    ),
    (
        {
            "regressor": "tests.symreg.competition.misbehaving.TakesASeed",
            "seed": "random_state",
            "settings": {"random_state": 1},
        },
        "settings.random_state: it is the argument that takes the seed; leave one of the two out",
    ),
    ({"expression": "tolled"}, "expression: 'tolled' is no notation and no attribute of .*; did you mean 'told'"),
    ({"expression": "operno"}, "expression: 'operno' .*; did you mean 'operon'"),
    (
        {"regressor": "tests.symreg.competition.misbehaving.TellsWhenFitted", "expression": "equatoin_"},
        "did you mean 'equation_'",
    ),
    ({"expression": "zzz"}, "notations: gplearn, linear, operon, polynomial"),
    (
        {"regressor": "sklearn.linear_model.LinearRegression", "expression": "equatoin"},
        "expression: 'equatoin' is no notation and no attribute of sklearn.linear_model.LinearRegression",
    ),
]


@pytest.mark.parametrize(("changes", "told"), MISTAKES, ids=[told[:60] for _, told in MISTAKES])
def test_a_mistake_in_an_entry_is_told_with_the_nearest_that_is_right(changes: dict[str, Any], told: str) -> None:
    entry: dict[str, Any] = {
        "regressor": "tests.symreg.competition.misbehaving.Honest",
        "expression": "told",
        "seed": None,
    }
    found = mistake(Method(label="Mine", **{"settings": {}, **entry, **changes}))
    assert found is not None
    assert re.search(told, found), found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_entries_have_no_mistake(path: Path) -> None:
    assert mistake(entry(path)) is None
