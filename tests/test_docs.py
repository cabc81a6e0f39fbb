"""The site of docs/: it builds with every link and anchor held, fetches nothing, and its notebook runs.

What is generated for it (the API, the commands, the picture of the imports) has everything that there is.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pfe
from tests.conftest import ROOT
from tests.test_imports import direct_imports

pytest.importorskip("mkdocs", reason="pip install 'pfe[docs]' builds the site")
TOUR = ROOT / "docs/tour.ipynb"
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\bsrc=\"(?:https?:)?//|<link[^>]*rel=\"(?!canonical)[^>]*href=\"https?://"
)


def build(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "mkdocs.yml", "-d", str(site)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.gate
def test_every_page_is_there_and_fetches_nothing(site: Path) -> None:
    pages = {path.stem for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".ipynb")}
    assert pages <= {path.stem for path in site.glob("*.html")}
    for page in site.glob("*.html"):
        assert not FETCHED.search(page.read_text(encoding="utf-8")), page.name


def test_what_is_told_once_is_shown_where_it_is_needed(site: Path) -> None:
    assert "pipx install" in (site / "index.html").read_text(encoding="utf-8")
    assert "cff-version" in (site / "cite.html").read_text(encoding="utf-8")
    assert "--8&lt;--" not in "".join(path.read_text(encoding="utf-8") for path in site.glob("*.html"))


def test_the_reference_has_every_exported_name_and_every_command(site: Path) -> None:
    api, commands = ((site / f"{name}.html").read_text(encoding="utf-8") for name in ("api", "cli"))
    assert [name for name in pfe.__all__ if f'id="pfe.{name}"' not in api] == []
    names = [path.stem for path in sorted((ROOT / "pfe/commands").glob("[a-z]*.py"))]
    assert re.findall(r'<h2 id="pfe-(\w+)"', commands) == names
    assert "<code>--against BENCH</code>" in commands


def test_the_picture_has_every_import_and_no_arrow_points_up(site: Path) -> None:
    text = (site / "architecture.html").read_text(encoding="utf-8")
    boxes = re.findall(r"<title>(\w+) imports ([\w, ]+)</title><rect [^>]*y=\"(\d+)\"", text)
    row = {name: int(y) for name, _, y in boxes}
    drawn = {name: {*imported.split(", ")} & row.keys() for name, imported, _ in boxes}
    assert {path.parent.name for path in (ROOT / "pfe").glob("*/__init__.py")} <= row.keys()
    assert drawn == {name: of_package(name) & row.keys() - {name} for name in row}
    for name, imported in drawn.items():
        for other in imported:
            assert row[other] > row[name] or (row[other] == row[name] and name in drawn[other]), (name, other)


def of_package(name: str) -> set[str]:
    """The packages, and modules next to them, that the files of a package or module import."""
    files = [*(ROOT / "pfe" / name).rglob("*.py"), *(ROOT / "pfe").glob(f"{name}.py")]
    return {
        imported.relative_to(ROOT / "pfe").parts[0].removesuffix(".py")
        for path in files
        for imported in direct_imports(path)
    }


@pytest.mark.gate
@pytest.mark.parametrize("link", ["nowhere.md", "firewall.md#nowhere"])
def test_a_link_that_leads_nowhere_stops_the_build(tmp_path: Path, link: str) -> None:
    for name in ("mkdocs.yml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    with (tmp_path / "docs/scale.md").open("a") as page:
        page.write(f"\n[there]({link})\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    assert "nowhere" in built.stdout + built.stderr


def test_every_promise_names_test_files_that_say_what_they_try() -> None:
    page = (ROOT / "docs/robustness.md").read_text(encoding="utf-8")
    promises = [line.split(" | ") for line in page.splitlines() if line.endswith(".py` |")]
    assert len(promises) > 40
    assert len(page.split()) <= 900
    for *_, figure, names in promises:
        assert figure
        for name in re.findall(r"`([\w/]+\.py)`", names):
            assert ast.get_docstring(ast.parse((ROOT / "tests" / name).read_text(encoding="utf-8"))), name


@pytest.mark.gate
def test_the_tour_runs_and_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    shown, tour = (nbformat.read(TOUR, as_version=4) for _ in range(2))
    NotebookClient(tour, timeout=600, kernel_name="python3").execute(cwd=str(tmp_path))
    for before, after in zip(shown.cells, tour.cells, strict=True):
        assert outline(before) == outline(after), "run it again: jupyter execute --inplace docs/tour.ipynb"


def outline(cell: dict[str, object]) -> list[str]:
    """The lines of a cell's output without figures, which another machine may round otherwise."""
    outputs: list[dict[str, str]] = cell.get("outputs", [])  # type: ignore[assignment]
    text = "".join(output.get("text", "") for output in outputs)
    if "fixed" in cell["id"]:  # type: ignore[operator]
        return [line.split()[0] for line in text.splitlines()]
    return [" ".join(re.sub(r"[-+~]*\d[\d.,]*|[0-9a-f]{64}", "#", line).split()) for line in text.splitlines()]
