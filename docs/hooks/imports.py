"""Write the stages, the packages of pfe/ and their imports into docs/architecture.md when the site is built.

Example: a file of `pfe/judging/` that imports `pfe.scores.paired` draws an arrow from "judging" down to "scores", and
lists scores among the imports of judging in the table.
"""

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import yaml
from picture import Graph, svg  # mkdocs has the folder of a hook on the path while it loads the hook

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

STAGES, PICTURE, TABLE = (f"<!-- {what} -->" for what in ("stages", "picture of the imports", "packages"))


def on_page_markdown(markdown: str, page: "Page", **_: object) -> str:
    """Return the Markdown of a page, with the picture and the tables in their places on docs/architecture.md."""
    if page.file.src_uri != "architecture.md":
        return markdown
    spec = find_spec("pfe")
    assert spec
    assert spec.origin
    root = Path(spec.origin).parent
    graph = imports(root)
    for place, text in ((STAGES, stages(root.parent)), (PICTURE, svg(graph)), (TABLE, packages(root, graph))):
        markdown = markdown.replace(place, text)
    return markdown


def imports(root: Path) -> Graph:
    """Return what each package imports of the others, by name.

    A module next to the packages counts as one if it imports any of them, directly or through other modules.
    """
    graph: dict[str, set[str]] = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).parts[0].removesuffix(".py")
        graph.setdefault(name, set()).update(_imported(path, root.name))
    folders = {path.parent.name for path in root.glob("*/__init__.py")}
    shown = folders | {name for name in graph if nx.descendants(nx.DiGraph(graph), name) & folders}
    return {name: graph[name] & shown - {name} for name in shown}


def _imported(path: Path, root: str) -> Iterator[str]:
    """Yield the names right below `root` that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith(f"{root}."))


def stages(checkout: Path) -> str:
    """Return a Markdown table of the stages in the order of dvc.yaml: what each does, and the packages that it uses."""
    lines = []
    for name in yaml.safe_load((checkout / "dvc.yaml").read_text(encoding="utf-8"))["stages"]:
        path = checkout / "stages" / f"{name}.py"
        used = sorted(one for one in {*_imported(path, "pfe")} if (checkout / "pfe" / one).is_dir())
        lines.append(f"| {name} | {_summary(path)} | {', '.join(used)} |")
    return "\n".join(["| stage | task | packages |", "| --- | --- | --- |", *lines])


def packages(root: Path, graph: Graph) -> str:
    """Return a Markdown table of the packages: the first paragraph of the docstring, and the imports."""
    lines = [
        f"| {name} | {_summary(root / name / '__init__.py')} | {', '.join(sorted(graph[name])) or '–'} |"
        for name in sorted(graph)
        if (root / name).is_dir()
    ]
    return "\n".join(["| package | contents | imports |", "| --- | --- | --- |", *lines])


def _summary(path: Path) -> str:
    """Return the first paragraph of a module's docstring, in one line."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0].replace("\n", " ")
