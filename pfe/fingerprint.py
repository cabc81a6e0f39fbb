"""What code decides a result: one answer to "what changed?".

Example: `fingerprint("pfe.models.huggingface")` is `Fingerprint("9f2c…", ("python 3.11", "torch 2.13.0", …))`. An
edited docstring leaves it as it is; an edited line in any module that this one imports, a file that one of them reads,
or another version of a library changes it.

The code of a module is the syntax trees, docstrings and comments apart, of all modules of its project that it imports,
at any depth and inside functions too; also of those that its texts name (`"from pfe.processes.server import main"`),
and of a whole package that it searches (`package.__path__`). A file or folder that a text names counts by its bytes,
where the module looks beside itself (`Path(__file__).parent / "libraries"`).
"""

import ast
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("pfe", "stages")
# Libraries that do the work of others, which alone are imported.
BEHIND = {
    "sentence_transformers": ("torch", "transformers", "tokenizers"),
    "transformers": ("torch", "tokenizers", "safetensors"),
    "trl": ("torch", "accelerate"),
}
# How mistakes and progress are told, where answers are kept, and under what, and who runs a part where: no result
# depends on it.
SILENT = (
    "pfe.cache",
    "pfe.errors",
    "pfe.extras",
    "pfe.fingerprint",
    "pfe.progress",
    "pfe.stage",
    "dill",
    "loguru",
    "psutil",
    "ray",
)
_LOAD_TIME = time.time()
_MODULE = re.compile(r"\w+(?:\.\w+)+")
_IMPORT = re.compile(r"\b(?:from|import) ([\w.]+)")
_LONGEST = 300  # characters of a text that may name a module or a file


@dataclass(frozen=True)
class Fingerprint:
    """A hash of the code, and the versions of what it imports: "torch 2.13.0", or "vllm absent"."""

    code: str
    versions: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.code, *self.versions))


@dataclass(frozen=True)
class Scan:
    """What one source file says: its tree's hash, the project's modules and files that it names, other libraries."""

    sha256: str
    modules: frozenset[Path]
    files: frozenset[Path]
    libraries: frozenset[str]


class Project:
    """A folder of packages, as it is when they are first looked at; without names, all that lies in the folder."""

    def __init__(self, root: Path, packages: Sequence[str] = ()) -> None:
        self.root, self._packages = root, tuple(packages)
        self._scans: dict[Path, Scan] = {}

    def fingerprint(self, module: str, apart: Sequence[str] = ()) -> Fingerprint:
        """The code that decides what a module does.

        Args:
            apart: modules that do not count, nor what only they import.

        Raises:
            ModuleNotFoundError: the project has no such module.
        """
        closure = self.closure(module, apart)
        files = {file for path in closure for file in self.scan(path).files}
        digest = sha256()
        for path in sorted(closure):
            digest.update(f"{self._place(path)}\0{self.scan(path).sha256}\0".encode())
        for path in sorted(files):
            content = path.read_bytes()
            digest.update(f"{self._place(path)}\0{len(content)}\0".encode() + content)
        if self.root == ROOT and _edited(closure | files):
            digest.update(f"edited while running\0{_LOAD_TIME}".encode())
        libraries = {library for path in closure for library in self.scan(path).libraries}
        libraries |= {behind for library in libraries for behind in BEHIND.get(library, ())}
        return Fingerprint(digest.hexdigest(), versions(*sorted(libraries - {*SILENT, *apart})))

    def closure(self, module: str, apart: Sequence[str] = ()) -> set[Path]:
        """The source files of a module and of all that it imports in the project.

        Raises:
            ModuleNotFoundError: the project has no such module.
        """
        start = self.file(module)
        if start is None:
            raise ModuleNotFoundError(f"no module {module} in {self.root}")
        silent = {self.file(name) for name in (*SILENT, *apart)} - {start}
        closure, queue = set[Path](), [start]
        while queue:
            path = queue.pop()
            if path not in closure and path not in silent:
                closure.add(path)
                queue += self.scan(path).modules
        return closure | {package for path in closure for package in self._above(path)}

    def file(self, module: str) -> Path | None:
        """The source of a module of the project; None where it is none."""
        if self._packages and module.partition(".")[0] not in self._packages:
            return None
        path = self.root.joinpath(*module.split("."))
        return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)

    def scan(self, path: Path) -> Scan:
        """What a source file says."""
        if path not in self._scans:
            self._scans[path] = self._parse(path)
        return self._scans[path]

    def _parse(self, path: Path) -> Scan:
        source = path.read_bytes()
        code, nodes = _walked(ast.parse(source))
        imports = list(_imports(nodes, path.relative_to(self.root).parts[:-1]))
        modules = {file for name in imports if (file := self.file(name))}
        files = {file for package in self._searched(nodes, imports) for file in _below(package)}
        beside = any(isinstance(node, ast.Name) and node.id == "__file__" for node in nodes)
        for text in _texts(nodes):
            names = [text] if _MODULE.fullmatch(text) else _IMPORT.findall(text)
            modules |= {file for name in names if (file := self.file(name))}
            if beside:
                modules |= {file for name in names if (file := path.parent / f"{name}.py").is_file()}
                files |= set(_content(path.parent, text))
        sources = {file for file in files if file.suffix == ".py"}
        tops = {name.partition(".")[0] for name in imports}
        libraries = {top for top in tops if top not in self._packages and self.file(top) is None}
        return Scan(
            code,
            frozenset((modules | sources) - {path}),
            frozenset(files - sources),
            frozenset(libraries - sys.stdlib_module_names),
        )

    def _searched(self, nodes: Sequence[ast.AST], imports: Sequence[str]) -> Iterator[Path]:
        """The packages whose `__path__` a module reads."""
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr == "__path__" and isinstance(node.value, ast.Name):
                for name in imports:
                    if name.rpartition(".")[2] == node.value.id and (file := self.file(name)) is not None:
                        yield file.parent

    def _above(self, path: Path) -> Iterator[Path]:
        """The packages that a module lies in: importing it runs them first. What they import for others is not its."""
        for folder in path.relative_to(self.root).parents:
            if folder.name and (package := self.root / folder / "__init__.py").is_file():
                yield package

    def _place(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


_OURS = Project(ROOT, PACKAGES)


@cache
def fingerprint(module: str, *apart: str) -> Fingerprint:
    """The code of PFE that decides what a module does; looked at once a process.

    Args:
        apart: modules that do not count: `pfe.config`, where what was configured is part of the question.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    return _OURS.fingerprint(module, apart)


def versions(*libraries: str) -> tuple[str, ...]:
    """Python's version, and those of the distributions that bring these modules."""
    return (f"python {sys.version_info[0]}.{sys.version_info[1]}", *(_version(library) for library in libraries))


def _version(library: str) -> str:
    try:
        return f"{library} {metadata.version(library)}"
    except metadata.PackageNotFoundError:
        names = sorted(set(_distributions().get(library, ())))
        return ", ".join(f"{name} {metadata.version(name)}" for name in names) or f"{library} absent"


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def _edited(paths: set[Path]) -> bool:
    """Whether a file was written since this process began: then it may have loaded another text than lies there now."""
    now = time.time()
    return any(_LOAD_TIME < path.stat().st_mtime <= now for path in paths)


def _imports(nodes: Sequence[ast.AST], package: Sequence[str]) -> Iterator[str]:
    """The names that a module imports, wherever in it; of `from a import b` both a and a.b."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            name = ".".join((*above, *filter(None, [node.module])))
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            yield from (str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant))


def _texts(nodes: Sequence[Any]) -> Iterator[str]:
    """The short texts that a module holds; those of a path (`folder / "a" / "b.yaml"`) as one."""
    of_paths = set[int]()
    for node in nodes:
        if id(node) in of_paths:
            continue
        if _is_path(node):
            parts: list[str] = []
            while _is_path(node):
                parts.insert(0, node.right.value)
                of_paths |= {id(node), id(node.right)}
                node = node.left
            yield "/".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= _LONGEST:
            yield node.value


def _is_path(node: Any) -> bool:
    """Whether it is something in a folder: `folder / "name"`."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, str)
    )


def _content(folder: Path, name: str) -> Iterator[Path]:
    """The file of this name in a folder, or the files below the folder of this name."""
    if name.strip("./") and not name.startswith(("/", "..")) and name.isprintable():
        path = folder / name
        if path.is_dir():
            yield from _below(path)
        elif path.is_file():
            yield path


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith("."):
            yield file


def _walked(tree: ast.Module) -> tuple[str, Sequence[ast.AST]]:
    """The hash of a syntax tree without docstrings, and its nodes, each before those in it.

    Fields that are empty do not count, as later Pythons add some.
    """
    written: list[bytes] = []
    nodes: list[ast.AST] = []
    queue: list[Any] = [tree]
    while queue:
        part = queue.pop()
        if isinstance(part, bytes):
            written.append(part)
        elif isinstance(part, list):
            written.append(b"[")
            queue += [b"]", *reversed([node for node in part if not _is_note(node)])]
        elif isinstance(part, ast.Constant):
            nodes.append(part)
            written.append(_bytes(part.value))
        elif isinstance(part, ast.AST):
            nodes.append(part)
            written.append(f"{type(part).__name__}(".encode())
            queue.append(b")")
            for name in part._fields:
                value = getattr(part, name, None)
                if isinstance(value, ast.AST) or (isinstance(value, list) and value):
                    queue += [value, f"{name}=".encode()]
                elif value is not None and value != []:
                    queue.append(f"{name}=".encode() + _bytes(value))
        else:
            written.append(_bytes(part))
    return sha256(b"".join(written)).hexdigest(), nodes


def _bytes(value: object) -> bytes:
    return f"{value!r};".encode("utf-8", "surrogatepass")


def _is_note(node: object) -> bool:
    """Whether it is a docstring, or another text that stands alone and does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
