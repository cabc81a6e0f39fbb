"""What `dvc plots` draws: every plot of dvc.yaml from its data, two revisions laid over each other."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe.calibration.record import Rates
from pfe.files import write_record
from pfe.scores.metrics import PlotRow
from pfe.symreg.plots import Point
from tests.conftest import ROOT
from tests.pipeline.conftest import runner

PLOTS = yaml.safe_load((ROOT / "dvc.yaml").read_text())["plots"]
DRAWN = {name: plot for entry in PLOTS if isinstance(entry, dict) for name, plot in entry.items()}


def write_data(folder: Path, shift: float) -> None:
    """What the stages write for plots, with all figures moved."""
    scores = [
        PlotRow(model, name, 30 + shift, 32 + shift, 2 + shift, shift - 4, 8 + shift, 50)
        for model in ("Ours (trained)", "Chance")
        for name in ("RACE", "GSM1K")
    ]
    rates = [
        Rates(gate, step / 4, 100 - 20.0 * step - shift, 40.0 / (1 + step) + shift)
        for gate in ("dilution", "edits")
        for step in range(5)
    ]
    points = [Point("Operon", 0.9 + shift / 100, 21), Point("Lasso", 0.8, 40), Point("Linear", 0.6, 12)]
    write_record(folder / "data/plots/scores.json", scores, list[PlotRow])
    write_record(folder / "data/plots/roc.json", rates, list[Rates])
    write_record(folder / "data/plots/pareto.json", points, list[Point])
    for name in ("loss", "learning_rate", "validation/loss", "validation/worlds/library"):
        path = folder / f"data/training/plots/metrics/{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"step\t{path.stem}\n" + "".join(f"{step}\t{9 - step + shift}\n" for step in range(4)))
    for path in (folder / plot for plot in PLOTS if isinstance(plot, str)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<svg xmlns='http://www.w3.org/2000/svg'><text>{shift}</text></svg>")


@pytest.fixture(scope="module")
def diff(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `dvc plots diff` gives for the figures of a commit and others in the workspace."""
    folder = tmp_path_factory.mktemp("plots")
    run = runner(folder)
    (folder / "dvc.yaml").write_text(yaml.safe_dump({"plots": PLOTS}, sort_keys=False))
    write_data(folder, 0)
    for command in (["git", "init", "-q"], ["dvc", "init", "-q"]):
        run(*command)
    (folder / ".dvc/plots").mkdir(exist_ok=True)
    for template in (ROOT / ".dvc/plots").glob("*.json"):
        (folder / ".dvc/plots" / template.name).write_text(template.read_text())
    run("git", "add", "-A")
    run("git", "commit", "-qm", "before")
    write_data(folder, 1)
    found: dict[str, Any] = json.loads(run("dvc", "plots", "diff", "HEAD", "workspace", "--json").stdout)
    return found


def fields(spec: Any) -> set[str]:
    """The fields that a specification of Vega-Lite draws."""
    if isinstance(spec, dict):
        own = {spec["field"]} if isinstance(spec.get("field"), str) else set()
        return own.union(*(fields(part) for key, part in spec.items() if key != "values"))
    return set().union(*map(fields, spec)) if isinstance(spec, list) else set()


@pytest.mark.slow
def test_every_plot_is_drawn_without_an_error(diff: dict[str, Any]) -> None:
    assert "errors" not in diff
    names = {name.partition("::")[2] or name for name in diff["data"]}
    assert names == {*DRAWN, *(plot for plot in PLOTS if isinstance(plot, str))}


@pytest.mark.parametrize("name", DRAWN)
def test_both_revisions_are_in_one_plot_and_its_fields_in_the_data(diff: dict[str, Any], name: str) -> None:
    (plot,) = next(plots for key, plots in diff["data"].items() if key.endswith(name))
    assert set(plot["revisions"]) == {"HEAD", "workspace"}
    content = plot["content"]
    assert "<DVC_METRIC_" not in json.dumps(content)
    rows = content["data"]["values"]
    assert {row["rev"] for row in rows} == {"HEAD", "workspace"}
    assert fields(content) - {"from", "to", "best", "rev"} <= rows[0].keys()
    assert DRAWN[name]["x"] in fields(content)


def test_the_report_s_plots_are_images_of_both_revisions(diff: dict[str, Any]) -> None:
    for path in (plot for plot in PLOTS if isinstance(plot, str)):
        images = diff["data"][path]
        assert {image["type"] for image in images} == {"image"}
        assert sorted(image["revisions"] for image in images) == [["HEAD"], ["workspace"]]


def test_templates_are_those_that_plots_name() -> None:
    named = {plot["template"] for plot in DRAWN.values()}
    assert {path.stem for path in (ROOT / ".dvc/plots").glob("*.json")} == named - {"simple"}
