"""What changes a fingerprint and what does not, on copies of small projects and of PFE itself."""

import ast
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.fingerprint import PACKAGES, Project, fingerprint, versions
from tests.conftest import ROOT

FILES = {
    "mine/__init__.py": '"""A package."""\n',
    "mine/start.py": (
        '"""Starts."""\nimport sys\nfrom pathlib import Path\nimport numpy as np\n'
        'from mine import middle\nWORDS = Path(__file__).parent / "words" / "a.txt"\n\n'
        'def run(x=1):\n    """Runs."""\n    return middle.add(x)\n'
    ),
    "mine/middle.py": (
        "def add(x):\n    from mine.deep.last import one\n    return x + one\n\n\n"
        'START = [sys, "-m", "mine.child"]\nCODE = "import sys; from mine.other import main; main()"\n'
    ),
    "mine/deep/__init__.py": "from mine.deep.first import unused\n",
    "mine/deep/first.py": "unused = 1\n",
    "mine/deep/last.py": "import yaml\none = 1\n",
    "mine/child.py": "print(1)\n",
    "mine/other.py": "def main(): print(2)\n",
    "mine/searching.py": "from mine import found\nimport pkgutil\nnames = list(pkgutil.iter_modules(found.__path__))\n",
    "mine/found/__init__.py": "",
    "mine/found/a.py": "a = 1\n",
    "mine/found/table.yaml": "- 1\n",
    "mine/words/a.txt": "one\n",
    "mine/words/b.txt": "two\n",
    "mine/alone.py": "def f():\n    '''Says.'''\n    from .child import x\n    return 'mine/words'\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def _changed(root: Path, name: str, edit: Callable[[str], str], module: str = "mine.start") -> bool:
    """Whether an edit of a file changes what a module's code is."""
    before = Project(root).fingerprint(module)
    path = root / name
    edited = edit(path.read_text())
    assert edited != path.read_text(), "the edit must edit"
    path.write_text(edited)
    return Project(root).fingerprint(module) != before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("mine/start.py", "x=1", "x=2"),
        ("mine/middle.py", "x + one", "one + x"),
        ("mine/deep/last.py", "one = 1", "one = 1.0"),
        ("mine/deep/last.py", "import yaml", "import torch"),
        ("mine/child.py", "print(1)", "print('1')"),
        ("mine/other.py", "print(2)", "print(-2)"),
        ("mine/__init__.py", '"""A package."""', "import mine.alone"),
        ("mine/words/a.txt", "one", "One"),
    ],
)
def test_what_decides_changes_the_fingerprint(project: Path, name: str, old: str, new: str) -> None:
    assert _changed(project, name, lambda text: text.replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("mine/start.py", '"""Runs."""', '"""Runs it,\n    and well."""'),
        ("mine/start.py", '"""Starts."""\n', ""),
        ("mine/start.py", "return", "# why\n\n    return"),
        ("mine/start.py", "(x)", "( x, )"),
        ("mine/__init__.py", "A package", "One package"),
        ("mine/words/b.txt", "two", "three"),
        ("mine/alone.py", "Says", "Tells"),
        ("mine/deep/first.py", "unused = 1", "unused = 2"),
    ],
)
def test_what_does_not_decide_does_not(project: Path, name: str, old: str, new: str) -> None:
    assert not _changed(project, name, lambda text: text.replace(old, new))


def test_all_that_is_searched_counts_also_what_comes_new(project: Path) -> None:
    assert _changed(project, "mine/found/a.py", lambda text: text + "b = 2\n", "mine.searching")
    assert _changed(project, "mine/found/table.yaml", lambda text: text + "- 2\n", "mine.searching")
    before = Project(project).fingerprint("mine.searching")
    (project / "mine/found/b.py").write_text("b = 1\n")
    assert Project(project).fingerprint("mine.searching") != before


def test_a_relative_import_is_followed(project: Path) -> None:
    assert _changed(project, "mine/child.py", lambda text: text + "x = 1\n", "mine.alone")


def test_what_is_apart_does_not_count(project: Path) -> None:
    before = Project(project).fingerprint("mine.start", ["mine.middle"])
    (project / "mine/middle.py").write_text("from mine.found import a\n")
    assert Project(project).fingerprint("mine.start", ["mine.middle"]) == before


def test_libraries_count_by_their_versions(project: Path) -> None:
    assert Project(project).fingerprint("mine.start").versions == versions("numpy", "yaml")
    assert versions("yaml", "no_such_library")[1:] == ("PyYAML 6.0.3", "no_such_library absent")


def test_a_module_that_is_not_there_is_an_error(project: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"no module mine\.nothing"):
        Project(project).fingerprint("mine.nothing")


def test_the_place_of_a_project_does_not_count(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    copy = tmp_path_factory.mktemp("elsewhere") / "project"
    shutil.copytree(project, copy)
    assert Project(copy).fingerprint("mine.start") == Project(project).fingerprint("mine.start")


def test_code_that_is_edited_while_it_runs_is_not_taken_for_the_edited_one(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "pfe", tmp_path / "pfe", ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "import pfe.fingerprint, pathlib, time; time.sleep(0.05); path = pathlib.Path('pfe/sandbox/answers.py');"
        "path.write_text(path.read_text() + '{}'); print(pfe.fingerprint.fingerprint('pfe.sandbox.process').code)"
    )
    command = [sys.executable, "-c", code.format("more = 1\\n")]
    running = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    assert running != Project(tmp_path, PACKAGES).fingerprint("pfe.sandbox.process").code


SOURCES = sorted((ROOT / "pfe").rglob("*.py"))


@settings(max_examples=25)
@given(st.sampled_from(SOURCES), st.data())
def test_formatting_is_no_code_and_every_number_is(path: Path, data: st.DataObject) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    before = Project(ROOT, PACKAGES).scan(path).sha256
    assert _scanned(ast.unparse(tree), path) == before
    numbers = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, int)]
    if numbers:
        node = data.draw(st.sampled_from(numbers))
        node.value = repr(node.value)
        assert _scanned(ast.unparse(tree), path) != before


def _scanned(source: str, path: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / path.relative_to(ROOT)
        place.parent.mkdir(parents=True)
        place.write_text(source, encoding="utf-8")
        return Project(Path(folder), PACKAGES).scan(place).sha256


def test_what_our_modules_run_without_importing_it_counts() -> None:
    ours = Project(ROOT, PACKAGES)
    assert ROOT / "pfe/sandbox/sandboxed.py" in ours.closure("pfe.sandbox.process")
    assert ROOT / "pfe/processes/server.py" in ours.closure("pfe.processes.pool")
    assert set((ROOT / "pfe/tutors/families").rglob("*.py")) < ours.closure("pfe.tutors.family")
    assert ROOT / "pfe/icr/libraries/fncall.yaml" in ours.scan(ROOT / "pfe/icr/functions.py").files
    named = {version.partition(" ")[0] for version in fingerprint("pfe.models.huggingface").versions}
    assert {"python", "numpy", "torch", "transformers"} <= named
