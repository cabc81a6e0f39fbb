"""What dvc.yaml promises: the wall, and that every stage names the code it runs."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import yaml
from dvc.repo import Repo

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def stages() -> dict[str, Any]:
    """Every stage by name as DVC reads it, foreach unrolled: dependencies and outputs relative to the root."""
    return {
        stage.addressing: {
            "deps": [_relative(dep) for dep in stage.deps],
            "outs": [_relative(out) for out in stage.outs],
        }
        for stage in Repo(str(ROOT)).index.stages
    }


def _relative(output: Any) -> Path:
    path = Path(output.fs_path)
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def _graph(stages: dict[str, Any]) -> nx.DiGraph:
    """Paths and stages as nodes; what flows from one to the other as edges, folders holding what is in them."""
    graph = nx.DiGraph()
    for name, stage in stages.items():
        graph.add_edges_from((path, name) for path in stage["deps"] if not _is_parameter(path))
        graph.add_edges_from((name, path) for path in stage["outs"])
    paths = [node for node in graph if isinstance(node, Path)]
    for folder in paths:
        for inner in paths:
            if folder in inner.parents:
                graph.add_edge(inner, folder)
                graph.add_edge(folder, inner)
    return graph


def _is_parameter(path: Path) -> bool:
    return path.name == "params.yaml"


def test_no_path_leads_from_the_canonical_problems_to_training_but_through_the_accepted(stages: dict[str, Any]) -> None:
    graph = _graph(stages)
    canonical, accepted = Path("data/canonical"), Path("data/synthetic")
    assert nx.has_path(graph, canonical, "firewall")
    assert nx.has_path(graph, canonical, "train"), "the firewall's accepted problems are the one way through"
    graph.remove_node(accepted)
    assert not nx.has_path(graph, canonical, "train")


def test_a_leak_would_be_found(stages: dict[str, Any]) -> None:
    corpus = stages["corpus"]
    leaky = stages | {"corpus": corpus | {"deps": [*corpus["deps"], Path("data/rejections")]}}
    graph = _graph(leaky)
    graph.remove_node(Path("data/synthetic"))
    assert nx.has_path(graph, Path("data/canonical"), "train")


def test_the_files_the_canonical_problems_come_from_reach_training_only_through_the_accepted(
    stages: dict[str, Any],
) -> None:
    readers = {
        Path("data/sample"): ["canonical"],
        Path("data/fncall/test.jsonl"): ["source@fncall"],
        Path("data/sources"): ["canonical", "calibrate"],
    }
    graph = _graph(stages)
    for source, expected in readers.items():
        assert [name for name, stage in stages.items() if source in stage["deps"]] == expected
        assert nx.has_path(graph, source, "train")
    graph.remove_node(Path("data/synthetic"))
    assert not any(nx.has_path(graph, source, "train") for source in readers)


SCRIPTS = sorted(path.stem for path in (ROOT / "stages").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_stage_depends_on_all_the_code_it_imports(script: str, stages: dict[str, Any]) -> None:
    stage = next(stage for name, stage in stages.items() if name.partition("@")[0] == script)
    missing = [module for module in _imported(ROOT / "stages" / f"{script}.py") if not _named(module, stage["deps"])]
    assert not missing, f"add to the deps of {script} in dvc.yaml: {sorted(map(str, missing))}"


# What changes no result: how mistakes are told, how files are replaced, how the configuration is typed, what is kept.
SILENT = {
    Path("pfe", f"{name}.py")
    for name in ("cache", "config", "errors", "files", "fingerprint", "lock", "stage", "terminal")
}


def _named(module: Path, deps: list[Path]) -> bool:
    named = any(dep == module or dep in module.parents for dep in deps)
    return named or module in SILENT or module in (Path("pfe/__init__.py"), Path("stages/__init__.py"))


def _imported(script: Path) -> set[Path]:
    """The project's files that a script imports, at any depth, inside functions too."""
    found: set[Path] = set()
    queue = [script]
    while queue:
        path = queue.pop()
        if path not in found:
            found.add(path)
            queue += direct_imports(path)
    return {path.relative_to(ROOT) for path in found}


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


def test_metrics_are_in_git_and_large_outputs_in_dvc() -> None:
    declared = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
    for stage in declared.values():
        for metric in stage.get("do", stage).get("metrics", []):
            ((path, options),) = metric.items()
            assert path.startswith("metrics/")
            assert options["cache"] is False
