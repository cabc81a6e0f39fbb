"""README, CONTRIBUTING and docs/ keep to what is there: commands first, the table as printed and measured, files."""

import json
import re

import pytest

from pfe.config import Config
from pfe.report.table import average_line, table
from pfe.scores.model import Averages
from tests import guide
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GUIDES = [
    (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    for name in ("add", "cite", "clean", "competition", "evaluate", "experiment", "machines")
]
SHOWN = README.split("<!-- table -->")[1].split("<!-- /table -->")[0]
BENCHMARK, AVERAGES = SHOWN.split("PFE: averages")
POINTS = re.compile(r"([+-]?\d+\.\d)% \[")


def metrics(name: str) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = json.loads((ROOT / f"metrics/{name}.json").read_text())
    return figures


def figures(part: str, label: str) -> list[float]:
    """The points of a model's row of the table (canonical, ICR, lift, content lift), and n."""
    (row,) = re.findall(rf"^{re.escape(label)} .*%.*$", part, re.MULTILINE)
    return [*map(float, POINTS.findall(row)), float(row.split()[-1])]


def test_the_first_commands_stand_before_the_first_section() -> None:
    head = README.split("\n## ")[0]
    places = [head.index(command) for command in ("pipx install", "pfe eval", "make repro", "make test")]
    assert places == sorted(places)


def test_the_table_is_in_the_printed_format(settings: Config) -> None:
    lines = [average_line(model.label, Averages()) for model in settings.models.values()]
    title, rule, head, *_ = table("PFE: averages over benchmarks", lines).splitlines()
    assert all(line in SHOWN for line in (title, rule, head))


def test_the_table_has_the_committed_averages_of_every_default_model(settings: Config) -> None:
    for name, measured in metrics("pfe").items():
        expected = [measured[key] for key in ("canonical", "icr", "lift", "content_lift", "n")]
        assert figures(AVERAGES, settings.models[name].label) == expected, f"{name}: copy it from report/report.md"
    assert set(metrics("pfe")) == set(settings.models)


def test_the_benchmark_s_table_has_its_committed_figures(settings: Config) -> None:
    for name, model in settings.models.items():
        expected = [metrics(arm)[name]["arc_easy"] for arm in ("canonical", "icr", "lift")]
        assert figures(BENCHMARK, model.label)[:3] == expected, f"{name}: copy it from report/report.md"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    text = re.sub(r"<!--.*?-->", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert target.startswith("https://") or (ROOT / target).is_file(), target


def test_every_path_that_is_named_exists() -> None:
    examples = {step.file for step in guide.steps()}
    for path in re.findall(
        r"`((?:conf|pfe|docs|stages|data/sample|tests|\.github)/[\w/.]*)`", "\n".join([README, CONTRIBUTING, *GUIDES])
    ):
        assert path in examples or (ROOT / path).exists(), path


def test_every_target_area_and_test_file_that_the_guide_names_exists() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"make ([a-z-]+)(?=[` ]*(?:$|`|#|AREA))", CONTRIBUTING, re.MULTILINE)) <= set(targets)
    assert all((ROOT / "tests" / area).is_dir() for area in re.findall(r"AREA=(\w+)", CONTRIBUTING))
    assert all((ROOT / path).exists() for path in re.findall(r"\btests/[\w./]+\b(?!\*)", CONTRIBUTING + guide.TEXT))
