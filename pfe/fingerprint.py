"""Fingerprints of the code that decides a result: hashes that say whether it changed.

Example: `fingerprint("pfe.models.huggingface")` is `Fingerprint("9f2c…", ("python 3.11", "torch 2.13.0", …))`. An
edited docstring does not change it. It changes with an edited line in any module that this one imports, with a file
that one of them reads, and with another version of a library.

The code of a module is the syntax trees, without docstrings and comments, of all modules of its project that it
imports, at any depth and inside functions too. It includes modules that its strings name (`"from pfe.processes.server
import main"`), and all of a package that it searches (`package.__path__`). A file or folder that a string names counts
by its bytes if the module looks next to its own file (`Path(__file__).parent / "libraries"`).
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
# Libraries that do the work of the imported one.
BEHIND = {
    "sentence_transformers": ("torch", "transformers", "tokenizers"),
    "transformers": ("torch", "tokenizers", "safetensors"),
    "trl": ("torch", "accelerate"),
}
# Modules that report errors and progress, cache answers or distribute work: no result depends on them.
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
_LONGEST = 300  # characters of a string that may name a module or a file


@dataclass(frozen=True)
class Fingerprint:
    """A hash of the code, and the versions of the libraries it imports: "torch 2.13.0", or "vllm absent"."""

    code: str
    versions: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.code, *self.versions))


@dataclass(frozen=True)
class Scan:
    """The parse of one source file: its tree's hash, the project's modules and files that it names, other libraries."""

    sha256: str
    modules: frozenset[Path]
    files: frozenset[Path]
    libraries: frozenset[str]


class Project:
    """The packages of a folder, each file as first read; without package names, all modules in the folder."""

    def __init__(self, root: Path, packages: Sequence[str] = ()) -> None:
        self.root, self._packages = root, tuple(packages)
        self._scans: dict[Path, Scan] = {}

    def fingerprint(self, module: str, apart: Sequence[str] = ()) -> Fingerprint:
        """Return the fingerprint of the code that a module runs.

        Args:
            apart: modules to leave out, with what only they import.

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
        """Return the source files of a module and of all modules of the project that it imports.

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
        """Return the source file of a module of the project; None if the project has no such module."""
        if self._packages and module.partition(".")[0] not in self._packages:
            return None
        path = self.root.joinpath(*module.split("."))
        return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)

    def scan(self, path: Path) -> Scan:
        """Return the parse of a source file, from memory after the first call."""
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
        """Yield the packages whose `__path__` a module reads."""
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr == "__path__" and isinstance(node.value, ast.Name):
                for name in imports:
                    if name.rpartition(".")[2] == node.value.id and (file := self.file(name)) is not None:
                        yield file.parent

    def _above(self, path: Path) -> Iterator[Path]:
        """Yield the packages that contain a module: importing it runs them first, but their imports are not counted."""
        for folder in path.relative_to(self.root).parents:
            if folder.name and (package := self.root / folder / "__init__.py").is_file():
                yield package

    def _place(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


_OURS = Project(ROOT, PACKAGES)


@cache
def fingerprint(module: str, *apart: str) -> Fingerprint:
    """Return the fingerprint of PFE's code that a module runs; computed once per process.

    Args:
        apart: modules to leave out: `pfe.config`, if the configuration is part of the key anyway.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    return _OURS.fingerprint(module, apart)


def versions(*libraries: str) -> tuple[str, ...]:
    """Return Python's version, and those of the distributions that provide these modules."""
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
    """Return whether a file was written since this process began: then the loaded code may differ from the file."""
    now = time.time()
    return any(_LOAD_TIME < path.stat().st_mtime <= now for path in paths)


def _imports(nodes: Sequence[ast.AST], package: Sequence[str]) -> Iterator[str]:
    """Yield the names that a module imports, anywhere in it; for `from a import b` both a and a.b."""
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
    """Yield the short strings in a module; those of a path (`folder / "a" / "b.yaml"`) joined."""
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
    """Return whether a node is a path expression: `folder / "name"`."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, str)
    )


def _content(folder: Path, name: str) -> Iterator[Path]:
    """Yield the file of this name in a folder, or all files below the subfolder of this name."""
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
    """Return the hash of a syntax tree without docstrings, and its nodes, parents first.

    Empty fields do not count, since later Pythons add some.
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
    """Return whether a node is a docstring, or another string that stands alone as a statement."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
