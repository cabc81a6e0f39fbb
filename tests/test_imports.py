"""What an import costs and where it points, and what every module keeps to: no circles, no torch without need."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.conftest import ROOT

FLOORS = [
    {
        "arms", "errors", "extras", "files", "fingerprint", "hub", "lock", "processes", "progress", "quiet",
        "resources", "terminal", "thoughts", "run_times",
    },
    {"problem", "stage", "cache"},
    {"config", "sandbox"},
    {"icr", "embedding"},
    {"scorers", "rows", "canonical", "models", "scores"},
    {"judging"},
    {"tutors", "invented", "firewall", "evaluation"},
    {"params", "screening", "completion", "revisions", "scored_answers", "examination"},
    {"training", "report", "leakage", "calibration", "quality", "symreg"},
    {"export", "api"},
    {"commands"},
    {"__main__"},
]  # fmt: skip


def direct_imports(path: Path) -> Iterator[Path]:
    """The project's files that a file imports itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            for candidate in (ROOT / f"{name.replace('.', '/')}.py", ROOT / name.replace(".", "/") / "__init__.py"):
                if candidate.is_file():
                    yield candidate


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = nx.DiGraph(
        (path, imported)
        for path in (ROOT / "pfe").rglob("*.py")
        for imported in direct_imports(path)
        if path != imported
    )
    assert nx.is_directed_acyclic_graph(graph), nx.find_cycle(graph)


def test_no_import_points_upwards() -> None:
    floor = {name: level for level, names in enumerate(FLOORS) for name in names}
    for path in (ROOT / "pfe").rglob("*.py"):
        own = path.relative_to(ROOT / "pfe").parts[0].removesuffix(".py")
        for imported in direct_imports(path):
            other = imported.relative_to(ROOT / "pfe").parts[0].removesuffix(".py")
            if "__init__" not in (own, other):
                assert floor[other] <= floor[own], f"{path} imports {imported}"


# Where the two tracks meet: the Python functions, and the page with its parts.
JOINS = {"api.py", "report/html/parts.py"}
LANGUAGE = {
    "calibration", "canonical", "embedding", "evaluation", "firewall", "icr", "invented", "leakage", "models",
    "quality", "scorers", "scores", "screening", "training", "tutors",
}  # fmt: skip


def test_symbolic_regression_and_language_models_import_nothing_of_each_other() -> None:
    for path in (ROOT / "pfe").rglob("*.py"):
        own = path.relative_to(ROOT / "pfe")
        for imported in direct_imports(path):
            other = imported.relative_to(ROOT / "pfe")
            if own.parts[0] == "symreg":
                assert other.parts[0] not in LANGUAGE, f"{own} imports {other}"
            elif other.parts[0] == "symreg":
                assert own.as_posix() in JOINS, f"{own} imports {other}"


SLOW_TO_IMPORT = {"trl", "wandb", "mlflow", "vllm", "inspect_ai", "lm_eval"}  # seconds each


def imported_at_once(path: Path) -> Iterator[str]:
    """The modules that a file imports when it is imported itself, and not inside a function or for types alone."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for_types = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
            waiting += node.orelse if for_types else ast.iter_child_nodes(node)  # type: ignore[attr-defined]


def test_a_library_that_is_slow_to_import_is_imported_where_it_is_used() -> None:
    imports = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): set(imported_at_once(path))
        for folder in ("pfe", "stages")
        for path in (ROOT / folder).rglob("*.py")
    }
    slow = {module for module, names in imports.items() if SLOW_TO_IMPORT & {name.partition(".")[0] for name in names}}
    assert slow >= {"pfe.training.trainer", "pfe.training.gkd_trainer", "pfe.export.wandb"}
    assert {module: names & slow for module, names in imports.items() if names & slow} == {}


NEED_TORCH = ("lookups", "train", "tutor")
SCRIPTS = [path.stem for path in sorted((ROOT / "stages").glob("*.py")) if path.stem not in ("__init__", *NEED_TORCH)]


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_stage_that_needs_no_torch_does_not_import_it(script: str) -> None:
    code = f"import sys, stages.{script}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "pfe").rglob("*.py"))
    if path.name not in ("__init__.py", "__main__.py") and "families" not in path.parts
]


def test_no_pattern_is_read_otherwise_by_an_earlier_python() -> None:
    """Possessive and atomic parts that hold groups match wrongly before Python 3.11.5 (python/cpython#106052)."""
    parser: Any = importlib.import_module("re._parser")
    patterns = {
        f"{module}.{name}": value
        for module in MODULES
        for name, value in vars(importlib.import_module(module)).items()
        if isinstance(value, re.Pattern)
    }
    parsed = {name: str(parser.parse(pattern.pattern, pattern.flags)) for name, pattern in patterns.items()}
    assert len(parsed) > 100
    assert [name for name, parts in parsed.items() if "POSSESSIVE" in parts or "ATOMIC" in parts] == []
