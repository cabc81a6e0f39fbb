"""What an experiment came to at a revision: read of git and of DVC's cache, and nothing is checked out.

Example: `Revision.find("HEAD~1").answers("student", "gsm1k")` are the marks of its predictions; `find("")` is the
workspace, what lies in the folder now.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from pfe.errors import UserError
from pfe.extras import need
from pfe.problem import Record, Stop

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

T = TypeVar("T")
SCORES, SYNTHETIC = PurePosixPath("data/scores"), PurePosixPath("data/synthetic")
WORKSPACE = "the workspace"
CONF = "conf/benchmark"


class AbsentError(UserError):
    """The content of a file that a revision names is neither in the cache of DVC nor in its remote."""


@dataclass(frozen=True, kw_only=True)
class Mark(Record):
    """Of a `ScoredPrediction` what a comparison needs, which predictions of any version have."""

    problem_id: str
    arm: str
    order: int
    correct: bool
    group: str
    template_sha256: str
    library_sha256: str
    output: str
    extracted: str
    stop: Stop
    dropped: int
    engine: str


@dataclass(frozen=True)
class Revision:
    """A commit, an experiment or the workspace: what it is called, for people and in git, and its files.

    `sha` is empty for the workspace. Paths are relative to the repository of DVC.
    """

    title: str
    sha: str
    files: "AbstractFileSystem"

    @classmethod
    def find(cls, name: str) -> "Revision":
        """The revision or experiment of a name; where that is empty, the workspace.

        Raises:
            UserError: there is none, this is no repository, or DVC is not installed.
        """
        need("a comparison of revisions", "dvc")
        from dvc.api import DVCFileSystem
        from dvc.exceptions import DvcException
        from dvc.repo import Repo
        from dvc.scm import NoSCM, resolve_rev
        from fsspec.implementations.dirfs import DirFileSystem

        try:
            with Repo() as repo:
                if isinstance(repo.scm, NoSCM):
                    raise UserError(f"{name or WORKSPACE}: no revision, for this folder is in no repository of git")
                if not name:
                    return cls(WORKSPACE, "", DirFileSystem(repo.root_dir, target_protocol="file"))
                sha = resolve_rev(repo.scm, name)
                experiment = repo.experiments.get_exact_name([sha])[sha]
                subject = repo.scm.resolve_commit(sha).message.split("\n", 1)[0]
                title = f"experiment {experiment}" if experiment else f"commit {sha[:7]} ({subject})"
                return cls(title, sha, DVCFileSystem(repo.root_dir, rev=sha))
        except DvcException as error:
            raise UserError(
                f"{name}: {error}; `git log --oneline` lists revisions, `dvc exp list` experiments"
            ) from None

    def read(self, path: PurePosixPath | str) -> bytes | None:
        """What a file holds; None where this revision has no such file.

        Raises:
            AbsentError: it has, and its content is neither in the cache of DVC nor in its remote.
        """
        from dvc.exceptions import DvcException
        from dvc_data.index import DataIndexDirError

        try:
            if not self.files.exists(str(path)):
                return None
            content: bytes = self.files.read_bytes(str(path))
        except (FileNotFoundError, DvcException, DataIndexDirError):
            raise self._missing(path) from None
        return content

    def names(self, folder: PurePosixPath | str, suffix: str = "") -> list[str]:
        """What stands in a folder and ends so, without the suffix; nothing where there is no such folder.

        Raises:
            AbsentError: there is one, and what is in it is neither in the cache of DVC nor in its remote.
        """
        from dvc_data.index import DataIndexDirError

        try:
            inside = [PurePosixPath(path) for path in self.files.ls(str(folder), detail=False)]
        except FileNotFoundError:
            return []
        except DataIndexDirError:
            raise self._missing(folder) from None
        inside = [path for path in inside if path.parent.name == PurePosixPath(folder).name]  # not the folder itself
        return sorted(path.name.removesuffix(suffix) for path in inside if path.suffix == suffix)

    def _missing(self, path: PurePosixPath | str) -> AbsentError:
        return AbsentError(f"{self.name}: {path} is not in the cache of DVC, nor in a remote; {self.remedy}")

    @property
    def name(self) -> str:
        """The title without the subject of the commit."""
        return self.title.partition(" (")[0]

    @property
    def remedy(self) -> str:
        """What to do to have what the experiment wrote."""
        if not self.sha:
            return "run `dvc pull` if a remote has it, else `dvc repro`"
        return f"run `dvc push` where it was made, or make it here: `git checkout {self.sha[:7]} && dvc repro`"

    @property
    def beside(self) -> frozenset[str]:
        """The benchmarks that are not averaged, as `pfe.config.Config.beside` has it; by conf/, which is in git."""
        domains = {name: self._domain(name) for name in self.names(CONF, ".yaml")}
        return frozenset(name for name, domain in domains.items() if domain == "invented")

    @property
    def metrics(self) -> list[str]:
        """The files of metrics that dvc.yaml names; none if there is no dvc.yaml."""
        pipeline = yaml.safe_load(self.read("dvc.yaml") or b"")
        return list(pipeline.get("metrics") or ()) if isinstance(pipeline, Mapping) else []

    def _domain(self, benchmark: str) -> object:
        values = yaml.safe_load(self.read(f"{CONF}/{benchmark}.yaml") or b"")
        return values.get("domain") if isinstance(values, Mapping) else None

    def benchmarks(self, model: str) -> list[str]:
        """Those that a model was asked."""
        return self.names(SCORES / model, ".parquet")

    def accepted(self) -> dict[str, frozenset[str]]:
        """The ids of the problems that the firewall accepted, by set; none where it did not run."""
        found = {}
        for name in self.names(SYNTHETIC, ".parquet"):
            table = pq.read_table(BytesIO(self.read(SYNTHETIC / f"{name}.parquet") or b""), columns=["id"])
            found[name] = frozenset(table.column("id").to_pylist())
        return found

    def record(self, path: str, kind: type[T]) -> T | None:
        """What `pfe.files.write_record` wrote; None where there is no such file.

        Raises:
            AbsentError: it is not in the cache.
            UserError: it holds something else.
        """
        from pydantic import TypeAdapter, ValidationError

        content = self.read(path)
        try:
            return None if content is None else TypeAdapter(kind).validate_json(content)
        except ValidationError as error:
            raise UserError(f"{self.title}: {path}: not what this PFE writes there ({error.title})") from None

    def figures(self, path: str) -> dict[str, Any]:
        """What a file of JSON holds, by dotted names; nothing where there is no such file."""
        content = self.read(path)
        return dict(flat(json.loads(content))) if content else {}

    def parameters(self) -> dict[str, Any]:
        """The parameters of params.yaml, by dotted names."""
        return dict(flat(yaml.safe_load(self.read("params.yaml") or b"{}")))


def marks(content: bytes, where: str) -> list[Mark]:
    """The marks that a Parquet file of answers holds.

    Raises:
        UserError: it is none, or of answers without a hash of what they were asked.
    """
    try:
        table = pq.read_table(BytesIO(content), columns=[field.name for field in fields(Mark)])
        return [Mark(**row) for row in table.to_pylist()]
    except (pa.ArrowInvalid, TypeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise UserError(f"{where}: no answers that can be compared ({reason}); score them again") from None


def flat(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no mapping, or an empty one, by its dotted name."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
