"""What dvc.yaml promises: the wall, and that the code of every stage is watched."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import yaml
from dvc.repo import Repo

from pfe.config import Embedded, NewStudent
from pfe.fingerprint import PACKAGES, Project
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


def _with_code(stages: dict[str, Any]) -> dict[str, Any]:
    """The stages that run something: data that the repository brings along (.dvc) have no code."""
    return {name: stage for name, stage in stages.items() if not name.endswith(".dvc")}


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


def test_the_base_that_was_screened_is_read_where_models_are_examined_and_shown_alone(stages: dict[str, Any]) -> None:
    base = Path("data/base.parquet")
    assert [name for name, stage in stages.items() if base in stage["outs"]] == ["libraries"]
    assert {name.partition("@")[0] for name, stage in stages.items() if base in stage["deps"]} == {"evaluate", "page"}
    graph = _graph(stages)
    assert nx.has_path(graph, Path("data/canonical"), base)
    assert not nx.has_path(graph, base, "train")


def test_the_reference_comes_from_outside_and_is_asked_and_nothing_else(stages: dict[str, Any]) -> None:
    reference = Path("data/models/reference")
    graph = _graph(stages)
    assert [name for name, stage in stages.items() if reference in stage["outs"]] == ["data/models/reference.dvc"]
    assert not nx.ancestors(graph, reference) - {"data/models/reference.dvc"}
    asking = {name for name, stage in stages.items() if reference in stage["deps"]}
    assert asking == {"evaluate@reference", "lookups"}
    assert not nx.has_path(graph, reference, "train")


def test_every_stage_depends_on_its_code_and_names_no_other(stages: dict[str, Any]) -> None:
    declared = yaml.safe_load((ROOT / "params.yaml").read_text())["models"]
    for name, stage in _with_code(stages).items():
        script, _, key = name.partition("@")
        code = [dep for dep in stage["deps"] if dep.suffix == ".py" or dep.parts[0] in ("code", "pfe", "stages")]
        kind = f".{declared[key]['kind']}" if script == "evaluate" else ""
        assert code == ([] if script == "code" else [Path("code", script + kind)]), name


def test_code_that_reads_sealed_problems_is_that_of_stages_in_front_of_the_wall(stages: dict[str, Any]) -> None:
    """Where dvc.yaml says that a stage does not read them, the code that could does not belong to it."""
    project = Project(ROOT, PACKAGES)
    readers = {name.partition("@")[0] for name, stage in stages.items() if Path("data/canonical") in stage["deps"]}
    seal = ROOT / "pfe/canonical/seal.py"
    for script in {name.partition("@")[0] for name in _with_code(stages)} - {"canonical", "code"}:
        assert (seal in project.closure(f"stages.{script}")) == (script in readers), script


def test_a_tutor_is_trained_again_for_what_it_shares_with_the_student_and_for_nothing_else() -> None:
    tutor = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]["tutor"]["do"]
    shared = {field.name for field in fields(NewStudent)} - {"gkd", *(field.name for field in fields(Embedded))}
    assert set(tutor["params"]) == {"seed", "embedded.${key}", *(f"student.{name}" for name in shared)}
