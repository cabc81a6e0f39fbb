"""The results of an experiment at a git revision, read from git and DVC's cache without a checkout.

Example: `Revision.find("HEAD~1").benchmarks("student")` lists the benchmarks that the student was asked at that
commit; `find("")` is the workspace, the files as they are now.
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
    """The content of a file that a revision names is neither in DVC's cache nor in its remote."""


@dataclass(frozen=True, kw_only=True)
class Mark(Record):
    """The fields of a `ScoredPrediction` that a comparison needs and that predictions of every version have."""

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
    """A commit, an experiment or the workspace: its title for people, its name in git, and its files.

    `sha` is empty for the workspace. Paths are relative to DVC's repository.
    """

    title: str
    sha: str
    files: "AbstractFileSystem"

    @classmethod
    def find(cls, name: str) -> "Revision":
        """Return the revision or experiment of a name; the workspace if the name is empty.

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
        """Return the content of a file; None if this revision has no such file.

        Raises:
            AbsentError: it has one, but the content is neither in DVC's cache nor in its remote.
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
        """Return the names in a folder that have a suffix, without it; empty if there is no such folder.

        Raises:
            AbsentError: there is one, but its content is neither in DVC's cache nor in its remote.
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
        """Return the title without the subject of the commit."""
        return self.title.partition(" (")[0]

    @property
    def remedy(self) -> str:
        """Return advice on how to get the files that the experiment wrote."""
        if not self.sha:
            return "run `dvc pull` if a remote has it, else `dvc repro`"
        return f"run `dvc push` where it was made, or make it here: `git checkout {self.sha[:7]} && dvc repro`"

    @property
    def not_averaged(self) -> frozenset[str]:
        """Return the benchmarks that are not averaged, like `Config.not_averaged`, but read from conf/ in git."""
        domains = {name: self._domain(name) for name in self.names(CONF, ".yaml")}
        return frozenset(name for name, domain in domains.items() if domain == "invented")

    @property
    def metrics(self) -> list[str]:
        """Return the metrics files that dvc.yaml names; empty if there is no dvc.yaml."""
        pipeline = yaml.safe_load(self.read("dvc.yaml") or b"")
        return list(pipeline.get("metrics") or ()) if isinstance(pipeline, Mapping) else []

    def _domain(self, benchmark: str) -> object:
        values = yaml.safe_load(self.read(f"{CONF}/{benchmark}.yaml") or b"")
        return values.get("domain") if isinstance(values, Mapping) else None

    def benchmarks(self, model: str) -> list[str]:
        """Return the names of the benchmarks that a model was asked."""
        return self.names(SCORES / model, ".parquet")

    def accepted(self) -> dict[str, frozenset[str]]:
        """Return the ids of the problems that the firewall accepted, by set; empty if it did not run."""
        found = {}
        for name in self.names(SYNTHETIC, ".parquet"):
            table = pq.read_table(BytesIO(self.read(SYNTHETIC / f"{name}.parquet") or b""), columns=["id"])
            found[name] = frozenset(table.column("id").to_pylist())
        return found

    def record(self, path: str, kind: type[T]) -> T | None:
        """Read a record that `pfe.files.write_record` wrote; None if there is no such file.

        Raises:
            AbsentError: its content is not in the cache.
            UserError: it holds something else.
        """
        from pydantic import TypeAdapter, ValidationError

        content = self.read(path)
        try:
            return None if content is None else TypeAdapter(kind).validate_json(content)
        except ValidationError as error:
            raise UserError(f"{self.title}: {path}: not what this PFE writes there ({error.title})") from None

    def figures(self, path: str) -> dict[str, Any]:
        """Return the values of a JSON file by dotted names; empty if there is no such file."""
        content = self.read(path)
        return dict(flat(json.loads(content))) if content else {}

    def parameters(self) -> dict[str, Any]:
        """Return the parameters in params.yaml by dotted names."""
        return dict(flat(yaml.safe_load(self.read("params.yaml") or b"{}")))


def marks(content: bytes, where: str) -> list[Mark]:
    """Read the marks from a Parquet file of answers.

    Raises:
        UserError: it is no such file, or its answers lack the hashes of their prompts.
    """
    try:
        table = pq.read_table(BytesIO(content), columns=[field.name for field in fields(Mark)])
        return [Mark(**row) for row in table.to_pylist()]
    except (pa.ArrowInvalid, TypeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise UserError(f"{where}: no answers that can be compared ({reason}); score them again") from None


def flat(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that is no mapping, or an empty one, with its dotted name."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
