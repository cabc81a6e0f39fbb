"""Every notation, held against what the real packages predict."""

import warnings
from collections.abc import Sequence
from functools import cache
from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pfe.symreg.competition.notation import GPLEARN, OPERON, UntranslatableError, by_place, polynomial, readings
from pfe.symreg.competition.outcome import difference
from pfe.symreg.expressions.parser import parse

COLUMNS = ("x1", "x2", "x3")  # as in our data sets; gplearn's X1 is the second of them, operon's the first
POINTS = np.random.default_rng(0).uniform(-2, 2, (60, 3))
POINTS[:3] = [[0.0005, -0.0005, 0], [-0.001, 0.001, 1], [0.0011, 0, -1]]  # around gplearn's guards
LEAVES = st.integers(0, 2) | st.floats(-3, 3).filter(lambda value: abs(value) > 1e-6)


def trees(functions: Sequence[tuple[Any, int]]) -> st.SearchStrategy[list[Any]]:
    """Trees in prefix order."""

    def grown(below: st.SearchStrategy[list[Any]]) -> st.SearchStrategy[list[Any]]:
        return st.sampled_from(functions).flatmap(
            lambda function: st.tuples(*[below] * function[1]).map(lambda parts: [function, *chain(*parts)])
        )

    return st.recursive(LEAVES.map(lambda leaf: [leaf]), grown, max_leaves=8)


def told(regressor: Any, expression: str) -> NDArray[np.float64]:
    (text,) = readings(regressor, expression, COLUMNS)
    return parse(text, COLUMNS).predict(POINTS)


def gplearn_functions() -> dict[str, Any]:
    """By name; gplearn and pyoperon are imported where they are needed, as collecting the tests takes them no time."""
    from gplearn.functions import _function_map

    return dict(_function_map)


GPLEARN_TREES = st.deferred(lambda: trees([(function, function.arity) for function in gplearn_functions().values()]))


@given(tree=GPLEARN_TREES)
def test_a_gplearn_program_says_what_gplearn_computes(tree: list[Any]) -> None:
    program = [node[0] if isinstance(node, tuple) else node for node in tree]
    own = gplearn_values(program)
    if np.isfinite(own).all():
        assert told(SimpleNamespace(_program=SimpleNamespace(program=program)), "gplearn") == pytest.approx(
            own, rel=1e-9
        )


def gplearn_values(program: list[Any]) -> NDArray[np.float64]:
    """As `_Program.execute` computes it, by gplearn's own functions."""
    stack: list[Any] = []
    with np.errstate(all="ignore"):
        for node in reversed(program):
            if isinstance(node, int):
                stack.append(POINTS[:, node])
            elif isinstance(node, float):
                stack.append(np.full(len(POINTS), node))
            else:
                stack.append(node(*(stack.pop() for _ in range(node.arity))))
    return np.asarray(stack[0])


def test_all_functions_of_gplearn_are_known() -> None:
    assert set(GPLEARN) == {*gplearn_functions(), "sig"}


def test_a_fitted_gplearn_regressor_is_told_with_all_digits() -> None:
    from gplearn.genetic import SymbolicRegressor

    functions = tuple(gplearn_functions())
    y = POINTS[:, 0] * POINTS[:, 2] - 0.123456789
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        regressor = SymbolicRegressor(population_size=60, generations=4, function_set=functions, random_state=5)
        fitted = regressor.fit(POINTS, y)
    assert told(fitted, "gplearn") == pytest.approx(fitted.predict(POINTS), rel=1e-9)


def test_deep_gplearn_programs_are_told() -> None:
    program = [gplearn_functions()["sin"]] * 3000 + [1]
    (text,) = readings(SimpleNamespace(_program=SimpleNamespace(program=program)), "gplearn", COLUMNS)
    assert text == "sin(" * 3000 + "x2" + ")" * 3000


@cache
def node_types() -> dict[str, Any]:
    import pyoperon

    return {pyoperon.Node(kind).Name: kind for kind in pyoperon.NodeType.__members__.values()}


def operon(nodes: list[Any]) -> Any:
    """A regressor of pyoperon that holds a tree of these nodes, in postfix order."""
    import pyoperon
    from pyoperon.sklearn import SymbolicRegressor

    regressor = SymbolicRegressor(population_size=2, generations=1, max_length=5, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        regressor.fit(POINTS, POINTS[:, 0])
    hashes = list(regressor.variables_)
    made = []
    for node in nodes:
        if isinstance(node, int):
            made.append(pyoperon.Node.Variable(1.0 if node else -0.7))
            made[-1].HashValue = made[-1].CalculatedHashValue = hashes[node]
        elif isinstance(node, float):
            made.append(pyoperon.Node.Constant(node))
        else:
            made.append(pyoperon.Node(node_types()[node[0]]))
            made[-1].Arity = node[1]
    regressor.model_ = pyoperon.Tree(made).UpdateNodes()
    return regressor


UNKNOWN = {"dyn"}
CHAINS = ("+", "*", "-", "/")
PAIRS = ("pow", "powabs", "aq", "fmin", "fmax")


@pytest.mark.parametrize("name", sorted(OPERON))
def test_every_node_of_operon_says_what_operon_computes(name: str) -> None:
    for arity in (1, 2, 3) if name in CHAINS else (2,) if name in PAIRS else (1,):
        regressor = operon([*range(arity), (name, arity)])
        own, ours = regressor.predict(POINTS), told(regressor, "operon")
        assert np.array_equal(np.isfinite(own), np.isfinite(ours))
        assert np.isfinite(own).sum() > 10
        known = np.isfinite(own)
        assert ours[known] == pytest.approx(own[known], rel=2e-5, abs=1e-6)


def test_all_nodes_of_operon_are_known_but_those_that_the_grammar_lacks() -> None:
    assert set(OPERON) == set(node_types()) - UNKNOWN - {"constant", "variable"}
    with pytest.raises(UntranslatableError, match="dyn"):
        readings(operon([1, ("dyn", 1)]), "operon", COLUMNS)


SMOOTH = [(name, 2) for name in ("+", "-", "*", "aq", "fmin", "fmax")] + [("sin", 1), ("-", 1), ("cbrt", 1)]


@settings(max_examples=40)
@given(tree=trees(SMOOTH))
def test_a_tree_of_operon_nests_as_operon_nests_it(tree: list[Any]) -> None:
    # Prefix order reversed is postfix order with the first argument last, which is operon's.
    regressor = operon(tree[::-1])
    own = regressor.predict(POINTS).astype(np.float64)
    assert told(regressor, "operon") == pytest.approx(own, rel=1e-3, abs=1e-3 * (1 + np.abs(own).max()))


def test_a_fitted_operon_regressor_predicts_as_told() -> None:
    from pyoperon.sklearn import SymbolicRegressor

    y = POINTS[:, 0] * POINTS[:, 2] - 0.123456789
    regressor = SymbolicRegressor(population_size=50, generations=10, optimizer_iterations=3, random_state=2)
    fitted = regressor.fit(POINTS, y)
    assert difference(np.asarray(fitted.predict(POINTS), float), told(fitted, "operon")) < 0.01


@given(constant=st.floats(-1e6, 1e6), weights=st.lists(st.floats(-1e6, 1e6) | st.just(0.0), min_size=3, max_size=3))
def test_a_linear_model_is_told_with_all_its_digits(constant: float, weights: list[float]) -> None:
    fitted = SimpleNamespace(intercept_=np.float64(constant), coef_=np.array(weights))
    scale = 1 + abs(constant) + sum(map(abs, weights))
    assert told(fitted, "linear") == pytest.approx(POINTS @ weights + constant, abs=1e-12 * scale)


def test_terms_of_weight_zero_are_left_out() -> None:
    text = polynomial(-1.5, [0.0, -2.0, 1e-7], [[1, 0], [2, 1], [0, 1]], ("a", "b"))
    assert text == "-1.5 - 2.0 * a ** 2 * b + 1e-07 * b"


def test_places_in_a_plain_text_are_read_from_nought_and_from_one() -> None:
    assert by_place("X1 + exp(x_2)", ("a", "b", "c")) == ("b + exp(c)", "a + exp(b)")
    assert by_place("x0 * 1.5e3", ("a", "b")) == ("a * 1.5e3",)
    assert by_place("ARG1 + x[0]*X[:, 2]", ("a", "b", "c")) == ("b + a*c",)
    assert by_place("X[:,1] - x[ 2 ]", ("a", "b")) == ("a - b",)
    assert by_place("x10", tuple(f"x{place}" for place in range(1, 11))) == ("x10",)
    assert by_place("exp(lread) + max(lread, 2)", ("lread",)) == ("exp(lread) + max(lread, 2)",)


def test_a_place_beyond_the_columns_is_refused() -> None:
    with pytest.raises(UntranslatableError, match="x9"):
        by_place("x9 + x1", ("a", "b"))


@given(text=st.text(max_size=80))
def test_any_text_has_a_reading_or_is_refused(text: str) -> None:
    try:
        assert 1 <= len(by_place(text, COLUMNS)) <= 2
    except UntranslatableError:
        assert any(sign.isdigit() for sign in text)


def test_an_attribute_and_a_method_both_tell_a_model() -> None:
    assert readings(SimpleNamespace(sympy_="sin(x0)"), "sympy_", COLUMNS) == ("sin(x1)",)
    assert readings(SimpleNamespace(model=lambda: "sin(x0)"), "model", COLUMNS) == ("sin(x1)",)
